import assert from 'node:assert/strict'
import { every, spread } from './every.ts'

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
