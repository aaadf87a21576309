import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate as nextIteration } from 'node:timers/promises'
import { domainStatuses, type SendingDomain } from '@postrider/domain/domains/domain.ts'
import { anEntry } from '@postrider/ports/auditFixtures.conformance.ts'
import type { DomainStore } from '@postrider/ports/domains.ts'
import { domain, inserted, leaseMs, max, rewrite } from '@postrider/ports/domainsFixtures.conformance.ts'
import { printedSeed, seeded } from '../../../../test/faults/random.ts'
import { useDatabase } from '../../../../test/support/useDatabase.ts'
import type { SqliteDatabase } from '../client/database.ts'
import { schemaOf } from '../client/migrations.ts'
import { mail } from '../migrations/0001_mail.ts'
import { accounts } from '../migrations/0002_accounts.ts'
import { fairClaims } from '../migrations/0003_fair_claims.ts'
import { queueShares } from '../migrations/0004_queue_shares.ts'
import { queueCounts } from '../migrations/0005_queue_counts.ts'
import { contentParts } from '../migrations/0006_content_parts.ts'
import { keyLeases } from '../migrations/0007_key_leases.ts'
import { sqliteDomains } from './domains.ts'

const claim = { now: 1_000, limit: 10, leaseMs } as const

describe('SQLite sending domains', () => {
  let db: SqliteDatabase
  const { path, openAgain } = useDatabase((opened) => {
    db = opened
  })

  /** Makes the commit of this iteration fail after `write`. */
  const losing = async <T>(write: () => Promise<T>): Promise<T> => {
    await db.synced()
    const result = await write()
    db.prepare('PRAGMA max_page_count = 1').get()
    const large = domain({ name: 'large.example', token: 'x'.repeat(1_000_000) })
    await assert.rejects(sqliteDomains(db).insert(large, 1_000, max, anEntry()), { code: 'unavailable' })
    await nextIteration()
    db.prepare('PRAGMA max_page_count = 1000000').get()
    return result
  }

  it('never returns a fence again that was lost with a failed commit of a claim', async () => {
    const store = sqliteDomains(db)
    const one = await inserted(store)
    const [lost] = await losing(() => store.claim(claim))
    const [again] = await store.claim(claim)
    assert.ok(lost && again && again.fence > lost.fence)
    assert.equal(await store.write(one.id, lost.fence, { domain: one, nextCheckAt: 9_000 }, []), 'lost')
  })

  it('refuses a change that was decided on a write that a failed commit undid', async () => {
    const store = sqliteDomains(db)
    const one = await inserted(store)
    const read = await losing(async () => {
      await store.write(one.id, 0, { domain: { ...one, status: 'verified' }, nextCheckAt: 9_000 }, [])
      return store.get('ws_1', one.id)
    })
    assert.equal(read?.domain.status, 'verified')
    await store.write(one.id, 0, { domain: { ...one, subdomains: false }, nextCheckAt: 9_000 }, [])
    assert.equal(await store.write(one.id, read.fence, { domain: read.domain, nextCheckAt: 9_000 }, []), 'lost')
    const stored = await store.get('ws_1', one.id)
    assert.deepEqual([stored?.domain.subdomains, stored?.domain.status], [false, 'pending'])
  })

  it('has domains and leases in the file after a restart, until the leases are cleared', async () => {
    const one = await inserted(sqliteDomains(db))
    await sqliteDomains(db).claim(claim)
    await db.synced()
    await db[Symbol.asyncDispose]()
    openAgain()
    const store = sqliteDomains(db)
    assert.deepEqual((await store.get('ws_1', one.id))?.leaseUntil, claim.now + leaseMs)
    assert.deepEqual(await store.claim(claim), [])
    await store.clearLeases()
    assert.deepEqual((await store.claim(claim))[0]?.domain, one)
  })

  it('adds its tables to a file of schema 7 without changing its mail', async () => {
    const newest = schemaOf(db)
    await db[Symbol.asyncDispose]()
    rmSync(path())
    const old = new DatabaseSync(path())
    for (const sql of [mail, accounts, fairClaims, queueShares, queueCounts, contentParts, keyLeases]) old.exec(sql)
    old.exec("INSERT INTO templates VALUES ('tpl_1', 'ws_1', 'Hello', 1)")
    old.exec('PRAGMA user_version = 7')
    old.close()
    openAgain()
    assert.ok(newest > 7)
    assert.equal(schemaOf(db), newest)
    assert.equal(db.prepare('SELECT count(*) AS n FROM templates').get()?.['n'], 1)
    const store = sqliteDomains(db)
    const one = await inserted(store)
    assert.equal(await rewrite(store, { ...one, status: 'verified' }), 'written')
    assert.equal((await store.senders('ws_1')).length, 1)
  })

  it('counts the stored domains of each status correctly after any sequence of writes', async () => {
    const random = seeded(printedSeed())
    const below = (limit: number): number => Math.floor(random() * limit)
    const store = sqliteDomains(db)
    const all: SendingDomain[] = []
    const step: (() => Promise<unknown>)[] = [
      async () => {
        const status = domainStatuses[below(4)] ?? 'pending'
        const one = domain({ workspace: `ws_${below(6)}`, name: `${below(8)}.example`, status })
        if ((await store.insert(one, below(2_000), 5, anEntry())) === 'inserted') all.push(one)
      },
      async () => {
        const one = all[below(all.length)]
        if (one) await rewrite(store, { ...one, status: domainStatuses[below(4)] ?? 'pending' }, below(2_000))
      },
      async () => {
        const one = all[below(all.length)]
        if (one && below(3) === 0) await store.remove(one.workspace, one.id, () => anEntry())
      },
      async () => store.claim({ ...claim, limit: 3 }),
      async () => below(10) === 0 && losing(async () => rewriteAny(store, all[below(all.length)])),
    ]
    for (let steps = 0; steps < 600; steps++) await step[below(step.length)]?.()
    const rows = db.prepare('SELECT status, count(*) AS n FROM domains GROUP BY status').all()
    const zero = { pending: 0, verified: 0, warning: 0, failed: 0 }
    const expected = { ...zero, ...Object.fromEntries(rows.map((row) => [row['status'], row['n']])) }
    const { byStatus, overdue } = await store.counts(1_000)
    assert.deepEqual(byStatus, expected)
    assert.equal(overdue, db.prepare('SELECT count(*) AS n FROM domains WHERE next_check_at < 1000').get()?.['n'])
  })

  it('reads no more than an index entry of domains that a statement does not return or change', () => {
    const plans = new Map<string, string>()
    const planned: SqliteDatabase = {
      ...db,
      prepare: (sql) => {
        const details = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all()
        plans.set(sql, details.map((row) => String(row['detail'])).join('; '))
        return db.prepare(sql)
      },
    }
    sqliteDomains(planned)
    assert.ok(plans.size > 10)
    // One statement reads every domain, once when a process starts.
    const ofStart = [...plans.keys()].filter((sql) => sql.includes('sealed.secretId'))
    assert.equal(ofStart.length, 1)
    for (const sql of ofStart) plans.delete(sql)
    for (const [sql, plan] of plans) {
      assert.doesNotMatch(plan, /TEMP B-TREE/, sql)
      // Leased domains are few, and the first one without a lease ends the scan of `domains_due`.
      const scans = plan.matchAll(/SCAN domains\b[^;]*/g)
      for (const [scan] of scans)
        assert.match(scan, /COVERING INDEX domains_due|INDEX domains_leased/, `${sql}\n${plan}`)
    }
    const planOf = (part: string): string => [...plans].find(([sql]) => sql.includes(part))?.[1] ?? ''
    assert.match(planOf('ORDER BY next_check_at LIMIT :limit'), /COVERING INDEX domains_due \(next_check_at<\?\)/)
    assert.match(planOf('usable = 1'), /COVERING INDEX domains_usable \(workspace=\?\)/)
    assert.match(planOf('next_check_at < ?'), /COVERING INDEX domains_due \(next_check_at<\?\)/)
  })
})

const rewriteAny = async (store: DomainStore, one: SendingDomain | undefined): Promise<void> => {
  if (one) await rewrite(store, { ...one, status: 'failed' })
}
