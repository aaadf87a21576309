import { createHmac } from 'node:crypto'
import type { SmtpStep } from '@postrider/domain/email/email.ts'
import { type Reply, replyText } from './reply.ts'
import { redactor, smtpStep } from './step.ts'
import type { Wire } from './wire.ts'

export type Credentials = { user: string; password: string }

type Exchange = { first: string; answers: ((challenge: string) => string)[] }

const base64 = (text: string): string => Buffer.from(text).toString('base64')

/** What each mechanism says first and answers to each challenge; in the order we like them. */
const exchanges: Record<string, (login: Credentials) => Exchange> = {
  // RFC 4616 with the initial response of RFC 4954 §4.
  PLAIN: ({ user, password }) => ({ first: `PLAIN ${base64(`\0${user}\0${password}`)}`, answers: [] }),
  // Never standardised; as in draft-murchison-sasl-login.
  LOGIN: ({ user, password }) => ({ first: 'LOGIN', answers: [() => base64(user), () => base64(password)] }),
  // RFC 2195 §2.
  'CRAM-MD5': ({ user, password }) => ({
    first: 'CRAM-MD5',
    answers: [(challenge) => base64(`${user} ${cramDigest(challenge, password)}`)],
  }),
}

const cramDigest = (challenge: string, password: string): string =>
  createHmac('md5', password).update(Buffer.from(challenge, 'base64')).digest('hex')

/**
 * Logs in (RFC 4954). User and password appear in no step and no fault.
 * @param offered the mechanisms of the server's EHLO reply
 * @returns why it can't be; null: logged in
 */
export const logIn = async (
  wire: Wire,
  login: Credentials,
  offered: readonly string[],
  steps: SmtpStep[],
  withinMs: number,
): Promise<string | null> => {
  const mechanism = Object.keys(exchanges).find((name) => offered.includes(name))
  const exchange = mechanism === undefined ? undefined : exchanges[mechanism]?.(login)
  if (exchange === undefined) return `it offers no login we know (${offered.join(' ') || 'none at all'})`
  const redact = redactor(login.user, login.password)
  const last = await converse(wire, exchange, withinMs, (command, reply, since) =>
    steps.push(smtpStep('AUTH', command, reply && { ...reply, lines: reply.lines.map(redact) }, since)),
  )
  if (last?.code === 235) return null
  return redact(last === undefined ? (wire.lost() ?? '') : `it refused the login: ${replyText(last)}`)
}

const converse = async (
  wire: Wire,
  { first, answers }: Exchange,
  withinMs: number,
  onStep: (command: string, reply: Reply | undefined, since: number) => void,
): Promise<Reply | undefined> => {
  const say = async (text: string, shown: string): Promise<Reply | undefined> => {
    const since = performance.now()
    const { replies } = await wire.ask(`${text}\r\n`, 1, withinMs)
    onStep(shown, replies[0], since)
    return replies[0]
  }
  const [mechanism, initial] = first.split(' ')
  let reply = await say(`AUTH ${first}`, initial === undefined ? `AUTH ${mechanism}` : `AUTH ${mechanism} ***`)
  for (const answer of answers) {
    if (reply?.code !== 334) return reply
    reply = await say(answer(reply.lines[0] ?? ''), '***')
  }
  return reply
}
