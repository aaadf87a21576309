import { setTimeout as wait } from 'node:timers/promises'

export type PauseOptions = {
  /** Ends the pause early when it is aborted. */
  signal?: AbortSignal
  /** Whether the timer keeps the process alive. Default: true */
  ref?: boolean
}

/** Waits, or returns early when the signal is aborted. */
export const pause = (ms: number, options?: PauseOptions): Promise<void> => wait(ms, undefined, options).catch(() => {})

/** Waits, or returns early when the signal is aborted. It does not keep the process alive. */
export const pauseInBackground = (ms: number, signal?: AbortSignal): Promise<void> =>
  pause(ms, { ref: false, ...(signal && { signal }) })
