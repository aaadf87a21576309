import assert from 'node:assert/strict'
import { setImmediate as turn } from 'node:timers/promises'
import { type ByteBudget, type ByteShare, byteBudget } from './byteBudget.ts'

/** A budget of 10 bytes, of which one owner may hold `mostOfOneBytes`. */
const budgetOfTen = (mostOfOneBytes = 10): ByteBudget => byteBudget({ capacityBytes: 10, mostOfOneBytes })

/** Observes a `take` without awaiting it; undefined while it waits. */
const observe = (taken: Promise<ByteShare | null>) => {
  const state: { share: ByteShare | null | undefined } = { share: undefined }
  void taken.then((share) => {
    state.share = share
  })
  return state
}

describe('byte budget', () => {
  it('serves in the order of the calls, so a small share does not overtake a large one', async () => {
    const budget = budgetOfTen()
    const [first, second, third] = [6, 6, 1].map((bytes) => observe(budget.take('a', bytes)))
    await turn()
    assert.ok(first?.share)
    assert.equal(second?.share, undefined)
    assert.equal(third?.share, undefined)
    first.share[Symbol.dispose]()
    await turn()
    assert.ok(second?.share)
    assert.ok(third?.share)
  })

  it('serves a small share before a large one that waits, with first fit', async () => {
    const budget = byteBudget({ capacityBytes: 10, mostOfOneBytes: 10, isFirstFit: true })
    const [first, second, third] = [6, 6, 1].map((bytes) => observe(budget.take(`owner of ${bytes}`, bytes)))
    await turn()
    assert.ok(first?.share)
    assert.equal(second?.share, undefined)
    assert.ok(third?.share)
    first.share[Symbol.dispose]()
    await turn()
    assert.ok(second?.share)
  })

  it('gives bytes that a share returns to the waiters', async () => {
    const budget = budgetOfTen()
    const first = observe(budget.take('a', 10))
    const second = observe(budget.take('a', 4))
    await turn()
    assert.equal(second.share, undefined)
    first.share?.shrinkTo(6)
    await turn()
    assert.ok(second.share)
  })

  it('counts the bytes of a share as returned once', async () => {
    const budget = budgetOfTen()
    const share = await budget.take('a', 10)
    share?.shrinkTo(3)
    share?.shrinkTo(8)
    share?.[Symbol.dispose]()
    share?.[Symbol.dispose]()
    await budget.take('a', 10)
    const beyond = observe(budget.take('a', 1))
    await turn()
    assert.equal(beyond.share, undefined)
  })

  it('lets a share that exceeds the budget through alone', async () => {
    const budget = budgetOfTen()
    const large = await budget.take('a', 25)
    const next = observe(budget.take('a', 1))
    await turn()
    assert.equal(next.share, undefined)
    large?.[Symbol.dispose]()
    await turn()
    assert.ok(next.share)
  })

  it('leaves bytes for other owners, however much one owner holds', async () => {
    const budget = budgetOfTen(6)
    const [first, second, third] = [3, 3, 3].map((bytes) => observe(budget.take('a', bytes)))
    await turn()
    assert.ok(first?.share && second?.share)
    assert.equal(third?.share, undefined)
    const other = observe(budget.take('b', 4))
    await turn()
    assert.ok(other.share)
    first.share[Symbol.dispose]()
    await turn()
    assert.ok(third?.share)
  })

  it('gives an owner a first share that exceeds its limit', async () => {
    const budget = budgetOfTen(6)
    const [large, next] = [8, 1].map((bytes) => observe(budget.take('a', bytes)))
    await turn()
    assert.ok(large?.share)
    assert.equal(next?.share, undefined)
    large.share.shrinkTo(2)
    await turn()
    assert.ok(next?.share)
  })

  it('ends a wait with null when its signal is aborted, and serves the next waiter', async () => {
    const budget = budgetOfTen()
    const controller = new AbortController()
    const { signal } = controller
    const held = await budget.take('a', 5)
    const [large, small] = [observe(budget.take('a', 9, signal)), observe(budget.take('a', 5))]
    await turn()
    assert.deepEqual([large.share, small.share], [undefined, undefined])
    controller.abort()
    await turn()
    assert.equal(large.share, null)
    assert.ok(small.share)
    assert.equal(await budget.take('a', 1, signal), null)
    held?.[Symbol.dispose]()
  })

  it('leaves a share alone when its signal is aborted after it was served', async () => {
    const budget = budgetOfTen()
    const controller = new AbortController()
    const { signal } = controller
    const held = await budget.take('a', 10)
    const waiters = Array.from({ length: 10 }, () => observe(budget.take('a', 1, signal)))
    held?.[Symbol.dispose]()
    await turn()
    controller.abort()
    await turn()
    assert.ok(waiters.every(({ share }) => share))
    const beyond = observe(budget.take('a', 1))
    await turn()
    assert.equal(beyond.share, undefined)
  })

  it('gives a share immediately only if it is free and no earlier caller waits for it', async () => {
    const [ordered, firstFit] = [budgetOfTen(6), byteBudget({ capacityBytes: 10, mostOfOneBytes: 6, isFirstFit: true })]
    for (const budget of [ordered, firstFit]) {
      assert.ok(budget.tryTake('a', 4))
      assert.equal(budget.tryTake('a', 3), null)
      assert.equal(budget.tryTake('b', 7), null)
      const share = budget.tryTake('b', 4)
      const waiter = observe(budget.take('c', 5))
      assert.equal(budget.tryTake('d', 1) === null, budget === ordered)
      share?.[Symbol.dispose]()
      await turn()
      assert.ok(waiter.share)
    }
  })
})
