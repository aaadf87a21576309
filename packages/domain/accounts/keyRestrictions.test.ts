import assert from 'node:assert/strict'
import type { SenderDomain } from '../domains/domain.ts'
import {
  mayRead,
  type ReadEntries,
  readNetworks,
  readRecipients,
  readSenderNames,
  recipientMatcher,
  recipientProblems,
} from './keyRestrictions.ts'

const short = (read: ReadEntries): string =>
  read.ok ? read.values.join(' ') : read.problems.map(({ path, code }) => `${path} ${code}`).join(', ')

const aDomain = (name: string, subdomains = true): SenderDomain => ({
  id: `dom_${name}`,
  name,
  subdomains,
  returnPathVerified: false,
})

describe('networks of a key', () => {
  for (const [entries, expected] of [
    [['10.0.0.0/8', '2001:db8::/32'], '10.0.0.0/8 2001:db8::/32'],
    [['192.0.2.1'], '192.0.2.1/32'],
    [['2001:DB8:0::0001'], '2001:db8::1/128'],
    [['10.1.2.3/8'], '10.0.0.0/8'],
    [['10.1.2.3/31', '10.1.2.2/31'], '10.1.2.2/31'],
    [['172.16.255.255/12'], '172.16.0.0/12'],
    [['2001:db8:ffff::1/33'], '2001:db8:8000::/33'],
    [['0.0.0.0/0', '::/0'], '0.0.0.0/0 ::/0'],
    [['1.2.3.4/0'], '0.0.0.0/0'],
    [['::ffff:10.0.0.0/104'], '10.0.0.0/8'],
    [['::ffff:a00:1'], '10.0.0.1/32'],
    [['0:0:0:0:0:FFFF:10.0.0.1'], '10.0.0.1/32'],
    [['::ffff:0:0/96'], '0.0.0.0/0'],
    [['64:ff9b::10.0.0.1/128'], '64:ff9b::a00:1/128'],
    [[], ''],
    [['10.0.0.0/33'], 'networks[0] invalid_network'],
    [['::/129'], 'networks[0] invalid_network'],
    [['10.0.0.0/08', '10.0.0.0/0x8'], 'networks[1] invalid_network'],
    [['010.0.0.0/8'], 'networks[0] invalid_network'],
    [['10.0.0'], 'networks[0] invalid_network'],
    [['fe80::1%eth0'], 'networks[0] invalid_network'],
    [[' 10.0.0.0/8'], 'networks[0] invalid_network'],
    [
      ['10.0.0.0-10.0.0.9', '*', ''],
      'networks[0] invalid_network, networks[1] invalid_network, networks[2] invalid_network',
    ],
    [['example.com', '10.0.0.0/8'], 'networks[0] invalid_network'],
    [Array.from({ length: 51 }, (_, n) => `10.0.0.${n}`), 'networks too_many'],
  ] as const)
    it(`reads ${JSON.stringify(entries).slice(0, 60)} as “${expected}”`, () =>
      assert.equal(short(readNetworks(entries)), expected))
})

describe('domains of a key', () => {
  const usable = [aDomain('mine.com'), aDomain('plain.org', false), aDomain('xn--bcher-kva.example')]
  for (const [entries, expected] of [
    [['mine.com'], 'mine.com'],
    [['MINE.com.', 'mine.COM'], 'mine.com'],
    [['news.mine.com'], 'news.mine.com'],
    [['plain.org'], 'plain.org'],
    [['sub.plain.org'], 'domains[0] domain_not_verified'],
    [['Bücher.example'], 'xn--bcher-kva.example'],
    [['other.com'], 'domains[0] domain_not_verified'],
    [['notmine.com'], 'domains[0] domain_not_verified'],
    [['com'], 'domains[0] public_suffix'],
    [['*.mine.com'], 'domains[0] wildcard'],
    [['a@mine.com'], 'domains[0] address'],
    [['mine.com', ''], 'domains[1] empty'],
    [Array.from({ length: 51 }, (_, n) => `a${n}.mine.com`), 'domains too_many'],
  ] as const)
    it(`reads ${JSON.stringify(entries).slice(0, 60)} as “${expected}”`, () =>
      assert.equal(short(readSenderNames(entries, usable)), expected))

  it('has no domain if the workspace has none', () =>
    assert.equal(short(readSenderNames(['mine.com'], [])), 'domains[0] domain_not_verified'))
})

