import type {
  Idempotency,
  Intake,
  Quota,
  QuotaAfterSend,
  SubmitReply,
  SubmitRequest,
} from '@postrider/contracts/services.ts'
import { recipientProblems } from '@postrider/domain/accounts/keyRestrictions.ts'
import { suspensionText } from '@postrider/domain/accounts/workspaceRules.ts'
import { keyRefusal } from '@postrider/domain/domains/sender.ts'
import { withFreshEvents } from '@postrider/domain/email/changes.ts'
import { dueOf } from '@postrider/domain/email/due.ts'
import type { Email, StoredEmail } from '@postrider/domain/email/email.ts'
import { isLongContent } from '@postrider/domain/email/message.ts'
import { sendsOf } from '@postrider/domain/email/sends.ts'
import { scheduledInStore } from '@postrider/domain/email/testClock.ts'
import { queueKindOf } from '@postrider/domain/fairness/admission.ts'
import { afterFailure } from '@postrider/domain/idempotency/claim.ts'
import type { Reservation } from '@postrider/domain/quota/quota.ts'
import { withoutShortLived } from '@postrider/domain/retention/purge.ts'
import { dayOf } from '@postrider/domain/time.ts'
import type { Clock } from '@postrider/kit/clock.ts'
import { Fault, isUnavailable, refuseAny } from '@postrider/kit/fault.ts'
import { newId } from '@postrider/kit/ids.ts'
import { makeSlices, type Slices } from '@postrider/kit/slices.ts'
import { recordedTraceparent } from '@postrider/kit/trace.ts'
import type { Doorbell } from '@postrider/ports/doorbell.ts'
import type { Durable } from '@postrider/ports/durable.ts'
import type { EmailBatches } from '@postrider/ports/emailBatches.ts'
import type { EmailStore } from '@postrider/ports/emails.ts'
import type { IdempotencyStore } from '@postrider/ports/idempotency.ts'
import type { TestClockStore } from '@postrider/ports/testClocks.ts'
import { acceptanceProblems, wantedAt } from './acceptance.ts'
import { type ChosenSender, chooseSender, type SenderDeps } from './chooseSender.ts'
import { claimKey, endFailedClaim, inFlight, replaceId } from './claimKey.ts'
import { composeEmail, modeOf, type Submission } from './composeEmail.ts'
import type { IntakeLimits } from './config.ts'
import { type HeldKey, type KeyLeases, keyLeases } from './keyLeases.ts'
import type { QueueAdmission } from './queueAdmission.ts'
import { emailRecord } from './record.ts'
import { type ResolvedContent, resolveContent, type TemplateSource } from './resolveContent.ts'
import { followAccepted, placeOf, timeOf } from './testClocks.ts'

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
  testClocks: Pick<TestClockStore, 'get'>
  /** Called once for each accepted email, after it is durable. */
  accepted(email: Email): void
}

/** `slices` runs the work on long mail. */
export type Deps = SubmitDeps & { leases: KeyLeases; slices: Slices }

/** `email` is null if the reply is a replay. */
type Outcome = { email: Email | null; reply: SubmitReply }
type Accepted = Outcome & { email: Email }

/**
 * Accepts an email or refuses it. A suspended workspace is refused first. Each step may be repeated by another request
 * after a crash. A request that fails ends its claim before it is answered (`afterFailure`), so the repeated request takes
 * over at once:
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
  const deps: Deps = { ...given, leases: given.leases ?? keyLeases(given), slices }
  return async ({ caller, mail, emailId, idempotency, operation, requestId, isRepeat = false }) => {
    refuseSuspended(caller)
    const submission: Submission = {
      caller,
      mail,
      requestId,
      traceparent: recordedTraceparent(),
      id: emailId ?? newId('em'),
      at: deps.now(),
      ...(await placeOf(deps, caller)),
    }
    if (idempotency !== null) await refuseBeyondKey(deps, submission)
    const { email, reply } =
      idempotency === null
        ? await settled(deps, await acceptUnkeyed(deps, submission, { isRepeat, isNamed: emailId !== undefined }))
        : await acceptOnce(deps, submission, {
            scope: `${caller.workspace} ${caller.mode} ${operation}`,
            isRepeat,
            ...idempotency,
          })
    if (email) {
      await followAccepted(deps, [email])
      deps.accepted(email)
      deps.doorbell.ring(email.category, [dueOf(email)])
    }
    return reply
  }
}

/** @throws Fault `forbidden`: the workspace is suspended */
export const refuseSuspended = (caller: SubmitRequest['caller']): void => {
  if (!caller.suspended) return
  const { suspended_reason: reason, deletes_at: deletesAt } = caller
  throw new Fault('forbidden', suspensionText({ reason, deletesAt }))
}

/**
 * Refuses what the key may not send before its `Idempotency-Key` is read: the answer to another key's request is not for it.
 * @throws Fault `forbidden`, `validation_failed` with all problems
 */
const refuseBeyondKey = async (deps: Deps, submission: Submission): Promise<void> => {
  if (!isWithinKey(submission)) await checked(deps, submission)
}

