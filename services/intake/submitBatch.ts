import type {
  Caller,
  Intake,
  StageBatchReply,
  StageBatchRequest,
  StagedBatch,
  SubmitBatchRequest,
} from '@postrider/contracts/services.ts'
import { dueOf } from '@postrider/domain/email/due.ts'
import { type Email, lanes } from '@postrider/domain/email/email.ts'
import { newId } from '@postrider/kit/ids.ts'
import { makeSlices } from '@postrider/kit/slices.ts'
import { refuseSuspended } from './acceptance.ts'
import { acceptBatch, allRefusals, type BatchOutcome, lostPartFault, type Run } from './acceptBatch.ts'
import type { Deps, SubmitDeps } from './acceptEmail.ts'
import { acceptKeyedBatch } from './acceptKeyedBatch.ts'
import { batchFault, prepareMails } from './batchMails.ts'
import { keyScope } from './claimKey.ts'
import { discardStaged } from './discardStaged.ts'
import { keyLeases } from './keyLeases.ts'
import { followAccepted } from './testClocks.ts'

/** A staged batch that is neither extended nor accepted for this time counts as abandoned. */
export const stagedMs = 60_000

/**
 * Stores a part of a batch, so that no process has all of a long batch in memory. The emails are not due, and no reader
 * sees them. A repeated batch gets the stored response of its key, so nothing of it is stored. It is only checked,
 * because a key with limits must not get the response to a batch that it may not send.
 * @throws Fault `unavailable`: the batch was abandoned; Fault of `StagedRoom`: too much is staged already
 */
export const stageBatch = (given: SubmitDeps, slices = makeSlices()): Intake['StageBatch'] => {
  const deps: Deps = { ...given, leases: given.leases ?? keyLeases(given), slices }
  return async (request) => {
    const batch = request.staged ?? { id: newId('bat'), at: deps.now() }
    try {
      return await stagePart(deps, batch, request)
    } catch (thrown) {
      // The gateway refuses the whole batch.
      await discardStaged(deps, batch, thrown)
      throw thrown
    }
  }
}

const stagePart = async (
  deps: Deps,
  batch: StagedBatch,
  { caller, mails, requestId, keyed }: StageBatchRequest,
): Promise<StageBatchReply> => {
  refuseSuspended(caller)
  const { emails, refusals } = await prepareMails(deps, { caller, requestId, batch, mails })
  if (keyed && (await hasResponse(deps, caller, keyed))) return { staged: batch, refusals }
  const head = { ...batch, workspace: caller.workspace, until: deps.now() + stagedMs }
  deps.staging?.reserve(
    head,
    emails.reduce((sum, { item }) => sum + item.bytes, 0),
  )
  if ((await deps.emails.stageBatch(head, emails)) === 'void') throw lostPartFault()
  await deps.durable.synced()
  return { staged: batch, refusals }
}

const hasResponse = (
  { idempotency, now }: Deps,
  caller: Caller,
  { key, operation }: NonNullable<StageBatchRequest['keyed']>,
): Promise<boolean> => idempotency.hasResponse({ scope: keyScope(caller, operation), key }, now())

/**
 * Accepts a batch, or refuses it. The steps are those of a single send (`submit`), with the id of the batch in place of
 * the id of the email: the claim of the key fixes it, the sends of all messages are one reservation under it, and one
 * write accepts it. A request that takes over makes the batch of the earlier run void and starts with a new one, unless
 * that was accepted.
 */
export const submitBatch = (given: SubmitDeps, slices = makeSlices()): Intake['SubmitBatch'] => {
  const deps: Deps = { ...given, leases: given.leases ?? keyLeases(given), slices }
  return async (request) => {
    const { staged } = request
    const outcome = await acceptOrReplay({ deps, request }).catch(async (thrown: unknown) => {
      await discardStaged(deps, staged, thrown)
      throw thrown
    })
    // The response is that to an earlier run.
    if (outcome.reply.id !== staged?.id) await discardStaged(deps, staged)
    if (outcome.isNew) {
      await followAccepted(deps, outcome.emails)
      announce(deps, outcome.emails)
    }
    return outcome.reply
  }
}

const acceptOrReplay = async (run: Run): Promise<BatchOutcome> => {
  const { request } = run
  const { caller, idempotency, isPermissive, refusals, mails } = request
  refuseSuspended(caller)
  const isRefused = !isPermissive && refusals.length > 0
  if (isRefused && !mayBeRepeated(request)) throw batchFault(await allRefusals(run, mails))
  return idempotency === null ? acceptUnkeyed(run) : acceptKeyedBatch(run, idempotency)
}

/**
 * Whether the refusals may wait for the claim of the key. A staged part is checked before its key is read, and what was
 * accepted with the key may be refused by now: its time is over, or its template is deleted. The response to another
 * key is not for a limited key, so its refusals come first.
 */
const mayBeRepeated = ({ caller, staged, idempotency }: SubmitBatchRequest): boolean =>
  idempotency !== null && staged !== null && caller.domains.length + caller.recipients.length === 0

const announce = ({ accepted, doorbell }: Deps, emails: readonly Email[]): void => {
  for (const email of emails) accepted(email)
  for (const lane of lanes) {
    const due = emails.filter(({ category }) => category === lane).map(dueOf)
    if (due.length > 0) doorbell.ring(lane, due)
  }
}

const acceptUnkeyed = (run: Run): Promise<BatchOutcome> => {
  const { deps, request } = run
  const fresh = (): StagedBatch => ({ id: newId('bat'), at: deps.now() })
  return acceptBatch(run, request.staged ?? fresh(), async () => fresh())
}
