import { endOrphans, expire } from '@postrider/domain/email/decisions.ts'
import { dueRecipients, nextDueOf } from '@postrider/domain/email/due.ts'
import type { ClaimedEmail, Content, Email, Lane } from '@postrider/domain/email/email.ts'
import { isLongContent, messageSteps, wantsUtf8 } from '@postrider/domain/email/message.ts'
import { recipientGroups } from '@postrider/domain/email/recipientGroups.ts'
import { envelopeSender } from '@postrider/domain/email/returnPath.ts'
import { deliveryTime } from '@postrider/domain/email/testClock.ts'
import type { RecipientResult } from '@postrider/domain/email/transmission.ts'
import { held, withoutHold } from '@postrider/domain/email/waiting.ts'
import type { ByteBudget, ByteShare } from '@postrider/kit/byteBudget.ts'
import { makeSlices, nextSlice, type Slices } from '@postrider/kit/slices.ts'
import type { AddressForm } from '@postrider/mail/compose.ts'
import type { EmailStore } from '@postrider/ports/emails.ts'
import type { FinishedMessage, MailTransports } from '@postrider/ports/transport.ts'
import {
  type AttemptDeps,
  attemptDelivery,
  type ChosenTransport,
  type LeasedEmail,
  type OpenDelivery,
  saveOutcome,
} from './attempt.ts'
import type { Signer, Signing, UnsignableMail } from './signer.ts'

/**
 * Delivers one claimed email. The plan:
 *
 * 1. Decide what needs no server: attempts of dead workers end, recipients of expired mail fail, recipients in doubt
 *    wait for a person under `hold`.
 * 2. Compose and sign the message once. Mail that cannot be signed is held: it is due again later, without an attempt.
 *    Send the message to the recipients that are due, by transport, in as few transactions as the servers allow.
 * 3. Before each final dot the gate writes the accepted recipients (`committed`) under our fence, waits for the disk
 *    and checks the lease. A recipient can be in doubt only after that.
 * 4. Fold the replies into the email, write it with the fencing token with its next due time, and end the lease.
 *
 * When the gate is closed or the process stops, the remaining recipients stay due and use no try of the schedule.
 * When the fence has changed, delivery stops: another worker owns the email.
 */
export type DeliverDeps = AttemptDeps & {
  emails: Pick<EmailStore, 'content' | 'write' | 'lastWrite'>
  transports: Omit<MailTransports, 'close'>
  signer: Pick<Signer, 'prepare'>
  /** Address of the shared sender, which receives bounces if a domain has no return path. */
  platformAddress: string
  /** Memory for finished messages, separate for each lane: long marketing mail must not delay a password reset. */
  messageBytes: Record<Lane, Pick<ByteBudget, 'take'>>
  /** Maximum number of bytes of a finished message, for emails whose record does not have the size. */
  maxMessageBytes: number
  /** Called each time that mail is held; `isFirst`: for another reason than before. */
  onHeld(email: Email, held: UnsignableMail, isFirst: boolean): void
}

/** `lost`: another worker owns the email; nothing was written. */
export type Delivery = { kind: 'done'; nextAt: number | null } | { kind: 'lost' }

/**
 * Number of recipients from which on their replies take so long to classify that two such emails do not share an event
 * loop iteration.
 */
const manyRecipients = 10

export const deliver =
  (deps: DeliverDeps, shared = makeSlices()) =>
  (claimed: ClaimedEmail): Promise<Delivery> =>
    // A request may have caused the claim, but does not wait for the delivery.
    shared.inBackground(() => deliverInSlices(deps, shared.of(claimed.email.workspace), claimed))

const deliverInSlices = async (
  deps: DeliverDeps,
  slices: Slices,
  { email: stored, fence }: ClaimedEmail,
): Promise<Delivery> => {
  const at = deliveryTime(stored, deps.now())
  const email = expire(endOrphans(stored, at), at)
  const claimed: LeasedEmail = { email, storedEvents: stored.events.length, fence }
  const due = dueRecipients(email, at)
  if (due.length === 0) return finish(deps, claimed)
  // The simulator returns immediately, so a hundred claimed emails would become final in the iteration of their
  // claim.
  if (due.length >= manyRecipients) await nextSlice(slices)
  const groups = byTransport(deps.transports, email, due)
  const isRead = groups.some(({ transport }) => transport.readsMessage)
  using share = isRead ? await roomFor(deps, email) : null
  // The process stops: the email stays due.
  if (isRead && share === null) return finish(deps, claimed)
  // After the wait for memory, so that the state of the domain is of now.
  const signing = await deps.signer.prepare(email, isRead)
  if (signing.kind === 'hold') return hold(deps, claimed, signing)
  const message = share === null ? notComposed : await composed(deps, slices, email, share, signing)
  if ('kind' in message) return hold(deps, claimed, message)
  const leaving = { ...withoutHold(email), envelopeFrom: envelopeFor(deps, email, signing) }
  const work: OpenDelivery = { ...claimed, email: leaving, ...message, slices, isUnsaved: false }
  for (const { numbers, ...chosen } of groups) {
    if (!(await sendAll(deps, work, chosen, numbers))) break
  }
  return finish(deps, work)
}

