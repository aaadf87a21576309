import type {
  Idempotency,
  Intake,
  Quota,
  QuotaAfterSend,
  SubmitReply,
  SubmitRequest,
} from '@postrider/contracts/services.ts'
import { dueOf } from '@postrider/domain/email/due.ts'
import type { Email, Mailbox, StoredEmail } from '@postrider/domain/email/email.ts'
import { isLongContent } from '@postrider/domain/email/message.ts'
import { queueKindOf } from '@postrider/domain/fairness/admission.ts'
import type { Clock } from '@postrider/kit/clock.ts'
import { Fault, refuseAny } from '@postrider/kit/fault.ts'
import { newId } from '@postrider/kit/ids.ts'
import { makeSlices, type Slices } from '@postrider/kit/slices.ts'
import { recordedTraceparent } from '@postrider/kit/trace.ts'
import type { Doorbell } from '@postrider/ports/doorbell.ts'
import type { Durable } from '@postrider/ports/durable.ts'
import type { EmailStore } from '@postrider/ports/emails.ts'
import type { IdempotencyStore } from '@postrider/ports/idempotency.ts'
import { acceptanceProblems, wantedAt } from './acceptance.ts'
import { composeEmail, type Submission } from './composeEmail.ts'
import type { IntakeLimits } from './config.ts'
import type { QueueAdmission } from './queueBounds.ts'
import { emailRecord } from './record.ts'
import { type ResolvedContent, resolveContent, type TemplateSource } from './resolveContent.ts'

export type SubmitDeps = {
  emails: Pick<EmailStore, 'insert' | 'get'>
  idempotency: IdempotencyStore
  quota: Pick<Quota, 'Reserve' | 'Commit'>
  templates: TemplateSource
  doorbell: Pick<Doorbell, 'ring'>
  durable: Durable
  sender: Mailbox
  limits: IntakeLimits
  now: Clock
  /** Bounds what waits. */
  queue: Pick<QueueAdmission, 'enter'>
  /** Called once for each accepted email, after it is durable. */
  accepted(email: Email): void
}

/** `slices` runs the work on long mail. */
type Deps = SubmitDeps & { slices: Slices }

/** `email` is null if the reply is a replay. */
type Outcome = { email: Email | null; reply: SubmitReply }
type Accepted = Outcome & { email: Email }

/** Names the record of one `Idempotency-Key`. */
type KeyName = { scope: string; key: string }

/**
 * Accepts an email or refuses it. A suspended workspace is refused first. Each step may be repeated by another request
 * after a crash:
 *
 * 1. claim the `Idempotency-Key`: the claim fixes the email's id and the time of acceptance. A full queue refuses new
 *    mail only, so a repeated request gets its answer;
 * 2. render, and check what depends on the store and on that time: a refusal releases the key;
 * 3. reserve the sends under the email's id;
 * 4. insert the email under that id: dispatchers claim it when it is due;
 * 5. write the line of the ledger; if that is not possible now, the sweeper writes it;
 * 6. store the answer under the key, wait until everything is on disk, and ring the doorbell.
 */
export const submit = (given: SubmitDeps, slices = makeSlices()): Intake['Submit'] => {
  const deps: Deps = { ...given, slices }
  return async ({ caller, mail, idempotency, operation, requestId }) => {
    if (caller.suspended) throw new Fault('forbidden', 'Sending is suspended for this workspace.')
    const submission: Submission = {
      caller,
      mail,
      requestId,
      traceparent: recordedTraceparent(),
      id: newId('em'),
      at: deps.now(),
    }
    const { email, reply } =
      idempotency === null
        ? await inQueue(await enterQueue(deps, submission), () => accept(deps, submission))
        : await acceptOnce(deps, submission, {
            scope: `${caller.workspace} ${caller.mode} ${operation}`,
            ...idempotency,
          })
    // A send waits for the disk only here: the gateway does not wait again. A replay waits too, because the answer it
    // repeats may belong to the transaction that is still open.
    await deps.durable.settled()
    if (email) {
      deps.accepted(email)
      deps.doorbell.ring(email.category, [dueOf(email)])
    }
    return reply
  }
}

