import assert from 'node:assert/strict'
import { allIndexes } from './allIndexes.ts'

describe('indexes in MongoDB', () => {
  it('have only keys and uniqueness, which every compatible server supports', () => {
    for (const [collection, indexes] of Object.entries(allIndexes))
      for (const index of indexes)
        assert.deepEqual(
          Object.keys(index).filter((option) => option !== 'key' && option !== 'unique'),
          [],
          collection,
        )
  })
})
