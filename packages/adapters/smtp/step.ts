import type { SmtpStep } from '@postrider/domain/email/email.ts'
import { type Reply, replyText } from './reply.ts'

/** Longest text kept of a command or a reply, in characters. */
const longest = 1_000

const clip = (text: string): string => (text.length > longest ? `${text.slice(0, longest)}…` : text)

/**
 * One exchange for people to read. `reply` undefined: none came.
 * @param since `performance.now()` of when the command was written
 */
export const smtpStep = (name: string, command: string, reply: Reply | undefined, since: number): SmtpStep => ({
  name,
  command: clip(command),
  reply: reply === undefined ? '' : clip(replyText(reply)),
  duration_ms: Math.round(((reply?.at ?? performance.now()) - since) * 100) / 100,
})

/** Makes text fit to be shown: each secret, also as SMTP encodes it, becomes `***`. */
export const redactor = (user: string, password: string): ((text: string) => string) => {
  const base64 = (text: string): string => Buffer.from(text).toString('base64')
  const secrets = [`\0${user}\0${password}`, password, user].flatMap((secret) => [base64(secret), secret])
  return (text) => secrets.reduce((shown, secret) => shown.replaceAll(secret, '***'), text)
}
