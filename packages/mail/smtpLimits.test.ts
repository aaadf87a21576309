import assert from 'node:assert/strict'
import { hasEnoughRecipients } from './smtpLimits.ts'

describe('refusal of one more recipient', () => {
  const cases: [code: number, enhanced: string | null, text: string, expected: boolean][] = [
    [452, null, '', true],
    [552, null, '', true],
    [450, null, '', false],
    [550, null, 'Too many recipients', true],
    [452, '4.5.3', '', true],
    [552, '5.5.3', '', true],
    [452, '4.2.2', 'Mailbox full', false],
    [451, '4.7.1', 'too many recipients received this hour', true],
  ]
  for (const [code, enhanced, text, expected] of cases)
    it(`${[code, enhanced, text].filter(Boolean).join(' ')} ${expected ? 'begins another' : 'does not begin another'} transaction`, () => {
      assert.equal(hasEnoughRecipients({ code, enhanced, text }), expected)
    })
})
