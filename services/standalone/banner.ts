import type { DomainRecord } from '@postrider/contracts/services.ts'
import { linkLifeMs } from '@postrider/domain/accounts/links.ts'
import { countText } from '@postrider/domain/countText.ts'
import { isLoopbackAddress, isLoopbackHost } from '@postrider/domain/network.ts'
import { type Plan, type PlanName, plans } from '@postrider/domain/quota/plans.ts'
import { durationText } from '@postrider/domain/time.ts'
import { defaultSender } from '@postrider/kit/mailSettings.ts'
import { formatMailRoute } from '@postrider/mail/mailRoute.ts'
import type { Config } from './config.ts'

type BannerOptions = {
  url: string
  /** URL of the metrics for all clients; null: they are on `url`, for loopback clients only. */
  metricsUrl: string | null
  /** The file of the operator's token; null: the token is configured. Its content is never printed. */
  operatorTokenFile: string | null
  /** Created at the first start; null at later starts. */
  first: { ownerEmail: string; password: string; testKey: string } | null
  /** Signs the first owner in, once; null: no link was made. */
  signInUrl: string | null
  /** The sender's domain, whose records the operator has to publish. */
  senderDomain: Pick<DomainRecord, 'name' | 'records'>
  config: BannerConfig
}

type ReachConfig = Pick<Config, 'POSTRIDER_HOST' | 'POSTRIDER_PUBLIC_URL' | 'POSTRIDER_ROUTE' | 'POSTRIDER_SIGNUP'>

type BannerConfig = ReachConfig & Pick<Config, 'POSTRIDER_DATA' | 'POSTRIDER_SENDER' | 'POSTRIDER_DEFAULT_PLAN'>

const curl = (url: string, key: string): string => `curl -s ${url}/api/v1/emails \\
    -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' \\
    -d '{"to":["you@example.com"],"subject":"Hello","text":"It works."}'`

const line = (name: string, text: string): string => `  ${name.padEnd(10)} ${text}\n`

/** Other servers reject mail from the placeholder sender. */
const senderLine = (sender: string): string =>
  sender === defaultSender
    ? line('Sender', `Mail is sent from ${sender}, which most servers reject; set POSTRIDER_SENDER.`)
    : ''

/** The DNS records of the sender's domain, until each of its DKIM records was found. The placeholder has no DNS. */
const senderRecordLines = (sender: string, { name, records }: BannerOptions['senderDomain']): string => {
  const isDone = records.every(({ purpose, status }) => purpose !== 'dkim' || status === 'found')
  if (sender === defaultSender || isDone) return ''
  return [
    line('DNS', `Add these records to ${name}, so that servers recognize mail of the sender as yours:`),
    ...records.map((record) => {
      const priority = record.priority === undefined ? '' : `${record.priority} `
      return line('', `${record.type.padEnd(4)} ${record.name}`) + line('', `     ${priority}${record.value}`)
    }),
  ].join('')
}

/** Any server on the way can read the mail and the login. */
const unverifiedLine = (route: Config['POSTRIDER_ROUTE']): string =>
  route.kind === 'smtp' && route.unverifiedTls
    ? line('Warning', 'The certificate of the mail server is not verified (?tls=unverified); use ?tls=required.')
    : ''

/** Returns whether only this machine reaches the port. */
export const isLocalHost = (host: string): boolean => host === 'localhost' || isLoopbackAddress(host)

/** Returns whether users open another URL than one of this machine. */
export const hasPublicAddress = (publicUrl: string | undefined): boolean =>
  publicUrl !== undefined && !isLoopbackHost(new URL(publicUrl).host)

/** Which names a request may have in its Host header. */
const namesText = ({ POSTRIDER_HOST: host, POSTRIDER_PUBLIC_URL: publicUrl }: ReachConfig): string => {
  if (hasPublicAddress(publicUrl)) return `The public URL is ${publicUrl}.`
  if (isLocalHost(host))
    return 'Only the host name localhost is accepted. Set POSTRIDER_PUBLIC_URL before you put a proxy in front. Without it some proxies show captured mail and metrics to everyone.'
  const set = 'set POSTRIDER_PUBLIC_URL to the URL that users of other machines open.'
  return publicUrl === undefined
    ? `Only the host name localhost is accepted; ${set}`
    : `The public URL is ${publicUrl}, which names this machine only; ${set}`
}