describe('recipients of a key', () => {
  for (const [entries, expected] of [
    [['jane@example.com', 'example.org'], 'jane@example.com example.org'],
    [['Jane@Example.COM', 'jane@example.com'], 'jane@example.com'],
    [['EXAMPLE.org.', '@example.org'], 'example.org'],
    [['bücher.example', 'j@bücher.example'], 'xn--bcher-kva.example j@xn--bcher-kva.example'],
    [['jane+a@example.com'], 'jane+a@example.com'],
    [['localhost'], 'localhost'],
    [['Jane <jane@example.com>'], 'recipients[0] invalid_recipient'],
    [['*@example.com', '*.example.com', '*'], 'recipients[0] wildcard, recipients[1] wildcard, recipients[2] wildcard'],
    [
      ['jane', '', '@'],
      'recipients[0] invalid_recipient, recipients[1] invalid_recipient, recipients[2] invalid_recipient',
    ],
    [['a@b@example.com', 'example.com'], 'recipients[0] invalid_address'],
    [['a@example.com,b@example.com'], 'recipients[0] invalid_address'],
    [['"quoted"@example.com'], 'recipients[0] quoted_local_part'],
    [['192.0.2.1'], 'recipients[0] invalid_recipient'],
    [Array.from({ length: 101 }, (_, n) => `a${n}@example.com`), 'recipients too_many'],
  ] as const)
    it(`reads ${JSON.stringify(entries).slice(0, 60)} as “${expected}”`, () =>
      assert.equal(short(readRecipients(entries)), expected))

  const isAllowed = recipientMatcher(['jane@example.com', 'example.org', 'xn--bcher-kva.example'])
  for (const [address, expected] of [
    ['jane@example.com', true],
    ['JANE@example.com', true],
    ['bob@example.com', false],
    ['jane+tag@example.com', false],
    ['anyone@example.org', true],
    ['anyone@sub.example.org', false],
    ['anyone@notexample.org', false],
    ['example.org@evil.example', false],
    ['a@xn--bcher-kva.example', true],
    ['delivered@simulator.postrider.dev', false],
  ] as const)
    it(`${expected ? 'allow' : 'refuse'} ${address}`, () => assert.equal(isAllowed(address), expected))

  it('report each refused entry of to, cc and bcc with its path, even a repeated one', () => {
    const of = (...addresses: string[]) => addresses.map((address) => ({ address }))
    const mail = {
      to: of('a@example.org', 'b@evil.example', 'b@evil.example'),
      cc: of('', 'c@evil.example'),
      bcc: of('x@y.z'),
    }
    const found = recipientProblems(['example.org'], mail).map(({ path, code }) => `${path} ${code}`)
    assert.deepEqual(found, [
      'to[1] recipient_not_allowed',
      'to[2] recipient_not_allowed',
      'cc[1] recipient_not_allowed',
      'bcc[0] recipient_not_allowed',
    ])
    assert.deepEqual(recipientProblems([], mail), [])
  })
})

describe('reader of mail', () => {
  const email = { workspace: 'ws_1', mode: 'test', keyId: 'key_1' } as const

  it('sees mail of its workspace, of both modes and any sender unless it is limited', () => {
    assert.equal(mayRead({ workspace: 'ws_1', mode: null, sentBy: null }, email), true)
    assert.equal(mayRead({ workspace: 'ws_2', mode: null, sentBy: null }, email), false)
    assert.equal(mayRead({ workspace: 'ws_1', mode: 'test', sentBy: 'key_1' }, email), true)
    assert.equal(mayRead({ workspace: 'ws_1', mode: 'live', sentBy: null }, email), false)
    assert.equal(mayRead({ workspace: 'ws_1', mode: null, sentBy: 'key_2' }, email), false)
  })
})
