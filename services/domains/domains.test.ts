import assert from 'node:assert/strict'
import { domainsClient, domainsHandlers } from '@postrider/adapters/grpc/domains.ts'
import { type DomainRecord, domainsSpec } from '@postrider/contracts/services.ts'
import { isId, newId } from '@postrider/kit/ids.ts'
import { encodedCalls } from '../../test/support/encodedCalls.ts'
import { actor, noon, publish, purposes, testDomains, unpublish, workspace } from '../../test/support/testDomains.ts'

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]
const other = 'ws_01m7yr6cabfzvahf8pz72f0kb5'
const example = { workspace, name: 'example.com', actor }
const summary = ({ records }: DomainRecord) =>
  records.map(({ purpose, required, status }) => [purpose, required, status])

describe('a new sending domain', () => {
  it('has the records that its owner must publish', async () => {
    await using rig = await testDomains({ bounceDomain: 'bounces.postrider.test' })
    const domain = await rig.domains.Create({ ...example, name: 'Example.COM.' })
    const { id, records, ...rest } = domain
    assert.ok(isId('dom', id))
    const none = { verifiedAt: null, checkedAt: null }
    assert.deepEqual(rest, { name: 'example.com', status: 'pending', subdomains: true, createdAt: noon, ...none })
    assert.deepEqual(summary(domain), [
      ['ownership', true, 'unknown'],
      ['dkim', true, 'unknown'],
      ['dkim', false, 'unknown'],
      ['return_path_mx', false, 'unknown'],
      ['return_path_spf', false, 'unknown'],
      ['dmarc', false, 'unknown'],
    ])
    const [, rsa, ed25519] = records
    assert.match(`${rsa?.name} ${rsa?.value}`, /^prr\w{8}\._domainkey\.example\.com v=DKIM1; k=rsa; p=[\w+/]{390,}=*$/)
    assert.match(
      `${ed25519?.name} ${ed25519?.value}`,
      /^pre\w{8}\._domainkey\.example\.com v=DKIM1; k=ed25519; p=[\w+/]{43}=$/,
    )
    assert.deepEqual(await rig.domains.Get({ workspace, id }), domain)
  })

  it('is refused with the reason if no customer can own its name', async () => {
    await using rig = await testDomains({ bounceDomain: 'bounces.example.net' })
    for (const [name, code] of [
      ['co.uk', 'public_suffix'],
      ['localhost', 'public_suffix'],
      ['127.0.0.1', 'public_suffix'],
      ['single', 'public_suffix'],
      ['postrider.test', 'platform_domain'],
      ['a.postrider.test', 'platform_domain'],
      ['BOUNCES.example.net', 'platform_domain'],
      ['ann@example.com', 'address'],
      ['', 'empty'],
    ])
      await assert.rejects(rig.domains.Create({ ...example, name: name ?? '' }), ({ code: fault, problems }) => {
        assert.deepEqual(
          [fault, problems.length, problems[0].path, problems[0].code],
          ['validation_failed', 1, 'name', code],
        )
        return true
      })
    assert.deepEqual(
      rig.entries.filter(({ workspace: of }) => of === workspace),
      [],
    )
  })

  it('is refused if the workspace has it, or has as many as it may have', async () => {
    await using rig = await testDomains({ maxDomains: 2 })
    await rig.domains.Create(example)
    await assert.rejects(rig.domains.Create(example), {
      code: 'conflict',
      message: /has the sending domain example\.com/,
    })
    await rig.domains.Create({ ...example, name: 'a.example.com' })
    const third = rig.domains.Create({ ...example, name: 'b.example.com' })
    await assert.rejects(third, { code: 'validation_failed', message: /at most 2 sending domains/ })
    await rig.domains.Create({ ...example, workspace: other })
  })

  it('makes one key at a time, and few of one workspace wait', async () => {
    let [running, max] = [0, 0]
    const { generateDkimKey } = await import('@postrider/mail/dkimKeys.ts')
    await using rig = await testDomains({
      generate: async () => {
        max = Math.max(max, ++running)
        const key = await generateDkimKey('ed25519-sha256')
        running -= 1
        return key
      },
    })
    const names = Array.from({ length: 10 }, (_, index) => `d${index}.example.com`)
    const ends = await Promise.allSettled(names.map((name) => rig.domains.Create({ ...example, name })))
    const refused = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason.code] : []))
    assert.deepEqual(
      refused,
      Array.from({ length: 6 }, () => 'unavailable'),
    )
    assert.equal(max, 1)
  })
})

