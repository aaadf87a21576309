import assert from 'node:assert/strict'
import { allIndexes } from './allIndexes.ts'
import { outboxIndex } from './audit/outbox.ts'
import { outboxCollections } from './audit/waiting.ts'

describe('indexes in MongoDB', () => {
  // Amazon DocumentDB has sparse indexes too.
  it('have only keys, uniqueness and sparseness, which every compatible server supports', () => {
    for (const [collection, indexes] of Object.entries(allIndexes))
      for (const index of indexes)
        assert.deepEqual(
          Object.keys(index).filter((option) => !['key', 'unique', 'sparse'].includes(option)),
          [],
          collection,
        )
  })

  // An erasure reads the outboxes of these collections.
  it('are over the outboxes of the listed collections, and of no other', () => {
    const withOutboxes = Object.entries(allIndexes).filter(([, indexes]) => indexes.includes(outboxIndex))
    assert.deepEqual(withOutboxes.map(([collection]) => collection).toSorted(), outboxCollections)
  })
})
