/** The fields of a group that determine the order. */
export type Planned = {
  seconds: number
  /** The cores that it uses on average: its CPU seconds divided by its duration alone. */
  cores: number
  /** Whether it starts about a dozen processes. Two such groups would need too much CPU and memory when they start. */
  heavy?: boolean
}

/** The most groups at a time per core. More would delay each other's timers, although they mostly wait. */
const mostPerCore = 1.5

const coresOf = (groups: readonly Planned[]): number => groups.reduce((total, { cores }) => total + cores, 0)

/**
 * Returns the group that starts next while others run, or undefined if none fits. A group fits while all together use no more
 * cores than the run has. Long groups start first, and heavy ones alternate with others.
 * @param cores of the run
 */
export const next = <T extends Planned>(waiting: readonly T[], running: readonly T[], cores: number): T | undefined => {
  const isFull = running.length >= Math.floor(cores * mostPerCore)
  const fitting = waiting
    .filter((group) => running.length === 0 || (!isFull && coresOf([...running, group]) <= cores))
    .toSorted((one, other) => other.seconds - one.seconds)
  const heavyRuns = running.some(({ heavy }) => heavy === true)
  return fitting.find(({ heavy = false }) => heavy !== heavyRuns) ?? fitting[0]
}

/** Runs every group, as many at a time as fit. */
export const runAll = async <T extends Planned>(
  groups: readonly T[],
  cores: number,
  run: (group: T) => Promise<void>,
): Promise<void> => {
  const waiting = [...groups]
  const running: T[] = []
  const runOne = async (group: T): Promise<void> => {
    await run(group)
    running.splice(running.indexOf(group), 1)
    await startNext()
  }
  const startNext = async (): Promise<void> => {
    const started: Promise<void>[] = []
    for (let group = next(waiting, running, cores); group !== undefined; group = next(waiting, running, cores)) {
      waiting.splice(waiting.indexOf(group), 1)
      running.push(group)
      started.push(runOne(group))
    }
    await Promise.all(started)
  }
  await startNext()
}
