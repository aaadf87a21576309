import assert from 'node:assert/strict'
import { setImmediate as nextIteration } from 'node:timers/promises'
import { singleFlight, wakeLoop } from './singleFlight.ts'

/** Work whose runs end when the test ends them. */
const controlled = <T>() => {
  const runs: PromiseWithResolvers<T>[] = []
  const work = (): Promise<T> => {
    const run = Promise.withResolvers<T>()
    runs.push(run)
    return run.promise
  }
  return { runs, work }
}

describe('single flight', () => {
  it('gives all concurrent callers the result of one run', async () => {
    const { runs, work } = controlled<number>()
    const { run } = singleFlight(work)
    const both = Promise.all([run(), run()])
    runs[0]?.resolve(7)
    assert.deepEqual(await both, [7, 7])
    assert.equal(runs.length, 1)
  })

  it('starts a new run for a call after the end of the last run, even if that failed', async () => {
    const { runs, work } = controlled<number>()
    const { run, inFlight } = singleFlight(work)
    const failed = assert.rejects(run(), /away/)
    runs[0]?.reject(new Error('away'))
    await failed
    assert.equal(inFlight(), null)
    const again = run()
    assert.equal(inFlight(), again)
    runs[1]?.resolve(8)
    assert.equal(await again, 8)
  })
})

describe('wake loop', () => {
  it('runs once more for all wake-ups during a run', async () => {
    const { runs, work } = controlled<void>()
    const { wake, inFlight } = wakeLoop(work)
    for (let woken = 0; woken < 3; woken++) void wake()
    runs[0]?.resolve()
    await nextIteration()
    assert.equal(runs.length, 2)
    runs[1]?.resolve()
    await nextIteration()
    assert.equal(runs.length, 2)
    assert.equal(inFlight(), null)
  })

  it('ignores wake-ups while the work may not run, even for the run after the current one', async () => {
    const { runs, work } = controlled<void>()
    let mayRun = false
    const { wake } = wakeLoop(work, () => mayRun)
    await wake()
    assert.equal(runs.length, 0)
    mayRun = true
    void wake()
    void wake()
    mayRun = false
    runs[0]?.resolve()
    await nextIteration()
    assert.equal(runs.length, 1)
  })
})
