import assert from 'node:assert/strict'
import { setImmediate as nextIteration } from 'node:timers/promises'
import { type ByteBudget, type ByteShare, byteBudget, type Endable, type EndReason } from './byteBudget.ts'

/** A budget of 10 bytes, of which one owner may hold `maxBytesPerOwner`. */
const budgetOfTen = (maxBytesPerOwner = 10): ByteBudget => byteBudget({ capacityBytes: 10, maxBytesPerOwner })

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
    await nextIteration()
    assert.ok(first?.share)
    assert.equal(second?.share, undefined)
    assert.equal(third?.share, undefined)
    first.share[Symbol.dispose]()
    await nextIteration()
    assert.ok(second?.share)
    assert.ok(third?.share)
  })

  it('serves a small share before a large one that waits, with first fit', async () => {
    const budget = byteBudget({ capacityBytes: 10, maxBytesPerOwner: 10, isFirstFit: true })
    const [first, second, third] = [6, 6, 1].map((bytes) => observe(budget.take(`owner of ${bytes}`, bytes)))
    await nextIteration()
    assert.ok(first?.share)
    assert.equal(second?.share, undefined)
    assert.ok(third?.share)
    first.share[Symbol.dispose]()
    await nextIteration()
    assert.ok(second?.share)
  })

  it('gives bytes that a share returns to the waiters', async () => {
    const budget = budgetOfTen()
    const first = observe(budget.take('a', 10))
    const second = observe(budget.take('a', 4))
    await nextIteration()
    assert.equal(second.share, undefined)
    first.share?.shrinkTo(6)
    await nextIteration()
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
    await nextIteration()
    assert.equal(beyond.share, undefined)
  })

  it('lets a share that exceeds the budget through alone', async () => {
    const budget = budgetOfTen()
    const large = await budget.take('a', 25)
    const next = observe(budget.take('a', 1))
    await nextIteration()
    assert.equal(next.share, undefined)
    large?.[Symbol.dispose]()
    await nextIteration()
    assert.ok(next.share)
  })

  it('leaves bytes for other owners, however much one owner reserves', async () => {
    const budget = budgetOfTen(6)
    const [first, second, third] = [3, 3, 2].map((bytes) => observe(budget.take('a', bytes)))
    await nextIteration()
    assert.ok(first?.share && second?.share)
    assert.equal(third?.share, undefined)
    const other = observe(budget.take('b', 4))
    await nextIteration()
    assert.ok(other.share)
    first.share[Symbol.dispose]()
    await nextIteration()
    assert.ok(third?.share)
  })

  it('gives an owner a first share that exceeds its limit', async () => {
    const budget = budgetOfTen(6)
    const [large, next] = [8, 1].map((bytes) => observe(budget.take('a', bytes)))
    await nextIteration()
    assert.ok(large?.share)
    assert.equal(next?.share, undefined)
    large.share.shrinkTo(2)
    await nextIteration()
    assert.ok(next?.share)
  })

  it('ends a wait with null when its signal is aborted, and serves the next waiter', async () => {
    const budget = budgetOfTen()
    const controller = new AbortController()
    const { signal } = controller
    const reserved = await budget.take('a', 5)
    const [large, small] = [observe(budget.take('a', 9, signal)), observe(budget.take('a', 5))]
    await nextIteration()
    assert.deepEqual([large.share, small.share], [undefined, undefined])
    controller.abort()
    await nextIteration()
    assert.equal(large.share, null)
    assert.ok(small.share)
    assert.equal(await budget.take('a', 1, signal), null)
    reserved?.[Symbol.dispose]()
  })

  it('leaves a share alone when its signal is aborted after it was served', async () => {
    const budget = budgetOfTen()
    const controller = new AbortController()
    const { signal } = controller
    const reserved = await budget.take('a', 10)
    const waiters = Array.from({ length: 10 }, () => observe(budget.take('a', 1, signal)))
    reserved?.[Symbol.dispose]()
    await nextIteration()
    controller.abort()
    await nextIteration()
    assert.ok(waiters.every(({ share }) => share))
    const beyond = observe(budget.take('a', 1))
    await nextIteration()
    assert.equal(beyond.share, undefined)
  })

  it('gives a share immediately only if it is free and no earlier caller waits for it', async () => {
    const [ordered, firstFit] = [
      budgetOfTen(6),
      byteBudget({ capacityBytes: 10, maxBytesPerOwner: 6, isFirstFit: true }),
    ]
    for (const budget of [ordered, firstFit]) {
      assert.ok(budget.tryTake('a', 4))
      assert.equal(budget.tryTake('a', 3), null)
      assert.equal(budget.tryTake('b', 7), null)
      const share = budget.tryTake('b', 4)
      const waiter = observe(budget.take('c', 5))
      assert.equal(budget.tryTake('d', 1) === null, budget === ordered)
      share?.[Symbol.dispose]()
      await nextIteration()
      assert.ok(waiter.share)
    }
  })
})

