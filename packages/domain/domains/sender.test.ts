import assert from 'node:assert/strict'
import { parseMailbox } from '@postrider/mail/address.ts'
import { isUsable, platformWorkspace, type SenderDomain, signingDomainOf } from './domain.ts'
import { afterCheck, graceMs } from './life.ts'
import { decideSender, type SenderFacts } from './sender.ts'
import { decideSigning, signingWaitMs } from './signing.ts'
import { changed, checkZone, complete, pending, withBounces } from './zones.conformance.ts'

const domain = (name: string, over: Partial<SenderDomain> = {}): SenderDomain => ({
  ...{ id: `dom_${name}`, name, subdomains: true, returnPathVerified: false },
  ...over,
})

const shared = { name: 'Postrider', address: 'mail@send.postrider.example' }
const facts = (domains: readonly SenderDomain[], over: Partial<SenderFacts> = {}): SenderFacts => ({
  ...{ domains, keyDomains: null, shared, senderName: '', platformDomains: ['send.postrider.example'] },
  ...over,
})

const decide = (from: string | null, domainId: string | null, given: SenderFacts) => {
  const parsed = from === null ? null : parseMailbox(from)
  const mailbox = parsed?.ok ? parsed.mailbox : null
  assert.equal(mailbox === null, from === null)
  return decideSender({ from: mailbox, domainId }, given)
}

/** Returns a decision in short: the sender and its domain, or the codes of the problems. */
const short = (from: string | null, domainId: string | null, given: SenderFacts): string => {
  const decision = decide(from, domainId, given)
  if (decision.kind === 'forbidden') return 'forbidden'
  if (decision.kind === 'invalid') return decision.problems.map(({ path, code }) => `${path} ${code}`).join(', ')
  const notice = decision.notices.length > 0 ? ' with a notice' : ''
  return `${decision.from.address} by ${decision.domain?.name ?? 'the platform'}${notice}`
}

const mine = domain('mine.com')
const other = domain('other.com', { subdomains: false })
const sub = domain('sub.mine.com')
const idn = domain('xn--bcher-kva.example')
const cloud = domain('amazonaws.com')
const operators = domain('postrider.example')
const platform = `${shared.address} by the platform`

