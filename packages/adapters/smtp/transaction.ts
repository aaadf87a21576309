import { roundedMs, type SendPhase, type SendPhases } from '@postrider/domain/email/conversation.ts'
import type { SmtpStep } from '@postrider/domain/email/email.ts'
import type { RecipientResult } from '@postrider/domain/email/transmission.ts'
import type { Slices } from '@postrider/kit/slices.ts'
import { dotStuffSteps, finalDot, type StuffedBlocks } from '@postrider/mail/dotStuffing.ts'
import type { FinishedMessage, Outgoing } from '@postrider/ports/transport.ts'
import { exchange } from './connection.ts'
import {
  envelopeCommands,
  isAccepted,
  isInStep,
  isRefused,
  notSmtp,
  outOfStep,
  recipientResults,
  sendPipelined,
  sendStepwise,
  type TransactionTimeouts,
} from './envelope.ts'
import { type ReceivedReply, smtpReply } from './reply.ts'
import type { Session } from './session.ts'

/**
 * `isStale`: a reused connection was lost before the reply to MAIL. Nothing has begun; a new connection may carry it.
 */
export type Transaction = { results: RecipientResult[]; isStale: boolean; phases: SendPhases }

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
  const ofWorkspace = slices.of(message.workspace)
  const data = await dataOf(utf8 ?? message, ofWorkspace)
  const commands = envelopeCommands(session, message, utf8)
  const phases = phaseTimes()
  const answered = session.pipelining
    ? await sendPipelined(session, commands, steps, timeouts)
    : await sendStepwise(session, commands, steps, timeouts)
  phases.end('envelope')
  if (answered.mail === undefined || answered.mail.code === 421) {
    if (session.carried > 0) return { results: [], isStale: true, phases: {} }
  }
  const envelope = (await isInStep(session, answered)) ? answered : outOfStep(session)
  const { results, accepted } = recipientResults(envelope, message.to.length, lostReason(session))
  const mayContinue = envelope.data?.code === 354
  session.needsReset = !mayContinue
  if (mayContinue && accepted.length === 0) await sendNothing(session, steps, timeouts)
  if (accepted.length === 0) return { results, isStale: false, phases: phases.times }
  const outcome = mayContinue
    ? await sendBody({ session, message, data, accepted, steps, timeouts, slices: ofWorkspace, phases })
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

/** Bytes that are written after DATA: fields, blocks, and the text with the final dot. */
type MailData = { signatures: Uint8Array | undefined; body: StuffedBlocks; end: string }

const dataOf = async ({ signatures, raw }: FinishedMessage, slices: Pick<Slices, 'begin'>): Promise<MailData> => ({
  signatures,
  body: await slices.begin(dotStuffSteps(raw)),
  end: finalDot(raw),
})

/** Each block has its own deadline, so a slow connection does not count as stalled. */
const writeData = async (
  { connection }: Session,
  { signatures, body: { count, steps } }: MailData,
  blockMs: number,
  slices: Pick<Slices, 'begin'>,
): Promise<void> => {
  for (let number = 0; number < count && connection.lost() === null; number++) {
    const block = await slices.begin(steps(number))
    const isFirst = number === 0 && signatures !== undefined
    // In one write, which is all that a short message needs.
    await connection.write(isFirst ? Buffer.concat([signatures, block]) : block, blockMs)
  }
}

/** DATA was refused or got no reply: no byte of the message was sent. */
const refusedData = ({ connection }: Session, data: ReceivedReply | undefined): RecipientResult => {
  if (data !== undefined && isRefused(data)) return { kind: 'answered', phase: 'data', reply: smtpReply(data) }
  const reason = connection.lost() ?? 'the server sent no valid reply to DATA'
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
  slices: Pick<Slices, 'begin'>
  phases: PhaseTimes
}

const sendBody = async ({
  session,
  message,
  data,
  accepted,
  steps,
  timeouts,
  slices,
  phases,
}: Body): Promise<RecipientResult> => {
  const { connection } = session
  await writeData(session, data, timeouts.blockMs, slices)
  phases.end('body')
  if (connection.lost() !== null) return lostInBody(session)
  // The kernel has the body: the gate waits for the disk while the network carries the body.
  const isOpen = await callGate(session, message, accepted)
  phases.end('gate')
  if (!isOpen) {
    connection.drop('the gate was closed')
    return { kind: 'gate_closed' }
  }
  // A reply that came before the dot is not about it (RFC 5321 §4.1.1.4).
  await connection.checkSilence()
  if (connection.lost() !== null) return lostInBody(session)
  const dot = { name: 'final dot', command: '.', text: data.end, withinMs: timeouts.dotMs }
  const reply = await exchange(connection, steps, dot)
  phases.end('final_dot')
  if (reply !== undefined && isDecisive(reply, connection.unexpectedReply()))
    return { kind: 'answered', phase: 'dot', reply: smtpReply(reply) }
  connection.drop('the server sent no valid reply to the message')
  return { kind: 'lost_after_dot', reason: lostReason(session) }
}

/**
 * @param further a reply that came with the one to the dot. After a refusal it is unknown which of them is about the
 *   message; 421 concerns the connection.
 */
const isDecisive = (reply: ReceivedReply, further: ReceivedReply | null): boolean =>
  isRefused(reply) || (isAccepted(reply) && (further === null || !isRefused(further) || further.code === 421))

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
