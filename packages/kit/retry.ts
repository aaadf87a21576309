import { outageSeverity } from './failureLog.ts'
import { Fault } from './fault.ts'
import type { Log } from './log.ts'
import { pause } from './pause.ts'
import { reasonOf } from './rootCause.ts'

/** The delays between tries. */
export type Backoff = {
  /** Delay after failure n in milliseconds, at index n - 1; the last one repeats. */
  delaysMs: readonly [number, ...number[]]
  /** Share of the delay that is random: 0.5 shortens it by up to half, so that callers do not return together. */
  jitter: number
}

/** Every backoff of the product, except the retry schedule of mail (mail/retrySchedule.ts). */
export const backoffs = {
  /** A process waits for a dependency at start. */
  dependency: { delaysMs: [1_000], jitter: 0 },
  /** A gRPC call whose request was not sent or may be repeated; after these delays the caller gives up. */
  call: { delaysMs: [20, 100, 300, 800], jitter: 0.5 },
  /** A connection to Kafka that ended is opened again. */
  reconnect: { delaysMs: [1_000], jitter: 0 },
  /** A broker of Kafka does not lead a partition yet, or has no metadata of it. */
  leader: { delaysMs: [100, 200, 500, 1_000], jitter: 0.5 },
  /** The connection to Redis is opened again. */
  redis: { delaysMs: [100, 200, 400, 800, 1_000], jitter: 0 },
  /** A dispatcher lane pauses while the store is unavailable. */
  claim: { delaysMs: [500, 1_000, 2_000, 4_000, 5_000], jitter: 0.5 },
  /** The lease of an idempotency key could not be ended. */
  lease: { delaysMs: [50, 100, 250], jitter: 0.5 },
  /** Work that a move of a test clock made due is not done yet. */
  testClock: { delaysMs: [5, 10, 20, 40, 80, 100], jitter: 0 },
  /** System mail could not be given to intake. */
  systemMail: { delaysMs: [500, 1_000, 2_000, 5_000, 10_000, 30_000], jitter: 0.3 },
  /** The outcome of an attempt could not be written. */
  outcome: { delaysMs: [500], jitter: 0 },
} as const satisfies Record<string, Backoff>

/** @param failures in a row, from 1 @param random uniform in [0, 1) */
export const backoffMs = ({ delaysMs, jitter }: Backoff, failures: number, random: () => number): number => {
  const [first] = delaysMs
  const delayMs = delaysMs[failures - 1] ?? delaysMs.at(-1) ?? first
  return delayMs * (1 - jitter * random())
}

/** Result of one try. */
export type Try<T> = { value: T } | { error: unknown }

export type RetryOptions<T> = {
  /** The delays, or a function that returns the delay that the outcome of a try requires. */
  backoff: Backoff | ((ended: Try<T>) => number)
  /** Decides after each try; `waitMs` is the delay before the next one, `failures` counts from 1. */
  shouldRetry(ended: Try<T>, next: { failures: number; waitMs: number }): boolean | Promise<boolean>
  pause(ms: number): Promise<unknown>
  random?: () => number
}

/**
 * Repeats `work` as long as `shouldRetry` agrees.
 * @returns the value of the last try
 * @throws what the last try threw, or what `shouldRetry` throws
 */
export const retry = async <T>(
  work: () => Promise<T>,
  { backoff, shouldRetry, pause, random = Math.random }: RetryOptions<T>,
): Promise<T> => {
  for (let failures = 1; ; failures++) {
    const ended = await tryOnce(work)
    const waitMs = typeof backoff === 'function' ? backoff(ended) : backoffMs(backoff, failures, random)
    if (!(await shouldRetry(ended, { failures, waitMs }))) {
      if ('error' in ended) throw ended.error
      return ended.value
    }
    await pause(waitMs)
  }
}

const tryOnce = async <T>(work: () => Promise<T>): Promise<Try<T>> => {
  try {
    return { value: await work() }
  } catch (error) {
    return { error }
  }
}

export type RetryUntilAvailableOptions = {
  log: Pick<Log, 'info' | 'warn'>
  /** The process is to stop. */
  stopping: AbortSignal
  /** Limits how long the dependency may be silent; without it the wait has no end, as services need. */
  silence?: { maxMs: number; elapsedMs(): number }
  /** Returns whether the dependency responds: work that is only slow does not count as silence. */
  isReachable?: () => Promise<boolean>
  /** Waits between two tries; resolves early when the process is to stop. */
  pause?: (ms: number) => Promise<unknown>
}

/**
 * Repeats `open` while it throws a Fault `unavailable`: processes start in any order. When the process is to stop, a
 * try that still runs is abandoned, and what it opens later is closed.
 * @param name of the dependency, for the log
 * @throws Fault `unavailable`: the dependency was silent for too long, or, with the signal as its cause, the process is
 *   to stop; anything else that `open` throws
 */
export const retryUntilAvailable = <T>(
  name: string,
  {
    log,
    stopping,
    silence,
    isReachable,
    pause: wait = (ms) => pause(ms, { signal: stopping }),
  }: RetryUntilAvailableOptions,
  open: () => Promise<T>,
): Promise<T> => {
  let answeredAt = silence?.elapsedMs() ?? 0
  const outage = outageSeverity()
  const stopped = (): Fault => new Fault('unavailable', `Stopped while waiting for ${name}.`, { cause: stopping })
  return retry(() => unlessAborted(open, stopping, stopped), {
    backoff: backoffs.dependency,
    shouldRetry: async (ended) => {
      if (!('error' in ended && ended.error instanceof Fault && ended.error.code === 'unavailable')) return false
      const cause = ended.error.cause ?? ended.error
      if (cause === stopping) return false
      if (silence && (await isReachable?.())) answeredAt = silence.elapsedMs()
      if (silence && silence.elapsedMs() - answeredAt >= silence.maxMs) {
        const detail = `${name} did not become available within ${silence.maxMs / 1_000} s.`
        throw new Fault('unavailable', detail, { cause })
      }
      log[outage.failed()]({ dependency: name, reason: reasonOf(cause) }, 'dependency unavailable, retrying')
      return true
    },
    pause: async (ms) => {
      await wait(ms)
      if (stopping.aborted) throw stopped()
    },
  })
}

/** Runs `open` until the signal is aborted. A driver may need half a minute to give up, for example on a name. */
const unlessAborted = async <T>(open: () => Promise<T>, signal: AbortSignal, reason: () => Fault): Promise<T> => {
  if (signal.aborted) throw reason()
  const aborted = Promise.withResolvers<never>()
  const onAbort = (): void => aborted.reject(reason())
  signal.addEventListener('abort', onAbort, { once: true })
  const opening = open()
  try {
    return await Promise.race([opening, aborted.promise])
  } catch (thrown) {
    if (signal.aborted) void opening.then(closeLate, () => {})
    throw thrown
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

const closeLate = async (opened: unknown): Promise<void> => {
  if (typeof opened === 'object' && opened !== null && Symbol.asyncDispose in opened)
    await (opened as AsyncDisposable)[Symbol.asyncDispose]()
}
