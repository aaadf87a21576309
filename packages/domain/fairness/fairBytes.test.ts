import assert from 'node:assert/strict'
import { type EndableShare, equalPart, mayTakeBytes, sharesAbovePart, slowShares } from './fairBytes.ts'

const wanted = { bytes: 10, reserved: 20, isFirst: false }
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
      [{ reserved: 0, bytes: 50, isFirst: true }, {}, true],
      [{ reserved: 0, bytes: 51, isFirst: true }, {}, false],
      [{ reserved: 51 }, {}, false],
      [{ reserved: 51, isFirst: true }, {}, true],
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
    const reserved: Record<string, number> = { a: 30, b: 60, c: 9 }
    const above = (bytes: number, ofWaiter = 0) =>
      sharesAbovePart(shares, {
        wanted: { bytes, reserved: ofWaiter },
        part: 25,
        reservedOf: (owner) => reserved[owner] ?? 0,
      }).map(({ owner, spareMs }) => `${owner}${spareMs}`)
    assert.deepEqual(above(25), ['b1', 'b2', 'a1'])
    assert.deepEqual(above(6, 20), [])
    // A first share that is larger than a part got nothing, although others reserved far more.
    assert.deepEqual(above(30), ['b1', 'b2'])
    assert.deepEqual(above(60), [])
  })

  // Owners with a few bytes made the part of each owner small, so that its bodies were ended for others.
  it('are divided among owners that want much, after those that want little', () => {
    assert.equal(equalPart([400, 500, 600], 900), 800 / 3)
    assert.equal(equalPart([400, 500, ...Array.from({ length: 100 }, () => 1)], 900), 350)
    assert.equal(equalPart([100, 200], 900), 900)
  })
})
