import { roundedMs, type SendPhase, type SendPhases } from '@postrider/domain/email/conversation.ts'
import type { SmtpStep } from '@postrider/domain/email/email.ts'
import type { RecipientResult } from '@postrider/domain/email/transmission.ts'
import type { Slices } from '@postrider/kit/slices.ts'
import { dotStuffSteps, finalDot } from '@postrider/mail/dotStuffing.ts'
import { hasEnoughRecipients } from '@postrider/mail/smtpLimits.ts'
import type { FinishedMessage, Outgoing } from '@postrider/ports/transport.ts'
import { exchange } from './connection.ts'
import { type ReceivedReply, smtpReply, smtpStep } from './reply.ts'
import type { Session } from './session.ts'

/** Milliseconds; RFC 5321 §4.5.3.2 has the shortest times a client should wait. */
export type TransactionTimeouts = { commandMs: number; dataMs: number; blockMs: number; dotMs: number }

/**
 * `isStale`: a reused connection was lost before the reply to MAIL. Nothing has begun; a new connection may carry it.
 */
export type Transaction = { results: RecipientResult[]; isStale: boolean; phases: SendPhases }

type Envelope = {
  mail: ReceivedReply | undefined
  recipients: (ReceivedReply | undefined)[]
  data: ReceivedReply | undefined
}

/** Octets of a body per write. Each has its own deadline, so a slow connection does not count as stalled. */
const blockSize = 262_144

const notSmtp = 'the server did not answer as SMTP requires'

export type TransactOptions = {
  timeouts: TransactionTimeouts
  /** Prepares long messages without blocking the process. */
  slices: Pick<Slices, 'of'>
}

/**
 * Carries one message: envelope, body, gate, final dot.
 * @throws Error for an address or bytes that no caller may pass; any error of the gate
 */
export const transact = async (
  session: Session,
  message: Outgoing,
  steps: SmtpStep[],
  { timeouts, slices }: TransactOptions,
): Promise<Transaction> => {
  const utf8 = session.smtpUtf8 ? await message.utf8?.() : undefined
  const data = await dataOf(utf8 ?? message, slices.of(message.workspace))
  const commands = envelopeCommands(session, message, utf8)
  const phases = phaseTimes()
  const envelope = session.pipelining
    ? await sendPipelined(session, commands, steps, timeouts)
    : await sendStepwise(session, commands, steps, timeouts)
  phases.end('envelope')
  if (envelope.mail === undefined || envelope.mail.code === 421) {
    if (session.carried > 0) return { results: [], isStale: true, phases: {} }
  }
  dropIfOutOfStep(session, envelope)
  const { results, accepted } = recipientResults(envelope, message.to.length, lostReason(session))
  const mayContinue = envelope.data?.code === 354
  session.needsReset = !mayContinue
  if (mayContinue && accepted.length === 0) await sendNothing(session, steps, timeouts)
  if (accepted.length === 0) return { results, isStale: false, phases: phases.times }
  const outcome = mayContinue
    ? await sendBody({ session, message, data, accepted, steps, timeouts, phases })
    : refusedData(session, envelope.data)
  for (const index of accepted) results[index] = outcome
  return { results, isStale: false, phases: phases.times }
}

type PhaseTimes = { times: SendPhases; end(phase: SendPhase): void }

/** Measures phases that follow each other. */
const phaseTimes = (): PhaseTimes => {
  const times: SendPhases = {}
  let since = performance.now()
  return {
    times,
    end: (phase) => {
      const now = performance.now()
      times[phase] = roundedMs(now - since)
      since = now
    },
  }
}

const lostReason = ({ connection }: Session): string => connection.lost() ?? notSmtp

/** Characters that would end the argument of a command. The API refuses them too; this is the last check. */
const unsafe = /[^\x21-\x3b\x3d\x3f-\x7e]/
const unsafeInUtf8 = /[\0-\x20<>\p{C}\p{Z}]/u

/** What is written after DATA: blocks, and the text with the final dot. */
type MailData = { blocks: readonly Buffer[]; end: string }

/** A short message is one block, so that it needs one write. */
const dataOf = async ({ signatures, raw }: FinishedMessage, slices: Pick<Slices, 'begin'>): Promise<MailData> => {
  const body = await slices.begin(dotStuffSteps(raw))
  const end = finalDot(body)
  if (signatures === undefined || signatures.length === 0) return { blocks: blocksIn(body), end }
  if (body.length <= blockSize) return { blocks: [Buffer.concat([signatures, body])], end }
  return { blocks: [Buffer.from(signatures), ...blocksIn(body)], end }
}

