import type { Caller__Output as Caller } from '@postrider/contracts/gen/postrider/accounts/v1/Caller.ts'
import type { Mail__Output as Mail } from '@postrider/contracts/gen/postrider/intake/v1/Mail.ts'
import type { QuotaStanding__Output as QuotaStanding } from '@postrider/contracts/gen/postrider/intake/v1/QuotaStanding.ts'
import type { SubmitReply__Output as SubmitReply } from '@postrider/contracts/gen/postrider/intake/v1/SubmitReply.ts'
import type { SubmitRequest__Output as SubmitRequest } from '@postrider/contracts/gen/postrider/intake/v1/SubmitRequest.ts'
import type { Quota } from '@postrider/contracts/services.ts'
import { dueOf } from '@postrider/domain/email/due.ts'
import type { Email, StoredEmail } from '@postrider/domain/email/email.ts'
import { isoTime } from '@postrider/domain/time.ts'
import type { Clock } from '@postrider/kit/clock.ts'
import { Fault, given, refuseAny } from '@postrider/kit/fault.ts'
import { newId } from '@postrider/kit/ids.ts'
import { recordedTraceparent } from '@postrider/kit/trace.ts'
import type { Doorbell } from '@postrider/ports/doorbell.ts'
import type { Durable } from '@postrider/ports/durable.ts'
import type { EmailStore } from '@postrider/ports/emails.ts'
import type { IdempotencyStore } from '@postrider/ports/idempotency.ts'
import { acceptanceProblems, composeEmail, type Sender } from './composeEmail.ts'
import type { IntakeLimits } from './limits.ts'
import { emailRecord } from './record.ts'
import { resolveContent, type TemplateSource } from './resolveContent.ts'

/**
 * Takes an email, or refuses it. The plan, each step repeatable by whoever comes after a crash:
 *
 * 1. claim the `Idempotency-Key`: it fixes the email's id and the time of acceptance;
 * 2. render, and check what only the store and that time can tell: a refusal gives the key back;
 * 3. reserve the sends, under the email's id;
 * 4. insert the email, under that id, due;
 * 5. write the ledger's line; what can't be written now the sweeper writes;
 * 6. keep the answer under the key, wait until all of it is on disk, and ring the doorbell.
 */
export type SubmitDeps = {
  emails: Pick<EmailStore, 'insert' | 'get'>
  idempotency: IdempotencyStore
  quota: Pick<Quota, 'Reserve' | 'Commit'>
  templates: TemplateSource
  doorbell: Pick<Doorbell, 'ring'>
  durable: Durable
  sender: Sender
  limits: IntakeLimits
  now: Clock
  /** Whether so much waits that nothing more is taken. */
  full(): boolean
  /** Called once for each email taken, after it is durable. */
  accepted(email: Email): void
}

const tooMuchWaits = 'Too much mail waits to leave; nothing was taken. Try again in a few seconds.'

type Submission = {
  caller: Caller
  mail: Mail
  requestId: string
  traceparent: string | undefined
  id: string
  at: number
}
type Taken = Pick<SubmitReply, 'id' | 'status' | 'body_json' | 'quota'> & { email: Email }

export const submitter =
  (deps: SubmitDeps) =>
  async (request: SubmitRequest): Promise<SubmitReply> => {
    const submission = {
      caller: given(request.caller, 'caller'),
      mail: given(request.mail, 'mail'),
      requestId: request.request_id,
      traceparent: recordedTraceparent(),
      id: newId('em'),
      at: deps.now(),
    }
    if (deps.full()) throw new Fault('unavailable', tooMuchWaits, { retryAfterMs: 5_000 })
    if (submission.caller.suspended) throw new Fault('forbidden', 'Sending is suspended for this workspace.')
    return request.idempotency_key === ''
      ? answer(deps, await take(deps, submission))
      : submitOnce(deps, submission, request)
  }

const answer = async (deps: SubmitDeps, { email, ...taken }: Taken): Promise<SubmitReply> => {
  await deps.durable.settled()
  deps.accepted(email)
  deps.doorbell.ring(email.category, [dueOf(email)])
  return { ...taken, replayed: false }
}

const submitOnce = async (deps: SubmitDeps, fresh: Submission, request: SubmitRequest): Promise<SubmitReply> => {
  const { caller } = fresh
  const record = { scope: `${caller.workspace} ${caller.mode} ${request.operation}`, key: request.idempotency_key }
  const claim = await deps.idempotency.claim({
    ...record,
    fingerprint: request.fingerprint,
    emailId: fresh.id,
    at: fresh.at,
    leaseMs: deps.limits.claimLeaseMs,
  })
  if (claim.kind === 'replay') {
    return { id: claim.emailId, status: claim.status, body_json: claim.body, replayed: true }
  }
  if (claim.kind === 'in_flight') {
    const detail = 'The first request with this Idempotency-Key is still running; ask again for its answer.'
    throw new Fault('idempotency_in_flight', detail, { retryAfterMs: 1_000 })
  }
  if (claim.kind === 'mismatch') {
    const detail = 'This Idempotency-Key was used with another body; a new message needs a new key.'
    throw new Fault('idempotency_mismatch', detail)
  }
  const submission = { ...fresh, id: claim.emailId, at: claim.acceptedAt }
  const before = claim.takenOver ? await deps.emails.get(claim.emailId) : null
  const taken = before ? await count(deps, before) : await takeUnderKey(deps, submission, record)
  await deps.idempotency.finish({
    ...record,
    emailId: taken.id,
    status: taken.status,
    body: taken.body_json,
    expiresAt: Math.max(submission.at, taken.email.scheduledAt ?? 0) + deps.limits.idempotencyMs,
  })
  return answer(deps, taken)
}

