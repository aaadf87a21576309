import { afterInBackground, afterInForeground } from './after.ts'

export type PauseOptions = {
  /** Ends the pause early when it is aborted. */
  signal?: AbortSignal
  /** Whether the timer keeps the process alive. Default: true */
  ref?: boolean
}

/**
 * Waits, or returns early when the signal is aborted. The pause of Node rejects then, and idle processes would make
 * several errors a second.
 */
export const pause = (ms: number, { signal, ref = true }: PauseOptions = {}): Promise<void> => {
  if (signal?.aborted) return Promise.resolve()
  const { promise, resolve } = Promise.withResolvers<void>()
  const end = (): void => {
    timer[Symbol.dispose]()
    signal?.removeEventListener('abort', end)
    resolve()
  }
  const timer = (ref ? afterInForeground : afterInBackground)(ms, end)
  signal?.addEventListener('abort', end)
  return promise
}

/** Waits, or returns early when the signal is aborted. It does not keep the process alive. */
export const pauseInBackground = (ms: number, signal?: AbortSignal): Promise<void> =>
  pause(ms, { ref: false, ...(signal && { signal }) })