describe('domains of a workspace', () => {
  it('are listed newest first, in pages', async () => {
    await using rig = await testDomains()
    for (const name of ['a.example.com', 'b.example.com', 'c.example.com'])
      await rig.domains.Create({ ...example, name })
    const page = await rig.domains.List({ workspace, limit: 2, before: null })
    assert.deepEqual([page.domains.map(({ name }) => name), page.hasMore], [['c.example.com', 'b.example.com'], true])
    const next = await rig.domains.List({ workspace, limit: 2, before: page.domains[1]?.id ?? null })
    assert.deepEqual([next.domains.map(({ name }) => name), next.hasMore], [['a.example.com'], false])
    assert.deepEqual(await rig.domains.List({ workspace: other, limit: 2, before: null }), {
      domains: [],
      hasMore: false,
    })
  })

  it('are not found by another workspace, or under an id that is none', async () => {
    await using rig = await testDomains()
    const { id } = await rig.domains.Create(example)
    const { Get, Update, Delete, Verify, RotateKey } = rig.domains
    for (const domainKey of [
      { workspace: other, id },
      { workspace, id: newId('dom') },
      { workspace, id: "' or 1=1" },
    ])
      for (const call of [Get, Update, Delete, Verify, RotateKey])
        await assert.rejects(call({ ...domainKey, actor }), { code: 'not_found' })
    assert.equal((await Get({ workspace, id })).id, id)
  })

  it('are changed and deleted, with an audit entry for each change', async () => {
    await using rig = await testDomains()
    const { id } = await rig.domains.Create(example)
    const request = { workspace, id, actor, clientAddress: '198.51.100.7' }
    assert.equal((await rig.domains.Update({ ...request, subdomains: false })).subdomains, false)
    assert.equal((await rig.domains.Update({ ...request, subdomains: false })).subdomains, false)
    assert.equal((await rig.domains.Update(request)).subdomains, false)
    await rig.domains.Delete(request)
    await assert.rejects(rig.domains.Get(request), { code: 'not_found' })
    const created = { name: 'example.com', status: 'pending', subdomains: true }
    const entries = rig.entries.filter(({ workspace: of }) => of === workspace)
    for (const entry of entries) assert.deepEqual([entry.at, entry.actor, entry.target], [noon, actor, id])
    assert.deepEqual(
      entries.map(({ action, clientAddress, before, after }) => [action, clientAddress, before, after]),
      [
        ['domain.create', '', null, created],
        ['domain.update', '198.51.100.7', { subdomains: true }, { subdomains: false }],
        ['domain.delete', '198.51.100.7', { ...created, subdomains: false }, null],
      ],
    )
  })

  it('pass the calls between processes unchanged', async () => {
    await using rig = await testDomains({ bounceDomain: 'bounces.postrider.test' })
    const remote = domainsClient(encodedCalls(domainsSpec, domainsHandlers(rig.domains)))
    const domain = await remote.Create(example)
    publish(rig.dns, 'example.com', purposes(domain, 'ownership', 'return_path_mx'))
    const { id } = domain
    const request = { workspace, id, actor }
    assert.deepEqual(domain, await rig.domains.Get(request))
    assert.deepEqual(await remote.Verify(request), await rig.domains.Get(request))
    assert.equal((await remote.Update({ ...request, subdomains: false })).subdomains, false)
    assert.equal((await remote.Update(request)).subdomains, false)
    assert.deepEqual(await remote.RotateKey(request), await remote.Get(request))
    const page = await rig.domains.List({ workspace, limit: 1, before: null })
    assert.deepEqual(await remote.List({ workspace, limit: 1, before: null }), page)
    assert.deepEqual(await remote.List({ workspace, limit: 1, before: id }), { domains: [], hasMore: false })
    assert.deepEqual(await remote.PlatformDomain(), await rig.domains.PlatformDomain())
    assert.equal(await remote.Delete(request), undefined)
  })
})

