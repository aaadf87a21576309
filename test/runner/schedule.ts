/** The fields of a group that determine the order. */
export type Planned = {
  seconds: number
  /** The cores that it uses on average: its CPU seconds divided by its duration alone. */
  cores: number
  /** Whether it starts about a dozen processes. Two such groups would need too much CPU and memory when they start. */
  heavy?: boolean
}

/** Maximum number of groups at a time per core. More would delay each other's timers, although they mostly wait. */
const maxPerCore = 3
/** How much the groups may use together, as a multiple of the cores. They do not use their average all the time. */
const maxLoad = 1.2

const isHeavy = ({ heavy = false }: Planned): boolean => heavy

const coresOf = (groups: readonly Planned[]): number => groups.reduce((total, { cores }) => total + cores, 0)

/**
 * Returns the group that starts next while others run, or undefined if none fits. Heavy groups run one after the other
 * from the beginning, alongside light ones, because together they take the longest. Otherwise long groups start first.
 * A group fits while all together use little more than the cores of the run.
 * @param cores of the run
 */
export const next = <T extends Planned>(waiting: readonly T[], running: readonly T[], cores: number): T | undefined => {
  const heavyRuns = running.some(isHeavy)
  const isFull = running.length >= Math.floor(cores * maxPerCore)
  const fits = (group: T): boolean =>
    running.length === 0 || (!isFull && coresOf([...running, group]) <= cores * maxLoad)
  return waiting
    .filter((group) => fits(group) && !(heavyRuns && isHeavy(group)))
    .toSorted((one, other) => Number(isHeavy(other)) - Number(isHeavy(one)) || other.seconds - one.seconds)[0]
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
