import { cachedRead } from './cachedRead.ts'
import type { Monotonic } from './clock.ts'
import { withTimeout } from './deadline.ts'
import { type Fault, hasCode } from './fault.ts'

/** Checks one dependency: throws or returns false while it is unavailable. */
export type Check = () => unknown

export type Readiness = {
  /** Adds a dependency without which the process cannot work; for others a metric is enough. */
  needs(name: string, check: Check): void
  /**
   * Adds a dependency, such as a peer, that must have been available once. Its later absence makes calls fail as
   * `unavailable`; if every process that calls it became unready too, one restart would remove the whole installation
   * from its load balancer. A Fault `forbidden` of the check counts at any time: the dependency refuses this process,
   * which no restart of it resolves.
   */
  needsToStart(name: string, check: Check): void
  /** Adds a dependency without which the process works: only `health` shows it. */
  watches(name: string, check: Check): void
  /** Ends the start: requests may come. */
  started(): void
  /** Marks the process as stopping; it does not become ready again. */
  drain(): void
  /** Returns whether requests may come. */
  ready(): Promise<boolean>
  /** Returns the state of each dependency by name: `ok` or the reason. */
  report(): Promise<Record<string, string>>
  /** Returns the current state of each dependency, including those needed only at start. */
  health(): Promise<Record<string, string>>
}

const run = async (check: Check, timeoutMs: number): Promise<string> => {
  const checked = (async () => ((await check()) === false ? 'not ready' : 'ok'))().catch((thrown: unknown) =>
    thrown instanceof Error ? thrown.message : String(thrown),
  )
  return (await withTimeout(timeoutMs, checked)) ?? 'no response'
}

/** How often a dependency that was available is checked again. */
const recheckMs = 5_000

/** Returns a check that fails until `check` succeeded once, and afterwards only while it throws a Fault `forbidden`. */
const startCheck = (check: Check, elapsed: Monotonic): Check => {
  let metAt: number | null = null
  let refused: Fault | null = null
  return async () => {
    if (metAt === null) {
      if ((await check()) === false) return false
      metAt = elapsed()
      return true
    }
    if (refused !== null || elapsed() - metAt >= recheckMs) {
      metAt = elapsed()
      refused = await refusalOf(check)
    }
    if (refused !== null) throw refused
    return true
  }
}

const refusalOf = async (check: Check): Promise<Fault | null> => {
  try {
    await check()
    return null
  } catch (thrown) {
    return hasCode(thrown, 'forbidden') ? thrown : null
  }
}

/** The key of the results of a set, which are cached together. */
const allChecks = 'all'

/** Returns the readiness of a process. Results are cached for a moment, because several clients probe often. */
export const makeReadiness = ({
  timeoutMs = 1_000,
  cacheMs = 500,
  elapsed = performance.now.bind(performance),
} = {}): Readiness => {
  let process = 'starting'

  /** Returns a set of checks, and a function that reports their results. */
  const checkSet = () => {
    const checks = new Map<string, Check>()
    const runAll = (): Promise<[string, string][]> =>
      Promise.all([...checks].map(async ([name, check]) => [name, await run(check, timeoutMs)] as [string, string]))
    const results = cachedRead({ read: runAll, freshMs: cacheMs, max: 1, elapsed })
    return {
      add: (name: string, check: Check) => {
        checks.set(name, check)
        results.forget(allChecks)
      },
      report: async (): Promise<Record<string, string>> => ({
        process,
        ...Object.fromEntries(await results.get(allChecks)),
      }),
    }
  }
  const needed = checkSet()
  const current = checkSet()

  return {
    needs: (name, check) => {
      needed.add(name, check)
      current.add(name, check)
    },
    needsToStart: (name, check) => {
      needed.add(name, startCheck(check, elapsed))
      current.add(name, check)
    },
    watches: current.add,
    started: () => {
      if (process === 'starting') process = 'ok'
    },
    drain: () => {
      process = 'stopping'
    },
    ready: async () => Object.values(await needed.report()).every((answer) => answer === 'ok'),
    report: needed.report,
    health: current.report,
  }
}
