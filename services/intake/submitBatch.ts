import { hash } from 'node:crypto'
import type {
  BatchRefusal,
  Idempotency,
  Intake,
  StagedBatch,
  SubmitBatchRequest,
  SubmitReply,
} from '@postrider/contracts/services.ts'
import { dueOf } from '@postrider/domain/email/due.ts'
import { type Email, lanes } from '@postrider/domain/email/email.ts'
import { scheduledInStore } from '@postrider/domain/email/testClock.ts'
import { Fault, hasCode } from '@postrider/kit/fault.ts'
import { newId } from '@postrider/kit/ids.ts'
import { makeSlices } from '@postrider/kit/slices.ts'
import type { BatchItem, StoredBatch } from '@postrider/ports/emailBatches.ts'
import { batchAnswer, batchResults, readAll } from './batchAnswer.ts'
import { batchFault, prepareMails } from './batchMails.ts'
import { claimKey, endFailedClaim, otherRuns, replaceId } from './claimKey.ts'
import { type HeldKey, keyLeases } from './keyLeases.ts'
import {
  commit,
  type Deps,
  isWithinKey,
  type Reserved,
  refuseSuspended,
  reserveSends,
  type SubmitDeps,
} from './submit.ts'
import { followAccepted } from './testClocks.ts'

/** A staged batch that is neither extended nor accepted for this time counts as abandoned. */
const stagedMs = 60_000

type Run = { deps: Deps; request: SubmitBatchRequest }

/** `isNew` is false if the reply is a replay. */
type Outcome = { emails: Email[]; reply: SubmitReply; isNew: boolean }
type Accepted = Outcome & { storedJson: string }

/** Called if the batch was made void while the request ran. @returns the batch to continue with */
type OnVoid = (voidId: string) => Promise<StagedBatch>

/**
 * Stores a part of a batch, so that no process holds all of a long one. The emails are not due, and no reader sees them.
 * @throws Fault `unavailable`: the batch was abandoned
 */
export const stageBatch = (given: SubmitDeps, slices = makeSlices()): Intake['StageBatch'] => {
  const deps: Deps = { ...given, leases: given.leases ?? keyLeases(given), slices }
  return async ({ caller, staged, mails, requestId }) => {
    refuseSuspended(caller)
    const batch = staged ?? { id: newId('bat'), at: deps.now() }
    const { emails, refusals } = await prepareMails(deps, { caller, requestId, batch, mails })
    const head = { ...batch, workspace: caller.workspace, until: deps.now() + stagedMs }
    if ((await deps.emails.stageBatch(head, emails)) === 'void') throw abandoned()
    await deps.durable.settled()
    return { staged: batch, refusals }
  }
}

/**
 * Accepts a batch, or refuses it. The steps are those of a single send (`submit`), with the id of the batch in place of the id of
 * the email: the claim of the key fixes it, the sends of all messages are one reservation under it, and one write accepts it. A
 * request that takes over makes the batch of the earlier run void and starts with a new one, unless that was accepted.
 */
export const submitBatch = (given: SubmitDeps, slices = makeSlices()): Intake['SubmitBatch'] => {
  const deps: Deps = { ...given, leases: given.leases ?? keyLeases(given), slices }
  return async (request) => {
    refuseSuspended(request.caller)
    const run = { deps, request }
    const isRefused = !request.isPermissive && request.refusals.length > 0
    if (isRefused && !mayBeRepeated(request)) throw batchFault(await allRefusals(run, request.mails))
    const outcome = await (request.idempotency === null ? acceptUnkeyed(run) : acceptOnce(run, request.idempotency))
    if (outcome.isNew) {
      await followAccepted(deps, outcome.emails)
      announce(deps, outcome.emails)
    }
    return outcome.reply
  }
}

/**
 * Whether the refusals may wait for the claim of the key. A staged part is checked before its key is read, and what was accepted
 * with the key may be refused by now: its time is over, or its template is deleted. The answer to another key is not for a
 * limited key, so its refusals come first.
 */
const mayBeRepeated = ({ caller, staged, idempotency }: SubmitBatchRequest): boolean =>
  idempotency !== null && staged !== null && caller.domains.length + caller.recipients.length === 0

const abandoned = (): Fault =>
  new Fault('unavailable', 'A part of the batch was lost, and nothing was accepted; send it again.', {
    retryAfterMs: 1_000,
    expected: true,
  })

