import assert from 'node:assert/strict'
import { setImmediate as turn } from 'node:timers/promises'
import { byteBudget, type Share } from './byteBudget.ts'

/** Asks, and tells whether it was served yet. */
const ask = (taken: Promise<Share>) => {
  const state: { share: Share | null } = { share: null }
  void taken.then((share) => {
    state.share = share
  })
  return state
}

describe('a byte budget', () => {
  it('serves while there is room, and the rest in the order of asking', async () => {
    const budget = byteBudget(10, 0)
    const [first, second, third] = [6, 6, 1].map((bytes) => ask(budget.take('a', bytes)))
    await turn()
    assert.ok(first?.share)
    assert.equal(second?.share, null)
    assert.equal(third?.share, null, 'a small one must not overtake for ever')
    first.share[Symbol.dispose]()
    await turn()
    assert.ok(second?.share)
    assert.ok(third?.share)
  })

  it('gives what a share turns out not to need to those who wait', async () => {
    const budget = byteBudget(10, 0)
    const first = ask(budget.take('a', 10))
    const second = ask(budget.take('a', 4))
    await turn()
    assert.equal(second.share, null)
    first.share?.shrinkTo(6)
    await turn()
    assert.ok(second.share)
  })

  it('gets back what was taken, once', async () => {
    const budget = byteBudget(10, 0)
    const share = await budget.take('a', 10)
    share.shrinkTo(3)
    share.shrinkTo(8)
    share[Symbol.dispose]()
    share[Symbol.dispose]()
    await budget.take('a', 10)
    const beyond = ask(budget.take('a', 1))
    await turn()
    assert.equal(beyond.share, null)
  })

  it('lets one through alone that is larger than all of it', async () => {
    const budget = byteBudget(10, 0)
    const large = await budget.take('a', 25)
    const next = ask(budget.take('a', 1))
    await turn()
    assert.equal(next.share, null)
    large[Symbol.dispose]()
    await turn()
    assert.ok(next.share)
  })

  it('spares some for others, however much one asks for and however long it keeps it', async () => {
    const budget = byteBudget(10, 4)
    const [first, second, third] = [3, 3, 3].map((bytes) => ask(budget.take('a', bytes)))
    await turn()
    assert.ok(first?.share && second?.share)
    assert.equal(third?.share, null)
    const other = ask(budget.take('b', 4))
    await turn()
    assert.ok(other.share)
    first.share[Symbol.dispose]()
    await turn()
    assert.ok(third?.share)
  })

  it('gives anybody one share, also one larger than what isn’t spared', async () => {
    const budget = byteBudget(10, 4)
    const [large, next] = [8, 1].map((bytes) => ask(budget.take('a', bytes)))
    await turn()
    assert.ok(large?.share)
    assert.equal(next?.share, null)
    large.share.shrinkTo(2)
    await turn()
    assert.ok(next?.share)
  })
})
