import assert from 'node:assert/strict'
import { mayBeginErasure, mostOpenErasures } from './erasure.ts'

describe('erasures of a workspace', () => {
  it('are refused while too many are not done', () => {
    assert.equal(mayBeginErasure(mostOpenErasures - 1), true)
    assert.equal(mayBeginErasure(mostOpenErasures), false)
  })
})
