import type { Quota, SubmitReply, SubmitRequest } from '@postrider/contracts/services.ts'
import { withFreshEvents } from '@postrider/domain/email/changes.ts'
import type { Email, StoredEmail } from '@postrider/domain/email/email.ts'
import { isLongContent } from '@postrider/domain/email/message.ts'
import { sendsOf } from '@postrider/domain/email/sends.ts'
import { scheduledTime } from '@postrider/domain/email/sendTime.ts'
import { queueKindOf } from '@postrider/domain/fairness/admission.ts'
import type { Clock } from '@postrider/kit/clock.ts'
import { newId } from '@postrider/kit/ids.ts'
import type { Slices } from '@postrider/kit/slices.ts'
import type { Doorbell } from '@postrider/ports/doorbell.ts'
import type { Durable } from '@postrider/ports/durable.ts'
import type { EmailBatches } from '@postrider/ports/emailBatches.ts'
import type { EmailStore } from '@postrider/ports/emails.ts'
import type { IdempotencyStore } from '@postrider/ports/idempotency.ts'
import type { TestClockStore } from '@postrider/ports/testClocks.ts'
import { checkMessage } from './acceptance.ts'
import type { SenderDeps } from './chooseSender.ts'
import { composeEmail, type Submission } from './composeEmail.ts'
import type { IntakeLimits } from './config.ts'
import { emailRecord } from './emailRecord.ts'
import type { KeyLeases } from './keyLeases.ts'
import { type QueueAdmission, type QueueEntry, withQueueRoom } from './queueAdmission.ts'
import type { TemplateSource } from './resolveContent.ts'
import { commitSends, type Reserved, reserveSends } from './sends.ts'
import type { StagedRoom } from './stagedRoom.ts'
import { timeOf } from './testClocks.ts'

export type SubmitDeps = SenderDeps & {
  emails: Pick<EmailStore, 'insert' | 'get' | 'tombstone' | 'change'> & EmailBatches
  idempotency: IdempotencyStore
  /** Default: those of `idempotency`. */
  leases?: KeyLeases
  quota: Pick<Quota, 'Reserve' | 'Commit' | 'Settle'>
  templates: TemplateSource
  doorbell: Pick<Doorbell, 'ring'>
  durable: Durable
  limits: IntakeLimits
  now: Clock
  /** Bounds what waits. */
  queue: Pick<QueueAdmission, 'enter'>
  /** Bounds what is staged and not accepted; absent: nothing does. */
  staging?: StagedRoom
  testClocks: Pick<TestClockStore, 'get'>
  /** Called once for each accepted email, after it is durable. */
  accepted(email: Email): void
}

/** `slices` runs the work on long mail. */
export type Deps = SubmitDeps & { leases: KeyLeases; slices: Slices }

/** `email` is null if the reply is a replay. */
export type AcceptOutcome = { email: Email | null; reply: SubmitReply }
export type AcceptedEmail = AcceptOutcome & { email: Email }

type OnVoid = (voidId: string, id: string) => Promise<void>

/**
 * `onBegin` is called before anything is stored or reserved, when the queue has room. `onVoid` is called if the id was
 * made void while the request ran, with that id and the id that replaces it.
 */
export type AcceptEmailOptions = { onBegin?: () => void; onVoid?: OnVoid | undefined }

/**
 * Accepts an email under its id, if the queue has room for it: checks and composes it, reserves its sends, inserts it,
 * and commits the sends.
 */
export const acceptEmail = (
  deps: Deps,
  submission: Submission,
  { onBegin, onVoid }: AcceptEmailOptions,
): Promise<AcceptedEmail> =>
  withQueueRoom(deps.queue, [queueEntryOf(submission)], async (onAccepted) => {
    onBegin?.()
    const accepted = await acceptInQueue(deps, submission, onVoid)
    onAccepted()
    return accepted
  })

const acceptInQueue = async (
  deps: Deps,
  submission: Submission,
  onVoid: OnVoid | undefined,
): Promise<AcceptedEmail> => {
  const { content, sender } = await checkMessage(deps, submission)
  const composing = composeEmail({ ...submission, content, sender, platform: deps.sender, limits: deps.limits })
  const email = await deps.slices.of(submission.caller.workspace).run(composing, isLongContent(content))
  const reserved = await reserve(deps, email)
  const inserted = await deps.emails.insert(withFreshEvents(email, 0, deps.now()), content)
  if (inserted === 'void') {
    // This request took longer than its lease and the sweep has made the id void; start over with a new one. The sends
    // of the void id may be the last of the quota, so they are released first.
    if (reserved) await deps.quota.Settle({ pending: reserved.entry, there: false })
    const id = newId('em')
    await onVoid?.(email.id, id)
    return acceptInQueue(deps, { ...submission, id }, onVoid)
  }
  await commitSends(deps, reserved)
  const stored = inserted === 'exists' ? await deps.emails.get(email.id) : null
  return acceptedOf(deps, stored ?? { email, leaseUntil: null }, reserved)
}

/** Counts an email that a crashed request inserted. If it is counted already, this counts nothing more. */
export const countStored = async (deps: Deps, stored: StoredEmail): Promise<AcceptedEmail> => {
  const reserved = await reserve(deps, stored.email)
  await commitSends(deps, reserved)
  return acceptedOf(deps, stored, reserved)
}

const reserve = (deps: SubmitDeps, email: Email): Promise<Reserved | null> => {
  const { workspace, id, createdAt: at } = email
  return reserveSends(deps, { workspace, id, count: sendsOf(email), at })
}

const acceptedOf = (
  { now }: SubmitDeps,
  stored: Pick<StoredEmail, 'email' | 'leaseUntil'>,
  reserved: Reserved | null,
): AcceptedEmail => {
  const { email } = stored
  const bodyJson = JSON.stringify(emailRecord(stored, now()))
  return { email, reply: { id: email.id, status: 202, bodyJson, replayed: false, quota: reserved?.quota ?? null } }
}

/** Returns what a message counts as in the queue, before it is rendered. */
export const queueEntryOf = (submission: Pick<Submission, 'caller' | 'mail' | 'at' | 'clock'>): QueueEntry => {
  const { caller, mail } = submission
  const isScheduled = scheduledTime(mail.sendAt, timeOf(submission)) !== null
  const kind = queueKindOf({ mode: caller.mode, isScheduled })
  return { workspace: caller.workspace, kind, bytes: roughBytes(mail) }
}

/** Returns about how many bytes are stored of the message, before it is rendered. */
const roughBytes = ({ html, text, attachments }: SubmitRequest['mail']): number =>
  attachments.reduce((sum, { content }) => sum + content.byteLength, (html?.length ?? 0) + (text?.length ?? 0))
