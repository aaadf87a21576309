import assert from 'node:assert/strict'
import { connectMongo } from '@postrider/adapters/mongo/client/connect.ts'
import { domainIndexes, mongoDomains } from '@postrider/adapters/mongo/domains/domains.ts'
import type { SendingDomain } from '@postrider/domain/domains/domain.ts'
import { anEntry } from '@postrider/ports/auditFixtures.conformance.ts'
import type { DomainStore } from '@postrider/ports/domains.ts'
import { domain, fullDomain, inserted, leaseMs, max } from '@postrider/ports/domainsFixtures.conformance.ts'
import { type Db, MongoNetworkError } from 'mongodb'
import { useBackend } from '../backends/backends.ts'
import { wrappedDb } from '../faults/wrappedDb.ts'
import { mongoForTests } from './mongo.ts'

const claim = { now: 1_000, limit: 10, leaseMs } as const

/** Returns the database as seen by a process that dies after this many writes: every later call fails. */
const dyingMongo = (db: Db, writes: number): Db => {
  let left = writes
  const die = (): never => {
    throw new Error('the process died')
  }
  return wrappedDb(db, {
    write: ({ run }) => (left-- > 0 ? run() : die()),
    read: (run) => (left < 0 || (left === 0 && writes > 0) ? die() : run()),
  })
}