/** Returns the refusals that are known, and those of these messages. */
const allRefusals = async ({ deps, request }: Run, mails: SubmitBatchRequest['mails']): Promise<BatchRefusal[]> => {
  const { caller, requestId, refusals } = request
  const batch = { id: newId('bat'), at: deps.now() }
  return [...refusals, ...(await prepareMails(deps, { caller, requestId, batch, mails })).refusals]
}

const announce = ({ accepted, doorbell }: Deps, emails: readonly Email[]): void => {
  for (const email of emails) accepted(email)
  for (const lane of lanes) {
    const due = emails.filter(({ category }) => category === lane).map(dueOf)
    if (due.length > 0) doorbell.ring(lane, due)
  }
}

const acceptUnkeyed = async (run: Run): Promise<Outcome> => {
  const { deps, request } = run
  const fresh = (): StagedBatch => ({ id: newId('bat'), at: deps.now() })
  const accepted = await accept(run, request.staged ?? fresh(), async () => fresh())
  await deps.durable.settled()
  return accepted
}

const acceptOnce = async (run: Run, { key, fingerprint }: Idempotency): Promise<Outcome> => {
  const { deps, request } = run
  const { caller, requestId, staged, operation, isRepeat = false } = request
  await refuseBeyondKey(run)
  const at = deps.now()
  const own = staged ?? { id: newId('bat'), at }
  const claimRequest = {
    scope: `${caller.workspace} ${caller.mode} ${operation}`,
    key,
    fingerprint: keyedFingerprint(run, fingerprint),
    emailId: own.id,
    at,
    leaseMs: deps.limits.claimLeaseMs,
    requestId,
    isRepeat,
  }
  const claim = await claimKey(deps, claimRequest, 'batch')
  if (claim.kind === 'replay') {
    await deps.durable.settled()
    return { emails: [], reply: claim.reply, isNew: false }
  }
  const { held, takenOver, emailId: id, acceptedAt } = claim
  return underKey(run, { held, own, earlier: takenOver ? { id, at: acceptedAt } : null })
}

/** Refuses what the key may not send before its `Idempotency-Key` is read; see `submit`. */
const refuseBeyondKey = async (run: Run): Promise<void> => {
  const { caller, mails, isPermissive } = run.request
  const beyond = isPermissive ? [] : mails.filter(({ mail }) => !isWithinKey({ caller, mail }))
  const refusals = beyond.length === 0 ? [] : await allRefusals(run, beyond)
  if (refusals.length > 0) throw batchFault(refusals)
}

/** A limited key may get another result for the same permissive batch, so that the answer to another key is not for it. */
const keyedFingerprint = ({ request: { caller, isPermissive } }: Run, fingerprint: Uint8Array): Uint8Array => {
  const { domains, recipients } = caller
  if (!isPermissive || domains.length + recipients.length === 0) return fingerprint
  const limits = JSON.stringify([domains.toSorted(), recipients.toSorted()])
  return hash('sha256', Buffer.concat([fingerprint, Buffer.from(limits)]), 'buffer')
}

/** `own`: the batch of this run. `earlier`: that of the run whose claim was taken over. */
type Claimed = { held: HeldKey; own: StagedBatch; earlier: StagedBatch | null }

/** Accepts the batch of a claimed key and stores the answer, or ends the claim. */
const underKey = async (run: Run, { held, own, earlier }: Claimed): Promise<Outcome> => {
  const { deps, request } = run
  let id = earlier?.id ?? own.id
  const replace = async (next: StagedBatch): Promise<StagedBatch> => {
    await replaceId(deps, held, { from: id, to: next.id })
    id = next.id
    return next
  }
  let isBegun = earlier !== null
  const begun = (): void => {
    isBegun = true
  }
  const acceptNew = async (): Promise<Accepted> => {
    if (earlier !== null) {
      await giveBack(deps, request, earlier)
      // The staged messages were part of the batch that is void now.
      if (earlier.id === request.staged?.id) throw abandoned()
      await replace(own)
    }
    return accept(run, own, () => replace({ id: newId('bat'), at: deps.now() }), begun)
  }
  try {
    const isAccepted = earlier !== null && !(await deps.emails.voidBatch(earlier.id, deps.now()))
    const accepted = isAccepted ? await answerOfEarlier(run, id) : await acceptNew()
    const scheduledAt = Math.max(...accepted.emails.map((email) => scheduledInStore(email) ?? 0), 0)
    await deps.idempotency.finish({
      ...held.lease,
      emailId: id,
      status: accepted.reply.status,
      body: accepted.storedJson,
      expiresAt: Math.max(own.at, scheduledAt) + deps.limits.idempotencyMs,
    })
    await deps.durable.settled()
    held.done()
    return accepted
  } catch (thrown) {
    await endFailedClaim(deps, { held, emailId: id, isBegun, thrown })
    throw thrown
  }
}

