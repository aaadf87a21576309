import type { SmtpStep } from '@postrider/domain/email/email.ts'
import type { RecipientResult } from '@postrider/domain/email/transmission.ts'
import type { Outgoing } from '@postrider/ports/transport.ts'
import { dotStuff, finalDot } from './dotStuff.ts'
import { type Reply, smtpReply } from './reply.ts'
import type { Session } from './session.ts'
import { smtpStep } from './step.ts'

/** Milliseconds; RFC 5321 §4.5.3.2 has the least that a client should wait. */
export type TransactionTimeouts = { commandMs: number; dataMs: number; blockMs: number; dotMs: number }

/** `stale`: a kept connection was gone before MAIL was answered; nothing was begun, a fresh one may carry it. */
export type Transaction = { results: RecipientResult[]; stale: boolean }

type Envelope = { mail: Reply | undefined; recipients: (Reply | undefined)[]; data: Reply | undefined }

/** Slices a body is written in, in octets: each has its own deadline, so a slow line is no stalled one. */
const blockSize = 262_144

/**
 * Carries one message: envelope, body, gate, final dot.
 * @throws Error for an address or bytes that no caller may hand over; whatever the gate throws
 */
export const transact = async (
  session: Session,
  message: Outgoing,
  steps: SmtpStep[],
  timeouts: TransactionTimeouts,
): Promise<Transaction> => {
  const body = dotStuff(message.raw)
  const commands = envelopeCommands(session, message)
  const envelope = session.pipelining
    ? await askPipelined(session, commands, steps, timeouts)
    : await askStepwise(session, commands, steps, timeouts)
  if (envelope.mail === undefined || envelope.mail.code === 421) {
    if (session.carried > 0) return { results: [], stale: true }
  }
  dropIfOutOfStep(session, envelope)
  const { results, accepted } = recipientResults(envelope, message.to.length, lostReason(session))
  const goAhead = envelope.data?.code === 354
  session.needsReset = !goAhead
  if (goAhead && accepted.length === 0) await sendNothing(session, steps, timeouts)
  if (accepted.length === 0) return { results, stale: false }
  const outcome = goAhead
    ? await sendBody(session, message, body, accepted, steps, timeouts)
    : noGoAhead(session, envelope.data)
  for (const number of accepted) results[number] = outcome
  return { results, stale: false }
}

const lostReason = ({ wire }: Session): string => wire.lost() ?? 'the server did not answer as SMTP says'

/** An address that would be more than an argument of its command. The API takes none; this is the last door. */
const unfit = /[^\x21-\x3b\x3d\x3f-\x7e]/

const envelopeCommands = (session: Session, { from, to, raw }: Outgoing): string[] => {
  if (unfit.test(from) || to.some((address) => address === '' || unfit.test(address)))
    throw new Error('an address of the envelope is not fit for SMTP')
  const size = session.size ? ` SIZE=${raw.byteLength}` : ''
  return [`MAIL FROM:<${from}>${size}`, ...to.map((address) => `RCPT TO:<${address}>`), 'DATA']
}

const nameOf = (command: string): string => command.slice(0, 4)

/** The whole envelope in one write: one round trip (RFC 2920 §3.1; RSET may be among the first, DATA comes last). */
const askPipelined = async (
  session: Session,
  commands: string[],
  steps: SmtpStep[],
  { commandMs }: TransactionTimeouts,
): Promise<Envelope> => {
  const since = performance.now()
  const group = session.needsReset ? ['RSET', ...commands] : commands
  const { replies } = await session.wire.ask(`${group.join('\r\n')}\r\n`, group.length, commandMs)
  const answered = Math.min(group.length, replies.length + 1)
  for (let n = 0; n < answered; n++) steps.push(smtpStep(nameOf(group[n] ?? ''), group[n] ?? '', replies[n], since))
  if (session.needsReset && !isYes(replies[0])) return notReset(session)
  const [mail, ...rest] = session.needsReset ? replies.slice(1) : replies
  return { mail, recipients: rest.slice(0, commands.length - 2), data: rest[commands.length - 2] }
}

/** Command by command, and none that an earlier reply has made pointless. */
const askStepwise = async (
  session: Session,
  commands: string[],
  steps: SmtpStep[],
  { commandMs, dataMs }: TransactionTimeouts,
): Promise<Envelope> => {
  const say = async (command: string, withinMs: number): Promise<Reply | undefined> => {
    const since = performance.now()
    const { replies } = await session.wire.ask(`${command}\r\n`, 1, withinMs)
    steps.push(smtpStep(nameOf(command), command, replies[0], since))
    return replies[0]
  }
  const envelope: Envelope = { mail: undefined, recipients: [], data: undefined }
  if (session.needsReset && !isYes(await say('RSET', commandMs))) return notReset(session)
  envelope.mail = await say(commands[0] ?? '', commandMs)
  if (!isYes(envelope.mail)) return envelope
  for (const command of commands.slice(1, -1)) {
    const reply = await say(command, commandMs)
    envelope.recipients.push(reply)
    if (reply === undefined) return envelope
  }
  if (envelope.recipients.some(isYes)) envelope.data = await say('DATA', dataMs)
  return envelope
}

