import type { BatchRefusal, StagedBatch, SubmitBatchRequest, SubmitReply } from '@postrider/contracts/services.ts'
import type { Email } from '@postrider/domain/email/email.ts'
import { Fault } from '@postrider/kit/fault.ts'
import { newId } from '@postrider/kit/ids.ts'
import type { BatchItem, StoredBatch } from '@postrider/ports/emailBatches.ts'
import type { Deps } from './acceptEmail.ts'
import { batchFault, prepareMails } from './batchMails.ts'
import { batchResponse, batchResults } from './batchResponse.ts'
import { withQueueRoom } from './queueAdmission.ts'
import { commitSends, type Reserved, reserveSends } from './sends.ts'

export type Run = { deps: Deps; request: SubmitBatchRequest }

/** `isNew` is false if the reply is a replay. */
export type BatchOutcome = { emails: Email[]; reply: SubmitReply; isNew: boolean }
export type AcceptedBatch = BatchOutcome & { storedJson: string }

/** Called if the batch was made void while the request ran. @returns the batch to continue with */
type OnVoid = (voidId: string) => Promise<StagedBatch>

export const lostPartFault = (): Fault =>
  new Fault('unavailable', 'A part of the batch was lost; send the batch again.', {
    retryAfterMs: 1_000,
    expected: true,
    accepted: 'no',
  })

/** Returns the former refusals and those of these messages. */
export const allRefusals = async (
  { deps, request }: Run,
  mails: SubmitBatchRequest['mails'],
): Promise<BatchRefusal[]> => {
  const { caller, requestId, refusals } = request
  const batch = { id: newId('bat'), at: deps.now() }
  return [...refusals, ...(await prepareMails(deps, { caller, requestId, batch, mails })).refusals]
}

export const sendsIn = (items: readonly BatchItem[]): number => items.reduce((sum, { sends }) => sum + sends, 0)

type Answered = { batch: Pick<StoredBatch, 'id' | 'results'>; emails: Email[]; reserved: Reserved | null }

/** Returns the response to an accepted batch of a workspace, made in steps. */
export const responseTo = async (
  { now, slices }: Deps,
  workspace: string,
  { batch: { id, results }, emails, reserved }: Answered,
): Promise<AcceptedBatch> => {
  const steps = batchResponse(emails, results, now())
  const { bodyJson, storedJson } = await slices.of(workspace).begin(steps)
  const reply = { id, status: 202, bodyJson, replayed: false, quota: reserved?.quota ?? null }
  return { emails, reply, storedJson, isNew: true }
}

/**
 * Accepts a batch under its id: prepares what was not staged, reserves the sends of all messages, and accepts all by
 * one write.
 * @param onBegin called before the first write
 */
export const acceptBatch = async (
  run: Run,
  batch: StagedBatch,
  onVoid: OnVoid,
  onBegin = () => {},
): Promise<AcceptedBatch> => {
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
  if (items.length + refusals.length !== request.count) throw lostPartFault()
  const entries = items.map(({ kind, bytes }) => ({ workspace, kind, bytes }))
  return withQueueRoom(deps.queue, entries, async (onAccepted) => {
    onBegin()
    const reserved = await reserveSends(deps, { workspace, id: batch.id, count: sendsIn(items), at: batch.at })
    const now = deps.now()
    const results = batchResults(isPermissive, refusals)
    const head = { ...batch, workspace, until: now + deps.limits.claimLeaseMs }
    if ((await decide(deps, head, prepared.emails, { results, now })) === 'void') {
      if (reserved) await deps.quota.Settle({ pending: reserved.entry, there: false })
      const next = await onVoid(batch.id)
      if (staged !== null) throw lostPartFault()
      return acceptBatch(run, next, onVoid)
    }
    onAccepted()
    deps.staging?.release(batch.id)
    await untilDurable(deps, staged, () => commitSends(deps, reserved))
    const known = new Set(prepared.emails.map(({ email }) => email.id))
    const others = items.filter(({ id }) => !known.has(id))
    const read = await deps.emails.batchEmails({ id: batch.id, workspace }, others)
    const emails = [...prepared.emails.map(({ email }) => email), ...read]
    return responseTo(deps, workspace, { batch: { id: batch.id, results }, emails, reserved })
  })
}

/**
 * Accepts a batch. It may be accepted although this failed, for example because the disk became full while its emails
 * were made due. Then they will be sent, so the request responds as if nothing had failed, and the sweep makes them
 * due. Otherwise the batch becomes void, and its client may send it again.
 */
const decide = async (
  { emails, now }: Deps,
  ...given: Parameters<Deps['emails']['acceptBatch']>
): Promise<'accepted' | 'void'> => {
  try {
    return await emails.acceptBatch(...given)
  } catch (thrown) {
    const [{ id }] = given
    // If the store cannot decide now, the client learns of the first failure.
    const isVoid = await emails.voidBatch(id, now()).catch(() => true)
    if (isVoid) throw thrown
    return 'accepted'
  }
}

/**
 * Waits until an acceptance is durable. A batch with staged messages is durable already. Later writes are not waited
 * for: if their commit fails, the batch is accepted nevertheless.
 * @param work done during the wait, so that its writes share the commit of the acceptance
 */
const untilDurable = async (
  { durable }: Deps,
  staged: StagedBatch | null,
  work: () => Promise<void>,
): Promise<void> => {
  const synced = staged === null ? durable.synced() : Promise.resolve()
  // It may fail before it is awaited.
  synced.catch(() => {})
  await work()
  await synced
}
