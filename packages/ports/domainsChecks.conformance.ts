import assert from 'node:assert/strict'
import { anEntry } from './auditFixtures.conformance.ts'
import { domain, inserted, leaseMs, max, namesOf, type OpenDomains, rewrite } from './domainsFixtures.conformance.ts'

/** Declares the tests of the queue of checks. */
export const checks = (open: OpenDomains): void => {
  it('claims due domains once, oldest first', async () => {
    const store = await open()
    for (const [name, at] of [
      ['late.example', 900],
      ['soon.example', 800],
      ['future.example', 1_001],
    ] as const) {
      await store.insert(domain({ name }), at, max, anEntry())
    }
    const claimed = await store.claim({ now: 1_000, limit: 10, leaseMs })
    assert.deepEqual(namesOf(claimed), ['soon.example', 'late.example'])
    assert.deepEqual(await store.claim({ now: 1_000, limit: 10, leaseMs }), [])
  })

  it('returns the ids of the secrets of all keys, without those of replaced keys', async () => {
    const store = await open()
    assert.deepEqual(await store.secretIds(), [])
    const first = await inserted(store, { name: 'a.example' })
    await inserted(store, { name: 'b.example' })
    assert.deepEqual(await store.secretIds(), ['s1'])
    const keys = first.keys.map((key, index) => ({
      ...key,
      sealed: index === 0 ? { secretId: 's2', box: 'sealed' } : null,
    }))
    await rewrite(store, { ...first, keys })
    assert.deepEqual((await store.secretIds()).toSorted(), ['s1', 's2'])
  })

  it('claims no more than the limit', async () => {
    const store = await open()
    for (let i = 0; i < 5; i++) await inserted(store, { name: `${i}.example` })
    assert.equal((await store.claim({ now: 1_000, limit: 3, leaseMs })).length, 3)
    assert.equal((await store.claim({ now: 1_000, limit: 3, leaseMs })).length, 2)
  })

  it('claims nothing with a limit of zero', async () => {
    const store = await open()
    await inserted(store)
    assert.deepEqual(await store.claim({ now: 1_000, limit: 0, leaseMs }), [])
    assert.equal((await store.claim({ now: 1_000, limit: 1, leaseMs })).length, 1)
  })

  it('claims due domains behind leased ones that are older', async () => {
    const store = await open()
    for (let i = 0; i < 4; i++) await inserted(store, { name: `${i}.example` })
    await store.insert(domain({ name: 'later.example' }), 1_500, max, anEntry())
    await store.claim({ now: 1_000, limit: 10, leaseMs })
    assert.deepEqual(namesOf(await store.claim({ now: 2_000, limit: 1, leaseMs })), ['later.example'])
  })

  it('gives each domain to one of several concurrent callers', async () => {
    const store = await open()
    for (let i = 0; i < 10; i++) await inserted(store, { name: `${i}.example` })
    const batches = await Promise.all(Array.from({ length: 5 }, () => store.claim({ now: 1_000, limit: 4, leaseMs })))
    const names = namesOf(batches.flat())
    assert.equal(new Set(names).size, names.length)
    const remaining = await store.claim({ now: 1_000, limit: 10, leaseMs })
    assert.equal(names.length + remaining.length, 10)
  })

  it('stores the lease and increments the fencing token of a claimed domain', async () => {
    const store = await open()
    const { id } = await inserted(store)
    const [claimed] = await store.claim({ now: 1_000, limit: 1, leaseMs })
    const stored = await store.get('ws_1', id)
    assert.ok((claimed?.fence ?? 0) > 0)
    assert.deepEqual([stored?.fence, stored?.leaseUntil], [claimed?.fence, 1_000 + leaseMs])
  })

  it('gives a domain to another caller when its lease has ended, and refuses the write of the first', async () => {
    const store = await open()
    const one = await inserted(store)
    const [first] = await store.claim({ now: 1_000, limit: 1, leaseMs })
    assert.deepEqual(await store.claim({ now: 999 + leaseMs, limit: 1, leaseMs }), [])
    const [second] = await store.claim({ now: 1_000 + leaseMs, limit: 1, leaseMs })
    const change = { domain: one, nextCheckAt: 99_000 }
    assert.equal(await store.write(one.id, first?.fence ?? 0, change, []), 'lost')
    assert.equal(await store.write(one.id, second?.fence ?? 0, change, []), 'written')
  })

  it('ends the lease with the write, and is due again at the new time', async () => {
    const store = await open()
    const one = await inserted(store)
    const [claimed] = await store.claim({ now: 1_000, limit: 1, leaseMs })
    await store.write(one.id, claimed?.fence ?? 0, { domain: one, nextCheckAt: 2_000 }, [])
    assert.deepEqual(await store.claim({ now: 1_999, limit: 1, leaseMs }), [])
    assert.equal((await store.claim({ now: 2_000, limit: 1, leaseMs })).length, 1)
  })

  it('refuses the write of a check when a person changed the domain during it', async () => {
    const store = await open()
    const one = await inserted(store)
    const [claimed] = await store.claim({ now: 1_000, limit: 1, leaseMs })
    assert.equal(await rewrite(store, { ...one, subdomains: false }), 'written')
    assert.equal(await store.write(one.id, claimed?.fence ?? 0, { domain: one, nextCheckAt: 9_000 }, []), 'lost')
    const [again] = await store.claim({ now: 1_000, limit: 1, leaseMs })
    assert.equal(again?.domain.subdomains, false)
  })

  it('leases one domain before its time, unless a live lease has it', async () => {
    const store = await open()
    const one = domain()
    await store.insert(one, 50_000, max, anEntry())
    const claimed = await store.claimOne(one.id, 1_000, leaseMs)
    assert.deepEqual(claimed?.domain, one)
    assert.equal(await store.claimOne(one.id, 999 + leaseMs, leaseMs), null)
    assert.ok(((await store.claimOne(one.id, 1_000 + leaseMs, leaseMs))?.fence ?? 0) > (claimed?.fence ?? 0))
    assert.equal(await store.claimOne('dom_none', 1_000, leaseMs), null)
  })

  it('makes a released domain due again, and ignores a release with an old fence', async () => {
    const store = await open()
    const { id } = await inserted(store)
    const [first] = await store.claim({ now: 1_000, limit: 1, leaseMs })
    await store.release([{ id, fence: first?.fence ?? 0 }])
    const [second] = await store.claim({ now: 1_000, limit: 1, leaseMs })
    assert.ok((second?.fence ?? 0) > (first?.fence ?? 0))
    await store.release([{ id, fence: first?.fence ?? 0 }])
    assert.deepEqual(await store.claim({ now: 1_000, limit: 1, leaseMs }), [])
    await store.release([])
  })

  it('makes every leased domain due again when all leases are cleared', async () => {
    const store = await open()
    for (let i = 0; i < 3; i++) await inserted(store, { name: `${i}.example` })
    await store.claim({ now: 1_000, limit: 10, leaseMs })
    await store.clearLeases()
    assert.equal((await store.claim({ now: 1_000, limit: 10, leaseMs })).length, 3)
  })

  it('returns the time of the next check, or of the end of the lease that delays it', async () => {
    const store = await open()
    assert.equal(await store.nextDue(), null)
    await store.insert(domain({ name: 'later.example' }), 500_000, max, anEntry())
    await inserted(store)
    assert.equal(await store.nextDue(), 1_000)
    await store.claim({ now: 1_000, limit: 1, leaseMs })
    assert.equal(await store.nextDue(), 1_000 + leaseMs)
  })

  it('returns the time of the check of a domain that was leased before it, if that is later', async () => {
    const store = await open()
    const one = domain()
    await store.insert(one, 500_000, max, anEntry())
    await store.claimOne(one.id, 1_000, leaseMs)
    assert.equal(await store.nextDue(), 500_000)
  })

  it('counts domains by their status after a change, without removed domains', async () => {
    const store = await open()
    const all = []
    for (let i = 0; i < 3; i++) all.push(await inserted(store, { name: `${i}.example` }))
    for (const one of all) await rewrite(store, { ...one, status: 'verified' }, 1_000)
    for (const one of all.slice(1)) await rewrite(store, { ...one, status: 'warning' }, 9_000)
    await store.remove('ws_1', `${all[2]?.id}`, () => anEntry())
    // A leased check has not been made.
    await store.claim({ now: 1_000, limit: 1, leaseMs })
    const byStatus = { pending: 0, verified: 1, warning: 1, failed: 0 }
    assert.deepEqual(await store.counts(2_000), { byStatus, overdue: 1 })
  })

  it('counts domains by status, and those whose check is overdue', async () => {
    const store = await open()
    const zero = { pending: 0, verified: 0, warning: 0, failed: 0 }
    assert.deepEqual(await store.counts(1_000), { byStatus: zero, overdue: 0 })
    for (const [i, status] of (['pending', 'pending', 'verified', 'failed'] as const).entries()) {
      await store.insert(domain({ name: `${i}.example`, status }), 1_000 + i, max, anEntry())
    }
    assert.deepEqual(await store.counts(1_002), {
      byStatus: { ...zero, pending: 2, verified: 1, failed: 1 },
      overdue: 2,
    })
  })
}
