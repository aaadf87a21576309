import assert from 'node:assert/strict'
import { every, periodicJob, spread } from './every.ts'
import { Fault } from './fault.ts'

describe('every', () => {
  it('runs the task again after each delay and reports failures', async () => {
    const failures: boolean[] = []
    const errors: unknown[] = []
    const { promise: third, resolve } = Promise.withResolvers<void>()
    let runs = 0
    const task = (): void => {
      runs += 1
      if (runs === 3) resolve()
      if (runs === 2) throw new Error('second run')
    }
    const delayMs = (failed: boolean): number => {
      failures.push(failed)
      return 1
    }
    await using _ = every(task, { delayMs, startNow: true, onError: (reason) => errors.push(reason) })
    await third
    assert.deepEqual(failures.slice(0, 2), [false, true])
    assert.deepEqual(errors, [new Error('second run')])
  })

  it('waits for the running task when it is disposed, and does not run it again', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    let runs = 0
    const task = async (): Promise<void> => {
      runs += 1
      await released
    }
    const periodic = every(task, { delayMs: () => 0, startNow: true, onError: assert.fail })
    let disposed = false
    const disposing = periodic[Symbol.asyncDispose]().then(() => {
      disposed = true
    })
    await new Promise(setImmediate)
    assert.equal(disposed, false)
    release()
    await disposing
    assert.equal(runs, 1)
  })
})

describe('spread delays', () => {
  it('are from 5/6 to 7/6 of the average', () => {
    for (const [random, delay] of [
      [0, 1_000],
      [0.5, 1_200],
      [1, 1_400],
    ] as const)
      assert.equal(spread(1_200, () => random)(), delay)
  })
})

/** Runs a job whose runs end as listed, one after the other. @returns the levels of its log lines */
const levelsOf = async (ends: readonly (Error | null)[]): Promise<string[]> => {
  const levels: string[] = []
  const note =
    (level: string) =>
    (fields: unknown, message?: string): void => {
      assert.deepEqual([(fields as { err: unknown }).err, message], [ends[runs - 1], 'the job failed'])
      levels.push(level)
    }
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  let runs = 0
  const task = async (): Promise<void> => {
    if (runs === ends.length) resolve()
    const end = ends[runs++]
    if (end) throw end
  }
  const log = { info: note('info'), warn: note('warn'), error: note('error') }
  await using _ = periodicJob(task, { everyMs: 0, startNow: true, log, message: 'the job failed' })
  await ended
  return levels
}

describe('periodic job', () => {
  const away = () => new Fault('unavailable', 'The store does not respond.')

  it('logs a dependency that was never available as info, and a dependency that became unavailable as a warning', async () => {
    assert.deepEqual(await levelsOf([away(), away(), null, away()]), ['info', 'info', 'warn'])
  })

  it('logs several failures as an outage only if all are, with failures inside of them', async () => {
    const bug = new TypeError('a bug')
    const outages = new AggregateError([away(), new AggregateError([away()])])
    const mixed = new AggregateError([away(), new AggregateError([bug])])
    assert.deepEqual(await levelsOf([outages, mixed, null]), ['info', 'error'])
  })

  it('logs an expected failure not at all, and any other as an error', async () => {
    const expected = new Fault('unavailable', 'Busy.', { expected: true })
    assert.deepEqual(await levelsOf([expected, new TypeError('a bug'), expected]), ['error'])
  })

  /** A job that runs only when it is called. `begun`: the signals that its runs received; `end` ends the oldest run. */
  const onDemand = () => {
    const begun: AbortSignal[] = []
    const ends: ((value: number) => void)[] = []
    const task = (stopping: AbortSignal): Promise<number> => {
      begun.push(stopping)
      return new Promise((resolve) => void ends.push(resolve))
    }
    const log = { info: assert.fail, warn: assert.fail, error: assert.fail }
    const job = periodicJob(task, { everyMs: 3_600_000, log, message: 'the job failed' })
    return { job, begun, end: (value: number) => ends.shift()?.(value) }
  }

  it('runs once more when it is called, after the run in progress', async () => {
    const { job, begun, end } = onDemand()
    const [first, second] = [job.run(), job.run()]
    await new Promise(setImmediate)
    assert.equal(begun.length, 1)
    end(1)
    assert.equal(await first, 1)
    await new Promise(setImmediate)
    assert.equal(begun.length, 2)
    end(2)
    assert.equal(await second, 2)
    await job[Symbol.asyncDispose]()
  })

  it('runs once after the run in progress when it is woken several times during that run', async () => {
    const { job, begun, end } = onDemand()
    const first = job.run()
    await new Promise(setImmediate)
    job.wake()
    job.wake()
    end(1)
    await first
    await new Promise(setImmediate)
    assert.equal(begun.length, 2)
    // This run has begun, so another wake-up may announce what it has not read.
    job.wake()
    end(2)
    await new Promise(setImmediate)
    assert.equal(begun.length, 3)
    end(3)
    await job[Symbol.asyncDispose]()
    job.wake()
    await new Promise(setImmediate)
    assert.equal(begun.length, 3)
  })

  it('logs the failure of a run that a wake-up started', async () => {
    const { promise: logged, resolve } = Promise.withResolvers<unknown>()
    const log = { info: assert.fail, warn: assert.fail, error: (...line: unknown[]) => resolve(line) }
    const err = new Error('woken run')
    await using job = periodicJob(() => Promise.reject(err), { everyMs: 3_600_000, log, message: 'the job failed' })
    job.wake()
    assert.deepEqual(await logged, [{ err }, 'the job failed'])
  })

  it('throws to its caller what the task throws, without a log line, and runs again', async () => {
    let runs = 0
    const task = async (): Promise<number> => {
      runs += 1
      if (runs === 1) throw new Error('first run')
      return runs
    }
    const log = { info: assert.fail, warn: assert.fail, error: assert.fail }
    await using job = periodicJob(task, { everyMs: 3_600_000, log, message: 'the job failed' })
    await assert.rejects(job.run(), /first run/)
    assert.equal(await job.run(), 2)
  })

  it('runs a last time when it is disposed if that is requested, and logs a failure of this run', async () => {
    const logged: unknown[] = []
    const log = { info: assert.fail, warn: assert.fail, error: (...line: unknown[]) => void logged.push(line) }
    const err = new Error('last run')
    const task = () => Promise.reject(err)
    const job = periodicJob(task, { everyMs: 3_600_000, log, message: 'the job failed', runsAtEnd: true })
    await job[Symbol.asyncDispose]()
    assert.deepEqual(logged, [[{ err }, 'the job failed']])
  })

  it('aborts the signal of the task when it is disposed, and waits for its run', async () => {
    const { job, begun, end } = onDemand()
    const running = job.run()
    await new Promise(setImmediate)
    let disposed = false
    const disposing = job[Symbol.asyncDispose]().then(() => {
      disposed = true
    })
    await new Promise(setImmediate)
    assert.deepEqual([begun[0]?.aborted, disposed], [true, false])
    end(1)
    await Promise.all([running, disposing])
  })
})
