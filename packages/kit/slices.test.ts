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

  // Regression: the short work of all requests that arrived together ran in one event loop iteration.
  describe('of short work', () => {
    const loopIteration = () => new Promise<void>((resolve) => void setImmediate(resolve))
    /** A runner with a clock. `begin` does work of some milliseconds, immediately or in its turn. */
    const rig = () => {
      const clock = { ms: 5_000 }
      const slices = makeSlices({ shortMs: 4, elapsed: () => clock.ms })
      const done: string[] = []
      const work = (name: string, ms: number) => (): void => {
        clock.ms += ms
        done.push(name)
      }
      const begin = (name: string, ms: number, owner = slices): void => {
        const turn = owner.short()
        if (turn === null) work(name, ms)()
        else void turn.then(work(name, ms))
      }
      const seen = (): string => done.splice(0).join(' ')
      return { clock, slices, begin, seen }
    }

    it('let it begin immediately until the time of an iteration has passed, and then in later iterations', async () => {
      const { begin, seen } = rig()
      for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) begin(name, 1.5)
      assert.equal(seen(), 'a b c')
      await loopIteration()
      assert.equal(seen(), 'd e f')
      await loopIteration()
      assert.equal(seen(), 'g')
    })

    it('let the owners take turns', async () => {
      const { slices, begin, seen } = rig()
      const [many, one] = [slices.of('many'), slices.of('one')]
      begin('x', 4)
      for (const name of ['a', 'b', 'c', 'd']) begin(name, 2, many)
      begin('z', 2, one)
      assert.equal(seen(), 'x')
      await loopIteration()
      assert.equal(seen(), 'a z')
      await loopIteration()
      assert.equal(seen(), 'b c')
    })

    it('counts all that runs in the iteration, and in the same one what had waited before', async () => {
      const { clock, begin, seen } = rig()
      begin('a', 0)
      clock.ms += 4
      begin('b', 3)
      assert.equal(seen(), 'a')
      await loopIteration()
      assert.equal(seen(), 'b')
      begin('c', 1)
      begin('d', 1)
      assert.equal(seen(), 'c')
    })

    it('begin immediately after the process was idle', async () => {
      const { clock, begin, seen } = rig()
      begin('a', 4)
      begin('b', 1)
      await loopIteration()
      clock.ms += 60_000
      begin('c', 1)
      assert.equal(seen(), 'a b c')
      await loopIteration()
      clock.ms += 60_000
      begin('d', 1)
      assert.equal(seen(), 'd')
    })

    it('includes steps that run in one iteration, and the start of a job whose length is not known', async () => {
      const { clock, slices } = rig()
      assert.equal(slices.short(), null)
      clock.ms += 4
      const done: string[] = []
      const all = Promise.all([slices.run(job('a', 2, done), false), slices.begin(job('b', 1, done))])
      assert.deepEqual(done, [])
      await all
      assert.deepEqual(done, ['a1', 'a2', 'b1'])
    })

    // Otherwise the event loop would turn once more for each short request.
    it('causes no event loop iteration while there is time', async () => {
      const { slices } = rig()
      assert.equal(slices.short(), null)
      const immediates = process.getActiveResourcesInfo().filter((type) => type === 'Immediate')
      assert.deepEqual(immediates, [])
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