const cases: [string, string | null, string | null, SenderFacts, string][] = [
  ['nothing', null, null, facts([]), platform],
  ['nothing, with a domain', null, null, facts([mine]), platform],
  ['from_ without a domain', 'a@mine.com', null, facts([]), `${platform} with a notice`],
  ['the shared sender without a domain', shared.address, null, facts([]), `${platform} with a notice`],
  ['from_ of a domain', 'a@mine.com', null, facts([mine]), 'a@mine.com by mine.com'],
  ['from_ in other letters', 'A.B@MINE.com.', null, facts([mine]), 'A.B@mine.com by mine.com'],
  ['from_ of an IDN', 'a@bücher.example', null, facts([idn]), 'a@xn--bcher-kva.example by xn--bcher-kva.example'],
  ['from_ of a subdomain', 'a@x.y.mine.com', null, facts([mine]), 'a@x.y.mine.com by mine.com'],
  ['from_ of the closest domain', 'a@x.sub.mine.com', null, facts([mine, sub]), 'a@x.sub.mine.com by sub.mine.com'],
  [
    'from_ of a subdomain that is switched off',
    'a@x.other.com',
    null,
    facts([mine, other]),
    'from_ domain_not_verified',
  ],
  ['from_ of the domain above', 'a@mine.com', null, facts([sub]), 'from_ domain_not_verified'],
  ['from_ of a name with the same end', 'a@notmine.com', null, facts([mine]), 'from_ domain_not_verified'],
  ['from_ of a name with the same start', 'a@mine.com.evil.com', null, facts([mine]), 'from_ domain_not_verified'],
  ['from_ of another domain', 'a@gmail.com', null, facts([mine]), 'from_ domain_not_verified'],
  [
    'from_ below a public suffix of the domain',
    'a@x.s3.amazonaws.com',
    null,
    facts([cloud]),
    'from_ domain_not_verified',
  ],
  ['from_ of the shared sender, with a domain', shared.address, null, facts([mine]), 'from_ domain_not_verified'],
  [
    'from_ of the platform, by the domain above it',
    'a@send.postrider.example',
    null,
    facts([operators]),
    'from_ domain_not_verified',
  ],
  [
    'from_ next to the platform',
    'a@x.postrider.example',
    null,
    facts([operators]),
    'a@x.postrider.example by postrider.example',
  ],
  ['domain_id alone', null, mine.id, facts([mine]), `${platform} with a notice`],
  ['an unknown domain_id alone', null, 'dom_none', facts([mine]), 'domain_id unknown_domain'],
  ['an unknown domain_id without a domain', null, 'dom_none', facts([]), 'domain_id unknown_domain'],
  ['from_ and an unknown domain_id without a domain', 'a@mine.com', 'dom_none', facts([]), 'domain_id unknown_domain'],
  ['both', 'a@mine.com', mine.id, facts([mine, other]), 'a@mine.com by mine.com'],
  [
    'a subdomain and the domain_id above it',
    'a@sub.mine.com',
    mine.id,
    facts([mine, sub]),
    'a@sub.mine.com by mine.com',
  ],
  ['both, contradicting', 'a@mine.com', other.id, facts([mine, other]), 'domain_id domain_mismatch'],
  [
    'the domain above and the domain_id of a subdomain',
    'a@mine.com',
    sub.id,
    facts([mine, sub]),
    'domain_id domain_mismatch',
  ],
  ['from_ of another domain and a domain_id', 'a@gmail.com', mine.id, facts([mine]), 'from_ domain_not_verified'],
  ['from_ of a domain and an unknown domain_id', 'a@mine.com', 'dom_none', facts([mine]), 'domain_id unknown_domain'],
  ['both unknown', 'a@gmail.com', 'dom_none', facts([mine]), 'domain_id unknown_domain, from_ domain_not_verified'],
  [
    'a restricted key with its domain',
    'a@mine.com',
    null,
    facts([mine, other], { keyDomains: ['mine.com'] }),
    'a@mine.com by mine.com',
  ],
  [
    'a restricted key with a subdomain',
    'a@x.mine.com',
    null,
    facts([mine, other], { keyDomains: ['mine.com'] }),
    'a@x.mine.com by mine.com',
  ],
  [
    'a restricted key with another domain',
    'a@other.com',
    null,
    facts([mine, other], { keyDomains: ['mine.com'] }),
    'forbidden',
  ],
  ['a restricted key without from_', null, null, facts([mine], { keyDomains: ['mine.com'] }), 'forbidden'],
  ['a restricted key with domain_id alone', null, mine.id, facts([mine], { keyDomains: ['mine.com'] }), 'forbidden'],
  [
    'a restricted key with the domain above its own',
    'a@mine.com',
    null,
    facts([mine, sub], { keyDomains: ['sub.mine.com'] }),
    'forbidden',
  ],
  [
    'a restricted key whose domain has failed',
    'a@mine.com',
    null,
    facts([other], { keyDomains: ['mine.com'] }),
    'from_ domain_not_verified',
  ],
  [
    'a restricted key without a verified domain',
    'a@mine.com',
    null,
    facts([], { keyDomains: ['mine.com'] }),
    'from_ domain_not_verified',
  ],
  ['a key that is restricted to nothing', 'a@mine.com', null, facts([mine], { keyDomains: [] }), 'forbidden'],
]

