import type { Clock } from '@postrider/kit/clock.ts'
import type { Log } from '@postrider/kit/log.ts'
import type { Doorbell, Lane } from '@postrider/ports/doorbell.ts'
import type { ClaimedEmail, EmailStore } from '@postrider/ports/emails.ts'
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
  /** Works until nothing is due at the clock's now. For tests, and for whoever moves the clock. */
  drain(): Promise<void>
}

/** The longest a worker sleeps without looking; the doorbell and the timer on the next due email wake it before. */
const longestSleepMs = 60_000
const afterFaultMs = 1_000

/** Keeps one lane moving: claims what is due, works on so many at a time, sleeps until the next is due. */
export const laneWorker = (deps: LaneDeps): LaneWorker => {
  const { lane, emails, leases, log, now } = deps
  const ahead: ClaimedEmail[] = []
  const active = new Set<Promise<void>>()
  let claiming: Promise<void> | null = null
  let rung = false
  /** The last claim got all it asked for, so the work it gave must wake us when it is done. */
  let moreIsDue = false
  let stopping = false
  let timer: NodeJS.Timeout | undefined
  let wakeAt = Infinity

  const sleepUntil = (at: number): void => {
    if (stopping || at >= wakeAt) return
    clearTimeout(timer)
    wakeAt = at
    timer = setTimeout(wake, Math.min(Math.max(at - now(), 0), longestSleepMs))
  }

  const work = async (claimed: ClaimedEmail): Promise<void> => {
    const { id } = claimed.email
    try {
      const delivery = await deps.deliver(claimed)
      if (delivery.kind === 'lost') log.warn({ email_id: id }, 'another worker has this email now')
      else if (delivery.nextAt !== null) sleepUntil(delivery.nextAt)
    } catch (thrown) {
      // The lease is left to run out: an email that breaks its worker comes back later, and is parked in the end.
      log.error({ email_id: id, err: thrown }, 'delivery broke')
    } finally {
      leases.drop(id)
    }
  }

  const startWork = (): void => {
    while (active.size < deps.concurrency && !stopping) {
      const claimed = ahead.shift()
      if (!claimed) return
      const done = work(claimed).finally(() => {
        active.delete(done)
        startWork()
        if (moreIsDue && ahead.length < deps.concurrency / 2) wake()
      })
      active.add(done)
    }
  }

  /** Twice what is worked on is in hand at most; small claims aren't worth their update. */
  const claimSome = async (): Promise<void> => {
    const limit = 2 * deps.concurrency - ahead.length - active.size
    if (limit < deps.concurrency / 2) {
      moreIsDue = true
      return
    }
    const claimed = await emails.claim({ lane, now: now(), limit, leaseMs })
    for (const { email, fence } of claimed) leases.hold(email.id, fence)
    ahead.push(...claimed)
    moreIsDue = claimed.length === limit
    startWork()
    if (!moreIsDue) sleepUntil((await emails.nextDue(lane)) ?? now() + longestSleepMs)
  }

  const claimAll = async (): Promise<void> => {
    try {
      while (rung && !stopping) {
        rung = false
        await claimSome()
      }
    } catch (thrown) {
      log.error({ err: thrown, lane }, 'claiming broke')
      sleepUntil(now() + afterFaultMs)
    } finally {
      claiming = null
    }
  }

  const wake = (): void => {
    wakeAt = Infinity
    rung = true
    if (!stopping && !claiming) claiming = claimAll()
  }

  const stopListening = deps.doorbell.listen(lane, wake)
  wake()

  return {
    drain: async () => {
      for (;;) {
        wake()
        while (claiming || active.size > 0) await Promise.all([claiming, ...active])
        const due = await emails.nextDue(lane)
        if (due === null || due > now()) return
      }
    },
    [Symbol.asyncDispose]: async () => {
      stopping = true
      stopListening()
      clearTimeout(timer)
      await claiming
      await emails.letGo(ahead.splice(0).map(({ email, fence }) => ({ id: email.id, fence })))
      await Promise.all(active)
    },
  }
}
