import type { Quota } from '@postrider/contracts/services.ts'
import { isBatchId } from '@postrider/domain/email/batch.ts'
import { periodicJob } from '@postrider/kit/every.ts'
import { isUnavailable } from '@postrider/kit/fault.ts'
import type { Log } from '@postrider/kit/log.ts'
import { repeatBatches } from '@postrider/kit/repeatBatches.ts'
import type { Doorbell } from '@postrider/ports/doorbell.ts'
import type { EmailStore } from '@postrider/ports/emails.ts'
import type { IdempotencyStore } from '@postrider/ports/idempotency.ts'
import type { TestClockStore } from '@postrider/ports/testClocks.ts'
import { type ErasureDeps, eraseRecipients } from './erasures.ts'
import { type PurgeDeps, purgeMail } from './purge.ts'
import type { QueueAdmission } from './queueAdmission.ts'
import { refund } from './sends.ts'
import { type SuspensionDeps, setAsideSuspended } from './setAsideSuspended.ts'
import type { StatsChore } from './stats.ts'
import { type FollowDeps, followClocks } from './testClocks.ts'

export type SweepDeps = SuspensionDeps &
  PurgeDeps &
  ErasureDeps &
  FollowDeps & {
    testClocks: Pick<TestClockStore, 'get' | 'toFollow' | 'followed'>
    emails: Pick<
      EmailStore,
      'backlog' | 'pendingRefunds' | 'tombstone' | 'voidBatch' | 'sweepBatches' | 'fillListIndex' | 'timeParked'
    >
    idempotency: Pick<IdempotencyStore, 'sweep'>
    quota: Pick<Quota, 'Release' | 'ListPending' | 'Settle'>
    doorbell: Pick<Doorbell, 'ring'>
    /** Called in each round with the backlog of every lane. */
    watch(backlog: Awaited<ReturnType<EmailStore['backlog']>>, at: number): void
    queue: Pick<QueueAdmission, 'recount'>
    statsChore: StatsChore
    /** Called after each chore that succeeded, with the store's time. */
    swept(chore: string, at: number): void
    /** Age at which a reservation without an email counts as abandoned. */
    abandonedAfterMs: number
  }

/** Maximum number of items of a chore per batch, so that no chore delays the others for long. */
const batchSize = 500

/**
 * Repairs what crashes and lost doorbell messages left behind. It can be repeated and run concurrently with another.
 * One chore runs after the other; a chore that fails does not stop the next.
 * @throws AggregateError of all failed chores
 */
export const sweepOnce = async (deps: SweepDeps): Promise<void> => {
  const at = deps.now()
  const chores = {
    // Before `ring`, which then announces mail of resumed workspaces, and of batches that are completed.
    hold: setAsideSuspended,
    batches: endBatches,
    ring: ringDueLanes,
    count: ({ queue }: SweepDeps) => queue.recount(),
    follow: followClocks,
    pay: payRefunds,
    settle: settleReservations,
    forget: forgetKeys,
    purge: purgeMail,
    erase: eraseRecipients,
    statistics: (all: SweepDeps) => all.statsChore.catchUpSome(at),
    index: fillListIndex,
    parked: timeParked,
  }
  const failed: unknown[] = []
  for (const [name, chore] of Object.entries(chores)) {
    await chore(deps, at).then(
      () => deps.swept(name, deps.now()),
      (thrown: unknown) => failed.push(thrown),
    )
  }
  if (failed.length > 0) throw new AggregateError(failed, 'some chores of the sweep failed')
}

const ringDueLanes = async ({ emails, doorbell, watch }: SweepDeps, at: number): Promise<void> => {
  const backlog = await emails.backlog(at)
  watch(backlog, at)
  for (const { lane, due } of backlog) if (due > 0) doorbell.ring(lane, [])
}

const endBatches = async ({ emails }: SweepDeps, at: number): Promise<void> => {
  await emails.sweepBatches(at, batchSize)
}

const payRefunds = async (deps: SweepDeps): Promise<void> =>
  forEachItem(await deps.emails.pendingRefunds(batchSize), (stored) => refund(deps, stored))

const settleReservations = async ({ emails, quota, abandonedAfterMs }: SweepDeps, at: number): Promise<void> => {
  const prevent = (id: string): Promise<boolean> => (isBatchId(id) ? emails.voidBatch(id, at) : emails.tombstone(id))
  const abandoned = await quota.ListPending({ before: at - abandonedAfterMs, limit: batchSize })
  await forEachItem(abandoned, async (pending) => {
    // The tombstone comes first: afterwards nothing with this id can be accepted without being counted.
    const emailExists = !(await prevent(pending.id))
    await quota.Settle({ pending, there: emailExists })
  })
}

/** Works through the items in order. An item that fails does not stop the next; an unavailable store stops the loop. */
const forEachItem = async <Item>(items: readonly Item[], work: (item: Item) => Promise<unknown>): Promise<void> => {
  const failed: unknown[] = []
  for (const item of items) {
    try {
      await work(item)
    } catch (thrown) {
      if (isUnavailable(thrown)) throw thrown
      failed.push(thrown)
    }
  }
  if (failed.length > 0) throw new AggregateError(failed, 'a part of a chore failed')
}

/** Every send may bring a key, so one round deletes as many as 2,000 sends a second bring in 5 s. */
const maxKeyBatches = 20

const forgetKeys = ({ idempotency }: SweepDeps, at: number): Promise<void> =>
  repeatBatches({ size: batchSize, max: maxKeyBatches, run: (limit) => idempotency.sweep(at, limit) })

/** One round adds the mail that 4,000 sends a second bring in 5 s. Mail of an earlier release takes longer. */
const maxIndexBatches = 40

const fillListIndex = ({ emails }: SweepDeps): Promise<void> =>
  repeatBatches({ size: batchSize, max: maxIndexBatches, run: (limit) => emails.fillListIndex(limit) })

/**
 * Mail that a process of version 0.1 parks, even during an upgrade, is in the operator's list after a pass over what
 * waits.
 */
const timeParked = async ({ emails }: SweepDeps, at: number): Promise<void> => {
  await emails.timeParked(at, batchSize)
}

/**
 * Sweeps immediately and then about every 5 s, with jitter so that the sweeps of several processes spread out, until it
 * is disposed.
 */
export const sweeper = (deps: SweepDeps, log: Log, random: () => number = Math.random): AsyncDisposable =>
  // The count of the queue decides whether mail is accepted, so it starts before the first request.
  periodicJob(() => deps.slices.inBackground(() => sweepOnce(deps)), {
    everyMs: 5_000,
    startNow: true,
    log,
    message: 'sweep failed',
    random,
  })
