/** Work that was begun and not awaited, and that the end of its owner waits for. */
export type RunningWork = {
  /** Adds work until it ends. @returns the same promise: a caller that needs its result or its failure awaits it */
  track<T>(work: Promise<T>): Promise<T>
  /** Resolves when the work that runs now has ended. A failure does not reject it. */
  ended(): Promise<void>
  size(): number
}

export const runningWork = (): RunningWork => {
  const running = new Set<Promise<unknown>>()
  return {
    track: (work) => {
      const end = (): void => void running.delete(work)
      running.add(work)
      work.then(end, end)
      return work
    },
    ended: async () => {
      await Promise.allSettled(running)
    },
    size: () => running.size,
  }
}
