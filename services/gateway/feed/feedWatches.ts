import { AsyncLocalStorage } from 'node:async_hooks'
import type { Intake } from '@postrider/contracts/services.ts'
import type { Mode } from '@postrider/domain/email/email.ts'
import type { ArrivalPosition } from '@postrider/domain/events/arrival.ts'
import { byPosition, type EventType, type FeedPosition } from '@postrider/domain/events/event.ts'
import type { After } from '@postrider/kit/after.ts'
import type { Monotonic } from '@postrider/kit/clock.ts'
import { every } from '@postrider/kit/every.ts'

/*
 * Requests that wait for events share one read a second for each feed that they wait for: a workspace and a mode. A
 * watch reads what arrives. It wakes those that wait for the order of arrival immediately, and those in ascending order
 * when the event can be read in it. A woken request reads its own page, and looks before only if what woke it may be in
 * a page that it has; a request that is woken without reason waits on.
 */

/** Event that a request waits for. */
export type Awaited = {
  workspace: string
  /** Null: both. */
  mode: Mode | null
  /** Empty: all. */
  types: readonly EventType[]
  /** Whether events are read in ascending order, which shows them later. */
  isDelayed: boolean
}

export type FeedWatches = {
  /**
   * Calls `wake` when there may be an event that could not be read before this resolved, until it is disposed of, with
   * the last of the new events; null: there may be others. A failed read also calls `wake`; the request then reads
   * again and gets the error.
   */
  listen(awaited: Awaited, wake: (last: FeedPosition | null) => void): Promise<Disposable>
}

/** Time between two reads of a watch, in milliseconds. */
const everyMs = 1_000
/** Added for each watch of the process: with many, all together make at most 200 reads a second. */
const everyMsOfWatch = 5
/** How long a watch stays without a request: a client that got a response sends the next request. */
const lingerMs = 5_000
/**
 * Additional time for which an event is awaited in ascending order, in milliseconds: the process that responds may have
 * a clock that is slower than that of the process that was read.
 */
const skewMs = 500
/** Events of one read. With more, all requests are woken. */
const maxRead = 100

type Listener = Pick<Awaited, 'types' | 'isDelayed'> & { wake(last: FeedPosition | null): void }
type Arrived = FeedPosition & { type: string }

type Watch = {
  listeners: Set<Listener>
  /** Null: it was not read yet. */
  position: ArrivalPosition | null
  /** Whether the last read failed, so that events may have been missed. */
  hasFailed: boolean
  /** Events that cannot be read in ascending order yet. */
  incomplete: Arrived[]
  /** When the last listener left. */
  unusedSince: number
  /** Resolves after the first read. */
  first: Promise<void>
}

type WatchesDeps = { intake: Pick<Intake, 'ListEvents'>; elapsed: Monotonic; after: After; stopping?: AbortSignal }

export const makeFeedWatches = ({ intake, elapsed, after, stopping }: WatchesDeps): FeedWatches => {
  // A watch belongs to no request: it has neither the deadline nor the span of the one that began it.
  const outsideRequest = AsyncLocalStorage.snapshot()
  const watches = new Map<string, Watch>()

  const begin = (name: string, { workspace, mode }: Awaited): Watch => {
    const read = async (): Promise<void> => {
      try {
        const { arrived, hasMore, arrival } = await intake.ListEvents({
          reader: { workspace, mode },
          types: null,
          order: 'arrival',
          after: null,
          arrival: watch.position,
          limit: maxRead,
        })
        watch.position = arrival
        const isMissing = watch.hasFailed || hasMore || arrival === null
        watch.hasFailed = false
        notify(watch, arrived, isMissing)
      } catch {
        watch.hasFailed = true
        notify(watch, [], true)
      }
    }
    const readOrEnd = async (): Promise<void> => {
      await (stopping?.aborted ? null : read())
      onRead()
      const isUnused = watch.listeners.size === 0 && elapsed() - watch.unusedSince >= lingerMs
      if (!isUnused && !stopping?.aborted) return
      watches.delete(name)
      // Not awaited: this runs inside the task.
      void reading[Symbol.asyncDispose]()
    }
    const { promise: first, resolve: onRead } = Promise.withResolvers<void>()
    const watch: Watch = {
      listeners: new Set(),
      position: null,
      hasFailed: false,
      incomplete: [],
      unusedSince: elapsed(),
      first,
    }
    watches.set(name, watch)
    const delayMs = (): number => Math.max(everyMs, watches.size * everyMsOfWatch)
    const reading = outsideRequest(() => every(readOrEnd, { delayMs, startNow: true, onError: fail, after }))
    return watch
  }

  return {
    listen: async (awaited, wake) => {
      const name = `${awaited.workspace} ${awaited.mode}`
      const watch = watches.get(name) ?? begin(name, awaited)
      let isFirst = true
      const listener = { ...awaited, wake: (last: FeedPosition | null) => void (isFirst || wake(last)) }
      // Added before the first read has ended: a watch without listeners ends.
      watch.listeners.add(listener)
      await watch.first
      isFirst = false
      return {
        [Symbol.dispose]: () => {
          watch.listeners.delete(listener)
          watch.unusedSince = elapsed()
        },
      }
    },
  }
}

/** A failed read is handled where it is made, so this is a bug. */
const fail = (reason: unknown): never => {
  throw reason
}

/** @param isMissing whether there may be other events too */
const notify = (watch: Watch, arrived: readonly Arrived[], isMissing: boolean): void => {
  const completeAt = (watch.position?.complete.at ?? 0) - skewMs
  const all = [...watch.incomplete, ...arrived]
  watch.incomplete = all.filter(({ at }) => at > completeAt)
  const complete = lastOfTypes(all.filter(({ at }) => at <= completeAt))
  const fresh = lastOfTypes(arrived)
  for (const { types, isDelayed, wake } of [...watch.listeners]) {
    const found = isDelayed ? complete : fresh
    const isAwaited = (type: string): boolean => types.length === 0 || types.some((one) => one === type)
    const last = lastOf([...found].filter(([type]) => isAwaited(type)).map(([, position]) => position))
    if (isMissing || last) wake(isMissing ? null : last)
  }
}

const lastOf = (positions: readonly FeedPosition[]): FeedPosition | null =>
  positions.reduce<FeedPosition | null>((last, one) => (last && byPosition(last, one) > 0 ? last : one), null)

const lastOfTypes = (events: readonly Arrived[]): Map<string, FeedPosition> => {
  const last = new Map<string, FeedPosition>()
  for (const event of events) {
    const other = last.get(event.type)
    if (!other || byPosition(other, event) < 0) last.set(event.type, event)
  }
  return last
}