describe('life of a sending domain', () => {
  it('is decided by its DNS records alone, from the first check to the removal of a replaced key', async () => {
    await using rig = await testDomains()
    const created = await rig.domains.Create(example)
    const domainKey = { workspace, id: created.id }
    const state = async () => {
      const { status, records } = await rig.domains.Get(domainKey)
      return [status, ...records.map(({ purpose, status: of }) => `${purpose} ${of}`)]
    }
    await rig.advance(minute)
    const missing = ['ownership missing', 'dkim missing', 'dkim missing', 'dmarc missing']
    assert.deepEqual(await state(), ['pending', ...missing])

    publish(rig.dns, 'example.com', created.records)
    await rig.advance(minute)
    const found = ['ownership found', 'dkim found', 'dkim found', 'dmarc found']
    assert.deepEqual(await state(), ['verified', ...found])

    const rsa = purposes(created, 'dkim').slice(0, 1)
    unpublish(rig.dns, 'example.com', rsa)
    await rig.advance(2 * hour)
    assert.deepEqual((await state())[0], 'warning')
    const [, shown] = (await rig.domains.Get(domainKey)).records
    assert.match(shown?.problem ?? '', /\.$/)

    rig.dns.zones['example.com'] = { names: {}, fault: 'servfail' }
    await rig.jump(3 * day)
    assert.deepEqual((await state())[0], 'warning')
    rig.dns.zones['example.com'] = { names: {} }
    await rig.advance(day + hour)
    assert.deepEqual((await state())[0], 'failed')
    publish(rig.dns, 'example.com', created.records)
    await rig.advance(day + hour)
    assert.deepEqual(await state(), ['verified', ...found])
    assert.equal((await rig.domains.Get(domainKey)).verifiedAt, created.createdAt + minute + 10_000)

    const rotating = await rig.domains.RotateKey({ ...domainKey, actor })
    const fresh = rotating.records.filter(({ name }) => !created.records.some((record) => record.name === name))
    assert.equal(fresh.length, 2)
    assert.deepEqual(await rig.domains.RotateKey({ ...domainKey, actor }), rotating)
    const signs = async () => {
      const { keys } = await rig.stored(created.id)
      return keys.flatMap(({ state: of, selector }) => (of === 'active' ? [`${selector}._domainkey.example.com`] : []))
    }
    const former = await signs()
    await rig.advance(hour)
    assert.deepEqual(await signs(), former)
    publish(rig.dns, 'example.com', fresh)
    await rig.advance(hour)
    assert.deepEqual((await signs()).toSorted(), fresh.map(({ name }) => name).toSorted())
    const old = async () => (await rig.domains.Get(domainKey)).records.filter(({ name }) => former.includes(name))
    assert.match((await old())[0]?.problem ?? '', /^This key was replaced\. Keep this record until 2026-/)
    await rig.jump(7 * day - hour)
    assert.match((await old())[0]?.problem ?? '', /^This key was replaced\. Keep this record until 2026-/)
    await rig.advance(day)
    assert.match((await old())[0]?.problem ?? '', /You can remove this record\./)
    unpublish(rig.dns, 'example.com', purposes(created, 'dkim'))
    await rig.advance(2 * day)
    assert.deepEqual(await old(), [])
    assert.equal((await rig.domains.Get(domainKey)).status, 'verified')

    const { events } = await rig.stored(created.id)
    assert.deepEqual(
      events.map(({ sequence, type }) => [sequence, type]),
      [
        [1, 'domain.verified'],
        [2, 'domain.failed'],
        [3, 'domain.verified'],
      ],
    )
    const changes = rig.entries.flatMap(({ action, actor: by, before, after }) =>
      action === 'domain.status' ? [[by, before?.['status'], after?.['status']]] : [],
    )
    assert.deepEqual(changes, [
      ['system', 'pending', 'verified'],
      ['system', 'verified', 'warning'],
      ['system', 'warning', 'failed'],
      ['system', 'failed', 'verified'],
    ])
    const rotations = rig.entries.filter(({ action }) => action === 'domain.rotate_key')
    assert.deepEqual(
      rotations.map(({ actor: by }) => by),
      [actor],
    )
  })

  it('shows no private key, and none is in a log or an audit entry', async () => {
    await using rig = await testDomains()
    const created = await rig.domains.Create(example)
    publish(rig.dns, 'example.com', created.records)
    await rig.advance(hour)
    const request = { workspace, id: created.id, actor }
    const shown = JSON.stringify([
      await rig.domains.RotateKey(request),
      await rig.domains.List({ workspace, limit: 10, before: null }),
      await rig.domains.PlatformDomain(),
      rig.entries,
      rig.lines,
      await rig.stored(created.id),
      await rig.metrics.registry.metrics(),
    ])
    const keys = await rig.privateKeys()
    assert.ok(keys.length >= 6)
    for (const key of keys)
      for (const encoding of ['base64', 'base64url', 'hex', 'latin1'] as const) {
        // The beginning of a PKCS#8 key names its type and is not a secret.
        const text = key.subarray(-24).toString(encoding)
        assert.ok(!shown.includes(JSON.stringify(text).slice(1, -1)), encoding)
      }
  })

  it('is verified in one workspace only, and free when its records are gone', async () => {
    await using rig = await testDomains()
    const [mine, theirs] = [
      await rig.domains.Create(example),
      await rig.domains.Create({ ...example, workspace: other }),
    ]
    publish(rig.dns, 'example.com', [...purposes(mine, 'ownership', 'dkim'), ...purposes(theirs, 'ownership', 'dkim')])
    await rig.advance(hour)
    const both = async () => [
      await rig.domains.Get({ workspace, id: mine.id }),
      await rig.domains.Get({ workspace: other, id: theirs.id }),
    ]
    const [first, second] = await both()
    assert.deepEqual([first?.status, second?.status].toSorted(), ['pending', 'verified'])
    const [winner, loser] = first?.status === 'verified' ? [mine, second] : [theirs, first]
    const [ownership] = loser?.records ?? []
    assert.match(
      `${ownership?.status} ${ownership?.problem}`,
      /^wrong Another workspace has verified example\.com\. Remove/,
    )
    const { name, value } = purposes(winner, 'ownership')[0] ?? assert.fail('no ownership record')
    const names = rig.dns.zones['example.com']?.names ?? {}
    names[name] = { TXT: names[name]?.TXT?.filter((text) => text !== value) ?? [] }
    await rig.jump(2 * hour)
    await rig.jump(day + hour)
    await rig.jump(day + hour)
    assert.deepEqual((await both()).map(({ id, status }) => [id === winner.id, status]).toSorted(), [
      [false, 'verified'],
      [true, 'failed'],
    ])
  })
})
