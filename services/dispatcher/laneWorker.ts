import type { ClaimedEmail, Email, Lane } from '@postrider/domain/email/email.ts'
import type { Clock } from '@postrider/kit/clock.ts'
import type { Log } from '@postrider/kit/log.ts'
import { detached, inSpan, type SpanOptions } from '@postrider/kit/trace.ts'
import type { Doorbell } from '@postrider/ports/doorbell.ts'
import type { EmailStore } from '@postrider/ports/emails.ts'
import { claimsOf, type Job } from './claims.ts'
import { makeCrew } from './crew.ts'
import type { Delivery } from './deliver.ts'
import { withSpare } from './fairShare.ts'
import { makeHints } from './hints.ts'
import { isUnavailable } from './keep.ts'
import type { Leases } from './leases.ts'
import { lookout } from './lookout.ts'
import { makeRest } from './rest.ts'

type LaneDeps = {
  lane: Lane
  emails: Pick<EmailStore, 'claim' | 'nextDue' | 'releaseLeases'>
  leases: Pick<Leases, 'hold' | 'drop' | 'isHeld'>
  deliver(claimed: ClaimedEmail): Promise<Delivery>
  doorbell: Pick<Doorbell, 'listen'>
  /** Emails of one workspace in work at once; an eighth more is for others. Others are claimed ahead, without bodies. */
  concurrency: number
  now: Clock
  random: () => number
  log: Log
  /** Told every few seconds how many emails are in work, how many hints wait, and how many were dropped since. */
  watch(seen: { inWork: number; waiting: number; dropped: number }): void
}

export type LaneWorker = AsyncDisposable & {
  /** Works until nothing is due at the clock's now. For tests, and for whoever moves the clock.
   * @throws whatever keeps it from working */
  drain(): Promise<void>
}

/** How many hints a lane keeps: a few MiB. */
const mostHints = 20_000

/**
 * Keeps one lane moving: claims what was rung for and what is due beside, works on so many at a time, and sleeps until
 * something is. Of several workers in several processes each does the same; the claim decides who has which email.
 */
export const laneWorker = (deps: LaneDeps): LaneWorker => {
  const { lane, emails, now, random, log, concurrency } = deps
  const hints = makeHints(mostHints)
  let dropped = 0
  let claiming: Promise<void> | null = null
  let stopping = false
  /** What broke the last claiming or delivery; null: nothing did. */
  let broken: { reason: unknown } | null = null

  const breakOff = (reason: unknown): void => {
    broken = { reason }
    claims.wantScan()
    if (!stopping) rest.begin()
  }

  const claimAll = async (): Promise<void> => {
    broken = null
    try {
      for (let more = true; more && !stopping; ) more = await claims.some()
    } catch (thrown) {
      log.error({ err: thrown, lane }, 'claiming broke')
      breakOff(thrown)
    } finally {
      claiming = null
    }
  }

  const wake = (): void => {
    if (!stopping && !rest.resting() && claims.wanted()) claiming ??= claimAll()
  }

  const scan = (): void => {
    claims.wantScan()
    wake()
  }

  const rest = makeRest(random, wake)
  const watch = lookout({
    nextDue: () => emails.nextDue(lane),
    now,
    random,
    due: scan,
    looked: () => {
      deps.watch({ inWork: crew.active(), waiting: hints.size(), dropped })
      dropped = 0
    },
    failed: (reason) => log.warn({ err: reason, lane }, 'the time of the next due email could not be asked'),
  })
  const work = worker(deps, { by: watch.by, succeeded: rest.succeeded, breakOff })
  const crew = makeCrew<Job>({
    size: withSpare(concurrency),
    ownerOf: ({ claimed }) => claimed.email.workspace,
    work: async (job) => {
      await work(job)
      claims.ended(job)
    },
    freed: wake,
  })
  const claims = claimsOf({ ...deps, hints, begin: crew.add, notAllWon: watch.lookSoon })
  const stopListening = deps.doorbell.listen(lane, (due) => {
    const fell = hints.add(due)
    dropped += fell
    if (fell > 0 || due.length === 0) claims.wantScan()
    detached(wake)
  })
  scan()

  return {
    drain: async () => {
      while (!stopping) {
        rest.end()
        scan()
        while (claiming || crew.active() > 0) await Promise.all([claiming, crew.pass()])
        if (broken) throw broken.reason
        const due = await emails.nextDue(lane)
        if (due === null || due > now()) return
      }
    },
    [Symbol.asyncDispose]: async () => {
      stopping = true
      stopListening()
      rest.end()
      const unbegun = crew.stop()
      await claiming
      await Promise.all([
        releaseLeases(
          deps,
          [...unbegun, ...crew.stop()].map(({ claimed }) => claimed),
        ),
        crew.pass(),
      ])
      await watch[Symbol.asyncDispose]()
    },
  }
}

type Told = {
  /** The email is due again at `at`. */
  by(at: number): void
  succeeded(): void
  /** The store can't be asked. */
  breakOff(reason: unknown): void
}

/** Delivers one email, whatever becomes of it: never rejects. */
const worker =
  (deps: LaneDeps, told: Told) =>
  async ({ claimed, traceparent }: Job): Promise<void> => {
    const { email, fence } = claimed
    const { deliver, leases, log } = deps
    if (!leases.isHeld(email.id, fence)) {
      // Claimed ahead, and then this process was paused or the store away: who takes it next needn't wait for the end.
      await releaseLeases(deps, [claimed])
      return told.by(deps.now())
    }
    try {
      const delivery = await inSpan(deliverySpan(email, traceparent), () => deliver(claimed))
      told.succeeded()
      if (delivery.kind === 'lost') log.warn({ email_id: email.id }, 'another worker has this email now')
      else if (delivery.nextAt !== null) told.by(delivery.nextAt)
    } catch (thrown) {
      if (isUnavailable(thrown)) {
        log.warn({ email_id: email.id, err: thrown }, 'delivery is put off: the store can’t be asked')
        told.breakOff(thrown)
        await releaseLeases(deps, [claimed])
      } else {
        // The lease is left to run out: an email that breaks its worker comes back later, and is parked in the end.
        log.error({ email_id: email.id, err: thrown }, 'delivery broke')
      }
    } finally {
      leases.drop(email.id, fence)
    }
  }

/** In the trace of the request that sent the email: under what the hint comes from, or whenever it is tried again. */
const deliverySpan = ({ id, traceparent }: Email, hinted: string | undefined): SpanOptions => ({
  name: 'deliver',
  kind: 'internal',
  attributes: { 'postrider.email_id': id },
  traceparent: hinted ?? traceparent,
})

const releaseLeases = async ({ emails, leases, log }: LaneDeps, unbegun: readonly ClaimedEmail[]): Promise<void> => {
  const held = unbegun.map(({ email, fence }) => ({ id: email.id, fence }))
  for (const { id, fence } of held) leases.drop(id, fence)
  try {
    if (held.length > 0) await emails.releaseLeases(held)
  } catch (thrown) {
    log.warn({ err: thrown, count: held.length }, 'leases could not be given back; they run out')
  }
}
