import { AsyncLocalStorage } from 'node:async_hooks'
import { pause } from './pause.ts'

const deadlines = new AsyncLocalStorage<number>()

/** Runs work whose calls to other services must have responses by a time, in milliseconds since the epoch. */
export const withDeadline = <T>(at: number, work: () => T): T => deadlines.run(at, work)

/** Returns the deadline of the work that runs; infinite if it has none. */
export const currentDeadline = (): number => deadlines.getStore() ?? Number.POSITIVE_INFINITY

export type WithTimeoutOptions = {
  /** Ends the wait early when it is aborted, as if the time were over. */
  stopping?: AbortSignal
  pause?: (ms: number, signal: AbortSignal) => Promise<unknown>
}

const pauseFor = (ms: number, signal: AbortSignal): Promise<void> => pause(ms, { signal })

/** The reason of the abort that clears the timer. The default is an error, whose stack costs more than the wait. */
const hasEnded = 'the wait has ended'

/**
 * Waits at most `ms` for work. Work that is late continues; its failure is ignored.
 * @returns undefined: the work is late
 * @throws what the work throws in time
 */
export const withTimeout = async <T>(
  ms: number,
  work: Promise<T>,
  { stopping, pause: wait = pauseFor }: WithTimeoutOptions = {},
): Promise<T | undefined> => {
  const ended = new AbortController()
  const signal = stopping ? AbortSignal.any([stopping, ended.signal]) : ended.signal
  try {
    return await Promise.race([work, wait(ms, signal).then(() => undefined)])
  } finally {
    ended.abort(hasEnded)
  }
}
