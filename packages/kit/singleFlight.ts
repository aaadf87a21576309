export type SingleFlight<T> = {
  /** Starts the work, or joins the run in flight. @returns the result of that run. @throws what the work throws */
  run(): Promise<T>
  /** Returns the run in flight; null: none. */
  inFlight(): Promise<T> | null
}

/** Runs work for all concurrent callers once: a call while it runs shares its result. A later call starts a new run. */
export const singleFlight = <T>(work: () => Promise<T>): SingleFlight<T> => {
  let inFlight: Promise<T> | null = null
  return {
    run: () => {
      inFlight ??= work().finally(() => {
        inFlight = null
      })
      return inFlight
    },
    inFlight: () => inFlight,
  }
}

export type WakeLoop = {
  /**
   * Starts the work, unless it may not run now. If it runs, it runs once more afterwards.
   * @returns the run in flight
   */
  wake(): Promise<void>
  inFlight(): Promise<void> | null
}

/**
 * Runs work that uses up what there is, such as claims until nothing is due, one run at a time. What a wake-up
 * announces during a run may have come after the last read of that run, so the work runs again.
 * @param work must not throw
 */
export const wakeLoop = (work: () => Promise<void>, mayRun: () => boolean = () => true): WakeLoop => {
  let inFlight: Promise<void> | null = null
  let isWoken = false
  const wake = (): Promise<void> => {
    if (!mayRun()) return inFlight ?? Promise.resolve()
    isWoken = inFlight !== null
    inFlight ??= work().finally(() => {
      inFlight = null
      if (isWoken) void wake()
    })
    return inFlight
  }
  return { wake, inFlight: () => inFlight }
}
