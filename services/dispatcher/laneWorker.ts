import type { Clock } from '@postrider/kit/clock.ts'
import type { Log } from '@postrider/kit/log.ts'
import type { Doorbell, Lane } from '@postrider/ports/doorbell.ts'
import type { ClaimedEmail, EmailStore } from '@postrider/ports/emails.ts'
import { type Alarm, alarm } from './alarm.ts'
import { type Crew, makeCrew } from './crew.ts'
import type { Delivery } from './deliver.ts'
import { type Leases, leaseMs } from './leases.ts'

type LaneDeps = {
  lane: Lane
  emails: Pick<EmailStore, 'claim' | 'nextDue' | 'letGo'>
  leases: Pick<Leases, 'hold' | 'drop'>
  deliver(claimed: ClaimedEmail): Promise<Delivery>
  doorbell: Pick<Doorbell, 'listen'>
  /** Emails in work at once; as many again are claimed ahead, without their bodies. */
  concurrency: number
  now: Clock
  log: Log
}

export type LaneWorker = AsyncDisposable & {
  /** Works until nothing is due at the clock's now. For tests, and for whoever moves the clock.
   * @throws whatever keeps it from claiming */
  drain(): Promise<void>
}

/** The longest a worker sleeps without looking; the doorbell and the alarm on the next due email wake it before. */
const longestSleepMs = 60_000
const afterFaultMs = 1_000

/** Keeps one lane moving: claims what is due, works on so many at a time, sleeps until the next is due. */
export const laneWorker = (deps: LaneDeps): LaneWorker => {
  const { lane, emails, now, log, concurrency } = deps
  let claiming: Promise<void> | null = null
  let rung = false
  let stopping = false
  /** What broke the last claiming; null: nothing did. */
  let broken: { reason: unknown } | null = null

  const claimAll = async (): Promise<void> => {
    broken = null
    try {
      while (rung && !stopping) {
        rung = false
        await claims.some()
      }
    } catch (thrown) {
      broken = { reason: thrown }
      log.error({ err: thrown, lane }, 'claiming broke')
      if (!stopping) clock.by(now() + afterFaultMs)
    } finally {
      claiming = null
    }
  }

  const wake = (): void => {
    rung = true
    if (!stopping) claiming ??= claimAll()
  }

  const clock = alarm(now, longestSleepMs, wake)
  const crew = makeCrew<ClaimedEmail>(concurrency, workOn(deps, clock), () => {
    if (claims.moreIsDue() && crew.ahead() < concurrency / 2) wake()
  })
  const claims = claimer(deps, crew, clock)
  const stopListening = deps.doorbell.listen(lane, wake)
  wake()

  return {
    drain: async () => {
      while (!stopping) {
        wake()
        while (claiming || crew.active() > 0) await Promise.all([claiming, crew.pass()])
        if (broken) throw broken.reason
        const due = await emails.nextDue(lane)
        if (due === null || due > now()) return
      }
    },
    [Symbol.asyncDispose]: async () => {
      stopping = true
      stopListening()
      const unbegun = crew.stop()
      await claiming
      await Promise.all([letGo(deps, [...unbegun, ...crew.stop()]), crew.pass()])
      clock.off()
    },
  }
}

const claimer = ({ lane, emails, leases, concurrency, now }: LaneDeps, crew: Crew<ClaimedEmail>, clock: Alarm) => {
  /** The last claim got all it asked for, or didn't ask: the work in hand must wake us when it is done. */
  let more = false
  return {
    moreIsDue: () => more,
    /** Twice what is worked on is in hand at most; small claims aren't worth their update. */
    some: async (): Promise<void> => {
      const limit = 2 * concurrency - crew.ahead() - crew.active()
      if (limit < concurrency / 2) {
        more = true
        return
      }
      const claimed = await emails.claim({ lane, now: now(), limit, leaseMs })
      for (const { email, fence } of claimed) leases.hold(email.id, fence)
      more = claimed.length === limit
      crew.add(claimed)
      if (!more) clock.by((await emails.nextDue(lane)) ?? now() + longestSleepMs)
    },
  }
}

const workOn =
  ({ deliver, leases, log }: LaneDeps, clock: Alarm) =>
  async (claimed: ClaimedEmail): Promise<void> => {
    const { email, fence } = claimed
    try {
      const delivery = await deliver(claimed)
      if (delivery.kind === 'lost') log.warn({ email_id: email.id }, 'another worker has this email now')
      else if (delivery.nextAt !== null) clock.by(delivery.nextAt)
    } catch (thrown) {
      // The lease is left to run out: an email that breaks its worker comes back later, and is parked in the end.
      log.error({ email_id: email.id, err: thrown }, 'delivery broke')
    } finally {
      leases.drop(email.id, fence)
    }
  }

const letGo = async ({ emails, leases, log }: LaneDeps, unbegun: readonly ClaimedEmail[]): Promise<void> => {
  const held = unbegun.map(({ email, fence }) => ({ id: email.id, fence }))
  for (const { id, fence } of held) leases.drop(id, fence)
  try {
    if (held.length > 0) await emails.letGo(held)
  } catch (thrown) {
    log.warn({ err: thrown, count: held.length }, 'leases could not be given back; they run out')
  }
}
