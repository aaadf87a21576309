import assert from 'node:assert/strict'
import { allIndexes } from './allIndexes.ts'

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
})