describe('sender of a message', () => {
  for (const [given, from, domainId, state, expected] of cases)
    it(`is “${expected}” for ${given}`, () => assert.equal(short(from, domainId, state), expected))

  it('has the display name that was given', () => {
    const decision = decide('"Doe, Jäne" <jane@mine.com>', null, facts([mine]))
    assert.ok(decision.kind === 'send')
    assert.deepEqual(decision.from, { name: 'Doe, Jäne', address: 'jane@mine.com' })
  })

  it('has the workspace’s display name for the shared sender', () => {
    const decision = decide('Bank <a@bank.example>', null, facts([], { senderName: 'Acme' }))
    assert.ok(decision.kind === 'send')
    assert.deepEqual(decision.from, { name: 'Acme', address: shared.address })
  })

  it('has an aligned return path where its records were found', () => {
    const aligned = decide('a@x.mine.com', null, facts([{ ...mine, returnPathVerified: true }]))
    assert.equal(aligned.kind === 'send' && aligned.returnPath, 'bounces.mine.com')
    const plain = decide('a@mine.com', null, facts([mine]))
    assert.equal(plain.kind === 'send' && plain.returnPath, null)
  })

  it('is explained in sentences', () => {
    const messages = (from: string | null, domainId: string | null, state: SenderFacts) => {
      const decision = decide(from, domainId, state)
      if (decision.kind === 'forbidden') return [decision.message]
      return decision.kind === 'invalid' ? decision.problems.map(({ message }) => message) : decision.notices
    }
    assert.deepEqual(messages('a@mine.com', null, facts([])), [
      `from_ was replaced by the shared sender ${shared.address}: the workspace has no verified sending domain yet, so a@mine.com can't be used.`,
    ])
    assert.deepEqual(messages(null, mine.id, facts([mine])), [
      `The shared sender ${shared.address} is used, because from_ is omitted; set from_ to an address of mine.com to send from it.`,
    ])
    assert.deepEqual(messages('a@gmail.com', null, facts([mine])), [
      'gmail.com is not a verified domain of the workspace. Verify it, or use an address of a verified domain.',
    ])
    assert.deepEqual(messages('a@x.other.com', null, facts([other])), [
      'Subdomains of other.com are switched off. Use an address of other.com, or switch them on.',
    ])
    assert.deepEqual(messages('a@mine.com', other.id, facts([mine, other])), [
      'This is the domain other.com, but from_ is an address of mine.com. Omit domain_id, or change one of them.',
    ])
    assert.deepEqual(messages('a@other.com', null, facts([mine], { keyDomains: ['mine.com'] })), [
      'This key sends only from mine.com, not from other.com.',
    ])
  })
})

describe('signing of accepted mail', () => {
  const check = (from = pending(), zone = complete, now = 0) =>
    afterCheck(from, checkZone(from, withBounces, zone, now).records, { now, jitter: 0.5, eventId: 'evt_1' }).domain
  const broken = changed({ 'TXT prr1._domainkey.example.com': undefined })
  const verified = check()
  const warned = check(verified, broken, 1_000)
  const failed = check(warned, broken, 1_000 + graceMs)

  for (const one of [verified, warned])
    it(`signs with both keys while the domain is ${one.status}`, () => {
      assert.ok(isUsable(one))
      assert.deepEqual(decideSigning(signingDomainOf(one)), {
        kind: 'sign',
        domain: 'example.com',
        keys: [
          { selector: 'prr1', algorithm: 'rsa', sealed: { secretId: 's1', box: 'prr1' } },
          { selector: 'pre1', algorithm: 'ed25519', sealed: { secretId: 's1', box: 'pre1' } },
        ],
        returnPath: 'bounces.example.com',
      })
    })

  it('waits once the domain has failed, with the record that is to be set', () => {
    assert.deepEqual(decideSigning(signingDomainOf(failed)), {
      kind: 'wait',
      reason:
        'The domain example.com is not verified, so the mail waits. There is no TXT record at prr1._domainkey.example.com. Add the record shown.',
      waitMs: signingWaitMs,
    })
  })

  it('waits when the domain was deleted', () => {
    const decision = decideSigning(null)
    assert.equal(
      decision.kind === 'wait' && decision.reason,
      'Its sending domain was deleted, so the mail cannot be signed. Cancel it, and send it again.',
    )
  })

  it('never sends unsigned mail when no key can sign', () => {
    assert.equal(decideSigning(signingDomainOf({ ...verified, keys: [] })).kind, 'wait')
  })

  it('signs system mail before its records are found', () => {
    const decision = decideSigning(signingDomainOf(pending({ workspace: platformWorkspace })))
    assert.deepEqual(decision.kind === 'sign' && decision.keys.map(({ selector }) => selector), ['prr1', 'pre1'])
  })
})
