import { defaultSender } from '@postrider/contracts/settings.ts'
import { formatMailRoute } from '@postrider/mail/mailRoute.ts'
import type { Config } from './config.ts'

type Shown = {
  url: string
  /** Where the numbers are for anybody; null: on `url` for loopback clients alone. */
  metricsUrl: string | null
  /** Made at the first start and told only then. */
  first: { ownerEmail: string; password: string; testKey: string } | null
  config: Pick<Config, 'POSTRIDER_ROUTE' | 'POSTRIDER_DATA' | 'POSTRIDER_SENDER' | 'POSTRIDER_SIGNUP'>
}

const curl = (url: string, key: string): string => `curl -s ${url}/api/v1/emails \\
    -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' \\
    -d '{"to":["you@example.com"],"subject":"Hello","text":"It works."}'`

const line = (name: string, text: string): string => `  ${name.padEnd(10)} ${text}\n`

/** Nobody else's server takes mail from a name that is nobody's. */
const senderLine = (sender: string): string =>
  sender === defaultSender
    ? line('Sender', `Mail is from ${sender}, which most servers refuse: set POSTRIDER_SENDER.`)
    : ''

/** The first start's owner is never told again, so who lost them begins with a workspace of their own. */
const laterOwnerLine = (url: string, { POSTRIDER_SIGNUP }: Pick<Config, 'POSTRIDER_SIGNUP'>): string => {
  const opened = POSTRIDER_SIGNUP === 'open' ? '' : 'start with POSTRIDER_SIGNUP=open and '
  const way = `${opened}sign up: POST ${url}/api/v1/auth/signup`
  return line('Owner', `and test key were told at the first start; where they are lost, ${way}`)
}

/** What a person reads when it has started; the first time also the key and the owner, which are never told again. */
export const banner = ({ url, metricsUrl, first, config }: Shown): string => {
  const route = formatMailRoute(config.POSTRIDER_ROUTE)
  const kept = config.POSTRIDER_ROUTE.kind === 'mailbox'
  const started = [
    `\n  Postrider is ready at ${url}\n`,
    line('Mail', kept ? `is kept at ${url}/mailbox; nothing leaves this machine` : `leaves by ${route}`),
    kept ? '' : senderLine(config.POSTRIDER_SENDER.address),
    line('Data', config.POSTRIDER_DATA),
    metricsUrl === null ? '' : line('Metrics', metricsUrl),
  ].join('')
  if (!first) return `${started}${laterOwnerLine(url, config)}\n`
  return `${started}
  Owner      ${first.ownerEmail}   password ${first.password}   (shown once)
  Test key   ${first.testKey}   (shown once; its mail never leaves this machine)

  Send your first email${kept ? `, then look at ${url}/mailbox` : ' (only simulated: a live key sends by the route)'}

  ${curl(url, first.testKey)}

`
}
