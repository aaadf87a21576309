import type { Email } from '@postrider/domain/email/email.ts'
import { feedDelayMs, type PublicEvent, publicEmailEvent } from '@postrider/domain/events/event.ts'
import { boundedHints } from '@postrider/domain/fairness/boundedHints.ts'
import { type WebhookEndpoint, wantedBy } from '@postrider/domain/webhooks/endpoint.ts'
import { clockHint } from '@postrider/domain/webhooks/testClock.ts'
import { logFailure } from '@postrider/kit/failureLog.ts'
import { isId } from '@postrider/kit/ids.ts'
import { runningWork } from '@postrider/kit/runningWork.ts'
import { nextSlice } from '@postrider/kit/slices.ts'
import { ttlCache } from '@postrider/kit/ttlCache.ts'
import type { EventHint } from '@postrider/ports/eventHints.ts'
import type { Deps, EndpointCache } from './deps.ts'
import type { IsFull } from './endpointCache.ts'
import type { Sender } from './sender.ts'

/** Turns hints into deliveries. */
export type HintReader = AsyncDisposable & {
  /** Waits until the hints that have arrived are read. */
  ended(): Promise<void>
}

/**
 * Maximum number of hints that wait, about 150 bytes each. A scan of the feed finds the events of those that are
 * dropped.
 */
const maxHints = 20_000
const always = (): boolean => true
/** Hints that are read together. */
const maxConcurrent = 32
/** Events that are older have been found by a scan, or will be. */
const hintedAgeMs = 600_000
/** Emails whose last handled event is stored: an email sends one hint for each of its events. */
const [maxSeen, seenMs] = [50_000, hintedAgeMs]

type HintDeps = Pick<Deps, 'emails' | 'endpoints' | 'hints' | 'slices' | 'now' | 'elapsed' | 'log' | 'metrics'> & {
  cache: EndpointCache
  isFull: IsFull
}

/**
 * Reads the records that hints name, and adds what their endpoints are to receive. A hint that fails is left to a scan.
 */
export const openHintReader = (deps: HintDeps, sender: Pick<Sender, 'add' | 'wake'>): HintReader => {
  const { hints, now, elapsed, log, metrics } = deps
  const waiting = boundedHints(maxHints)
  const running = runningWork()
  const seen = ttlCache<number>({ freshMs: seenMs, max: maxSeen, elapsed })
  let isStopped = false

  const wakeTestMode = (endpoints: readonly WebhookEndpoint[]): void => {
    for (const endpoint of endpoints) if (endpoint.mode !== 'live') sender.wake(endpoint)
  }
  /** Returns the endpoints that may have more deliveries. A scan finds the event for the others. */
  const withRoom = async (endpoints: readonly WebhookEndpoint[]): Promise<readonly WebhookEndpoint[]> => {
    const areFull = await Promise.all(endpoints.map(({ id }) => deps.isFull(id)))
    return endpoints.filter((_, index) => !areFull[index])
  }
  const read = async ({ workspace, id }: EventHint): Promise<void> => {
    const endpoints = await deps.cache.enabledOf(workspace)
    if (endpoints.length === 0) return
    if (id === clockHint) return wakeTestMode(endpoints)
    // An event without an email is found in the feed, which shows it when it is so old.
    if (!isId('em', id)) return deps.endpoints.scanSoon(workspace, now() + feedDelayMs)
    // A record may be long, and many hints are read together.
    await nextSlice(deps.slices.of(workspace))
    const email = (await deps.emails.get(id))?.email
    if (email?.workspace !== workspace) return
    const fresh = newEvents(email, { after: seen.get(id) ?? 0, from: now() - hintedAgeMs })
    await sender.add(wantedBy(await withRoom(endpoints), fresh), 'hint')
    const last = email.events.at(-1)
    if (last) seen.set(id, last.sequence, elapsed())
  }
  const readSafely = (hint: EventHint): Promise<void> =>
    // The request that caused the hint does not wait for it.
    deps.slices
      .inBackground(() => read(hint))
      .catch((err: unknown) => {
        logFailure(log, { err }, 'cannot process event hint')
      })
  const work = (): void => {
    while (running.size() < maxConcurrent && !isStopped) {
      const hint = waiting.next(always)
      if (hint === undefined) return
      void running.track(readSafely(hint)).then(work)
    }
  }
  const stopListening = hints.listen((found) => {
    // A hint that already waits is read after both writes.
    metrics.webhookHintsDropped.inc(waiting.add(found))
    work()
  })
  return {
    ended: async () => {
      while (running.size() > 0) await running.ended()
    },
    [Symbol.asyncDispose]: async () => {
      isStopped = true
      stopListening()
      await running.ended()
    },
  }
}

const newEvents = (email: Email, { after, from }: { after: number; from: number }): PublicEvent[] =>
  email.events
    .filter(({ sequence, at }) => sequence > after && at >= from)
    .map((event) => publicEmailEvent(email, event))
