import type { PublicEvent } from '@postrider/domain/events/event.ts'
import { mayTakeMore, ownerCounts, withSpare } from '@postrider/domain/fairness/fairShare.ts'
import { madeAgain, newDelivery } from '@postrider/domain/webhooks/delivery.ts'
import { type WebhookEndpoint, wantedQuery } from '@postrider/domain/webhooks/endpoint.ts'
import {
  afterEmptyPage,
  afterReplayedEvent,
  type ClaimedReplay,
  endedReplay,
  nextReplayRange,
  replayEveryMs,
  replayTurnMs,
  replayWaitMs,
  type WebhookReplay,
} from '@postrider/domain/webhooks/replay.ts'
import { webhookLeaseMs } from '@postrider/domain/webhooks/schedule.ts'
import { requestedOnClock } from '@postrider/domain/webhooks/testClock.ts'
import { periodicJob } from '@postrider/kit/every.ts'
import { logFailure } from '@postrider/kit/failureLog.ts'
import { runningWork } from '@postrider/kit/runningWork.ts'
import type { Job } from './attempt.ts'
import type { Deps, EndpointCache } from './deps.ts'
import type { Sender } from './sender.ts'
import { clocksOf } from './testClocks.ts'

/** Works on replays. */
export type Replayer = AsyncDisposable & {
  /** Works on every replay that runs, until it ends or waits for the feed. */
  replayDue(): Promise<void>
}

/** Events of a page. */
const pageSize = 100
const pollEveryMs = 1_000

type ReplayDeps = Pick<
  Deps,
  'replays' | 'deliveries' | 'feed' | 'clocks' | 'slices' | 'now' | 'random' | 'pause' | 'limits' | 'log'
> & {
  cache: EndpointCache
}

/**
 * Sends the events of a window once more, one after the other and at most 10 a second, so that the receiver gets them
 * in order alongside its other events. The outcome of an event does not stop the others: a failed event is retried as
 * usual. After each event the progress is written with the fencing token; a crash repeats at most one.
 *
 * A replay may have millions of events and a receiver that hangs. So it is worked on for some seconds at a time, and
 * then waits behind those that have waited longer; and the replays of one workspace leave a slot to others.
 */
export const openReplayer = (deps: ReplayDeps, sender: Pick<Sender, 'send'>): Replayer => {
  const { replays, slices, now, random, limits, log, cache } = deps
  const stopping = new AbortController()
  const running = runningWork()
  const total = withSpare(limits.replays)
  const ofWorkspace = ownerCounts()
  const free = (): number => total - ofWorkspace.total()

  const work = async ({ replay, fence }: ClaimedReplay): Promise<void> => {
    const turnEndsAt = now() + replayTurnMs
    let current = replay
    const save = (leaseUntil: number | null) => replays.write(replay.id, fence, current, leaseUntil)
    while (!stopping.signal.aborted) {
      const endpoint = await cache.get(replay.endpoint)
      if (!endpoint?.enabled) {
        current = endedReplay(current, 'canceled', now())
        return void (await save(null))
      }
      const page = await nextPage(deps, endpoint, current)
      for (const event of page.events) {
        if (stopping.signal.aborted) break
        const isDelivered = await sendAgain(deps, sender, endpoint, event)
        current = afterReplayedEvent(current, event, isDelivered)
        if (!(await save(now() + webhookLeaseMs))) return
        await deps.pause(replayEveryMs)
        if (now() >= turnEndsAt) return void (await save(now()))
        if (!(await cache.get(replay.endpoint))?.enabled) break
      }
      if (page.events.length > 0) continue
      const step = afterEmptyPage(page)
      if (step === 'wait') return void (await save(now() + replayWaitMs))
      if (step === 'done') {
        current = endedReplay(current, 'done', now())
        return void (await save(null))
      }
      current = { ...current, cursor: page.position }
    }
    await save(null)
  }
  const begin = (claimed: ClaimedReplay): void => {
    const { workspace } = claimed.replay
    ofWorkspace.add(workspace, 1)
    const worked = slices
      .inBackground(() => work(claimed))
      .catch((err: unknown) => {
        logFailure(log, { err }, 'cannot replay events')
      })
    void running.track(worked).then(() => ofWorkspace.add(workspace, -1))
  }
  /** Begins replays while slots are free. @returns how many */
  const replayDue = async (): Promise<number> => {
    for (let begun = 0; ; begun++) {
      if (free() < 1 || stopping.signal.aborted) return begun
      const except = ofWorkspace.owners().filter((owner) => !mayTakeMore(ofWorkspace.of(owner), free()))
      const [claimed] = await replays.claim({ now: now(), limit: 1, leaseMs: webhookLeaseMs, except })
      if (claimed === undefined) return begun
      begin(claimed)
    }
  }
  const polling = periodicJob(replayDue, { everyMs: pollEveryMs, log, message: 'cannot claim replays', random })
  return {
    replayDue: async () => {
      while ((await replayDue()) > 0 || running.size() > 0) await running.ended()
    },
    [Symbol.asyncDispose]: async () => {
      stopping.abort()
      await polling[Symbol.asyncDispose]()
      await running.ended()
    },
  }
}

/** Returns events after the cursor of a replay, and whether the feed shows its whole window. */
const nextPage = async (
  { feed, now }: Pick<Deps, 'feed' | 'now'>,
  endpoint: WebhookEndpoint,
  replay: WebhookReplay,
) => {
  const { isWhole, ...range } = nextReplayRange(replay, now())
  const page = await feed.readEvents({ ...wantedQuery(endpoint), ...range, limit: pageSize })
  return { ...page, isWhole }
}

/** @returns whether the receiver accepted the event immediately; an attempt of another process counts as a failure */
const sendAgain = async (
  deps: Pick<Deps, 'deliveries' | 'clocks' | 'now'>,
  sender: Pick<Sender, 'send'>,
  endpoint: WebhookEndpoint,
  event: PublicEvent,
): Promise<boolean> => {
  const { deliveries } = deps
  const clock = (await clocksOf(deps, [{ endpoint, event }])).get(endpoint.workspace)
  const at = deps.now()
  const delivery = requestedOnClock(newDelivery(endpoint, event, at), clock)
  const fence = (await deliveries.insert([{ delivery, leaseUntil: at + webhookLeaseMs }])).get(delivery.id)
  const leaseUntil = at + webhookLeaseMs
  const again = fence === undefined ? await deliveries.claimOne(endpoint.id, delivery.id, at, webhookLeaseMs) : null
  const job: Job | null =
    fence === undefined
      ? again && { ...again, delivery: requestedOnClock(madeAgain(again.delivery, at), clock), leaseUntil }
      : { delivery, fence, event, leaseUntil }
  return job !== null && (await sender.send({ ...job, event })).kind === 'delivered'
}
