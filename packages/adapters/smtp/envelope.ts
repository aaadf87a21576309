import type { SmtpStep } from '@postrider/domain/email/email.ts'
import type { RecipientResult } from '@postrider/domain/email/transmission.ts'
import { hasEnoughRecipients } from '@postrider/mail/smtpLimits.ts'
import type { FinishedMessage, Outgoing } from '@postrider/ports/transport.ts'
import { exchange } from './connection.ts'
import { type ReceivedReply, smtpReply, smtpStep } from './reply.ts'
import type { Session } from './session.ts'

/** Milliseconds; RFC 5321 §4.5.3.2 has the shortest times a client should wait. */
export type TransactionTimeouts = { commandMs: number; dataMs: number; blockMs: number; dotMs: number }

/** Replies to the commands of an envelope; undefined: none arrived. */
export type Envelope = {
  mail: ReceivedReply | undefined
  recipients: (ReceivedReply | undefined)[]
  data: ReceivedReply | undefined
}

export const notSmtp = 'the server sent a reply that SMTP does not allow'

/** Characters that would end the argument of a command. The API refuses them too; this is the last check. */
const unsafe = /[^\x21-\x3b\x3d\x3f-\x7e]/
const unsafeInUtf8 = /[\0-\x20<>\p{C}\p{Z}]/u

const bytesIn = ({ signatures, raw }: FinishedMessage): number => raw.byteLength + (signatures?.byteLength ?? 0)

/**
 * Returns MAIL, RCPT for each recipient, and DATA.
 * @param utf8 the message with its addresses in UTF-8; undefined: the transaction is without SMTPUTF8
 * @throws Error for an address that could contain further commands
 */
export const envelopeCommands = (session: Session, message: Outgoing, utf8: FinishedMessage | undefined): string[] => {
  const { from, to } = message
  const pattern = utf8 === undefined ? unsafe : unsafeInUtf8
  if (unsafe.test(from) || to.some((address) => address === '' || pattern.test(address)))
    throw new Error('an address of the envelope is not safe in SMTP')
  const size = session.size ? ` SIZE=${bytesIn(utf8 ?? message)}` : ''
  // RFC 6531 §3.4, §3.6: a header with UTF-8 is 8-bit data.
  const eightBit = utf8 !== undefined && session.eightBit ? ' BODY=8BITMIME' : ''
  const smtpUtf8 = utf8 === undefined ? '' : ' SMTPUTF8'
  return [`MAIL FROM:<${from}>${size}${eightBit}${smtpUtf8}`, ...to.map((address) => `RCPT TO:<${address}>`), 'DATA']
}

const nameOf = (command: string): string => command.slice(0, 4)

/** Sends the whole envelope in one round trip (RFC 2920 §3.1; RSET may be among the first commands, DATA is last). */
export const sendPipelined = async (
  session: Session,
  commands: string[],
  steps: SmtpStep[],
  { commandMs }: TransactionTimeouts,
): Promise<Envelope> => {
  const since = performance.now()
  const group = session.needsReset ? ['RSET', ...commands] : commands
  const { replies } = await session.connection.send(`${group.join('\r\n')}\r\n`, group.length, commandMs)
  const answered = Math.min(group.length, replies.length + 1)
  for (let n = 0; n < answered; n++) steps.push(smtpStep(nameOf(group[n] ?? ''), group[n] ?? '', replies[n], since))
  if (session.needsReset && !isAccepted(replies[0])) return notReset(session)
  const [mail, ...rest] = session.needsReset ? replies.slice(1) : replies
  return { mail, recipients: rest.slice(0, commands.length - 2), data: rest[commands.length - 2] }
}

/** Sends command by command and stops where an earlier reply makes the rest pointless. */
export const sendStepwise = async (
  session: Session,
  commands: string[],
  steps: SmtpStep[],
  { commandMs, dataMs }: TransactionTimeouts,
): Promise<Envelope> => {
  const send = (command: string, withinMs = commandMs): Promise<ReceivedReply | undefined> =>
    exchange(session.connection, steps, { name: nameOf(command), command, withinMs })
  const envelope: Envelope = { mail: undefined, recipients: [], data: undefined }
  await session.connection.checkSilence()
  if (session.needsReset && !isAccepted(await send('RSET'))) return notReset(session)
  envelope.mail = await send(commands[0] ?? '')
  if (!isAccepted(envelope.mail)) return envelope
  for (const command of commands.slice(1, -1)) {
    const reply = await send(command)
    envelope.recipients.push(reply)
    if (reply === undefined) return envelope
  }
  if (envelope.recipients.some(isAccepted)) envelope.data = await send('DATA', dataMs)
  return envelope
}

/** The last transaction is still open, so the connection cannot be reused. */
const notReset = ({ connection }: Session): Envelope => {
  connection.drop('the server refused RSET')
  return { mail: undefined, recipients: [], data: undefined }
}

export const isAccepted = (reply: ReceivedReply | undefined): boolean => reply !== undefined && reply.code < 300
export const isRefused = (reply: ReceivedReply): boolean => reply.code >= 400

/**
 * Returns whether each reply belongs to its command. A server that sends one reply too many shifts all that follow it:
 * then the reply to DATA is that to a recipient, or a reply is left over. 354 is a reply to DATA only, so a refusal of
 * the message may follow it. 421 may come at any time (RFC 5321 §3.8).
 */
export const isInStep = async ({ connection }: Session, { mail, recipients, data }: Envelope): Promise<boolean> => {
  const isReplyToIt = (reply: ReceivedReply | undefined): boolean =>
    reply === undefined || isAccepted(reply) || isRefused(reply)
  if (![mail, ...recipients].every(isReplyToIt)) return false
  if (data?.code === 354) return true
  if (data !== undefined && !isRefused(data)) return false
  await connection.checkSilence()
  return (connection.unexpectedReply()?.code ?? 421) === 421
}

/** No reply is used, since none can be attributed. */
export const outOfStep = ({ connection }: Session): Envelope => {
  connection.drop(notSmtp)
  return { mail: undefined, recipients: [], data: undefined }
}

/** Returns the result of each recipient as far as the envelope decides it, and the indexes of those accepted. */
export const recipientResults = (
  { mail, recipients }: Envelope,
  count: number,
  lost: string,
): { results: RecipientResult[]; accepted: number[] } => {
  const results: RecipientResult[] = []
  const accepted: number[] = []
  // RFC 5321 §3.8: 421 ends the connection for a reason that concerns every recipient.
  const closing = recipients.find((reply) => reply?.code === 421)
  const refusal = closing && { phase: 'mail' as const, reply: smtpReply(closing) }
  for (let index = 0; index < count; index++) {
    const isMail = mail !== undefined && !isAccepted(mail)
    const reply = isMail ? mail : recipients[index]
    if (isAccepted(reply)) accepted.push(index)
    if (reply === undefined || !isRefused(reply))
      results.push({ kind: 'lost_before_dot', reason: lost, ...(refusal && { refusal }) })
    else if (accepted.length > 0 && hasEnoughRecipients(smtpReply(reply))) results.push({ kind: 'next_transaction' })
    else results.push({ kind: 'answered', reply: smtpReply(reply), ...(isMail && { phase: 'mail' }) })
  }
  return { results, accepted }
}
