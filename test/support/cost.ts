import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import process from 'node:process'

const tries = 5

/**
 * Returns how often the event loop turns until `work` settles. The result does not depend on the load of the machine.
 */
export const iterationsOf = async (work: () => Promise<unknown>): Promise<number> => {
  let iterations = 0
  const count = (): void => {
    iterations += 1
    next = setImmediate(count)
  }
  let next = setImmediate(count)
  try {
    await work()
  } finally {
    clearImmediate(next)
  }
  return iterations
}

/**
 * Returns whether `work` settles before the event loop turns once, that is without waiting for a timer or for input.
 */
export const settlesImmediately = async (work: () => Promise<unknown>): Promise<boolean> =>
  (await iterationsOf(work)) === 0

const tickMs = 50

/**
 * Returns the milliseconds that `work` takes, counted in ticks of a timer of this process. A stall of the machine
 * counts as one tick.
 */
export const timerMs = async (work: () => Promise<unknown>): Promise<number> => {
  let ticks = 0
  const timer = setInterval(() => ticks++, tickMs)
  try {
    await work()
  } finally {
    clearInterval(timer)
  }
  return ticks * tickMs
}

const ticksPerSecond = 100

/** States whether `cpuMsOf` and `mainThreadCpuMs` work on this system. */
export const hasProc = existsSync('/proc/self/schedstat')

/** The reason for a skipped test that limits the CPU of a service. */
export const whyNoCpu = 'the CPU of the service cannot be measured: its processes are not known, or there is no /proc'

/** Returns the CPU milliseconds that the processes have used. @throws if one of them does not run, or without /proc */
export const cpuMsOf = (pids: readonly number[]): number => {
  const ticks = pids.map((pid) => {
    // The name in parentheses can contain spaces; utime and stime are the 12th and 13th field after it.
    const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'latin1').split(/\) (?!.*\) )/)
    return fields
      .split(' ')
      .slice(11, 13)
      .reduce((sum, field) => sum + Number(field), 0)
  })
  return (ticks.reduce((sum, one) => sum + one, 0) * 1_000) / ticksPerSecond
}

/**
 * Returns the CPU milliseconds that the main thread of a process has used, to the microsecond.
 * @throws if it does not run, or without /proc
 */
export const mainThreadCpuMs = (pid: number): number => {
  const [nanoseconds] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'latin1').split(' ')
  return Number(nanoseconds) / 1_000_000
}

/** Work of a fixed size: text, objects and numbers, as a request has them. */
const fixedWork = (): number => {
  const text = JSON.stringify(Array.from({ length: 1_000 }, (_, number) => ({ number, name: `name ${number}` })))
  let sum = 0
  for (let round = 0; round < 20; round++) sum += (JSON.parse(text) as unknown[]).length + text.split('"').length
  return sum
}

/**
 * Returns the CPU milliseconds of this thread. Linux counts the time of a running thread once per timer interrupt,
 * every 4 ms, except when the time of the process is read: then the count of the calling thread is brought up to date.
 */
const threadCpuMs = (): number => {
  process.cpuUsage()
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

/** What `fixedWork` uses on the reference machine, one of the two cores of docs/bench.md: the least of 120 runs. */
const fixedWorkMs = 8

/** Returns how many times slower than the reference machine this thread is now, in the best of three runs. */
const slowness = (): number => {
  let minMs = Number.POSITIVE_INFINITY
  for (let run = 0; run < 3; run++) {
    const since = threadCpuMs()
    fixedWork()
    minMs = Math.min(minMs, threadCpuMs() - since)
  }
  return minMs / fixedWorkMs
}

/** The least slowness that this process has measured, or infinity. */
let minSlowness = Number.POSITIVE_INFINITY

/** Returns `slowness` and notes the least one. */
export const measuredSlowness = (): number => {
  const now = slowness()
  minSlowness = Math.min(minSlowness, now)
  return now
}

/**
 * A try that uses at most this share of what is allowed, at the least slowness so far, passes without another run of
 * the fixed loop, which costs 24 ms. The core would have to become twice as fast between the two for the result to be
 * wrong.
 */
const clearShare = 0.5

/**
 * Asserts that what `measure` returns is at most `maxMs` CPU milliseconds of the reference machine, in the best of five
 * tries: a collection of garbage may fall into any try, and other processes slow a core down. Each try is compared with
 * a fixed loop before and after it; the slower loop counts.
 */
const assertCalibrated = async (maxMs: number, measure: () => number | Promise<number>): Promise<void> => {
  if (minSlowness === Number.POSITIVE_INFINITY) measuredSlowness()
  const first = await measure()
  if (first <= maxMs * minSlowness * clearShare) return
  let minMs = first / measuredSlowness()
  for (let tried = 1; tried < tries && minMs > maxMs; tried++) {
    const before = measuredSlowness()
    const ms = await measure()
    minMs = Math.min(minMs, ms / Math.max(before, measuredSlowness()))
  }
  assert.ok(minMs <= maxMs, `used ${minMs} ms of CPU, allowed are ${maxMs} ms`)
}

/**
 * Asserts that `work` uses at most `maxMs` CPU milliseconds of the reference machine. Wall-clock time would also
 * measure other processes of the machine.
 */
export const assertCpuBelow = (maxMs: number, work: () => void): Promise<void> =>
  assertCalibrated(maxMs, () => {
    const since = threadCpuMs()
    work()
    return threadCpuMs() - since
  })

/**
 * Asserts that this thread never uses more than `maxMs` CPU milliseconds of the reference machine in one event loop
 * iteration while `work` is pending. Nothing else of this process can run during such an iteration. `work` may run
 * several times.
 */
export const assertIterationsBelow = (maxMs: number, work: () => Promise<unknown>): Promise<void> =>
  assertCalibrated(maxMs, () => longestIterationMs(work))

const longestIterationMs = async (work: () => Promise<unknown>): Promise<number> => {
  let [longestMs, since, isRunning] = [0, threadCpuMs(), true]
  const read = (): void => {
    const at = threadCpuMs()
    longestMs = Math.max(longestMs, at - since)
    since = at
  }
  const measure = (): void => {
    read()
    if (isRunning) setImmediate(measure).unref()
  }
  // An immediate without a reference runs in each iteration, but causes none: waiting for another thread uses no CPU.
  setImmediate(measure).unref()
  try {
    await work()
  } finally {
    isRunning = false
    read()
  }
  return longestMs
}

/**
 * Asserts that `steps` never use more than `maxMs` CPU milliseconds of the reference machine between two pauses.
 * @returns what the steps return
 */
export const assertStepsBelow = async <Result>(
  maxMs: number,
  steps: () => Iterator<unknown, Result>,
): Promise<Result> => {
  const results: Result[] = []
  await assertCalibrated(maxMs, () => {
    let longestMs = 0
    const running = steps()
    for (let isDone = false; !isDone; ) {
      const since = threadCpuMs()
      const step = running.next()
      longestMs = Math.max(longestMs, threadCpuMs() - since)
      isDone = step.done === true
      if (step.done === true) results.push(step.value)
    }
    return longestMs
  })
  const [result] = results.slice(-1)
  return result as Result
}
