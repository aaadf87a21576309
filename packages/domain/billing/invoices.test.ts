import assert from 'node:assert/strict'
import { newStatusFields, reasonProblems, statusFields } from './invoices.ts'

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
    it(`returns ${codes.join() || 'none'} for ${name}`, () => {
      assert.deepEqual(
        reasonProblems(reason, isRequired).map(({ code }) => code),
        codes,
      )
    })
})

describe('status of an invoice', () => {
  it('has the time of payment once it is paid, and keeps it when it becomes void', () => {
    assert.deepEqual(newStatusFields({ status: 'open', issuedAt: 1 }), { status: 'open', reason: '', paidAt: null })
    assert.deepEqual(newStatusFields({ status: 'paid', issuedAt: 1 }), { status: 'paid', reason: '', paidAt: 1 })
    assert.deepEqual(statusFields('paid', { at: 2, reason: 'r' }), { status: 'paid', reason: 'r', paidAt: 2 })
    assert.deepEqual(statusFields('void', { at: 2, reason: 'r' }), { status: 'void', reason: 'r' })
  })
})
