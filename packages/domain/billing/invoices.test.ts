import assert from 'node:assert/strict'
import { reasonProblems } from './invoices.ts'

describe('reasonProblems', () => {
  for (const [name, reason, isRequired, codes] of [
    ['no reason where there must be one', ' ', true, ['required']],
    ['no reason where there may be none', '', false, []],
    ['500 characters', 'x'.repeat(500), true, []],
    ['501 characters', 'x'.repeat(501), true, ['too_long']],
    // The length was compared in UTF-16 units.
    ['500 characters in 1,000 UTF-16 units', '🧹'.repeat(500), true, []],
    ['501 characters in 1,002 UTF-16 units', '🧹'.repeat(501), true, ['too_long']],
  ] as const)
    it(`of ${name}: ${codes.join() || 'none'}`, () => {
      assert.deepEqual(
        reasonProblems(reason, isRequired).map(({ code }) => code),
        codes,
      )
    })
})