const blocksIn = (body: Buffer): Buffer[] => {
  const blocks: Buffer[] = []
  for (let at = 0; at < body.length; at += blockSize) blocks.push(body.subarray(at, at + blockSize))
  return blocks
}

const bytesIn = ({ signatures, raw }: FinishedMessage): number => raw.byteLength + (signatures?.byteLength ?? 0)

/** @param utf8 the message with its addresses in UTF-8; undefined: the transaction is without SMTPUTF8 */
const envelopeCommands = (session: Session, message: Outgoing, utf8: FinishedMessage | undefined): string[] => {
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
const sendPipelined = async (
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
const sendStepwise = async (
  session: Session,
  commands: string[],
  steps: SmtpStep[],
  { commandMs, dataMs }: TransactionTimeouts,
): Promise<Envelope> => {
  const send = (command: string, withinMs = commandMs): Promise<ReceivedReply | undefined> =>
    exchange(session.connection, steps, { name: nameOf(command), command, withinMs })
  const envelope: Envelope = { mail: undefined, recipients: [], data: undefined }
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

const isAccepted = (reply: ReceivedReply | undefined): boolean => reply !== undefined && reply.code < 300
const isRefused = (reply: ReceivedReply): boolean => reply.code >= 400

/** After a 3yz to MAIL or RCPT it is unknown which reply belongs to which command. */
const dropIfOutOfStep = ({ connection }: Session, { mail, recipients }: Envelope): void => {
  if ([mail, ...recipients].some((reply) => reply !== undefined && !isAccepted(reply) && !isRefused(reply)))
    connection.drop(notSmtp)
}

const recipientResults = (
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

/** DATA was refused or got no valid reply: no byte of the message was sent. */
const refusedData = ({ connection }: Session, data: ReceivedReply | undefined): RecipientResult => {
  if (data !== undefined && isRefused(data)) return { kind: 'answered', phase: 'data', reply: smtpReply(data) }
  const reason = connection.lost() ?? 'the server did not answer DATA as SMTP requires'
  connection.drop(reason)
  return { kind: 'lost_before_dot', reason }
}

/**
 * Every recipient was refused, but the server waits for a message. An empty message to no recipient ends the
 * transaction (RFC 2920 §3.1). The gate is not needed, because no mail is sent.
 */
const sendNothing = async (
  { connection }: Session,
  steps: SmtpStep[],
  { dotMs }: TransactionTimeouts,
): Promise<void> => {
  await exchange(connection, steps, { name: 'empty message', command: '.', withinMs: dotMs })
}

type Body = {
  session: Session
  message: Outgoing
  data: MailData
  accepted: readonly number[]
  steps: SmtpStep[]
  timeouts: TransactionTimeouts
  phases: PhaseTimes
}

const sendBody = async ({
  session,
  message,
  data,
  accepted,
  steps,
  timeouts,
  phases,
}: Body): Promise<RecipientResult> => {
  const { connection } = session
  for (const block of data.blocks) await connection.write(block, timeouts.blockMs)
  phases.end('body')
  if (connection.lost() !== null) return lostInBody(session)
  // The kernel has the body: the gate waits for the disk while the network carries the body.
  const isOpen = await callGate(session, message, accepted)
  phases.end('gate')
  if (!isOpen) {
    connection.drop('the gate was closed')
    return { kind: 'gate_closed' }
  }
  if (connection.lost() !== null) return lostInBody(session)
  const dot = { name: 'final dot', command: '.', text: data.end, withinMs: timeouts.dotMs }
  const reply = await exchange(connection, steps, dot)
  phases.end('final_dot')
  if (reply !== undefined && reply.code !== 354) return { kind: 'answered', phase: 'dot', reply: smtpReply(reply) }
  connection.drop('the server did not answer the message as SMTP requires')
  return { kind: 'lost_after_dot', reason: lostReason(session) }
}

const callGate = async ({ connection }: Session, message: Outgoing, accepted: readonly number[]): Promise<boolean> => {
  try {
    return await message.gate(accepted)
  } catch (thrown) {
    connection.drop('the gate failed')
    throw thrown
  }
}

/** A refusal before the end is the reply: without the dot the server cannot have accepted the message. */
const lostInBody = ({ connection }: Session): RecipientResult => {
  const early = connection.unexpectedReply()
  if (early !== null && isRefused(early)) return { kind: 'answered', phase: 'dot', reply: smtpReply(early) }
  return { kind: 'lost_before_dot', reason: connection.lost() ?? '' }
}
