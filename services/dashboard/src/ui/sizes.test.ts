import assert from 'node:assert/strict'
import { sizeText } from './sizes.ts'

describe('sizes', () => {
  const kib = 1_024
  const cases: [number, string][] = [
    [0, '0 bytes'],
    [kib - 1, '1023 bytes'],
    [kib, '1 KiB'],
    [kib + 1, '2 KiB'],
    [kib ** 2 - 1, '1.0 MiB'],
    [4.2 * kib ** 2, '4.2 MiB'],
    [kib ** 3 - 1, '1.0 GiB'],
    [1_500 * kib ** 3, '1500.0 GiB'],
  ]
  for (const [bytes, text] of cases) it(`are ${text} for ${bytes} bytes`, () => assert.equal(sizeText(bytes), text))
})