type LeaveQueue = (isAccepted: boolean) => void

/** @throws Fault `rate_limited` or `unavailable`: there is no room in the queue */
const enterQueue = (
  { queue }: SubmitDeps,
  { caller: { workspace, mode }, mail, at }: Submission,
): Promise<LeaveQueue> => {
  const isScheduled = (wantedAt(mail.sendAt, at) ?? at) > at
  const kind = queueKindOf({ mode: mode === 'test' ? 'test' : 'live', status: isScheduled ? 'scheduled' : 'queued' })
  return queue.enter({ workspace, kind, bytes: roughBytes(mail) })
}

/** Returns the room in the queue unless an email was accepted. */
const inQueue = async (leave: LeaveQueue, acceptEmail: () => Promise<Accepted>): Promise<Accepted> => {
  let isAccepted = false
  try {
    const accepted = await acceptEmail()
    isAccepted = true
    return accepted
  } finally {
    leave(isAccepted)
  }
}

/** Returns about how large the message is, before it is rendered. */
const roughBytes = ({ html, text, attachments }: SubmitRequest['mail']): number =>
  attachments.reduce(
    (sum, { content }) => sum + (content.byteLength * 4) / 3,
    (html?.length ?? 0) + (text?.length ?? 0),
  )

const acceptOnce = async (
  deps: Deps,
  fresh: Submission,
  { fingerprint, formerFingerprint, ...record }: Pick<KeyName, 'scope'> & Idempotency,
): Promise<Outcome> => {
  const leaseMs = deps.limits.claimLeaseMs
  const fingerprints = { fingerprint, ...(formerFingerprint && { formerFingerprint }) }
  const claim = await deps.idempotency.claim({ ...record, ...fingerprints, emailId: fresh.id, at: fresh.at, leaseMs })
  switch (claim.kind) {
    case 'replay': {
      const { emailId, status, body } = claim
      return { email: null, reply: { id: emailId, status, bodyJson: body, replayed: true, quota: null } }
    }
    case 'in_flight':
      throw inFlight('The first request with this Idempotency-Key is still running; repeat this one for its answer.')
    case 'mismatch': {
      const detail = 'This Idempotency-Key was used with another body; use a new key for a new message.'
      throw new Fault('idempotency_mismatch', detail)
    }
    case 'claimed':
  }
  const submission = { ...fresh, id: claim.emailId, at: claim.acceptedAt }
  const existing = claim.takenOver ? await deps.emails.get(claim.emailId) : null
  const accepted = existing
    ? await count(deps, existing)
    : await acceptUnderKey(deps, submission, record, claim.takenOver)
  const { email, reply } = accepted
  await deps.idempotency.finish({
    ...record,
    emailId: reply.id,
    status: reply.status,
    body: reply.bodyJson,
    expiresAt: Math.max(submission.at, email.scheduledAt ?? 0) + deps.limits.idempotencyMs,
  })
  return accepted
}

const inFlight = (detail: string): Fault => new Fault('idempotency_in_flight', detail, { retryAfterMs: 1_000 })

/**
 * Releases the key if the email is refused. After any other error the key stays claimed until its lease ends.
 * @param isTakenOver the request that claimed the key may still run, so a full queue must not release it
 */
const acceptUnderKey = async (
  deps: Deps,
  submission: Submission,
  record: KeyName,
  isTakenOver: boolean,
): Promise<Accepted> => {
  const leave = isTakenOver ? () => {} : await enterUnderKey(deps, submission, record)
  let { id: emailId } = submission
  const onVoid = async (from: string, to: string): Promise<void> => {
    emailId = to
    if (await deps.idempotency.replaceEmail({ ...record, from, to })) return
    throw inFlight('Another request with this Idempotency-Key is running.')
  }
  try {
    return await inQueue(leave, () => accept(deps, submission, onVoid))
  } catch (thrown) {
    const kept: readonly string[] = ['unavailable', 'internal', 'idempotency_in_flight']
    if (thrown instanceof Fault && !kept.includes(thrown.code)) {
      await deps.idempotency.release({ ...record, emailId })
    }
    throw thrown
  }
}

