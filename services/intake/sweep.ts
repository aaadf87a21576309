import { setImmediate as turnEnds } from 'node:timers/promises'
import type { Quota } from '@postrider/contracts/services.ts'
import type { StoredEmail } from '@postrider/domain/email/email.ts'
import { isoTime } from '@postrider/domain/time.ts'
import type { Clock } from '@postrider/kit/clock.ts'
import { Fault } from '@postrider/kit/fault.ts'
import type { Log } from '@postrider/kit/log.ts'
import type { Doorbell } from '@postrider/ports/doorbell.ts'
import type { EmailStore } from '@postrider/ports/emails.ts'
import type { IdempotencyStore } from '@postrider/ports/idempotency.ts'

type GiveBackDeps = { emails: Pick<EmailStore, 'change'>; quota: Pick<Quota, 'Release'>; now: Clock }

/** Pays what an email owes the ledger, then forgets the debt; a crash between leaves it to the sweeper. */
export const giveBack = async ({ emails, quota, now }: GiveBackDeps, stored: StoredEmail): Promise<void> => {
  const { email, fence, nextAt } = stored
  if (email.owed.length === 0) return
  const { id, workspace, owed: recipients, createdAt } = email
  await quota.Release({ workspace, id, recipients, at: isoTime(createdAt) })
  await emails.change(id, fence, now(), { email: { ...email, owed: [] }, nextAt })
}

export type SweepDeps = GiveBackDeps & {
  emails: Pick<EmailStore, 'change' | 'backlog' | 'pendingRefunds' | 'tombstone'>
  idempotency: Pick<IdempotencyStore, 'sweep'>
  quota: Pick<Quota, 'Release' | 'ListPending' | 'Settle'>
  doorbell: Pick<Doorbell, 'ring'>
  /** Told of every lane's backlog, each round. */
  watch(backlog: Awaited<ReturnType<EmailStore['backlog']>>, at: number): void
  /** Told of every chore that was done, at the store's time. */
  swept(chore: string, at: number): void
  /** A reservation older than this without an email belongs to nobody any more. */
  leaseMs: number
}

/** How much one sweep does of each chore, so that none holds the others up. */
const atOnce = 500

/** One round of what crashes and lost rings left behind. Safe to repeat and to run beside another.
 * @throws AggregateError of every chore that failed; the others were done */
export const sweepOnce = async (deps: SweepDeps): Promise<void> => {
  const at = deps.now()
  const chores = { ring: ringWhatIsDue, pay: payWhatIsOwed, settle: settleReservations, forget: forgetKeys }
  const failed: unknown[] = []
  // One after the other, and none is kept from its turn by one that fails for ever.
  for (const [name, chore] of Object.entries(chores)) {
    await chore(deps, at).then(
      () => deps.swept(name, deps.now()),
      (thrown: unknown) => failed.push(thrown),
    )
  }
  if (failed.length > 0) throw new AggregateError(failed, 'some chores of the sweep failed')
}

const ringWhatIsDue = async ({ emails, doorbell, watch }: SweepDeps, at: number): Promise<void> => {
  const backlog = await emails.backlog(at)
  watch(backlog, at)
  for (const { lane, due } of backlog) if (due > 0) doorbell.ring(lane, [])
}

/** Does one after the other, and those too that come after one that fails for ever. Where nobody answers it is over. */
const inTurn = async <Item>(items: readonly Item[], work: (item: Item) => Promise<unknown>): Promise<void> => {
  const failed: unknown[] = []
  for (const item of items) {
    try {
      await work(item)
    } catch (thrown) {
      if (thrown instanceof Fault && thrown.code === 'unavailable') throw thrown
      failed.push(thrown)
    }
  }
  if (failed.length > 0) throw new AggregateError(failed, 'a part of a chore failed')
}

const payWhatIsOwed = async (deps: SweepDeps): Promise<void> =>
  inTurn(await deps.emails.pendingRefunds(atOnce), (stored) => giveBack(deps, stored))

const settleReservations = async ({ emails, quota, leaseMs }: SweepDeps, at: number): Promise<void> => {
  const list = await quota.ListPending({ before: isoTime(at - leaseMs), limit: atOnce })
  await inTurn(list.pending, async (pending) => {
    // Taken back first: from here on no email can come that the ledger wouldn't count.
    const there = !(await emails.tombstone(pending.id))
    await quota.Settle({ pending, there })
  })
}

/** Keys come with every send, so as many go in a round as may have come in it: 2,000 a second. */
const mostForgettings = 20

const forgetKeys = async ({ idempotency }: SweepDeps, at: number): Promise<void> => {
  for (let round = 0; round < mostForgettings; round++) {
    if ((await idempotency.sweep(at, atOnce)) < atOnce) return
    // Where the store is in this process, others have their turn.
    await turnEnds()
  }
}

/** Every 5 s, a little jittered so that several sweepers spread out. */
const intervalMs = (random: () => number): number => 4_500 + Math.floor(random() * 1_000)

/** Sweeps at once and until disposed of. A failed round is logged and the next comes all the same. */
export const sweeper = (deps: SweepDeps, log: Log, random: () => number = Math.random): AsyncDisposable => {
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  let round: Promise<void> = Promise.resolve()
  const sweep = (): void => {
    round = sweepOnce(deps).catch((thrown: unknown) => log.error({ err: thrown }, 'sweep failed'))
    void round.then(() => {
      if (!stopped) timer = setTimeout(sweep, intervalMs(random))
    })
  }
  // What waits already decides whether more is taken, so it is looked at before the first request.
  sweep()
  return {
    [Symbol.asyncDispose]: async () => {
      stopped = true
      clearTimeout(timer)
      await round
    },
  }
}