const whoCanSignUp = ({ POSTRIDER_HOST: host, POSTRIDER_PUBLIC_URL: publicUrl }: ReachConfig): string => {
  if (!isLocalHost(host)) return 'everyone who can reach the port'
  return hasPublicAddress(publicUrl) ? `everyone who can reach ${publicUrl}` : 'every user of this machine'
}

/** Returns the lines about who can reach the port, and about open sign-up if each new workspace can send real mail. */
export const reachLines = (config: ReachConfig): string => {
  const { POSTRIDER_HOST: host, POSTRIDER_ROUTE: route } = config
  const machines = isLocalHost(host)
    ? 'only this machine can reach the port'
    : `every machine that can reach this one can reach the port (POSTRIDER_HOST=${host})`
  const isOpen = config.POSTRIDER_SIGNUP === 'open' && route.kind !== 'mailbox'
  const signUp = `is open: ${whoCanSignUp(config)} can sign up and send mail. POSTRIDER_SIGNUP=off closes it.`
  return line('Access', machines) + line('', namesText(config)) + (isOpen ? line('Sign-up', signUp) : '')
}

/** The amounts of a plan, as text. */
const planText = (name: PlanName): string => {
  const { monthly, daily, overage }: Plan = plans[name]
  if (monthly === null) return 'no limit of sends'
  const month = `${countText(monthly)} sends a month`
  const more =
    overage === null ? '' : `; more cost ${overage.blockCents / 100} USD for each ${countText(overage.blockSends)}`
  return daily === null ? `${month}${more}` : `${month} and ${countText(daily)} a day${more}`
}

/** Returns the lines about the quota of live mail, and how to change it. */
export const quotaLines = (plan: PlanName): string => {
  const others = Object.keys(plans).filter((name) => name !== plan)
  const change = `POSTRIDER_DEFAULT_PLAN=${others.join(' or ')} changes that. Existing ones: README.md, "Quotas".`
  return line('Quota', `new workspaces are on the plan ${plan}: ${planText(plan)}`) + line('', change)
}

const operatorLine = (file: string | null): string =>
  line('Operator', file === null ? 'token is that of POSTRIDER_OPERATOR_TOKEN' : `token is in ${file}`)

/** The owner and key of the first start cannot be shown again; without them the way in is a new workspace. */
const laterOwnerLine = (url: string, { POSTRIDER_SIGNUP }: Pick<Config, 'POSTRIDER_SIGNUP'>): string => {
  const open = POSTRIDER_SIGNUP === 'open' ? '' : 'start with POSTRIDER_SIGNUP=open and '
  const way = `${open}sign up: POST ${url}/api/v1/auth/signup`
  return line('Owner', `and test key were shown at the first start; if you lost them, ${way}`)
}

/** The link, on a line of its own, because terminals open it from there. */
const signInLine = (url: string | null): string =>
  url === null
    ? ''
    : `\n  Log in to the dashboard as owner (once, within ${durationText(linkLifeMs.sign_in)}):\n\n  ${url}\n`

/** Returns the text printed after a start; after the first one with the owner and the key. */
export const banner = (options: BannerOptions): string => {
  const { url, metricsUrl, operatorTokenFile, first, signInUrl, senderDomain, config } = options
  const route = formatMailRoute(config.POSTRIDER_ROUTE)
  const captured = config.POSTRIDER_ROUTE.kind === 'mailbox'
  const started = [
    `\n  Postrider is ready at ${url}\n`,
    line('Mail', captured ? `is captured at ${url}/mailbox; nothing is sent` : `is sent by ${route}`),
    unverifiedLine(config.POSTRIDER_ROUTE),
    captured ? '' : senderLine(config.POSTRIDER_SENDER.address),
    senderRecordLines(config.POSTRIDER_SENDER.address, senderDomain),
    reachLines(config),
    quotaLines(config.POSTRIDER_DEFAULT_PLAN),
    operatorLine(operatorTokenFile),
    line('Data', config.POSTRIDER_DATA),
    metricsUrl === null ? '' : line('Metrics', metricsUrl),
  ].join('')
  if (!first) return `${started}${laterOwnerLine(url, config)}${signInLine(signInUrl)}\n`
  return `${started}
  Owner      ${first.ownerEmail}   password ${first.password}   (shown once)
  Test key   ${first.testKey}   (shown once; its mail is never sent)
${signInLine(signInUrl)}
  Send your first email${captured ? `, then open ${url}/mailbox` : ' (it is simulated; only a live key sends mail)'}

  ${curl(url, first.testKey)}

`
}
