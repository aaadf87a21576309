/** Exponential backoff. The delay after failure n (from 1) is `firstMs * factor^(n-1)`, at most `mostMs`. */
export type Backoff = {
  firstMs: number
  factor: number
  mostMs: number
  /** Share of the delay that is random: 0.5 shortens it by up to half, so that callers do not return together. */
  jitter: number
}

/** Every backoff of the product. The retry schedule of mail is another thing: see mail/backoff.ts. */
export const backoffs = {
  /** A process waits for a dependency at start. */
  dependency: { firstMs: 1_000, factor: 1, mostMs: 1_000, jitter: 0 },
  /** A gRPC call whose request was lost or may be repeated. */
  call: { firstMs: 20, factor: 3.5, mostMs: 800, jitter: 0.5 },
  /** A connection to Kafka that ended is opened again. */
  reconnect: { firstMs: 1_000, factor: 1, mostMs: 1_000, jitter: 0 },
  /** The connection to Redis is opened again. */
  redis: { firstMs: 100, factor: 2, mostMs: 1_000, jitter: 0 },
  /** A dispatcher lane pauses while the store is unavailable. */
  claim: { firstMs: 500, factor: 2, mostMs: 5_000, jitter: 0.5 },
  /** The outcome of an attempt could not be written. */
  outcome: { firstMs: 500, factor: 1, mostMs: 500, jitter: 0 },
} as const satisfies Record<string, Backoff>

/** @param failures in a row, from 1 @param random uniform in [0, 1) */
export const backoffMs = (
  { firstMs, factor, mostMs, jitter }: Backoff,
  failures: number,
  random: () => number,
): number => Math.min(firstMs * factor ** (failures - 1), mostMs) * (1 - jitter * random())

/** How one try ended. */
export type Try<T> = { value: T } | { error: unknown }

export type RetryOptions<T> = {
  backoff: Backoff
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
    const waitMs = backoffMs(backoff, failures, random)
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
