import assert from 'node:assert/strict'
import { type ByteShare, byteBudget } from './byteBudget.ts'

const options = { capacityBytes: 100, mostOfOneBytes: 60 }

/** Collects the shares in the order in which they are granted. */
const observed = () => {
  const granted: string[] = []
  const shares = new Map<string, ByteShare | null>()
  const watch = (name: string, taken: Promise<ByteShare | null>): Promise<void> =>
    taken.then((share) => {
      granted.push(share === null ? `${name} gave up` : name)
      shares.set(name, share)
    })
  return { granted, watch, release: (name: string) => shares.get(name)?.[Symbol.dispose]() }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

describe('byte budget', () => {
  it('grants shares up to its capacity; the next one waits until a share is returned', async () => {
    const budget = byteBudget(options)
    const { granted, watch, release } = observed()
    for (const owner of ['one', 'two', 'three']) void watch(owner, budget.take(owner, 50))
    await turn()
    assert.deepEqual(granted, ['one', 'two'])
    release('one')
    await turn()
    assert.deepEqual(granted, ['one', 'two', 'three'])
  })

  it('passes over an owner at its limit, so that one owner cannot take everything', async () => {
    const budget = byteBudget(options)
    const { granted, watch, release } = observed()
    const signal = new AbortController()
    void watch('one', budget.take('ws_1', 40))
    void watch('again', budget.take('ws_1', 40, signal.signal))
    void watch('other', budget.take('ws_2', 40))
    await turn()
    assert.deepEqual(granted, ['one', 'other'])
    signal.abort()
    await turn()
    assert.deepEqual(granted, ['one', 'other', 'again gave up'])
    release('one')
  })

  it('grants the first share of an owner whatever its size', async () => {
    assert.ok(await byteBudget(options).take('ws_1', 1_000))
  })

  it('keeps the order of one owner: a small share does not overtake a large one', async () => {
    const budget = byteBudget(options)
    const { granted, watch, release } = observed()
    void watch('first', budget.take('ws_1', 40))
    void watch('large', budget.take('ws_1', 40))
    void watch('small', budget.take('ws_1', 10))
    await turn()
    assert.deepEqual(granted, ['first'])
    release('first')
    await turn()
    assert.deepEqual(granted, ['first', 'large', 'small'])
  })

  it('holds nothing for an owner that gave up waiting', async () => {
    const budget = byteBudget(options)
    const { granted, watch, release } = observed()
    const signal = new AbortController()
    void watch('holder', budget.take('ws_1', 100))
    void watch('gone', budget.take('ws_2', 100, signal.signal))
    await turn()
    signal.abort()
    await turn()
    assert.deepEqual(granted, ['holder', 'gone gave up'])
    release('holder')
    void watch('next', budget.take('ws_3', 100))
    await turn()
    assert.deepEqual(granted, ['holder', 'gone gave up', 'next'])
  })

  it('gives up at once when its signal is aborted already', async () => {
    assert.equal(await byteBudget(options).take('ws_1', 1, AbortSignal.abort()), null)
  })

  it('returns a part of a share when it shrinks', async () => {
    const budget = byteBudget(options)
    const share = await budget.take('ws_1', 100)
    const { granted, watch } = observed()
    void watch('next', budget.take('ws_2', 50))
    share?.shrinkTo(60)
    await turn()
    assert.deepEqual(granted, [])
    share?.shrinkTo(50)
    await turn()
    assert.deepEqual(granted, ['next'])
  })
})
