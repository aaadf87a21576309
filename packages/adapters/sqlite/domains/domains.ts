import {
  isUsable,
  nameClaim,
  type SendingDomain,
  type StoredDomain,
  signingDomainOf,
} from '@postrider/domain/domains/domain.ts'
import { afterAllIds } from '@postrider/domain/ids.ts'
import { pageRoom } from '@postrider/domain/listPage.ts'
import type { Clock } from '@postrider/kit/clock.ts'
import type { DomainStore } from '@postrider/ports/domains.ts'
import { auditEntries } from '../audit/audit.ts'
import type { Row, SqliteDatabase } from '../client/database.ts'
import { unlessTaken } from '../client/errors.ts'
import { fenceIncrements } from '../client/groupCommit.ts'
import { workspaceEventRows } from '../events/workspaceEvents.ts'
import { domainChecks } from './checks.ts'

/** Sending domains in SQLite. @param now sets the times of events */
export const sqliteDomains = (db: SqliteDatabase, now: Clock = Date.now): DomainStore => {
  const fenceIncrement = fenceIncrements(db)
  return {
    ...inserts(db),
    ...reads(db),
    ...changes(db, fenceIncrement, now),
    ...domainChecks(db, fenceIncrement),
    ...secretIds(db),
    ...hotReads(db),
  }
}

/** Returns the columns that follow from the domain itself and change with it. */
const columnsOf = (domain: SendingDomain) => ({
  id: domain.id,
  nameClaim: nameClaim(domain),
  status: domain.status,
  usable: isUsable(domain) ? 1 : 0,
  subdomains: domain.subdomains ? 1 : 0,
  returnPathVerified: domain.returnPathVerified ? 1 : 0,
  doc: JSON.stringify(domain),
})

const domainOf = (row: Row): SendingDomain => JSON.parse(String(row['doc'])) as SendingDomain

const storedOf = (row: Row): StoredDomain => ({
  domain: domainOf(row),
  nextCheckAt: Number(row['next_check_at']),
  leaseUntil: row['lease_until'] === null ? null : Number(row['lease_until']),
  fence: Number(row['fence']),
})

const inserts = (db: SqliteDatabase): Pick<DomainStore, 'insert'> => {
  const addEntries = auditEntries(db)
  const known = db.prepare('SELECT 1 FROM domains WHERE id = ?')
  const named = db.prepare('SELECT 1 FROM domains WHERE workspace = ? AND name = ?')
  const count = db.prepare('SELECT count(*) AS count FROM domains INDEXED BY domains_by_workspace WHERE workspace = ?')
  const insert = db.prepare(`
    INSERT INTO domains
      (id, workspace, name, name_claim, status, usable, subdomains, return_path_verified, next_check_at, doc)
    VALUES
      (:id, :workspace, :name, :nameClaim, :status, :usable, :subdomains, :returnPathVerified, :nextCheckAt, :doc)`)
  return {
    insert: async (domain, nextCheckAt, max, audit) => {
      const { id, workspace, name } = domain
      return unlessTaken('taken', () =>
        db.write(() => {
          if (known.get(id)) return 'inserted'
          if (named.get(workspace, name)) return 'exists'
          if (Number(count.get(workspace)?.['count']) >= max) return 'full'
          insert.run({ ...columnsOf(domain), workspace, name, nextCheckAt })
          addEntries(audit)
          return 'inserted'
        }),
      )
    },
  }
}

const reads = (db: SqliteDatabase): Pick<DomainStore, 'get' | 'byName' | 'list'> => {
  const stored = 'SELECT doc, next_check_at, lease_until, fence FROM domains WHERE workspace = ?'
  const [byId, byName] = [db.prepare(`${stored} AND id = ?`), db.prepare(`${stored} AND name = ?`)]
  const page = db.prepare('SELECT doc FROM domains WHERE workspace = ? AND id < ? ORDER BY id DESC LIMIT ?')
  return {
    get: async (workspace, id) => {
      const row = db.read(() => byId.get(workspace, id))
      return row ? storedOf(row) : null
    },
    byName: async (workspace, name) => {
      const row = db.read(() => byName.get(workspace, name))
      return row ? storedOf(row) : null
    },
    list: async (workspace, before, limit) => {
      const room = pageRoom<SendingDomain>(limit)
      db.read(() => {
        for (const row of page.iterate(workspace, before ?? afterAllIds, limit + 1))
          if (!room.add(domainOf(row), Buffer.byteLength(String(row['doc'])))) return
      })
      const { items: domains, hasMore } = room.page()
      return { domains, hasMore }
    },
  }
}

const changes = (
  db: SqliteDatabase,
  fenceIncrement: () => number,
  now: Clock,
): Pick<DomainStore, 'write' | 'remove'> => {
  const addEntries = auditEntries(db)
  const addEvent = workspaceEventRows(db)
  const replace = db.prepare(`
    UPDATE domains SET name_claim = :nameClaim, status = :status, usable = :usable, subdomains = :subdomains,
      return_path_verified = :returnPathVerified, next_check_at = :nextCheckAt, lease_until = NULL,
      fence = fence + :increment, doc = :doc
    WHERE id = :id AND fence = :fence`)
  const remove = db.prepare('DELETE FROM domains WHERE workspace = ? AND id = ? RETURNING doc')
  return {
    write: async (id, fence, { domain, nextCheckAt, event }, audit) => {
      const values = { ...columnsOf(domain), id, fence, nextCheckAt, increment: fenceIncrement() }
      return unlessTaken('taken', () =>
        db.write(() => {
          if (replace.run(values).changes === 0) return 'lost'
          addEntries(...audit)
          if (event) addEvent(event, now())
          return 'written'
        }),
      )
    },
    remove: async (workspace, id, entry) =>
      db.write(() => {
        const row = remove.get(workspace, id)
        if (!row) return null
        const removed = domainOf(row)
        addEntries(entry(removed))
        return removed
      }),
  }
}

const secretIds = (db: SqliteDatabase): Pick<DomainStore, 'secretIds'> => {
  const ids = db.prepare(`
    SELECT DISTINCT json_extract(key.value, '$.sealed.secretId') AS id FROM domains, json_each(doc, '$.keys') AS key`)
  return {
    // A replaced key has no secret.
    secretIds: async () => db.read(() => ids.all()).flatMap(({ id }) => (id === null ? [] : [String(id)])),
  }
}

const hotReads = (db: SqliteDatabase): Pick<DomainStore, 'senders' | 'signing'> => {
  const usable = db.prepare(`
    SELECT id, name, subdomains, return_path_verified FROM domains INDEXED BY domains_usable
    WHERE workspace = ? AND usable = 1`)
  const byId = db.prepare('SELECT doc FROM domains WHERE id = ?')
  return {
    senders: async (workspace) =>
      db
        .read(() => usable.all(workspace))
        .map((row) => ({
          id: String(row['id']),
          name: String(row['name']),
          subdomains: row['subdomains'] === 1,
          returnPathVerified: row['return_path_verified'] === 1,
        })),
    signing: async (id) => {
      const row = db.read(() => byId.get(id))
      return row ? signingDomainOf(domainOf(row)) : null
    },
  }
}
