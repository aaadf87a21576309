import { createHmac } from 'node:crypto'
import type { SmtpStep } from '@postrider/domain/email/email.ts'
import { exchange, type SmtpConnection } from './connection.ts'
import { type ReceivedReply, replyText } from './reply.ts'

export type Credentials = { user: string; password: string }

type Mechanism = { first: string; answers: ((challenge: string) => string)[] }

const base64 = (text: string): string => Buffer.from(text).toString('base64')

/** The first text of each mechanism and its responses to challenges, in our order of preference. */
const mechanisms: Record<string, (login: Credentials) => Mechanism> = {
  // RFC 4616 with the initial response of RFC 4954 §4.
  PLAIN: ({ user, password }) => ({ first: `PLAIN ${base64(`\0${user}\0${password}`)}`, answers: [] }),
  // Not standardized; as in draft-murchison-sasl-login.
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
 * Logs in (RFC 4954). User and password appear in no step and no reason.
 * @param offered the mechanisms of the server's EHLO reply
 * @returns the reason for a failure, with the reply that refused the login; null when logged in
 */
export const logIn = async (
  connection: SmtpConnection,
  login: Credentials,
  offered: readonly string[],
  steps: SmtpStep[],
  withinMs: number,
): Promise<{ reason: string; reply?: ReceivedReply | undefined } | null> => {
  const name = Object.keys(mechanisms).find((one) => offered.includes(one))
  const mechanism = name === undefined ? undefined : mechanisms[name]?.(login)
  if (mechanism === undefined)
    return { reason: `it offers no login mechanism we support (${offered.join(' ') || 'none'})` }
  const redact = redactor(login)
  const last = await converse(mechanism, (text, shown) =>
    exchange(connection, steps, { name: 'AUTH', command: shown, text: `${text}\r\n`, withinMs, redact }),
  )
  if (last?.code === 235) return null
  const reason = last === undefined ? (connection.lost() ?? '') : `it refused the login: ${replyText(last)}`
  return { reason: redact(reason), reply: last && { ...last, lines: last.lines.map(redact) } }
}

const converse = async (
  { first, answers }: Mechanism,
  send: (text: string, shown: string) => Promise<ReceivedReply | undefined>,
): Promise<ReceivedReply | undefined> => {
  const [mechanism, initial] = first.split(' ')
  let reply = await send(`AUTH ${first}`, initial === undefined ? `AUTH ${mechanism}` : `AUTH ${mechanism} ***`)
  for (const answer of answers) {
    if (reply?.code !== 334) return reply
    reply = await send(answer(reply.lines[0] ?? ''), '***')
  }
  return reply
}

/**
 * Returns the pattern of a secret. A server may use another encoding than UTF-8, so any characters outside ASCII match
 * those of the secret.
 */
export const spelling = (secret: string): string =>
  secret
    .split(/[^\0-\x7f]+/)
    .map((part) => RegExp.escape(part))
    .join('[^\\0-\\x7f]+')

/** What may be an encoded secret, or the beginning of one: some servers quote a command and cut it off. */
const encodedText = /[\w+/]{8,}={0,2}/g

/**
 * Replaces each secret, also as SMTP encodes it, by `***`, in any case: some servers change it. A reply may have
 * thousands of lines, so the patterns are made once.
 */
const redactor = ({ user, password }: Credentials): ((text: string) => string) => {
  const secrets = [`\0${user}\0${password}`, password, user]
  const plain = new RegExp(secrets.map(spelling).join('|'), 'gi')
  const encoded = secrets.map((secret) => base64(secret).toLowerCase())
  const patterns = [...encoded.map((secret) => new RegExp(RegExp.escape(secret), 'gi')), plain]
  const shown = (word: string): string => (encoded.some((one) => one.startsWith(word.toLowerCase())) ? '***' : word)
  return (text) =>
    patterns.reduce((redacted, pattern) => redacted.replaceAll(pattern, '***'), text.replaceAll(encodedText, shown))
}
