import { domainStatuses, type SendingDomain } from '@postrider/domain/domains/domain.ts'
import type { DomainStore } from '@postrider/ports/domains.ts'
import type { Row, SqliteDatabase } from '../client/database.ts'

type Checks = Pick<DomainStore, 'claim' | 'claimOne' | 'release' | 'clearLeases' | 'nextDue' | 'counts'>

/** The queue of checks. @param fenceIncrement returns by how much a claim increments the fencing token */
export const domainChecks = (db: SqliteDatabase, fenceIncrement: () => number): Checks => ({
  ...claims(db, fenceIncrement),
  ...overview(db),
})

const claimedOf = (row: Row) => ({
  domain: JSON.parse(String(row['doc'])) as SendingDomain,
  fence: Number(row['fence']),
})

const claims = (
  db: SqliteDatabase,
  fenceIncrement: () => number,
): Pick<Checks, 'claim' | 'claimOne' | 'release' | 'clearLeases'> => {
  const freeCondition = '(lease_until IS NULL OR lease_until <= :now)'
  const due = db.prepare(`
    SELECT seq FROM domains INDEXED BY domains_due WHERE next_check_at <= :now AND ${freeCondition}
    ORDER BY next_check_at LIMIT :limit`)
  const lease = 'UPDATE domains SET lease_until = :until, fence = fence + :increment'
  const leaseEach = db.prepare(`
    ${lease} WHERE seq IN (SELECT value FROM json_each(:chosen)) RETURNING next_check_at, fence, doc`)
  const leaseOne = db.prepare(`${lease} WHERE id = :id AND ${freeCondition} RETURNING fence, doc`)
  const end = db.prepare('UPDATE domains SET lease_until = NULL WHERE id = ? AND fence = ?')
  const endAll = db.prepare(
    'UPDATE domains INDEXED BY domains_leased SET lease_until = NULL WHERE lease_until IS NOT NULL',
  )
  return {
    claim: async ({ now, limit, leaseMs }) => {
      // SQLite reads a negative limit as none.
      if (limit < 1) return []
      const chosen = db.read(() => due.all({ now, limit })).map((row) => Number(row['seq']))
      if (chosen.length === 0) return []
      const values = { chosen: JSON.stringify(chosen), until: now + leaseMs, increment: fenceIncrement() }
      return db
        .writeOne(() => leaseEach.all(values))
        .sort(byAge)
        .map(claimedOf)
    },
    claimOne: async (id, now, leaseMs) => {
      const row = db.writeOne(() => leaseOne.get({ id, now, until: now + leaseMs, increment: fenceIncrement() }))
      return row ? claimedOf(row) : null
    },
    release: async (leases) => {
      if (leases.length === 0) return
      db.write(() => {
        for (const { id, fence } of leases) end.run(id, fence)
      })
    },
    clearLeases: async () => {
      db.writeOne(() => endAll.run())
    },
  }
}

/** Oldest first; `RETURNING` has no order. */
const byAge = (a: Row, b: Row): number => Number(a['next_check_at']) - Number(b['next_check_at'])

const overview = (db: SqliteDatabase): Pick<Checks, 'nextDue' | 'counts'> => {
  const next = db.prepare(`
    SELECT min(at) AS at FROM (
      SELECT * FROM (
        SELECT next_check_at AS at FROM domains INDEXED BY domains_due WHERE lease_until IS NULL
        ORDER BY next_check_at LIMIT 1)
      UNION ALL
      SELECT max(next_check_at, lease_until) FROM domains INDEXED BY domains_leased WHERE lease_until IS NOT NULL)`)
  const byStatus = db.prepare('SELECT status, domains FROM domain_counts')
  const overdue = db.prepare('SELECT count(*) AS count FROM domains INDEXED BY domains_due WHERE next_check_at < ?')
  return {
    nextDue: async () => {
      const at = db.read(() => next.get())?.['at'] ?? null
      return at === null ? null : Number(at)
    },
    counts: async (now) => {
      const stored = new Map(db.read(() => byStatus.all()).map((row) => [row['status'], Number(row['domains'])]))
      const counted = domainStatuses.map((status) => [status, stored.get(status) ?? 0] as const)
      return {
        byStatus: Object.fromEntries(counted) as Record<(typeof domainStatuses)[number], number>,
        overdue: Number(db.read(() => overdue.get(now))?.['count']),
      }
    },
  }
}
