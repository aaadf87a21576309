import assert from 'node:assert/strict'
import { isWithin } from './address.ts'
import { registrableDomain } from './publicSuffix.ts'

describe('public suffixes', () => {
  const names: [string, string | null][] = [
    ['a.b.example.com', 'example.com'],
    ['a.example.co.uk', 'example.co.uk'],
    ['co.uk', null],
    ['com', null],
    ['github.io', null],
    ['a.jane.github.io', 'jane.github.io'],
    ['amazonaws.com', 'amazonaws.com'],
    ['_dmarc.example.test', 'example.test'],
    ['mail.corp.internal', 'corp.internal'],
  ]
  for (const [name, expected] of names)
    it(`give ${expected ?? 'no domain'} for ${name}`, () => assert.equal(registrableDomain(name), expected))

  it('are no part of the comparison of a subdomain', () => {
    assert.deepEqual(
      [isWithin('a.b', 'b'), isWithin('b', 'b'), isWithin('ab', 'b'), isWithin('b', 'a.b')],
      [true, true, false, false],
    )
  })
})