/** Whether a key may send a message. */
export const isWithinKey = ({ caller: { recipients, domains }, mail }: Pick<Submission, 'caller' | 'mail'>): boolean =>
  recipientProblems(recipients, mail).length === 0 &&
  keyRefusal(mail.from, domains.length === 0 ? null : domains) === null

/**
 * Waits until everything is on disk: a send waits only here, and the gateway does not wait again. A replay waits too,
 * because the answer it repeats may belong to the transaction that is still open.
 */
const settled = async ({ durable }: Deps, outcome: Outcome): Promise<Outcome> => {
  await durable.settled()
  return outcome
}

type LeaveQueue = (isAccepted: boolean) => void

/** @throws Fault `rate_limited` or `unavailable`: there is no room in the queue */
export const enterQueue = (
  { queue }: Pick<SubmitDeps, 'queue'>,
  submission: Pick<Submission, 'caller' | 'mail' | 'at' | 'clock'>,
): Promise<LeaveQueue> => {
  const { caller, mail } = submission
  const at = timeOf(submission)
  const isScheduled = (wantedAt(mail.sendAt, at) ?? at) > at
  const kind = queueKindOf({ mode: modeOf(caller), status: isScheduled ? 'scheduled' : 'queued' })
  return queue.enter({ workspace: caller.workspace, kind, bytes: roughBytes(mail) })
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

/** `isNamed`: the caller has chosen the id, and repeats the call with it if no answer arrives. */
type Unkeyed = { isRepeat: boolean; isNamed: boolean }

/**
 * Accepts mail without an `Idempotency-Key`. A repeated call has the id of the first, so it finds the email that the first has
 * inserted. If there is none, the first may still be running: both use one id, so that one of them inserts the email and both
 * reserve the same sends. A void id stays unused, because a repeated call could not find the email under another one.
 */
const acceptUnkeyed = async (deps: Deps, submission: Submission, { isRepeat, isNamed }: Unkeyed): Promise<Outcome> => {
  const { id, at } = submission
  if (isRepeat) {
    const inserted = await deps.emails.get(id)
    if (inserted) return countAgain(deps, inserted)
    // The reservation of the first call may belong to the day before, and its day is not known here.
    if (dayOf(at) !== dayOf(at - deps.limits.claimLeaseMs)) throw unknownOutcome()
  }
  const onVoid = async (): Promise<void> => {
    throw tookTooLong()
  }
  try {
    const leave = await enterQueue(deps, submission)
    return await inQueue(leave, () => accept(deps, submission, isNamed ? onVoid : undefined))
  } catch (thrown) {
    const end = afterFailure(thrown instanceof Fault ? thrown.code : null)
    if (!isRepeat || end !== 'release') throw thrown
    // After a refusal the first call must not accept the mail. If it has, this call was refused for no reason.
    if (await deps.emails.tombstone(id)) throw thrown
    const inserted = await deps.emails.get(id)
    if (inserted === null) throw thrown
    return countAgain(deps, inserted)
  }
}

/** The process that inserted the email has announced it; if it died before that, the sweeper does. */
const countAgain = async (deps: Deps, inserted: StoredEmail): Promise<Outcome> => ({
  ...(await count(deps, inserted)),
  email: null,
})

const unknownOutcome = (): Fault =>
  new Fault('unavailable', 'Part of the service is unavailable; try again in a few seconds.', { retryAfterMs: 1_000 })

const tookTooLong = (): Fault =>
  new Fault('unavailable', 'The request took too long and was not accepted; send it again.', { retryAfterMs: 1_000 })

const acceptOnce = async (
  deps: Deps,
  fresh: Submission,
  { fingerprint, formerFingerprint, scope, key, isRepeat }: { scope: string; isRepeat: boolean } & Idempotency,
): Promise<Outcome> => {
  const { id: emailId, at, requestId } = fresh
  const fingerprints = { fingerprint, ...(formerFingerprint && { formerFingerprint }) }
  const lease = { leaseMs: deps.limits.claimLeaseMs, requestId, isRepeat }
  const claim = await claimKey(deps, { scope, key, ...fingerprints, emailId, at, ...lease }, 'message')
  if (claim.kind === 'replay') return settled(deps, { email: null, reply: claim.reply })
  const { held, takenOver } = claim
  return underKey(deps, { held, takenOver, submission: { ...fresh, id: claim.emailId, at: claim.acceptedAt } })
}

type Claimed = { held: HeldKey; takenOver: boolean; submission: Submission }

/** Accepts the email of a claimed key and stores the answer, or ends the claim. */
const underKey = async (deps: Deps, { held, takenOver, submission }: Claimed): Promise<Outcome> => {
  let { id: emailId } = submission
  const onVoid = async (from: string, to: string): Promise<void> => {
    emailId = to
    await replaceId(deps, held, { from, to })
  }
  let isBegun = takenOver
  const acceptNew = async (): Promise<Accepted> => {
    const leave = await enterQueue(deps, submission)
    isBegun = true
    return inQueue(leave, () => accept(deps, submission, onVoid))
  }
  try {
    const existing = takenOver ? await deps.emails.get(emailId) : null
    const accepted = existing ? await count(deps, existing) : await acceptNew()
    await storeAnswer(deps, held.lease, submission, accepted)
    await settled(deps, accepted)
    held.done()
    return accepted
  } catch (thrown) {
    const beforeRelease = () => (takenOver ? preventEmail(deps, emailId) : Promise.resolve())
    await endFailedClaim(deps, { held, emailId, isBegun, thrown, beforeRelease })
    throw thrown
  }
}

/** The answer to a repeated request outlives content that is stored for a shorter time, so it is stored without that. */
const storeAnswer = (
  { idempotency, limits, now }: Deps,
  { scope, key }: HeldKey['lease'],
  { at }: Submission,
  { email, reply }: Accepted,
): Promise<void> =>
  idempotency.finish({
    scope,
    key,
    emailId: reply.id,
    status: reply.status,
    body:
      email.retention === undefined
        ? reply.bodyJson
        : JSON.stringify(emailRecord({ email: withoutShortLived(email), leaseUntil: null }, now())),
    expiresAt: Math.max(at, scheduledInStore(email) ?? 0) + limits.idempotencyMs,
  })

/**
 * Makes an id void before its key is released: an earlier run of the request may still insert its email, and the next
 * request with the key would be a second one.
 * @throws Fault `idempotency_in_flight`: the email exists
 */
const preventEmail = async ({ emails }: Deps, id: string): Promise<void> => {
  if (await emails.tombstone(id)) return
  throw inFlight('An earlier request with this Idempotency-Key was accepted; repeat this one for its answer.')
}

const accept = async (
  deps: Deps,
  submission: Submission,
  onVoid?: (voidId: string, id: string) => Promise<void>,
): Promise<Accepted> => {
  const { content, sender } = await checked(deps, submission)
  const composing = composeEmail({ ...submission, content, sender, platform: deps.sender, limits: deps.limits })
  const email = await deps.slices.of(submission.caller.workspace).run(composing, isLongContent(content))
  const reserved = await reserve(deps, email)
  const inserted = await deps.emails.insert(withFreshEvents(email, 0, deps.now()), content)
  if (inserted === 'void') {
    // This request took longer than its lease and the sweeper has made the id void; start over with a new one. The sends
    // of the void id may be the last of the quota, so they are given back first.
    if (reserved) await deps.quota.Settle({ pending: reserved.entry, there: false })
    const id = newId('em')
    await onVoid?.(email.id, id)
    return accept(deps, { ...submission, id }, onVoid)
  }
  await commit(deps, reserved)
  const stored = inserted === 'exists' ? await deps.emails.get(email.id) : null
  return acceptedOf(deps, stored ?? { email, leaseUntil: null }, reserved)
}

type Checked = { content: ResolvedContent; sender: ChosenSender }

/** @throws Fault `validation_failed` with all problems of well-formed mail */
export const checked = async (deps: Deps, submission: Submission): Promise<Checked> => {
  const { caller, mail, at, clock } = submission
  const { templates, limits, slices } = deps
  const chosen = await chooseSender(deps, { caller, mail })
  const ofSender = 'problems' in chosen ? chosen.problems : []
  const found = acceptanceProblems({ caller, mail, at, clock, limits, ofSender })
  const resolved = await resolveContent({ templates, slices }, caller.workspace, mail)
  refuseAny(resolved.ok ? found : [...resolved.problems, ...found])
  if (!resolved.ok || 'problems' in chosen) throw new Error('a check failed without a problem')
  return { content: resolved.value, sender: chosen.sender }
}

/** Counts an email that a crashed request inserted. If it is counted already, this counts nothing more. */
const count = async (deps: Deps, stored: StoredEmail): Promise<Accepted> => {
  const reserved = await reserve(deps, stored.email)
  await commit(deps, reserved)
  return acceptedOf(deps, stored, reserved)
}

export type Reserved = { entry: Parameters<Quota['Commit']>[0]; quota: QuotaAfterSend | null }

const reserve = (deps: SubmitDeps, email: Email): Promise<Reserved | null> => {
  const { workspace, id, createdAt: at } = email
  return reserveSends(deps, { workspace, id, count: sendsOf(email), at })
}

/** Reserves sends. @returns null: there are none */
export const reserveSends = async (
  { quota, now }: Pick<SubmitDeps, 'quota' | 'now'>,
  entry: Reservation,
): Promise<Reserved | null> => {
  if (entry.count === 0) return null
  const { token, standing } = await quota.Reserve(entry)
  if (standing === null) return { entry: { ...entry, token }, quota: null }
  const { limit, remaining, resetsAt } = standing
  return { entry: { ...entry, token }, quota: { limit, remaining, resetsAt, resetsInMs: resetsAt - now() } }
}

/** The email is stored and will be sent, so an unavailable ledger is not an error: the sweeper settles the reservation. */
export const commit = async ({ quota }: SubmitDeps, reserved: Reserved | null): Promise<void> => {
  try {
    if (reserved) await quota.Commit(reserved.entry)
  } catch (thrown) {
    if (!isUnavailable(thrown)) throw thrown
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
