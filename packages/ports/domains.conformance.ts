import assert from 'node:assert/strict'
import { signingDomainOf } from '@postrider/domain/domains/domain.ts'
import { maxPageBytes } from '@postrider/domain/listPage.ts'
import { newId } from '@postrider/kit/ids.ts'
import { anEntry } from './auditFixtures.conformance.ts'
import { checks } from './domainsChecks.conformance.ts'
import {
  domain,
  fullDomain,
  inserted,
  max,
  type OpenDomains,
  rewrite,
  senderDomainOf,
} from './domainsFixtures.conformance.ts'

/** Declares the tests that every store of sending domains must pass. `open` returns an empty store. */
export const domainsConformance = (adapter: string, open: OpenDomains) =>
  describe(`domain store in ${adapter}`, () => {
    documents(open)
    claimedNames(open)
    checks(open)
    hotPath(open)
  })

const documents = (open: OpenDomains): void => {
  it('returns a domain as it was inserted, by id and by name', async () => {
    const store = await open()
    const one = fullDomain()
    assert.equal(await store.insert(one, 5_000, max, anEntry()), 'inserted')
    const stored = { domain: one, nextCheckAt: 5_000, leaseUntil: null, fence: 0 }
    assert.deepEqual(await store.get('ws_1', one.id), stored)
    assert.deepEqual(await store.byName('ws_1', 'example.com'), stored)
  })

  it('returns null for a domain of another workspace', async () => {
    const store = await open()
    const one = await inserted(store)
    assert.equal(await store.get('ws_2', one.id), null)
    assert.equal(await store.byName('ws_2', one.name), null)
    assert.equal(await store.get('ws_1', newId('dom')), null)
    assert.equal(await store.remove('ws_2', one.id, () => anEntry()), null)
    assert.ok(await store.get('ws_1', one.id))
  })

  it('inserts a domain once when the insert is repeated', async () => {
    const store = await open()
    const one = await inserted(store)
    assert.equal(await store.insert(one, 1_000, max, anEntry()), 'inserted')
    assert.equal((await store.list('ws_1', null, 10)).domains.length, 1)
  })

  it('refuses a second domain of the same name in a workspace, but not in another one', async () => {
    const store = await open()
    await inserted(store)
    assert.equal(await store.insert(domain(), 1_000, max, anEntry()), 'exists')
    assert.equal(await store.insert(domain({ workspace: 'ws_2' }), 1_000, max, anEntry()), 'inserted')
    assert.equal((await store.list('ws_1', null, 10)).domains.length, 1)
  })

  it('stores one of several domains of the same name that are inserted at the same time', async () => {
    const store = await open()
    const results = await Promise.all(Array.from({ length: 8 }, () => store.insert(domain(), 1_000, max, anEntry())))
    assert.deepEqual(results.sort(), [...Array(7).fill('exists'), 'inserted'])
  })

  it('stores no more domains of a workspace than its limit, even at the same time', async () => {
    const store = await open()
    const insert = (name: string) => store.insert(domain({ name }), 1_000, 3, anEntry())
    const results = await Promise.all(Array.from({ length: 8 }, (_, i) => insert(`${i}.example.com`)))
    assert.equal(results.filter((result) => result === 'inserted').length, 3)
    assert.equal(results.filter((result) => result === 'full').length, 5)
    const { domains } = await store.list('ws_1', null, 10)
    assert.equal(domains.length, 3)
    assert.equal(await store.insert(domain({ workspace: 'ws_2' }), 1_000, 3, anEntry()), 'inserted')
    await store.remove('ws_1', `${domains[0]?.id}`, () => anEntry())
    assert.equal(await insert('again.example.com'), 'inserted')
    assert.equal(await insert('more.example.com'), 'full')
  })

  it('lists the domains of one workspace newest first, in pages', async () => {
    const store = await open()
    const names = ['a.example', 'b.example', 'c.example']
    const ids = names.map((_, i) => `dom_${i}`)
    for (const [i, name] of names.entries()) await inserted(store, { id: `dom_${i}`, name })
    await inserted(store, { workspace: 'ws_2' })
    const first = await store.list('ws_1', null, 2)
    assert.deepEqual([first.domains.map(({ id }) => id), first.hasMore], [[ids[2], ids[1]], true])
    await inserted(store, { id: 'dom_9', name: 'd.example' })
    const second = await store.list('ws_1', 'dom_1', 2)
    assert.deepEqual([second.domains.map(({ id }) => id), second.hasMore], [[ids[0]], false])
  })

  it('ends a page before its records exceed the bytes of a page', async () => {
    const store = await open()
    const problem = 'x'.repeat(Math.floor(maxPageBytes / 5))
    const lastCheck = { at: 1, records: (fullDomain().lastCheck?.records ?? []).map((one) => ({ ...one, problem })) }
    for (let i = 0; i < 4; i++) await inserted(store, { id: `dom_${i}`, name: `${i}.example`, lastCheck })
    const page = await store.list('ws_1', null, 10)
    assert.deepEqual([page.domains.map(({ id }) => id), page.hasMore], [['dom_3', 'dom_2'], true])
  })

  // A process of a later release may store more, and a rolling update must not lose it.
  it('stores fields that are unknown to this version', async () => {
    const store = await open()
    const one = { ...domain(), later: { than: ['this'] } }
    await store.insert(one, 1_000, max, anEntry())
    const stored = await store.get('ws_1', one.id)
    assert.deepEqual(stored?.domain, one)
    await rewrite(store, { ...stored.domain, subdomains: false })
    assert.deepEqual((await store.get('ws_1', one.id))?.domain, { ...one, subdomains: false })
  })

  it('replaces a domain and increments its fencing token when the fence is current', async () => {
    const store = await open()
    const one = await inserted(store)
    const next = fullDomain({ id: one.id })
    assert.equal(await store.write(one.id, 0, { domain: next, nextCheckAt: 7_000 }, []), 'written')
    const stored = await store.get('ws_1', one.id)
    assert.deepEqual({ ...stored, fence: 0 }, { domain: next, nextCheckAt: 7_000, leaseUntil: null, fence: 0 })
    assert.ok((stored?.fence ?? 0) > 0)
  })

  it('refuses a write with an old fence', async () => {
    const store = await open()
    const one = await inserted(store)
    await store.write(one.id, 0, { domain: { ...one, subdomains: false }, nextCheckAt: 1_000 }, [])
    assert.equal(await store.write(one.id, 0, { domain: one, nextCheckAt: 9_000 }, []), 'lost')
    const stored = await store.get('ws_1', one.id)
    assert.deepEqual([stored?.domain.subdomains, stored?.nextCheckAt], [false, 1_000])
  })

  it('performs one of several writes with the same fence', async () => {
    const store = await open()
    const one = await inserted(store)
    const results = await Promise.all(
      Array.from({ length: 8 }, (_, i) => store.write(one.id, 0, { domain: one, nextCheckAt: 2_000 + i }, [])),
    )
    assert.deepEqual(results.sort(), [...Array(7).fill('lost'), 'written'])
  })

  it('returns a removed domain, and refuses writes to it afterwards', async () => {
    const store = await open()
    const one = await inserted(store)
    assert.deepEqual(await store.remove('ws_1', one.id, () => anEntry()), one)
    assert.equal(await store.remove('ws_1', one.id, () => anEntry()), null)
    assert.equal(await store.write(one.id, 0, { domain: one, nextCheckAt: 1_000 }, []), 'lost')
    assert.equal(await store.get('ws_1', one.id), null)
    assert.equal(await store.insert(domain(), 1_000, max, anEntry()), 'inserted')
  })
}

