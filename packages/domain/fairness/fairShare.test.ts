import assert from 'node:assert/strict'
import { mayTakeMore, ownerCounts, withSpare } from './fairShare.ts'

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