/** Releases the key if there is no room in the queue: nothing was begun under it. */
const enterUnderKey = async (deps: Deps, submission: Submission, record: KeyName): Promise<LeaveQueue> => {
  try {
    return await enterQueue(deps, submission)
  } catch (thrown) {
    await deps.idempotency.release({ ...record, emailId: submission.id })
    throw thrown
  }
}

const accept = async (
  deps: Deps,
  submission: Submission,
  onVoid?: (voidId: string, id: string) => Promise<void>,
): Promise<Accepted> => {
  const content = await checkedContent(deps, submission)
  const composing = composeEmail({ ...submission, content, sender: deps.sender, limits: deps.limits })
  const email = await deps.slices.run(composing, isLongContent(content))
  const reserved = await reserve(deps, email)
  const inserted = await deps.emails.insert(email, content)
  if (inserted === 'void') {
    // This request took longer than its lease and the sweeper has made the id void; start over with a new one.
    const id = newId('em')
    await onVoid?.(email.id, id)
    return accept(deps, { ...submission, id }, onVoid)
  }
  await commit(deps, reserved)
  const stored = inserted === 'exists' ? await deps.emails.get(email.id) : null
  return acceptedOf(deps, stored ?? { email, leaseUntil: null }, reserved)
}

/** @throws Fault `validation_failed` with all problems of well-formed mail */
const checkedContent = async (
  { templates, limits, slices }: Deps,
  { caller, mail, at }: Submission,
): Promise<ResolvedContent> => {
  const found = acceptanceProblems({ caller, mail, at, limits })
  const resolved = await resolveContent({ templates, slices }, caller.workspace, mail)
  refuseAny(resolved.ok ? found : [...resolved.problems, ...found])
  if (!resolved.ok) throw new Error('rendering failed without a problem')
  return resolved.value
}

/** Counts an email that a crashed request inserted. If it is counted already, this counts nothing more. */
const count = async (deps: Deps, stored: StoredEmail): Promise<Accepted> => {
  const reserved = await reserve(deps, stored.email)
  await commit(deps, reserved)
  return acceptedOf(deps, stored, reserved)
}

type Reserved = { entry: Parameters<Quota['Commit']>[0]; quota: QuotaAfterSend | null }

/** Reserves one send for each recipient of live mail that was not suppressed at acceptance. @returns null: none */
const reserve = async ({ quota, now }: SubmitDeps, email: Email): Promise<Reserved | null> => {
  const { workspace, id, createdAt: at } = email
  const suppressed = email.events.filter((event) => event.type === 'email.suppressed' && event.at === at).length
  const count = email.recipients.length - suppressed
  if (!email.counted || count === 0) return null
  const entry = { workspace, id, count, at }
  const { token, standing } = await quota.Reserve(entry)
  if (standing === null) return { entry: { ...entry, token }, quota: null }
  const { limit, remaining, resetsAt } = standing
  return { entry: { ...entry, token }, quota: { limit, remaining, resetsAt, resetsInMs: resetsAt - now() } }
}

/** The email is stored and will be sent, so an unavailable ledger is no error: the sweeper settles the reservation. */
const commit = async ({ quota }: SubmitDeps, reserved: Reserved | null): Promise<void> => {
  try {
    if (reserved) await quota.Commit(reserved.entry)
  } catch (thrown) {
    if (!(thrown instanceof Fault && thrown.code === 'unavailable')) throw thrown
  }
}

const acceptedOf = (
  { now }: SubmitDeps,
  stored: Pick<StoredEmail, 'email' | 'leaseUntil'>,
  reserved: Reserved | null,
): Accepted => {
  const { email } = stored
  const bodyJson = JSON.stringify(emailRecord(stored, now()))
  return { email, reply: { id: email.id, status: 202, bodyJson, replayed: false, quota: reserved?.quota ?? null } }
}
