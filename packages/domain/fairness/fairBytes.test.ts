import assert from 'node:assert/strict'
import { type EndableShare, mayTakeBytes, sharesAbovePart, slowShares } from './fairBytes.ts'

const wanted = { bytes: 10, held: 20, expected: 30, isFirstAndEndable: false }
const all = { free: 50, maxBytesPerOwner: 60, hasOthers: true }

const share = (owner: string, bytes: number, spareMs: number, onlyIfSlow = false): EndableShare => ({
  owner,
  bytes,
  spareMs,
  onlyIfSlow,
})

describe('fair bytes', () => {
  it('give an owner without any what is free, others their part', () => {
    for (const [over, room, may] of [
      [{}, {}, true],
      [{ held: 0, bytes: 50 }, {}, true],
      [{ expected: 61 }, {}, false],
      [{ expected: 61, isFirstAndEndable: true }, {}, true],
      [{}, { free: 12 }, false],
      [{}, { free: 12, hasOthers: false }, true],
    ] as const)
      assert.equal(mayTakeBytes({ ...wanted, ...over }, { ...all, ...room }), may, JSON.stringify([over, room]))
  })

  it('are taken from slow clients first', () => {
    const shares = [share('a', 1, 5), share('b', 1, -5), share('c', 1, -9, true)]
    assert.deepEqual(
      slowShares(shares).map(({ owner }) => owner),
      ['c', 'b'],
    )
  })

  it('are taken from the owners that hold the most, as long as each is above its part', () => {
    const shares = [share('a', 30, 1), share('b', 20, 3), share('b', 20, 2), share('b', 20, 1), share('c', 9, 1)]
    const held: Record<string, number> = { a: 30, b: 60, c: 9 }
    const above = (bytes: number) =>
      sharesAbovePart(shares, { wanted: { bytes, held: 0 }, equalPart: 25, heldOf: (owner) => held[owner] ?? 0 }).map(
        ({ owner, spareMs }) => `${owner}${spareMs}`,
      )
    assert.deepEqual(above(25), ['b1', 'b2', 'a1'])
    assert.deepEqual(above(26), [])
  })
})
