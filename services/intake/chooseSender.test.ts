import assert from 'node:assert/strict'
import type { Caller } from '@postrider/contracts/services.ts'
import type { SenderDomain } from '@postrider/domain/domains/domain.ts'
import { Fault } from '@postrider/kit/fault.ts'
import { domainOf, parseMailbox } from '@postrider/mail/address.ts'
import { caller, mail, testIntake as open, request, withKey, workspace } from '../../test/support/testIntake.ts'

const domain = (name: string, over: Partial<SenderDomain> = {}): SenderDomain => ({
  id: `dom_${name.split('.')[0]}`,
  name,
  subdomains: true,
  returnPathVerified: false,
  ...over,
})

const mine = domain('mine.com')
const closed = domain('closed.com', { subdomains: false })
const idn = domain('xn--bcher-kva.com')
const aligned = domain('aligned.com', { returnPathVerified: true })
const shared = 'mail@postrider.test'

const parsed = (text: string) => {
  const result = parseMailbox(text)
  return result.ok ? result.mailbox : assert.fail(text)
}

const replaced = (address: string) =>
  `from_ was replaced by the shared sender ${shared}: the workspace has no verified sending domain yet, so ${address} can't be used.`
const unknownDomain = 'This is not a verified domain of the workspace. Verify it, or omit domain_id.'
const notVerified = (name: string) =>
  `${name} is not a verified domain of the workspace. Verify it, or use an address of a verified domain.`

type Sent = { from_: string; domain_id: string | null; returnPath?: string; notices?: string[] }
type Answer = Sent | string[] | { forbidden: string }
type Case = {
  name: string
  domains: SenderDomain[]
  from?: string
  domainId?: string
  key?: Partial<Caller>
  answer: Answer
}

const platform = (over: Partial<Sent> = {}): Sent => ({ from_: shared, domain_id: null, ...over })
const omitted = `The shared sender ${shared} is used, because from_ is omitted; set from_ to an address of mine.com to send from it.`
const restricted = { domains: ['mine.com'] }

