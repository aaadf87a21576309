/** The fields of a group that determine the order. */
export type Planned = { seconds: number; heavy?: boolean }

/** Returns the group that starts next while others run, or undefined if none is left. */
export const next = <T extends Planned>(waiting: readonly T[], running: readonly T[]): T | undefined => {
  const longestFirst = waiting.toSorted((one, other) => other.seconds - one.seconds)
  const heavyRuns = running.some(({ heavy }) => heavy === true)
  return longestFirst.find(({ heavy = false }) => heavy !== heavyRuns) ?? longestFirst[0]
}

/** Runs every group, `workers` at a time. */
export const runAll = async <T extends Planned>(
  groups: readonly T[],
  workers: number,
  run: (group: T) => Promise<void>,
): Promise<void> => {
  const waiting = [...groups]
  const running: T[] = []
  const work = async (): Promise<void> => {
    for (let group = next(waiting, running); group !== undefined; group = next(waiting, running)) {
      waiting.splice(waiting.indexOf(group), 1)
      running.push(group)
      await run(group)
      running.splice(running.indexOf(group), 1)
    }
  }
  await Promise.all(Array.from({ length: workers }, work))
}
