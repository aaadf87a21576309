import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { hashApiKey, makeApiKey, parseApiKey } from './apiKey.ts'

describe('API key', () => {
  it('has the published shape, without an underscore after the mode', () => {
    for (const mode of ['live', 'test'] as const) {
      const key = makeApiKey(mode, randomBytes)
      assert.match(key, new RegExp(`^pr_${mode}_[0-9A-Za-z]{33}$`))
      assert.deepEqual(parseApiKey(key), { mode })
    }
  })

  it('uses every random bit, so inputs that differ in one bit give different keys', () => {
    const bodies = Array.from({ length: 160 }, (_, bit) => {
      const bytes = new Uint8Array(20)
      bytes[bit >> 3] = 1 << (bit & 7)
      return makeApiKey('live', () => bytes).slice(0, -6)
    })
    assert.equal(new Set(bodies).size, 160)
  })

  it('equals the key that another implementation of the format writes', () => {
    // CRC-32 of the 35 characters is 0x2e85f8c2, by Python's zlib.
    assert.equal(
      makeApiKey('test', (size) => new Uint8Array(size)),
      `pr_test_${'0'.repeat(27)}0qp20I`,
    )
  })

  it('is rejected without a lookup when one character is changed or dropped', () => {
    const key = makeApiKey('live', randomBytes)
    for (let index = 8; index < key.length; index++) {
      const other = key[index] === 'x' ? 'y' : 'x'
      assert.equal(parseApiKey(key.slice(0, index) + other + key.slice(index + 1)), null, `changed at ${index}`)
      assert.equal(parseApiKey(key.slice(0, index) + key.slice(index + 1)), null, `dropped at ${index}`)
    }
    assert.equal(parseApiKey(key.replace('pr_live_', 'pr_test_')), null)
  })

  it('is rejected when it has another shape', () => {
    for (const text of ['', 'pr_live_', 'pr_live_short', `pr_prod_${'a'.repeat(33)}`, 'x'.repeat(10_000)])
      assert.equal(parseApiKey(text), null)
    assert.equal(parseApiKey(`${makeApiKey('live', randomBytes)}\n`), null)
  })

  it('an API key is hashed to 32 bytes', () => assert.equal(hashApiKey('pr_live_x').length, 32))
})