const hold = (deps: DeliverDeps, claimed: LeasedEmail, mail: UnsignableMail): Promise<Delivery> => {
  const { email } = claimed
  deps.onHeld(email, mail, email.held?.reason !== mail.hold.reason)
  return finish(deps, { ...claimed, email: held(email, mail.hold, deliveryTime(email, deps.now())) })
}

const envelopeFor = ({ platformAddress }: DeliverDeps, { envelopeFrom }: Email, signing: Signing): string =>
  signing.kind === 'sign' ? envelopeSender(envelopeFrom, signing, platformAddress) : envelopeFrom

/** @returns null: the process stops */
const roomFor = ({ messageBytes, maxMessageBytes, stopping }: DeliverDeps, email: Email): Promise<ByteShare | null> => {
  const maxBytes = formsOf(email) * (email.messageBytes ?? maxMessageBytes)
  return messageBytes[email.category].take(email.workspace, maxBytes, stopping)
}

type ComposedMessage = Pick<OpenDelivery, 'signatures' | 'raw' | 'utf8'>

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
  signing: Exclude<Signing, UnsignableMail>,
): Promise<ComposedMessage | UnsignableMail> => {
  const content = await emails.content(email.id)
  if (!content) throw new Error('a due email has no content')
  const ascii = await finished(slices, email, content, signing)
  if ('kind' in ascii) return ascii
  share.shrinkTo(formsOf(email) * ascii.raw.byteLength)
  if (formsOf(email) === 1) return { ...ascii, utf8: undefined }
  if (signing.kind === 'unsigned') return { ...ascii, utf8: () => unsignedForm(slices, email, content, 'utf8') }
  // Before the attempt, because during it nothing may fail that can be held.
  const utf8 = await finished(slices, email, content, signing, 'utf8')
  return 'kind' in utf8 ? utf8 : { ...ascii, utf8: async () => utf8 }
}

const unsignedForm = async (
  slices: Slices,
  email: Email,
  content: Content,
  form: AddressForm,
): Promise<FinishedMessage> => ({
  raw: await slices.run(messageSteps(email, content, form), isLongContent(content)),
})

/** Returns a form of the message with its signatures. */
const finished = async (
  slices: Slices,
  email: Email,
  content: Content,
  signing: Exclude<Signing, UnsignableMail>,
  form: AddressForm = 'ascii',
): Promise<FinishedMessage | UnsignableMail> => {
  const message = await unsignedForm(slices, email, content, form)
  if (signing.kind === 'unsigned') return message
  const signatures = await signing.sign(message.raw, isLongContent(content))
  return 'kind' in signatures ? signatures : { ...message, signatures }
}

/** Returns the transport of each group of recipients. */
const byTransport = (
  { live, test, simulator }: DeliverDeps['transports'],
  email: Email,
  numbers: readonly number[],
): (ChosenTransport & { numbers: number[] })[] => {
  const transports = { live: live[email.category], test, simulator }
  return recipientGroups(email, numbers).map((group) => ({ ...group, transport: transports[group.transport] }))
}

/**
 * Sends to recipients of one transport. A server may accept only some of them in a transaction (RFC 5321 §4.5.3.1.10);
 * the others get another transaction immediately. If it refuses the message because of one recipient, each gets a
 * transaction of its own. A transaction decides at least one recipient or leaves fewer to each of the next, so there is
 * an end.
 * @returns false when nothing more may be sent now
 */
const sendAll = async (
  deps: DeliverDeps,
  work: OpenDelivery,
  chosen: ChosenTransport,
  numbers: number[],
): Promise<boolean> => {
  const waiting = [numbers]
  for (let group = waiting.shift(); group !== undefined; group = waiting.shift()) {
    // Write the known outcome first: a crash in the next transaction must not put it in doubt.
    if (work.isUnsaved && !(await saveOutcome(deps, work, { done: false }))) return false
    if (deps.stopping.aborted) return false
    const results = await attemptDelivery(deps, work, chosen, group)
    if (results.some(({ kind }) => kind === 'gate_closed')) return false
    const left = (kind: RecipientResult['kind']): number[] => group.filter((_, index) => results[index]?.kind === kind)
    const next = left('next_transaction')
    if (next.length > 0) waiting.push(next)
    waiting.push(...left('alone').map((number) => [number]))
  }
  return true
}

const finish = async (deps: DeliverDeps, work: LeasedEmail): Promise<Delivery> =>
  (await saveOutcome(deps, work, { done: true })) ? { kind: 'done', nextAt: nextDueOf(work.email) } : { kind: 'lost' }