/** A client that fills a share, and why it was ended. */
const aClient = (share: () => ByteShare, { spareMs = 1_000, onlyIfSlow = false } = {}) => {
  const state = { ended: null as EndReason | null }
  const endable: Endable = {
    spareMs: () => spareMs,
    onlyIfSlow,
    end: (reason) => {
      state.ended = reason
      share()[Symbol.dispose]()
    },
  }
  return { state, endable }
}

/** A budget of 100 bytes that serves what fits. */
const budgetOfHundred = () => byteBudget({ capacityBytes: 100, maxBytesPerOwner: 60, isFirstFit: true })

/** Opens a share that reserves bytes and may be ended. */
const fill = (budget: ByteBudget, owner: string, bytes: number, options?: Parameters<typeof aClient>[1]) => {
  const { state, endable } = aClient(() => share, options)
  const share = budget.open(owner, { endable })
  assert.ok(share.tryGrow(bytes))
  return { state, share, endable }
}

// Two owners reserved all of a budget, each as much as one may have, and a third got nothing.
describe('byte budget of several owners', () => {
  it('leaves room for a new owner', () => {
    const budget = byteBudget({ capacityBytes: 1_000, maxBytesPerOwner: 600, isFirstFit: true })
    for (let round = 0; round < 1_000; round++) for (const owner of ['a', 'b', 'c']) budget.tryTake(owner, 1)
    assert.ok(budget.tryTake('d', 30))
  })

  it('ends slow shares for a waiter, the slowest first, and no more than needed', async () => {
    const budget = budgetOfHundred()
    const slow = [-1, -9, -5].map((spareMs) => fill(budget, `owner ${spareMs}`, 20, { spareMs }))
    const fast = fill(budget, 'fast', 40)
    const waiter = observe(budget.take('new', 20))
    await nextIteration()
    assert.ok(waiter.share)
    assert.deepEqual(
      [...slow, fast].map(({ state }) => state.ended),
      [null, 'slow', null, null],
    )
  })

  it('ends shares of the owner that reserves the most, when one below its part reclaims bytes', async () => {
    const budget = budgetOfHundred()
    const ofMost = [fill(budget, 'most', 30, { spareMs: 9 }), fill(budget, 'most', 25, { spareMs: 5 })]
    const less = fill(budget, 'less', 45)
    const share = budget.open('new')
    const grown = share.grow(10)
    assert.deepEqual(
      ofMost.map(({ state }) => state.ended),
      [null, null],
    )
    share.reclaim()
    assert.equal(await grown, true)
    assert.deepEqual(
      [...ofMost, less].map(({ state }) => state.ended),
      [null, 'part', null],
    )
  })

  it('ends nothing for an owner above its part, and no share that is not to be ended', async () => {
    const budget = budgetOfHundred()
    const [own, settled, answer] = [
      fill(budget, 'a', 40),
      fill(budget, 'b', 30),
      fill(budget, 'c', 30, { onlyIfSlow: true }),
    ]
    settled.share.setEndable(null)
    const waiters = [own.share, budget.open('d')]
    const grown = waiters.map((share) => share.grow(5))
    waiters[0]?.reclaim()
    assert.equal(own.state.ended, null)
    waiters[1]?.reclaim()
    assert.deepEqual(
      [own, settled, answer].map(({ state }) => state.ended),
      ['part', null, null],
    )
    assert.equal(await grown[1], true)
  })

  // An owner that wanted more than it may have ended the slow bodies of all others and the long ones of most, while
  // almost all was free.
  it('ends nothing of others for an owner that waits for its own limit', async () => {
    const budget = budgetOfHundred()
    const others = [fill(budget, 'slow', 1, { spareMs: -1 }), fill(budget, 'large', 40)]
    const { state, endable } = aClient(() => own, { spareMs: -1 })
    const own = budget.open('a', { endable })
    assert.ok(own.tryGrow(50))
    const further = budget.open('a')
    const grown = further.grow(20)
    further.reclaim()
    assert.deepEqual(
      others.map(({ state }) => state.ended),
      [null, null],
    )
    assert.equal(state.ended, 'slow')
    assert.equal(await grown, true)
  })

  it('gives what is free to the waiter whose owner reserves the least, and lets none that reserves more pass', async () => {
    const budget = budgetOfHundred()
    const [large, small] = [fill(budget, 'large', 60), fill(budget, 'small', 35)]
    large.share.setEndable(null)
    const poor = budget.open('poor')
    const grown = poor.grow(20)
    assert.equal(large.share.tryGrow(1), false)
    assert.equal(budget.tryTake('large', 1), null)
    small.share.shrinkTo(20)
    assert.equal(await grown, true)
  })

  it('gives the first endable share of an owner all free bytes, and makes further shares wait at the limit of the owner', () => {
    const budget = budgetOfHundred()
    const { endable } = aClient(() => first)
    const first = budget.open('a', { endable })
    assert.ok(first.tryGrow(10))
    const second = budget.open('a', { endable })
    assert.equal(second.tryGrow(55), false)
    assert.ok(first.tryGrow(80))
    first[Symbol.dispose]()
    assert.ok(second.tryGrow(55))
  })

  // 16 owners that wanted more than their parts got nothing for each other, and one with a single body gave up with
  // them.
  it('serves owners round-robin, the smallest requests first, when each owner wants more than its part', async () => {
    const budget = budgetOfHundred()
    const owners = Array.from({ length: 8 }, (_, number) => `owner ${number}`)
    const order: string[] = []
    const shares = new Map<string, ByteShare>()
    const want = async (owner: string, bytes: number): Promise<void> => {
      const share = budget.open(owner)
      if (!share.tryGrow(bytes)) await share.grow(bytes)
      order.push(owner)
      shares.set(owner, share)
    }
    for (let body = 0; body < 3; body++) for (const owner of owners) void want(owner, 40)
    void want('good', 15)
    await nextIteration()
    // The good one fits next to two others.
    assert.deepEqual(order.splice(0), ['owner 0', 'owner 1', 'good'])
    void want('good', 25)
    for (const owner of ['good', ...owners, 'owner 0']) {
      shares.get(owner)?.[Symbol.dispose]()
      await nextIteration()
    }
    assert.deepEqual(order, [...owners.slice(2), 'owner 0', 'owner 1', 'good'])
  })

  it('ends a share of an owner above its part for the first share of another owner, unless that share wants as much', async () => {
    const budget = budgetOfHundred()
    const attackers = [fill(budget, 'a', 50), fill(budget, 'b', 45)]
    const others = Array.from({ length: 5 }, (_, number) => budget.open(`waiting ${number}`))
    const waiting = others.map((share) => share.grow(50))
    for (const share of others) share.reclaim()
    assert.deepEqual(
      attackers.map(({ state }) => state.ended),
      [null, null],
    )
    const share = budget.open('good')
    const grown = share.grow(30)
    share.reclaim()
    assert.equal(await grown, true)
    assert.deepEqual(
      attackers.map(({ state }) => state.ended),
      ['part', null],
    )
    assert.equal(waiting.length, 5)
  })

  // Bodies of few bytes made the equal part of each owner small.
  it('ends no share for owners that hold a few bytes', async () => {
    const budget = byteBudget({ capacityBytes: 1_000, maxBytesPerOwner: 600, isFirstFit: true })
    for (let number = 0; number < 100; number++) fill(budget, `tiny ${number}`, 1)
    const [large, other] = [fill(budget, 'large', 400), fill(budget, 'other', 350)]
    const share = budget.open('new')
    const grown = share.grow(300)
    share.reclaim()
    assert.equal(await grown, true)
    assert.deepEqual([large.state.ended, other.state.ended], ['part', null])
  })

  it('serves an owner above its part once before a waiting owner, and an owner within its part always', async () => {
    const budget = budgetOfHundred()
    const reserved = fill(budget, 'owner', 60)
    const waiting = budget.open('waiting').grow(90)
    const again = budget.tryTake('again', 35)
    assert.ok(again)
    again[Symbol.dispose]()
    assert.equal(budget.tryTake('again', 35), null)
    const small = budget.tryTake('small', 10)
    assert.ok(small)
    small[Symbol.dispose]()
    reserved.share[Symbol.dispose]()
    assert.equal(await waiting, true)
  })
})
