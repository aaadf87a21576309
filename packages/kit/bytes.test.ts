import assert from 'node:assert/strict'
import { freeBytes } from './bytes.ts'

describe('freed bytes', () => {
  it('are gone', () => {
    const bytes = Buffer.allocUnsafeSlow(1_000)
    const part = bytes.subarray(10)
    freeBytes(bytes)
    assert.deepEqual([bytes.length, part.length], [0, 0])
  })

  it('stay if other bytes are in the same memory', () => {
    const memory = Buffer.alloc(1_000, 'a')
    freeBytes(memory.subarray(1))
    assert.equal(memory.toString('latin1', 0, 2), 'aa')
  })
})
