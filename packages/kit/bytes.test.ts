import assert from 'node:assert/strict'
import { freeBytes } from './bytes.ts'

describe('freed bytes', () => {
  it('freeBytes releases the memory of the bytes immediately', () => {
    const bytes = Buffer.allocUnsafeSlow(1_000)
    const part = bytes.subarray(10)
    freeBytes(bytes)
    assert.deepEqual([bytes.length, part.length], [0, 0])
  })

  it('freeBytes leaves memory that other bytes share', () => {
    const memory = Buffer.alloc(1_000, 'a')
    freeBytes(memory.subarray(1))
    assert.equal(memory.toString('latin1', 0, 2), 'aa')
  })
})