/** A refusal accepted nothing, so its key is free again; anything else leaves the key to a taker-over. */
const takeUnderKey = async (
  deps: SubmitDeps,
  submission: Submission,
  record: { scope: string; key: string },
): Promise<Taken> => {
  let { id: emailId } = submission
  const onVoid = async (voidId: string, id: string): Promise<void> => {
    emailId = id
    if (await deps.idempotency.replaceEmail({ ...record, from: voidId, to: id })) return
    throw new Fault('idempotency_in_flight', 'Another request goes on with this Idempotency-Key.', {
      retryAfterMs: 1_000,
    })
  }
  try {
    return await take(deps, submission, onVoid)
  } catch (thrown) {
    const refused = thrown instanceof Fault && thrown.code !== 'unavailable' && thrown.code !== 'internal'
    if (refused && thrown.code !== 'idempotency_in_flight') {
      await deps.idempotency.release({ ...record, emailId })
    }
    throw thrown
  }
}

/** @throws Fault `validation_failed` for all that well-formed mail can have wrong, at once */
const checkedContent = async ({ templates, limits }: SubmitDeps, { caller, mail, at }: Submission) => {
  const found = acceptanceProblems({ caller, mail, at, limits })
  const resolved = await resolveContent(templates, caller.workspace, mail)
  refuseAny(resolved.ok ? found : [...resolved.problems, ...found])
  if (!resolved.ok) throw new Error('a rendering failed without a problem')
  return resolved.value
}

const take = async (
  deps: SubmitDeps,
  submission: Submission,
  onVoid?: (voidId: string, id: string) => Promise<void>,
): Promise<Taken> => {
  const content = await checkedContent(deps, submission)
  const email = composeEmail({ ...submission, content, sender: deps.sender, limits: deps.limits })
  const counting = await reserve(deps, email)
  const inserted = await deps.emails.insert(email, content)
  if (inserted === 'void') {
    // The sweeper took the id back while this request slept past its lease: a void record is no email.
    const id = newId('em')
    await onVoid?.(email.id, id)
    return take(deps, { ...submission, id }, onVoid)
  }
  await commit(deps, counting)
  const stored = inserted === 'exists' ? await deps.emails.get(email.id) : null
  return taken(deps, stored ?? { email, leaseUntil: null }, counting?.standing ?? null)
}

/** Counts an email that a crashed request left inserted; where it was counted already, that takes nothing more. */
const count = async (deps: SubmitDeps, stored: StoredEmail): Promise<Taken> => {
  const counting = await reserve(deps, stored.email)
  await commit(deps, counting)
  return taken(deps, stored, counting?.standing ?? null)
}

/** The email is there, so it will leave: where its line can't be written now, the sweeper settles the reservation. */
const commit = async ({ quota }: SubmitDeps, counting: Awaited<ReturnType<typeof reserve>>): Promise<void> => {
  try {
    if (counting) await quota.Commit({ ...counting.entry, token: counting.token })
  } catch (thrown) {
    if (!(thrown instanceof Fault && thrown.code === 'unavailable')) throw thrown
  }
}

const taken = (
  { now }: SubmitDeps,
  stored: Pick<StoredEmail, 'email' | 'leaseUntil'>,
  standing: QuotaStanding | null,
): Taken => ({
  id: stored.email.id,
  status: 202,
  body_json: JSON.stringify(emailRecord(stored, now())),
  email: stored.email,
  ...(standing && { quota: standing }),
})

/** Live mail is counted: one send for each recipient that wasn't suppressed at acceptance. */
const reserve = async ({ quota, now }: SubmitDeps, email: Email) => {
  const sends = email.recipients.length - suppressedAtAcceptance(email)
  if (!email.counted || sends === 0) return null
  const entry = { workspace: email.workspace, id: email.id, count: sends, at: isoTime(email.createdAt) }
  const { token, limited, limit, remaining, resets_at } = await quota.Reserve(entry)
  const standing = { limit, remaining, resets_at, resets_in_ms: Date.parse(resets_at) - now() }
  return { entry, token, standing: limited ? standing : null }
}

const suppressedAtAcceptance = ({ events, createdAt }: Email): number =>
  events.filter(({ type, at }) => type === 'email.suppressed' && at === createdAt).length