const claimedNames = (open: OpenDomains): void => {
  it('lets only one of several workspaces make a name usable', async () => {
    const store = await open()
    const pending = await Promise.all(
      ['ws_1', 'ws_2', 'ws_3', 'ws_4'].map((workspace) => inserted(store, { workspace })),
    )
    const results = await Promise.all(pending.map((one) => rewrite(store, { ...one, status: 'verified' })))
    assert.deepEqual(results.sort(), ['taken', 'taken', 'taken', 'written'])
    const stored = await Promise.all(pending.map(({ workspace, id }) => store.get(workspace, id)))
    const statuses = stored.map((one) => one?.domain.status)
    assert.deepEqual(statuses.sort(), ['pending', 'pending', 'pending', 'verified'])
  })

  it('changes nothing, the fence and lease included, when a write is refused as taken', async () => {
    const store = await open()
    const [first, second] = [await inserted(store), await inserted(store, { workspace: 'ws_2' })]
    await rewrite(store, { ...first, status: 'verified' }, 99_000)
    const [claimed] = await store.claim({ now: 1_000, limit: 10, leaseMs: 60_000 })
    assert.equal(claimed?.domain.id, second.id)
    const before = await store.get('ws_2', second.id)
    const change = { domain: { ...second, status: 'verified' as const }, nextCheckAt: 9_000 }
    assert.equal(await store.write(second.id, claimed?.fence ?? 0, change, []), 'taken')
    assert.deepEqual(await store.get('ws_2', second.id), before)
    assert.equal(await store.write(second.id, claimed?.fence ?? 0, { ...change, domain: second }, []), 'written')
  })

  it('keeps a name in one workspace while its domain is verified or in warning', async () => {
    const store = await open()
    const [first, second] = [await inserted(store), await inserted(store, { workspace: 'ws_2' })]
    for (const status of ['verified', 'warning', 'verified'] as const) {
      assert.equal(await rewrite(store, { ...first, status }), 'written')
      assert.equal(await rewrite(store, { ...second, status: 'verified' }), 'taken')
    }
  })

  it('gives a name free when its domain has failed, and does not return it', async () => {
    const store = await open()
    const [first, second] = [await inserted(store), await inserted(store, { workspace: 'ws_2' })]
    await rewrite(store, { ...first, status: 'verified' })
    await rewrite(store, { ...first, status: 'failed' })
    assert.equal(await rewrite(store, { ...second, status: 'verified' }), 'written')
    assert.equal(await rewrite(store, { ...first, status: 'verified' }), 'taken')
    assert.equal(await rewrite(store, { ...first, status: 'failed' }), 'written')
  })

  it('gives a name free when its domain is removed', async () => {
    const store = await open()
    const [first, second] = [await inserted(store), await inserted(store, { workspace: 'ws_2' })]
    await rewrite(store, { ...first, status: 'verified' })
    await store.remove('ws_1', first.id, () => anEntry())
    assert.equal(await rewrite(store, { ...second, status: 'verified' }), 'written')
  })

  it('does not insert a usable domain whose name another usable domain has', async () => {
    const store = await open()
    const first = domain({ status: 'verified' })
    const second = domain({ workspace: 'ws_2', status: 'warning' })
    assert.equal(await store.insert(first, 1_000, max, anEntry()), 'inserted')
    assert.equal(await store.insert(second, 1_000, max, anEntry()), 'taken')
    assert.equal(await store.get('ws_2', second.id), null)
    await store.remove('ws_1', first.id, () => anEntry())
    assert.equal(await store.insert(second, 1_000, 1, anEntry()), 'inserted')
  })

  it('decides a subdomain separately from the domain above it', async () => {
    const store = await open()
    const first = await inserted(store)
    const second = await inserted(store, { workspace: 'ws_2', name: 'mail.example.com' })
    assert.equal(await rewrite(store, { ...first, status: 'verified' }), 'written')
    assert.equal(await rewrite(store, { ...second, status: 'verified' }), 'written')
  })
}

