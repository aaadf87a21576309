import assert from 'node:assert/strict'
import { maxOpenErasures, mayBeginErasure } from './retention.ts'

describe('erasures of a workspace', () => {
  it('are refused while too many are not done', () => {
    assert.equal(mayBeginErasure(maxOpenErasures - 1), true)
    assert.equal(mayBeginErasure(maxOpenErasures), false)
  })
})