describe('domain store on MongoDB', () => {
  const address = useBackend('mongodb')
  const open = mongoForTests(domainIndexes)
  let stack = new AsyncDisposableStack()
  afterEach(async () => {
    await stack.disposeAsync()
    stack = new AsyncDisposableStack()
  })

  /** Opens the same new database on several connections, as the processes of a cluster do. */
  const processes = async (count: number): Promise<DomainStore[]> => {
    const { databaseName } = await open()
    const connect = async () => stack.use(await connectMongo({ url: address(), name: 'contract' }))
    const connections = await Promise.all(Array.from({ length: count }, connect))
    return connections.map(({ db }) => mongoDomains(db.client.db(databaseName)))
  }
  const nth = (stores: readonly DomainStore[], number: number): DomainStore => {
    const store = stores[number % stores.length]
    assert.ok(store)
    return store
  }

  it('gives a name to one of 20 workspaces that verify it concurrently on several connections', async () => {
    const stores = await processes(4)
    const pending = await Promise.all(
      Array.from({ length: 20 }, (_, number) => inserted(nth(stores, number), { workspace: `ws_${number}` })),
    )
    const results = await Promise.all(
      pending.map(async (one, number) => {
        const store = nth(stores, number)
        const claimed = await store.claimOne(one.id, 1_000, leaseMs)
        const change = { domain: { ...one, status: 'verified' as const }, nextCheckAt: 9_000 }
        return store.write(one.id, claimed?.fence ?? -1, change, [])
      }),
    )
    assert.deepEqual(results.sort(), [...Array(19).fill('taken'), 'written'])
    const { byStatus } = await nth(stores, 0).counts(1_000)
    assert.deepEqual([byStatus.pending, byStatus.verified], [19, 1])
  })

  it('inserts exactly as many domains as a workspace may have, from several connections at the same time', async () => {
    const stores = await processes(4)
    const results = await Promise.all(
      Array.from({ length: 40 }, (_, number) =>
        nth(stores, number).insert(domain({ name: `${number}.example.com` }), 1_000, 7, anEntry()),
      ),
    )
    assert.equal(results.filter((result) => result === 'inserted').length, 7)
    assert.equal(results.filter((result) => result === 'full').length, 33)
    assert.equal((await nth(stores, 0).list('ws_1', null, 50)).domains.length, 7)
  })

  it('gives each of 300 due domains to one of 12 concurrent claimers', async () => {
    const stores = await processes(4)
    const all: SendingDomain[] = []
    for (let number = 0; number < 300; number++)
      all.push(await inserted(nth(stores, number), { name: `${number}.example.com` }))
    const claimed: string[] = []
    const claimAll = async (store: DomainStore): Promise<void> => {
      for (;;) {
        const batch = await store.claim(claim)
        claimed.push(...batch.map((one) => one.domain.id))
        if (batch.length === 0 && (await store.nextDue()) === claim.now + leaseMs) return
      }
    }
    await Promise.all(Array.from({ length: 12 }, (_, number) => claimAll(nth(stores, number))))
    assert.deepEqual(claimed.sort(), all.map(({ id }) => id).sort())
  })

  it('makes domains due again when a process died between the lease and its read', async () => {
    const db = await open()
    const store = mongoDomains(db)
    await inserted(store)
    await assert.rejects(mongoDomains(dyingMongo(db, 1)).claim(claim), /died/)
    assert.deepEqual(await store.claim({ ...claim, now: claim.now + leaseMs - 1 }), [])
    assert.equal(await store.nextDue(), claim.now + leaseMs)
    assert.equal((await store.claim({ ...claim, now: claim.now + leaseMs })).length, 1)
  })

  it('uses a slot only for a stored domain when a process dies during an insert', async () => {
    const db = await open()
    const store = mongoDomains(db)
    const one = domain()
    await assert.rejects(mongoDomains(dyingMongo(db, 0)).insert(one, 1_000, 1, anEntry()), /died/)
    assert.equal(await store.byName('ws_1', one.name), null)
    assert.equal(await mongoDomains(dyingMongo(db, 1)).insert(one, 1_000, 1, anEntry()), 'inserted')
    assert.equal(await store.insert(one, 1_000, 1, anEntry()), 'inserted', 'a repeated insert')
    assert.equal(await store.insert(domain({ name: 'other.example' }), 1_000, 1, anEntry()), 'full')
  })

  it('changes a domain wholly or not at all when a process dies around the write', async () => {
    const db = await open()
    const store = mongoDomains(db)
    const one = await inserted(store)
    const change = { domain: { ...one, status: 'verified' as const }, nextCheckAt: 5_000 }
    await assert.rejects(mongoDomains(dyingMongo(db, 0)).write(one.id, 0, change, []), /died/)
    const before = await store.get('ws_1', one.id)
    assert.deepEqual(before, { domain: one, nextCheckAt: 1_000, leaseUntil: null, fence: 0 })
    assert.equal(await mongoDomains(dyingMongo(db, 1)).write(one.id, 0, change, []), 'written')
    assert.deepEqual((await store.senders('ws_1')).length, 1)
  })

  for (const [name, interrupt] of [
    [
      'changes',
      async (store: DomainStore, id: string) => {
        const stored = await store.get('ws_1', id)
        assert.ok(stored)
        await store.write(id, stored.fence, { domain: { ...stored.domain, subdomains: false }, nextCheckAt: 9_000 }, [])
      },
    ],
    ['removes', async (store: DomainStore, id: string) => void (await store.remove('ws_1', id, () => anEntry()))],
    [
      'releases and leases',
      async (store: DomainStore, id: string) => {
        await store.release([{ id, fence: 1 }])
        assert.equal((await store.claimOne(id, 1_000, leaseMs))?.fence, 2)
      },
    ],
    [
      'leases after its lease has ended',
      async (store: DomainStore, id: string) => {
        assert.equal((await store.claimOne(id, claim.now + leaseMs, leaseMs))?.fence, 2)
      },
    ],
    [
      'releases and claims',
      async (store: DomainStore, id: string) => {
        await store.release([{ id, fence: 1 }])
        assert.equal((await store.claim(claim)).length, 1)
      },
    ],
  ] as const) {
    it(`does not return a domain that another process ${name} between the lease and its read`, async () => {
      const db = await open()
      const store = mongoDomains(db)
      const { id } = await inserted(store)
      let reads = 0
      const interrupted = wrappedDb(db, {
        write: ({ run }) => run(),
        read: async (run) => {
          reads += 1
          if (reads === 2) await interrupt(store, id)
          return run()
        },
      })
      assert.deepEqual(await mongoDomains(interrupted).claim({ ...claim, limit: 1 }), [])
    })
  }

  it('reports a lost connection as unavailable', async () => {
    const db = await open()
    const lost = () => Promise.reject(new MongoNetworkError('connection closed'))
    const store = mongoDomains(wrappedDb(db, { write: lost, read: lost }))
    const calls = [
      store.insert(domain(), 1_000, max, anEntry()),
      store.get('ws_1', 'dom_1'),
      store.write('dom_1', 0, { domain: domain(), nextCheckAt: 1 }, []),
      store.remove('ws_1', 'dom_1', () => anEntry()),
      store.claim(claim),
      store.claimOne('dom_1', 1, leaseMs),
      store.release([{ id: 'dom_1', fence: 1 }]),
      store.nextDue(),
      store.senders('ws_1'),
      store.signing('dom_1'),
    ]
    for (const call of calls) await assert.rejects(call, { code: 'unavailable' })
  })

  it('rejects an object in place of a string', async () => {
    const store = mongoDomains(await open())
    const one = await inserted(store)
    const anything = { $ne: null } as unknown as string
    const calls = [
      () => store.get(anything, one.id),
      () => store.get('ws_1', anything),
      () => store.byName('ws_1', anything),
      () => store.list(anything, null, 10),
      () => store.list('ws_1', anything, 10),
      () => store.remove('ws_1', anything, () => anEntry()),
      () => store.write(anything, 0, { domain: one, nextCheckAt: 1 }, []),
      () => store.claimOne(anything, 1_000, leaseMs),
      () => store.release([{ id: anything, fence: 0 }]),
      () => store.senders(anything),
      () => store.signing(anything),
      () => store.insert(domain({ name: anything }), 1_000, max, anEntry()),
    ]
    for (const call of calls) await assert.rejects(call, /scalars only/)
    assert.ok(await store.get('ws_1', one.id))
  })

  it('reads neither events nor checks for the choice of a sender, and no events for signing', async () => {
    const db = await open()
    const one = fullDomain()
    await mongoDomains(db).insert(one, 1_000, max, anEntry())
    const read: string[] = []
    const watched = wrappedDb(db, {
      write: ({ run }) => run(),
      read: async (run) => {
        const found = await run()
        read.push(JSON.stringify(found))
        return found
      },
    })
    const store = mongoDomains(watched)
    await store.senders('ws_1')
    await store.signing(one.id)
    assert.equal(read.length, 2)
    assert.doesNotMatch(`${read[0]}`, /keys|lastCheck|events|token/)
    assert.doesNotMatch(`${read[1]}`, /events|token/)
  })
})