/** Gives the sends of a void batch back at once: they may be the last of the quota. */
const giveBack = async (deps: Deps, { caller }: SubmitBatchRequest, earlier: StagedBatch): Promise<void> => {
  if (caller.mode !== 'live') return
  const at = (await deps.emails.batch(earlier.id))?.at ?? earlier.at
  const entry = { workspace: caller.workspace, id: earlier.id, count: 1, at }
  try {
    // A repeated reservation returns the first one's token. If there was none, this one is given back.
    const { token } = await deps.quota.Reserve(entry)
    await deps.quota.Settle({ pending: { ...entry, token }, there: false })
  } catch (thrown) {
    if (!hasCode(thrown, 'quota_exceeded')) throw thrown
  }
}

/** Completes the accepted batch of an earlier run and returns its answer. */
const answerOfEarlier = async ({ deps, request }: Run, id: string): Promise<Accepted> => {
  const batch = await deps.emails.completeBatch(id, deps.now())
  if (batch === null) throw otherRuns()
  const { workspace } = request.caller
  const reserved = await reserveSends(deps, { workspace, id, count: sendsIn(batch.items), at: batch.at })
  await commit(deps, reserved)
  const ids = batch.items.map((item) => item.id)
  return answerTo(deps, { batch, emails: await readAll(deps.emails, ids), reserved })
}

const sendsIn = (items: readonly BatchItem[]): number => items.reduce((sum, { sends }) => sum + sends, 0)

type Answered = { batch: Pick<StoredBatch, 'id' | 'results'>; emails: Email[]; reserved: Reserved | null }

const answerTo = ({ now }: Deps, { batch: { id, results }, emails, reserved }: Answered): Accepted => {
  const { bodyJson, storedJson } = batchAnswer(emails, results, now())
  const reply = { id, status: 202, bodyJson, replayed: false, quota: reserved?.quota ?? null }
  return { emails, reply, storedJson, isNew: true }
}

/** @param onBegin called before the first write */
const accept = async (run: Run, batch: StagedBatch, onVoid: OnVoid, onBegin = () => {}): Promise<Accepted> => {
  const { deps, request } = run
  const { caller, requestId, mails, isPermissive, staged } = request
  const { workspace } = caller
  const prepared = await prepareMails(deps, { caller, requestId, batch, mails })
  const refusals = [...request.refusals, ...prepared.refusals]
  if (!isPermissive && refusals.length > 0) throw batchFault(refusals)
  const items = [
    ...(staged === null ? [] : ((await deps.emails.batch(batch.id))?.items ?? [])),
    ...prepared.emails.map(({ item }) => item),
  ]
  if (items.length + refusals.length !== request.count) throw abandoned()
  const leave = await enterQueue(deps, workspace, items)
  let isAccepted = false
  try {
    onBegin()
    const reserved = await reserveSends(deps, { workspace, id: batch.id, count: sendsIn(items), at: batch.at })
    const now = deps.now()
    const results = batchResults(isPermissive, refusals)
    const head = { ...batch, workspace, until: now + deps.limits.claimLeaseMs }
    if ((await deps.emails.acceptBatch(head, prepared.emails, { results, now })) === 'void') {
      if (reserved) await deps.quota.Settle({ pending: reserved.entry, there: false })
      const next = await onVoid(batch.id)
      if (staged !== null) throw abandoned()
      return accept(run, next, onVoid)
    }
    isAccepted = true
    await commit(deps, reserved)
    const known = new Set(prepared.emails.map(({ email }) => email.id))
    const ids = items.map((item) => item.id).filter((id) => !known.has(id))
    const emails = [...prepared.emails.map(({ email }) => email), ...(await readAll(deps.emails, ids))]
    return answerTo(deps, { batch: { id: batch.id, results }, emails, reserved })
  } finally {
    leave(isAccepted)
  }
}

/** Takes room in the queue for all emails or for none. @throws Fault `rate_limited` or `unavailable`: there is no room */
const enterQueue = async (
  { queue }: Deps,
  workspace: string,
  items: readonly BatchItem[],
): Promise<(isAccepted: boolean) => void> => {
  const entered: ((isAccepted: boolean) => void)[] = []
  const leave = (isAccepted: boolean): void => {
    for (const one of entered) one(isAccepted)
  }
  try {
    for (const { kind, bytes } of items) entered.push(await queue.enter({ workspace, kind, bytes }))
    return leave
  } catch (thrown) {
    leave(false)
    throw thrown
  }
}