/** The last transaction still stands: this connection is of no use any more. */
const notReset = ({ wire }: Session): Envelope => {
  wire.drop('the server did not take RSET')
  return { mail: undefined, recipients: [], data: undefined }
}

const isYes = (reply: Reply | undefined): boolean => reply !== undefined && reply.code < 300
const isNo = (reply: Reply): boolean => reply.code >= 400

/** A 3yz to MAIL or RCPT: whose reply is whose can't be known any more. */
const dropIfOutOfStep = ({ wire }: Session, { mail, recipients }: Envelope): void => {
  if ([mail, ...recipients].some((reply) => reply !== undefined && !isYes(reply) && !isNo(reply)))
    wire.drop('the server did not answer as SMTP says')
}

const recipientResults = (
  { mail, recipients }: Envelope,
  count: number,
  lost: string,
): { results: RecipientResult[]; accepted: number[] } => {
  const results: RecipientResult[] = []
  const accepted: number[] = []
  for (let number = 0; number < count; number++) {
    const reply = mail === undefined || isYes(mail) ? recipients[number] : mail
    if (isYes(reply)) accepted.push(number)
    if (reply === undefined || !isNo(reply)) results.push({ kind: 'lost_before_dot', reason: lost })
    else if (accepted.length > 0 && isTooMany(reply)) results.push({ kind: 'next_transaction' })
    else results.push({ kind: 'answered', reply: smtpReply(reply) })
  }
  return { results, accepted }
}

/**
 * RFC 5321 §4.5.3.1.10: 452, or 552 of old, says that the transaction has recipients enough. Both codes also speak of
 * storage; a recipient of whom that was meant hears it again as the first of the next transaction.
 */
const isTooMany = (reply: Reply): boolean => {
  const { enhanced, text } = smtpReply(reply)
  if (enhanced !== null) return enhanced.endsWith('.5.3') || /too many recipients/i.test(text)
  return reply.code === 452 || reply.code === 552 || /too many recipients/i.test(text)
}

/** DATA was refused, or answered with what is no answer: no byte of the message left. */
const noGoAhead = ({ wire }: Session, data: Reply | undefined): RecipientResult => {
  if (data !== undefined && isNo(data)) return { kind: 'answered', reply: smtpReply(data) }
  const reason = wire.lost() ?? 'the server did not answer DATA as SMTP says'
  wire.drop(reason)
  return { kind: 'lost_before_dot', reason }
}

/**
 * Every recipient was refused, yet the server waits for a message: it gets an empty one, for nobody, which ends the
 * transaction (RFC 2920 §3.1). No gate: no mail goes to anyone.
 */
const sendNothing = async (session: Session, steps: SmtpStep[], { dotMs }: TransactionTimeouts): Promise<void> => {
  const since = performance.now()
  const { replies } = await session.wire.ask('.\r\n', 1, dotMs)
  steps.push(smtpStep('empty message', '.', replies[0], since))
}

const sendBody = async (
  session: Session,
  message: Outgoing,
  body: Buffer,
  accepted: readonly number[],
  steps: SmtpStep[],
  { blockMs, dotMs }: TransactionTimeouts,
): Promise<RecipientResult> => {
  const { wire } = session
  for (let at = 0; at < body.length; at += blockSize) await wire.put(body.subarray(at, at + blockSize), blockMs)
  if (wire.lost() !== null) return lostInBody(session)
  // The kernel has the body: while the network carries it, the gate does its disk's work.
  const open = await openGate(session, message, accepted)
  if (!open) {
    wire.drop('the gate was closed')
    return { kind: 'gate_closed' }
  }
  if (wire.lost() !== null) return lostInBody(session)
  const since = performance.now()
  const { replies, lost } = await wire.ask(finalDot(body), 1, dotMs)
  const reply = replies[0]
  steps.push(smtpStep('final dot', '.', reply, since))
  if (reply !== undefined && reply.code !== 354) return { kind: 'answered', reply: smtpReply(reply) }
  wire.drop('the server did not answer the message as SMTP says')
  return { kind: 'lost_after_dot', reason: lost ?? lostReason(session) }
}

const openGate = async ({ wire }: Session, message: Outgoing, accepted: readonly number[]): Promise<boolean> => {
  try {
    return await message.gate(accepted)
  } catch (thrown) {
    wire.drop('the gate failed')
    throw thrown
  }
}

/** A server that says no before the end has answered: without the dot it can't have taken the message. */
const lostInBody = ({ wire }: Session): RecipientResult => {
  const early = wire.unasked()
  if (early !== null && isNo(early)) return { kind: 'answered', reply: smtpReply(early) }
  return { kind: 'lost_before_dot', reason: wire.lost() ?? '' }
}