const cases: Case[] = [
  { name: 'nothing', domains: [], answer: platform() },
  { name: 'nothing, with a verified domain', domains: [mine], answer: platform() },
  {
    name: 'the sender_name of the workspace',
    domains: [mine],
    key: { senderName: 'Acme, Inc.' },
    answer: platform({ from_: `"Acme, Inc." <${shared}>` }),
  },
  {
    name: 'from_ without a verified domain',
    domains: [],
    from: 'a@mine.com',
    answer: platform({ notices: [replaced('a@mine.com')] }),
  },
  {
    name: 'from_ of a verified domain',
    domains: [mine],
    from: 'a@mine.com',
    answer: { from_: 'a@mine.com', domain_id: 'dom_mine' },
  },
  {
    name: 'from_ with a display name',
    domains: [mine],
    from: '"Björn, Müller" <B.M+x@MINE.com.>',
    answer: { from_: '"Björn, Müller" <B.M+x@mine.com>', domain_id: 'dom_mine' },
  },
  {
    name: 'a display name that looks like an address',
    domains: [mine],
    from: '"ceo@victim.com" <a@mine.com>',
    answer: { from_: '"ceo@victim.com" <a@mine.com>', domain_id: 'dom_mine' },
  },
  {
    name: 'from_ of an IDN',
    domains: [idn],
    from: 'Bücher <a@BÜCHER.com>',
    answer: { from_: 'Bücher <a@xn--bcher-kva.com>', domain_id: 'dom_xn--bcher-kva' },
  },
  {
    name: 'from_ of a subdomain',
    domains: [mine],
    from: 'a@news.mine.com',
    answer: { from_: 'a@news.mine.com', domain_id: 'dom_mine' },
  },
  {
    name: 'from_ of a subdomain that is switched off',
    domains: [closed],
    from: 'a@news.closed.com',
    answer: ['from_: Subdomains of closed.com are switched off. Use an address of closed.com, or switch them on.'],
  },
  {
    name: 'from_ of another domain',
    domains: [mine],
    from: 'a@other.com',
    answer: [`from_: ${notVerified('other.com')}`],
  },
  {
    name: 'from_ that is the shared sender, with a verified domain',
    domains: [mine],
    from: shared,
    answer: [`from_: ${shared} is the shared sender. Omit from_ to send from it.`],
  },
  { name: 'domain_id alone', domains: [mine], domainId: 'dom_mine', answer: platform({ notices: [omitted] }) },
  { name: 'an unknown domain_id', domains: [mine], domainId: 'dom_x', answer: [`domain_id: ${unknownDomain}`] },
  {
    name: 'a domain_id without any domain',
    domains: [],
    domainId: 'dom_mine',
    answer: [`domain_id: ${unknownDomain}`],
  },
  {
    name: 'from_ and its domain_id',
    domains: [closed, mine],
    from: 'a@mine.com',
    domainId: 'dom_mine',
    answer: { from_: 'a@mine.com', domain_id: 'dom_mine' },
  },
  {
    name: 'from_ and another domain_id',
    domains: [closed, mine],
    from: 'a@mine.com',
    domainId: 'dom_closed',
    answer: [
      'domain_id: This is the domain closed.com, but from_ is an address of mine.com. Omit domain_id, or change one of them.',
    ],
  },
  {
    name: 'an unknown domain_id and from_ of another domain',
    domains: [mine],
    from: 'a@other.com',
    domainId: 'dom_x',
    answer: [`domain_id: ${unknownDomain}`, `from_: ${notVerified('other.com')}`],
  },
  {
    name: 'a verified return path',
    domains: [aligned],
    from: 'a@news.aligned.com',
    answer: { from_: 'a@news.aligned.com', domain_id: 'dom_aligned', returnPath: 'bounce@bounces.aligned.com' },
  },
  {
    name: 'the domain of a restricted key',
    domains: [mine, closed],
    from: 'a@mine.com',
    key: restricted,
    answer: { from_: 'a@mine.com', domain_id: 'dom_mine' },
  },
  {
    name: 'a restricted key and another domain',
    domains: [mine, closed],
    from: 'a@closed.com',
    key: restricted,
    answer: { forbidden: 'This key sends only from mine.com, not from closed.com.' },
  },
  {
    name: 'a restricted key without from_',
    domains: [mine],
    key: restricted,
    answer: { forbidden: 'This key sends only from mine.com; set from_ to an address of it.' },
  },
  {
    name: 'a restricted key whose domain is not verified',
    domains: [],
    from: 'a@mine.com',
    key: restricted,
    answer: [`from_: ${notVerified('mine.com')}`],
  },
]

