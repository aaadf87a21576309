import assert from 'node:assert/strict'
import { settlesImmediately } from '../../test/support/cost.ts'
import { makeSlices, nextSlice } from './slices.ts'

describe('slices', () => {
  /** Work of `count` steps that notes each of them. */
  function* job(name: string, count: number, done: string[]): Generator<undefined, string, undefined> {
    for (let number = 1; number <= count; number++) {
      done.push(`${name}${number}`)
      yield
    }
    return name
  }

  it('lets the jobs take turns, one slice of one job in an event loop iteration', async () => {
    const done: string[] = []
    const { run } = makeSlices({ sliceMs: 0 })
    assert.deepEqual(await Promise.all([run(job('a', 3, done)), run(job('b', 2, done))]), ['a', 'b'])
    assert.deepEqual(done, ['a1', 'b1', 'a2', 'b2', 'a3'])
  })

  // Regression: a tenant with 40 long messages in flight delayed the long message of another by the work of all of
  // them.
  it('lets the owners take turns, and the jobs of one owner within its turns', async () => {
    const done: string[] = []
    const slices = makeSlices({ sliceMs: 0 })
    const [many, one] = [slices.of('many'), slices.of('one')]
    const jobs = ['a', 'b', 'c'].map((name) => many.run(job(name, 2, done)))
    await Promise.all([...jobs, one.run(job('z', 2, done))])
    assert.deepEqual(done, ['a1', 'z1', 'b1', 'z2', 'c1', 'a2', 'b2', 'c2'])
  })

  // Regression: a workspace with many webhooks delayed its own batch by the work of all of them.
  it('lets requests and background work take turns, also those of one owner', async () => {
    const done: string[] = []
    const slices = makeSlices({ sliceMs: 0 }).of('one')
    const webhook = async (name: string): Promise<string> => slices.run(job(name, 1, done))
    const webhooks = slices.inBackground(() => ['a', 'b', 'c', 'd', 'e'].map(webhook))
    await Promise.all([...webhooks, slices.run(job('z', 3, done))])
    assert.deepEqual(done, ['z1', 'a1', 'z2', 'b1', 'z3', 'c1', 'd1', 'e1'])
  })

  it('counts all that background work does as background work, and nothing else', async () => {
    const done: string[] = []
    const slices = makeSlices({ sliceMs: 0 }).of('one')
    const work = async (name: string): Promise<void> => {
      for (let number = 0; number < 2; number++) {
        await nextSlice(slices.of('one'))
        done.push(name)
      }
    }
    const background = slices.inBackground(() => Promise.all(['a', 'b', 'c'].map(work)))
    await Promise.all([background, work('z')])
    assert.deepEqual(done.slice(0, 4), ['z', 'a', 'z', 'b'])
  })

  it('runs as many steps in a slice as fit into its time', async () => {
    const done: string[] = []
    let at = 0
    const { run } = makeSlices({ sliceMs: 2, elapsed: () => at++ })
    await Promise.all([run(job('a', 3, done)), run(job('b', 1, done))])
    assert.deepEqual(done, ['a1', 'a2', 'b1', 'a3'])
  })

  it('runs short work without waiting for a turn', async () => {
    const { run } = makeSlices({ sliceMs: 0 })
    assert.ok(await settlesImmediately(() => run(job('a', 100, []), false)))
  })

  it('begins work of unknown length immediately, and continues after its first pause in turns', async () => {
    const { begin } = makeSlices({ sliceMs: 0 })
    assert.ok(await settlesImmediately(() => begin(job('a', 0, []))))
    const done: string[] = []
    const both = Promise.all([begin(job('a', 2, done)), begin(job('b', 2, done))])
    assert.deepEqual(done, ['a1', 'b1'])
    assert.deepEqual(await both, ['a', 'b'])
    assert.deepEqual(done, ['a1', 'b1', 'a2', 'b2'])
  })

  it('let callers wait for slices of their own', async () => {
    const slices = makeSlices({ sliceMs: 0 })
    const done: string[] = []
    const work = async (name: string): Promise<void> => {
      await nextSlice(slices)
      done.push(`${name}1`)
      await nextSlice(slices)
      done.push(`${name}2`)
    }
    const both = Promise.all([work('a'), work('b')])
    await Promise.all([both, slices.run(job('c', 2, done))])
    assert.deepEqual(done, ['a1', 'b1', 'c1', 'a2', 'b2', 'c2'])
  })

  describe('of short steps', () => {
    /** A runner with a clock, and jobs that do a number of steps of 1 ms. */
    const rig = (sliceMs: number) => {
      const clock = { ms: 0 }
      const slices = makeSlices({ sliceMs, elapsed: () => clock.ms })
      const done: string[] = []
      const steps = async (name: string, count: number, owner = slices): Promise<void> => {
        for (let number = 1; number <= count; number++) {
          await owner.step()
          clock.ms++
          done.push(`${name}${number}`)
          // As a stream does, which requests the next piece when one is written.
          await new Promise<void>((resolve) => process.nextTick(resolve))
        }
      }
      /** Returns what was done in each event loop iteration. */
      const byIteration = async (work: Promise<unknown>[]): Promise<string[]> => {
        const all: string[] = []
        let isOver = false
        void Promise.all(work).then(() => {
          isOver = true
        })
        while (!isOver) {
          await new Promise<void>((resolve) => void setImmediate(resolve))
          all.push(done.splice(0).join(' '))
        }
        return all.filter((text) => text !== '')
      }
      return { slices, steps, done, byIteration }
    }

    it('run in one iteration until the time of the slice has passed, those of each job in turn', async () => {
      const { steps, byIteration } = rig(3)
      assert.deepEqual(await byIteration([steps('a', 4), steps('b', 3)]), ['a1 b1 a2', 'b2 a3 b3', 'a4'])
    })

    it('let a single job use the time of the slice', async () => {
      const { steps, byIteration } = rig(3)
      assert.deepEqual(await byIteration([steps('a', 5)]), ['a1 a2 a3', 'a4 a5'])
    })

    it('let the owners take turns', async () => {
      const { slices, steps, byIteration } = rig(3)
      const [many, one] = [slices.of('many'), slices.of('one')]
      const jobs = ['a', 'b', 'c'].map((name) => steps(name, 2, many))
      const all = await byIteration([...jobs, steps('z', 2, one)])
      assert.deepEqual(all, ['a1 z1 b1', 'c1 z2 a2', 'b2 c2'])
    })

    it('alternate with slices of other jobs', async () => {
      const { slices, steps, done, byIteration } = rig(1)
      const all = await byIteration([steps('a', 3), slices.run(job('z', 3, done))])
      assert.deepEqual(all, ['a1', 'z1 z2 z3', 'a2', 'a3'])
    })
  })

  it('rejects with the error of a step, and continues with other jobs', async () => {
    const { run } = makeSlices({ sliceMs: 0 })
    function* failing(): Generator<undefined, never, undefined> {
      yield
      throw new Error('no')
    }
    const failed = assert.rejects(run(failing()), /no/)
    assert.equal(await run(job('b', 3, [])), 'b')
    await failed
  })
})
