import assert from 'node:assert/strict'
import { claimCapacity, isWorthwhile, mayTakeHint, mayTakeMore, ownerCounts, withSpare } from './fairShare.ts'

/** Lets each owner in turn take as much of `size` as it may. */
const fill = (size: number, owners: readonly string[]): number[] => {
  const counts = ownerCounts()
  for (const owner of owners) while (mayTakeMore(counts.of(owner), size - counts.total())) counts.add(owner, 1)
  return owners.map((owner) => counts.of(owner))
}

describe('fair share', () => {
  it('grants the requests of a single owner and leaves an eighth of its use free', () => {
    assert.equal(withSpare(64), 72)
    assert.deepEqual(fill(72, ['a']), [64])
  })

  it('leaves capacity for a second owner after the first has filled its share', () => {
    assert.deepEqual(fill(72, ['a', 'b']), [64, 8])
  })
})

describe('owner counts', () => {
  it('count by owner and in total', () => {
    const counts = ownerCounts()
    counts.add('a', 2)
    counts.add('b', 1)
    counts.add('a', -1)
    assert.deepEqual([counts.of('a'), counts.of('b'), counts.of('c'), counts.total()], [1, 1, 0, 2])
  })
})

describe('claims of a lane', () => {
  it('are twice the concurrency for a workspace alone, by hint and by scan', () => {
    assert.deepEqual([64, 32, 1].map(claimCapacity), [
      { hinted: 144, scanned: 128 },
      { hinted: 72, scanned: 64 },
      { hinted: 2, scanned: 2 },
    ])
  })

  it('are worth their update from half the concurrency on', () => {
    assert.deepEqual(
      [31, 32, 128].map((free) => isWorthwhile(free, 64)),
      [false, true, true],
    )
  })
})

describe('hint of a workspace', () => {
  const table: [
    name: string,
    share: [used: number, taken: number],
    room: [free: number, taken: number],
    may: boolean,
  ][] = [
    ['is claimed if nothing else is', [0, 0], [144, 0], true],
    ['is claimed while its workspace has less than eight times what is left', [100, 27], [43, 27], true],
    ['is not claimed if its workspace has eight times what is left', [100, 28], [44, 28], false],
    ['is claimed in a small claim if its workspace has less than an eighth of the concurrency', [7, 0], [31, 0], true],
    ['is not claimed in a small claim if its workspace has an eighth of the concurrency', [8, 0], [31, 0], false],
    ['is claimed if its workspace has an eighth of the concurrency and the claim is worthwhile', [8, 0], [32, 0], true],
    ['is not claimed if no capacity is free', [0, 0], [0, 0], false],
  ]
  for (const [name, [used, taken], [free, all], may] of table)
    it(name, () => assert.equal(mayTakeHint({ used, taken }, { free, taken: all, concurrency: 64 }), may))
})
