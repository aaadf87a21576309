import assert from 'node:assert/strict'
import { senderNameOf, senderNameProblems } from './textRules.ts'

const codesOf = (name: string): string[] => senderNameProblems('sender_name', name).map(({ code }) => code)

describe('sender name', () => {
  for (const name of ['Acme', 'Acme, Inc.', 'Dr. Ada Lovelace', 'Müller & Söhne', 'Team 3.5', '株式会社', ''])
    it(`may be "${name}"`, () => assert.deepEqual(codesOf(name), []))

  for (const name of [
    'security@bank.example',
    'security @ bank',
    'ceo＠bank.example',
    'ceo﹫bank',
    'bank.example',
    'Support (bank.example)',
    'bank．example',
    'bank。example',
    'bank․example',
    'bank\u00AD.example',
    'bank.\uFE0Fexample',
    'банк.рф',
  ])
    it(`must not read as an address: "${name}"`, () => assert.deepEqual(codesOf(name), ['looks_like_address']))

  for (const name of ['a\nb', 'a\r\nBcc: x', 'a\u0000', 'a\u202Eb', 'a\u2066b', 'a\u200Bb', 'a\u2028b'])
    it(`must not hide or reorder text: ${JSON.stringify(name)}`, () =>
      assert.deepEqual(codesOf(name), ['control_character']))

  it('defaults to the name of the workspace, unless that reads as an address', () => {
    const named = (name: string, senderName = '') => senderNameOf({ name, senderName })
    assert.deepEqual([named('Acme'), named('bank.example'), named('Acme', 'Ada')], ['Acme', '', 'Ada'])
  })
})
