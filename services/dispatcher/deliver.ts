import { endOrphans, expire } from '@postrider/domain/email/decisions.ts'
import { dueRecipients, nextDueOf } from '@postrider/domain/email/due.ts'
import type { ClaimedEmail, Email, Lane } from '@postrider/domain/email/email.ts'
import { isLongContent, messageSteps, wantsUtf8 } from '@postrider/domain/email/message.ts'
import type { RecipientResult } from '@postrider/domain/email/transmission.ts'
import type { ByteBudget, ByteShare } from '@postrider/kit/byteBudget.ts'
import { makeSlices, type Slices } from '@postrider/kit/slices.ts'
import { needsSmtpUtf8 } from '@postrider/mail/address.ts'
import { simulatorOutcome } from '@postrider/mail/simulator.ts'
import type { EmailStore } from '@postrider/ports/emails.ts'
import type { MailTransports, Transport } from '@postrider/ports/transport.ts'
import { type AttemptDeps, attemptDelivery, type OpenDelivery, saveOutcome } from './attempt.ts'

/**
 * Delivers one claimed email. The plan:
 *
 * 1. Settle what needs no server: attempts of dead workers end, recipients of expired mail fail, recipients in doubt
 *    wait for a person under `hold`.
 * 2. Compose the message once. Send it to the recipients that are due, by transport, in as few transactions as the
 *    servers allow.
 * 3. Before each final dot the gate writes the accepted recipients (`committed`) under our fence, waits for the disk and
 *    checks the lease. A recipient can be in doubt only after that.
 * 4. Fold the replies into the email, write it under the fence with its next due time, and end the lease.
 *
 * When the gate is closed or the process stops, the remaining recipients stay due and use no try of the schedule.
 * When the fence has changed, delivery stops: another worker owns the email.
 */
export type DeliverDeps = AttemptDeps & {
  emails: Pick<EmailStore, 'content' | 'write'>
  transports: Omit<MailTransports, 'close'>
  /** Memory for finished messages, separate for each lane: long marketing mail must not delay a password reset. */
  messageBytes: Record<Lane, Pick<ByteBudget, 'take'>>
  /** Most bytes of a finished message, for emails whose record does not have the size. */
  maxMessageBytes: number
}

/** `lost`: another worker owns the email; nothing was written. */
export type Delivery = { kind: 'done'; nextAt: number | null } | { kind: 'lost' }

export const deliver =
  (deps: DeliverDeps, slices = makeSlices()) =>
  async ({ email: stored, fence }: ClaimedEmail): Promise<Delivery> => {
    const at = deps.now()
    const email = expire(endOrphans(stored, at), at)
    const due = dueRecipients(email, at)
    if (due.length === 0) return finish(deps, email, fence)
    const groups = byTransport(deps.transports, email, due)
    const isRead = groups.some(({ transport }) => transport.readsMessage)
    using share = isRead ? await roomFor(deps, email) : null
    // The process stops: the email stays due.
    if (isRead && share === null) return finish(deps, email, fence)
    const message = share === null ? notComposed : await composed(deps, slices, email, share)
    const work: OpenDelivery = { email, fence, ...message, isUnsaved: false }
    for (const { transport, numbers } of groups) {
      if (!(await sendAll(deps, work, transport, numbers))) break
    }
    return finish(deps, work.email, fence)
  }

/** @returns null: the process stops */
const roomFor = ({ messageBytes, maxMessageBytes, stopping }: DeliverDeps, email: Email): Promise<ByteShare | null> => {
  const mostBytes = formsOf(email) * (email.messageBytes ?? maxMessageBytes)
  return messageBytes[email.category].take(email.workspace, mostBytes, stopping)
}

type ComposedMessage = Pick<OpenDelivery, 'raw' | 'utf8'>

const notComposed: ComposedMessage = { raw: new Uint8Array(), utf8: undefined }

/** Returns how many forms of the message may be in memory: the second is for servers with SMTPUTF8. */
const formsOf = (email: Email): 1 | 2 =>
  wantsUtf8(
    email,
    email.recipients.map(({ address }) => address),
  )
    ? 2
    : 1

/** Returns the finished message and returns the bytes it does not need to the budget. */
const composed = async (
  { emails }: DeliverDeps,
  slices: Slices,
  email: Email,
  share: ByteShare,
): Promise<ComposedMessage> => {
  const content = await emails.content(email.id)
  if (!content) throw new Error('a due email has no content')
  const isLong = isLongContent(content)
  const raw = await slices.run(messageSteps(email, content), isLong)
  share.shrinkTo(formsOf(email) * raw.byteLength)
  const utf8 = () => slices.run(messageSteps(email, content, 'utf8'), isLong)
  return { raw, utf8: formsOf(email) === 1 ? undefined : utf8 }
}

/**
 * Returns which transport carries which recipients. Magic recipients go to the simulator. Recipients that need SMTPUTF8 have
 * transactions of their own: a server on the way that does not support it must not refuse the mail of the others.
 */
const byTransport = (
  { live, test, simulator }: DeliverDeps['transports'],
  email: Email,
  numbers: readonly number[],
): { transport: Transport; numbers: number[] }[] => {
  const isMagic = (number: number): boolean => simulatorOutcome(email.recipients[number]?.address ?? '') !== null
  const isInternational = (number: number): boolean => needsSmtpUtf8(email.recipients[number]?.address ?? '')
  const [ordinary, magic] = [numbers.filter((number) => !isMagic(number)), numbers.filter(isMagic)]
  const transport = email.mode === 'live' ? live[email.category] : test
  return [
    { transport, numbers: ordinary.filter((number) => !isInternational(number)) },
    { transport, numbers: ordinary.filter(isInternational) },
    { transport: simulator, numbers: magic },
  ].filter(({ numbers: some }) => some.length > 0)
}

/**
 * Sends to recipients of one transport. A server may accept only some of them in a transaction
 * (RFC 5321 §4.5.3.1.10); the others get another transaction at once. If it refuses the message because of one recipient,
 * each gets a transaction of its own. A transaction decides at least one recipient or leaves fewer to each of the next, so
 * there is an end.
 * @returns false when nothing more may be sent now
 */
const sendAll = async (
  deps: DeliverDeps,
  work: OpenDelivery,
  transport: Transport,
  numbers: number[],
): Promise<boolean> => {
  const waiting = [numbers]
  for (let group = waiting.shift(); group !== undefined; group = waiting.shift()) {
    // Write the known outcome first: a crash in the next transaction must not put it in doubt.
    if (work.isUnsaved && !(await saveOutcome(deps, work.email, work.fence, { done: false }))) return false
    if (deps.stopping.aborted) return false
    const results = await attemptDelivery(deps, work, transport, group)
    if (results.some(({ kind }) => kind === 'gate_closed')) return false
    const left = (kind: RecipientResult['kind']): number[] => group.filter((_, index) => results[index]?.kind === kind)
    const next = left('next_transaction')
    if (next.length > 0) waiting.push(next)
    waiting.push(...left('alone').map((number) => [number]))
  }
  return true
}

const finish = async (deps: DeliverDeps, email: Email, fence: number): Promise<Delivery> =>
  (await saveOutcome(deps, email, fence, { done: true }))
    ? { kind: 'done', nextAt: nextDueOf(email) }
    : { kind: 'lost' }
