import { ListEvents } from '@postrider/contracts/http/event.ts'
import { byPosition, type FeedPosition } from '@postrider/domain/events/event.ts'
import { modeSeen } from '../callers/mode.ts'
import { readQuery } from '../checks/checkRequest.ts'
import type { Context, RouteDeps, Step } from '../deps.ts'
import { type EventsQuery, isReadable, seenUpTo } from '../feed/feed.ts'
import type { Awaited } from '../feed/feedWatches.ts'
import type { Route } from '../route.ts'
import { checkAgain } from './access.ts'
import { disconnection } from './disconnection.ts'
import { clientLeft } from './scheduleRequests.ts'

/**
 * How often the session or key of a waiting request is checked, in milliseconds: its end ends the request within this
 * time.
 */
const checkedEveryMs = 5_000

/**
 * Makes a request for events wait until its page has one, for at most its `wait`. It uses only its connection while
 * it waits, and its caller is checked again before the response. A client that disconnects gets no response.
 * @throws Fault `malformed_request`, `rate_limited`, or as the check of access
 */
export const waitForEvents = (route: Route, deps: RouteDeps): Step => {
  const check = checkAgain(route, deps)
  return async function waitForEvents(context, next) {
    const query = readQuery(ListEvents, context.querystring) as EventsQuery
    if (query.wait === undefined) return next()
    const gone = disconnection(context)
    await untilReadable(query, query.wait, { context, check, gone, deps }).catch((thrown: unknown) => {
      if (!gone.aborted) throw thrown
    })
    if (!gone.aborted) return next()
    context.status = clientLeft
  }
}

type Waiting = {
  context: Context
  check: (context: Context) => Promise<void>
  /** Aborted when the client disconnects. */
  gone: AbortSignal
  deps: RouteDeps
}

const untilReadable = async (query: EventsQuery, seconds: number, waiting: Waiting): Promise<void> => {
  const { context, check, gone, deps } = waiting
  using _slot = deps.waitingRequests.enter(identityOf(context))
  const startedAt = performance.now()
  const endsAt = deps.elapsed() + seconds * 1_000
  const seen = seenUpTo({ query, identity: identityOf(context) }, deps)
  for (;;) {
    using wake = waker(deps, gone, seen)
    using _listener = await deps.feedWatches.listen(awaited(query, context), wake.found)
    if (await isReadable({ query, identity: identityOf(context), signal: gone }, deps)) return
    do {
      const leftMs = endsAt - deps.elapsed()
      if (leftMs <= 0 || deps.stopping?.aborted) return
      await wake.next(Math.min(leftMs, checkedEveryMs))
      context.state.waitedMs = performance.now() - startedAt
      if (gone.aborted) return
      await check(context)
      if (wake.isNew()) return
    } while (!wake.isFound())
  }
}

const identityOf = ({ state: { identity } }: Context) => {
  if (identity === null) throw new Error('a request waits without a caller')
  return identity
}

const awaited = ({ type, mode, order }: EventsQuery, context: Context): Awaited => {
  const identity = identityOf(context)
  return {
    workspace: identity.caller.workspace,
    mode: modeSeen(identity, mode),
    types: type ?? [],
    isDelayed: order === 'asc',
  }
}

/**
 * Ends the pause of a request when there may be an event, or when the client or this process leaves.
 * @param seen up to where the reader has the events; null: unknown
 */
const waker = ({ after, stopping }: RouteDeps, gone: AbortSignal, seen: FeedPosition | null) => {
  let [isFound, isNew] = [false, false]
  let wake = (): void => {}
  const onAbort = (): void => wake()
  const signals = [gone, ...(stopping ? [stopping] : [])]
  for (const signal of signals) signal.addEventListener('abort', onAbort)
  return {
    found: (last: FeedPosition | null): void => {
      isFound = true
      isNew ||= last !== null && seen !== null && byPosition(last, seen) > 0
      wake()
    },
    isFound: () => isFound,
    /** Whether an event was found that the reader certainly does not have. */
    isNew: () => isNew,
    /** Resolves after a time, or sooner if something ends the pause. */
    next: async (ms: number): Promise<void> => {
      const { promise, resolve } = Promise.withResolvers<void>()
      wake = resolve
      using _timer = after(ms, resolve)
      if (isFound || signals.some(({ aborted }) => aborted)) resolve()
      await promise
    },
    [Symbol.dispose]: () => {
      for (const signal of signals) signal.removeEventListener('abort', onAbort)
    },
  }
}
