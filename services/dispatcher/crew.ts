/** Works on so many jobs at a time; the others wait their turn. */
export type Crew<Job> = {
  add(jobs: readonly Job[]): void
  /** Jobs that wait. */
  ahead(): number
  /** Jobs in work. */
  active(): number
  /** Resolves when all that is in work now has ended. */
  pass(): Promise<void>
  /** Begins nothing more. @returns what was not begun */
  stop(): Job[]
}

/**
 * @param work must not reject
 * @param freed called whenever a job has ended and the next was begun
 */
export const makeCrew = <Job>(size: number, work: (job: Job) => Promise<void>, freed: () => void): Crew<Job> => {
  const waiting: Job[] = []
  const active = new Set<Promise<void>>()
  let stopped = false

  const begin = (): void => {
    while (active.size < size && !stopped) {
      const job = waiting.shift()
      if (job === undefined) return
      const done = work(job).then(() => {
        active.delete(done)
        begin()
        freed()
      })
      active.add(done)
    }
  }

  return {
    add: (jobs) => {
      waiting.push(...jobs)
      begin()
    },
    ahead: () => waiting.length,
    active: () => active.size,
    pass: async () => {
      await Promise.all(active)
    },
    stop: () => {
      stopped = true
      return waiting.splice(0)
    },
  }
}