describe('sender of a message', () => {
  for (const { name, domains, from, domainId, key, answer } of cases)
    it(`is decided for ${name}`, async () => {
      await using system = await open()
      system.domains.of.set(workspace, domains)
      system.domains.of.set('ws_other', [domain('other.com')])
      const sent = mail({ from: from === undefined ? null : parsed(from), domainId: domainId ?? null })
      const send = () => system.intake.Submit(request({ caller: caller(key), mail: sent }))
      if ('forbidden' in answer) return assert.rejects(send, { code: 'forbidden', message: answer.forbidden })
      if (Array.isArray(answer)) {
        const fault = await send().then(
          () => assert.fail('it was accepted'),
          (thrown: unknown) => thrown,
        )
        assert.ok(fault instanceof Fault && fault.code === 'validation_failed')
        const shown = fault.problems.map(({ path, message }) => `${path}: ${message}`)
        assert.deepEqual(shown, answer)
        const checked = await system.intake.Check({ ...sent, caller: caller(key) })
        assert.deepEqual(checked.problems, fault.problems)
        return
      }
      const { id, bodyJson } = await send()
      const { returnPath = shared, notices = [], ...shown } = answer
      const record = JSON.parse(bodyJson)
      assert.deepEqual({ from_: record.from_, domain_id: record.domain_id }, shown)
      assert.deepEqual(record.notices, notices)
      const { email } = await system.stored(id)
      assert.equal(email.envelopeFrom, returnPath)
      assert.equal(email.messageId, `<${id}@${domainOf(email.from.address)}>`)
    })

  const send = (system: Awaited<ReturnType<typeof open>>, from: string | null, over: Partial<Caller> = {}) =>
    system.intake.Submit(request({ caller: caller(over), mail: mail({ from: from === null ? null : parsed(from) }) }))
  const senderOf = async (sending: ReturnType<typeof send>): Promise<string> =>
    JSON.parse((await sending).bodyJson).from_

  it('needs no domains for mail without from_ and domain_id', async () => {
    await using system = await open()
    await send(system, null)
    await assert.rejects(send(system, null, restricted), { code: 'forbidden' })
    assert.deepEqual(system.domains.reads, [])
  })

  it('needs one read of the domains in 5 s while mail is sent from them', async () => {
    await using system = await open()
    system.domains.of.set(workspace, [mine])
    for (const address of ['a@mine.com', 'b@x.mine.com', 'a@mine.com']) await send(system, address)
    assert.equal(system.domains.reads.length, 1)
    system.time.at += 5_001
    await send(system, 'a@mine.com')
    assert.equal(system.domains.reads.length, 2)
  })

  it('is a domain as soon as it is verified', async () => {
    await using system = await open()
    assert.equal(await senderOf(send(system, 'a@mine.com')), shared)
    system.domains.of.set(workspace, [mine])
    assert.equal(await senderOf(send(system, 'a@mine.com')), 'a@mine.com')
    await assert.rejects(send(system, 'a@closed.com'), { code: 'validation_failed' })
    system.domains.of.set(workspace, [mine, closed])
    assert.equal(await senderOf(send(system, 'a@closed.com')), 'a@closed.com')
  })

  it('is not a domain 5 s after it failed', async () => {
    await using system = await open()
    system.domains.of.set(workspace, [mine, closed])
    await send(system, 'a@mine.com')
    system.domains.of.set(workspace, [closed])
    system.time.at += 5_001
    await assert.rejects(send(system, 'a@mine.com'), { code: 'validation_failed' })
  })

  it('shares a read among requests of one event loop iteration, for each workspace', async () => {
    await using system = await open()
    system.domains.of.set(workspace, [mine])
    const others = Array.from({ length: 20 }, (_, n) =>
      send(system, 'a@mine.com', { workspace: n < 10 ? workspace : 'ws_2' }),
    )
    const senders = await Promise.all(others.map(senderOf))
    assert.deepEqual(senders, [...Array(10).fill('a@mine.com'), ...Array(10).fill(shared)])
    assert.deepEqual(system.domains.reads.toSorted(), [workspace, 'ws_2'].toSorted())
  })

  it('is unavailable while the domains cannot be read, and other mail is accepted', async () => {
    await using system = await open()
    system.domains.of.set(workspace, [mine])
    system.domains.faults = [new Fault('unavailable', 'The store is unavailable.')]
    const keyed = request({ mail: mail({ from: parsed('a@mine.com') }), ...withKey('k') })
    await assert.rejects(system.intake.Submit(keyed), { code: 'unavailable' })
    assert.equal((await send(system, null)).status, 202)
    // The repeated request is accepted once.
    assert.equal((await system.intake.Submit(keyed)).status, 202)
    assert.equal((await system.all()).length, 2)
  })

  it('does not change in a replay, although the domain is no longer verified', async () => {
    await using system = await open()
    system.domains.of.set(workspace, [mine])
    const keyed = request({ mail: mail({ from: parsed('a@mine.com') }), ...withKey('k') })
    const first = await system.intake.Submit(keyed)
    system.domains.of.clear()
    system.time.at += 60_000
    assert.equal((await system.intake.Submit(keyed)).bodyJson, first.bodyJson)
    assert.equal(system.domains.reads.length, 1)
  })
})
