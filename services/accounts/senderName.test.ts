import assert from 'node:assert/strict'
import type { StoredWorkspace } from '@postrider/ports/accounts.ts'
import { senderNameOf, senderNameProblems } from './senderName.ts'

describe('a sender name', () => {
  for (const name of ['Acme', 'Acme, Inc.', 'Dr. Ada Lovelace', 'Müller & Söhne', 'Team 3.5', '株式会社', ''])
    it(`may be “${name}”`, () => assert.deepEqual(senderNameProblems('sender_name', name), []))

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
    it(`can’t read as somebody’s address: “${name}”`, () =>
      assert.deepEqual(
        senderNameProblems('sender_name', name).map(({ code }) => code),
        ['looks_like_address'],
      ))

  for (const name of ['a\nb', 'a\r\nBcc: x', 'a\u0000', 'a\u202Eb', 'a\u2066b', 'a\u200Bb', 'a\u2028b'])
    it(`can’t hide or turn text: ${JSON.stringify(name)}`, () =>
      assert.deepEqual(
        senderNameProblems('sender_name', name).map(({ code }) => code),
        ['control_character'],
      ))

  it('that wasn’t chosen is the workspace’s, unless that reads as an address', () => {
    const named = (name: string, senderName = '') => senderNameOf({ name, senderName } as StoredWorkspace)
    assert.deepEqual([named('Acme'), named('bank.example'), named('Acme', 'Ada')], ['Acme', '', 'Ada'])
  })
})