const hotPath = (open: OpenDomains): void => {
  it('returns the usable domains of a workspace for the choice of the sender', async () => {
    const store = await open()
    const statuses = ['pending', 'verified', 'warning', 'failed'] as const
    const all = []
    for (const status of statuses) {
      const one = await inserted(store, { name: `${status}.example` })
      const next = { ...one, status, returnPathVerified: status === 'warning', subdomains: status !== 'warning' }
      await rewrite(store, next)
      all.push(next)
    }
    await rewrite(store, { ...(await inserted(store, { workspace: 'ws_2' })), status: 'verified' })
    const senders = await store.senders('ws_1')
    const expected = all.filter(({ status }) => status === 'verified' || status === 'warning').map(senderDomainOf)
    const byName = (a: { name: string }, b: { name: string }) => a.name.localeCompare(b.name)
    assert.deepEqual([...senders].sort(byName), expected.sort(byName))
    assert.deepEqual(await store.senders('ws_3'), [])
  })

  it('returns what signing needs in any status', async () => {
    const store = await open()
    const one = fullDomain({ status: 'failed' })
    await store.insert(one, 1_000, max, anEntry())
    assert.deepEqual(await store.signing(one.id), signingDomainOf(one))
    assert.equal(await store.signing(newId('dom')), null)
    await store.remove('ws_1', one.id, () => anEntry())
    assert.equal(await store.signing(one.id), null)
  })
}
