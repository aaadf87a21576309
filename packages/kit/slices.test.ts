import assert from 'node:assert/strict'
import { settlesAtOnce } from '../../test/support/cost.ts'
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

  // Regression: a tenant with 40 long messages in flight delayed the long message of another by the work of all of them.
  it('lets the owners take turns, and the jobs of one owner within its turns', async () => {
    const done: string[] = []
    const slices = makeSlices({ sliceMs: 0 })
    const [many, one] = [slices.of('many'), slices.of('one')]
    const jobs = ['a', 'b', 'c'].map((name) => many.run(job(name, 2, done)))
    await Promise.all([...jobs, one.run(job('z', 2, done))])
    assert.deepEqual(done, ['a1', 'z1', 'b1', 'z2', 'c1', 'a2', 'b2', 'c2'])
  })

  it('runs as many steps in a slice as fit into its time', async () => {
    const done: string[] = []
    let at = 0
    const { run } = makeSlices({ sliceMs: 2, now: () => at++ })
    await Promise.all([run(job('a', 3, done)), run(job('b', 1, done))])
    assert.deepEqual(done, ['a1', 'a2', 'b1', 'a3'])
  })

  it('runs short work without waiting for a turn', async () => {
    const { run } = makeSlices({ sliceMs: 0 })
    assert.ok(await settlesAtOnce(() => run(job('a', 100, []), false)))
  })

  it('begins work of unknown length immediately, and continues after its first pause in turns', async () => {
    const { begin } = makeSlices({ sliceMs: 0 })
    assert.ok(await settlesAtOnce(() => begin(job('a', 0, []))))
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
