import { setImmediate as nextIteration } from 'node:timers/promises'
import { afterAllIds } from '@postrider/domain/ids.ts'
import { pageRoom } from '@postrider/domain/listPage.ts'
import {
  byDue,
  type ClaimedDelivery,
  type DeliveryStatus,
  deliveryIdFrom,
  deliveryStatuses,
  endOfDelivery,
  type WebhookDelivery,
} from '@postrider/domain/webhooks/delivery.ts'
import { lastSuccess, soughtSuccesses } from '@postrider/domain/webhooks/life.ts'
import { makeSlices, type Slices } from '@postrider/kit/slices.ts'
import { charactersOfStep, type Steps } from '@postrider/mail/steps.ts'
import type { DeliveryQuery, NewDelivery, WebhookDeliveryStore } from '@postrider/ports/webhookDeliveries.ts'
import { auditEntries } from '../audit/audit.ts'
import type { Row, SqliteDatabase } from '../client/database.ts'
import { fenceIncrements } from '../client/groupCommit.ts'
import { webhookClocks } from './clocks.ts'

/** Deliveries of events in SQLite. @param slices runs the reading of lists */
export const sqliteWebhookDeliveries = (db: SqliteDatabase, slices: Slices = makeSlices()): WebhookDeliveryStore => ({
  ...claims(db),
  ...ends(db),
  ...requested(db),
  ...webhookClocks(db),
  ...reads(db),
  list: deliveryPages(db, slices),
  ...removals(db),
})

const deliveryOf = (row: Row): WebhookDelivery => JSON.parse(String(row['doc'])) as WebhookDelivery

const claimedOf = (row: Row): ClaimedDelivery => ({ delivery: deliveryOf(row), fence: Number(row['fence']) })

type Queue = Pick<
  WebhookDeliveryStore,
  'insert' | 'waiting' | 'claim' | 'claimOne' | 'write' | 'release' | 'clearLeases' | 'nextDue' | 'cancel'
>

/** The earliest time at which a delivery is due or its lease ends. */
const firstDueSql =
  'SELECT due_at FROM webhook_deliveries INDEXED BY webhook_deliveries_due WHERE due_at > -1 ORDER BY due_at LIMIT 1'

const insertSql = `
  INSERT INTO webhook_deliveries (id, endpoint, workspace, status, due_at, lease_until, fence, doc)
  VALUES (:id, :endpoint, :workspace, :status, :dueAt, :leaseUntil, :fence, :doc) ON CONFLICT (id) DO NOTHING`

const rowOf = ({ delivery, leaseUntil }: NewDelivery, fence: number) => {
  const { id, endpoint, workspace, status, nextAt } = delivery
  const times = { dueAt: leaseUntil ?? nextAt, leaseUntil: leaseUntil ?? 0 }
  return { id, endpoint, workspace, status, fence, doc: JSON.stringify(delivery), ...times }
}

/** Deliveries that are added, found and claimed. */
const claims = (db: SqliteDatabase): Pick<Queue, 'insert' | 'waiting' | 'claim' | 'claimOne' | 'nextDue'> => {
  const fenceIncrement = fenceIncrements(db)
  const insert = db.prepare(insertSql)
  const due = db.prepare(`
    SELECT seq FROM webhook_deliveries INDEXED BY webhook_deliveries_waiting
    WHERE endpoint = :endpoint AND due_at <= :now ORDER BY due_at LIMIT :limit`)
  const lease = 'UPDATE webhook_deliveries SET due_at = :until, lease_until = :until, fence = fence + :increment'
  const leaseEach = db.prepare(`
    ${lease} WHERE seq IN (SELECT value FROM json_each(:chosen)) RETURNING id, fence, doc`)
  const leaseOne = db.prepare(`
    ${lease} WHERE id = :id AND endpoint = :endpoint AND lease_until <= :now RETURNING fence, doc`)
  const next = db.prepare(firstDueSql)
  const waiting = db.prepare(`
    SELECT endpoint, workspace, due_at FROM webhook_deliveries INDEXED BY webhook_deliveries_waiting
    WHERE due_at IS NOT NULL AND endpoint > ? ORDER BY endpoint, due_at LIMIT 1`)
  return {
    insert: async (deliveries) => {
      // The fence of a lease whose commit failed is not used again.
      const fence = fenceIncrement()
      return db.write(() => {
        const stored = new Map<string, number>()
        for (const byId of deliveries)
          if (insert.run(rowOf(byId, fence)).changes > 0) stored.set(byId.delivery.id, fence)
        return stored
      })
    },
    waiting: async (after, limit) =>
      db.read(() => {
        const found = []
        for (let last = after; found.length < limit; ) {
          const row = waiting.get(last)
          if (!row) break
          last = String(row['endpoint'])
          found.push({ endpoint: last, workspace: String(row['workspace']), dueAt: Number(row['due_at']) })
        }
        return found
      }),
    claim: async ({ now, leaseMs, parts }) => {
      const chosen = db.read(() =>
        parts.flatMap(({ endpoint, limit }) =>
          limit < 1 ? [] : due.all({ endpoint, now, limit }).map((row) => Number(row['seq'])),
        ),
      )
      if (chosen.length === 0) return []
      const values = { chosen: JSON.stringify(chosen), until: now + leaseMs, increment: fenceIncrement() }
      return (
        db
          .writeOne(() => leaseEach.all(values))
          .map(claimedOf)
          // `RETURNING` has no order.
          .sort(byDue)
      )
    },
    claimOne: async (endpoint, id, now, leaseMs) => {
      const row = db.writeOne(() =>
        leaseOne.get({ endpoint, id, now, until: now + leaseMs, increment: fenceIncrement() }),
      )
      return row ? claimedOf(row) : null
    },
    nextDue: async () => {
      const row = db.read(() => next.get())
      return row ? Number(row['due_at']) : null
    },
  }
}

/** Claims that end, and deliveries that no one sends. */
const ends = (db: SqliteDatabase): Pick<Queue, 'write' | 'release' | 'clearLeases' | 'cancel'> => {
  const fenceIncrement = fenceIncrements(db)
  const write = db.prepare(`
    UPDATE webhook_deliveries SET status = :status, due_at = :dueAt, lease_until = 0, doc = :doc
    WHERE id = :id AND fence = :fence AND lease_until > 0`)
  const ended = "due_at = json_extract(doc, '$.nextAt'), lease_until = 0"
  const release = db.prepare(`UPDATE webhook_deliveries SET ${ended} WHERE id = ? AND fence = ? AND lease_until > 0`)
  const releaseAll = db.prepare(`UPDATE webhook_deliveries SET ${ended} WHERE lease_until > 0`)
  const cancel = db.prepare(`
    UPDATE webhook_deliveries SET status = :status, due_at = :nextAt, lease_until = 0, fence = fence + :increment,
      doc = json_set(doc, '$.status', :status, '$.reason', :reason, '$.nextAt', :nextAt, '$.endedAt', :endedAt)
    WHERE seq IN (
      SELECT seq FROM webhook_deliveries INDEXED BY webhook_deliveries_waiting
      WHERE endpoint = :endpoint AND due_at > -1 AND lease_until <= :now AND NOT json_extract(doc, '$.isTest')
      LIMIT :limit)`)
  return {
    write: async (id, fence, delivery) => {
      const { status, nextAt } = delivery
      const values = { id, fence, status, dueAt: nextAt, doc: JSON.stringify(delivery) }
      return db.writeOne(() => write.run(values)).changes > 0
    },
    release: async (leases) => {
      if (leases.length === 0) return
      db.write(() => {
        for (const { id, fence } of leases) release.run(id, fence)
      })
    },
    clearLeases: async () => {
      db.writeOne(() => releaseAll.run())
    },
    cancel: async (endpoint, now, limit) =>
      Number(
        db.writeOne(() =>
          cancel.run({ endpoint, now, limit, increment: fenceIncrement(), ...endOfDelivery('endpoint_disabled', now) }),
        ).changes,
      ),
  }
}

/** What people request, with its audit entry. */
const requested = (db: SqliteDatabase): Pick<WebhookDeliveryStore, 'insertRequested' | 'changeRequested'> => {
  const fenceIncrement = fenceIncrements(db)
  const addEntry = auditEntries(db)
  const insert = db.prepare(insertSql)
  const free = db.prepare(
    'SELECT doc FROM webhook_deliveries WHERE id = :id AND endpoint = :endpoint AND lease_until <= :now',
  )
  const write = db.prepare(`
    UPDATE webhook_deliveries SET status = :status, due_at = :dueAt, lease_until = 0, fence = fence + :increment, doc = :doc
    WHERE id = :id`)
  return {
    insertRequested: async (delivery, audit) =>
      db.write(() => {
        if (insert.run(rowOf({ delivery, leaseUntil: null }, fenceIncrement())).changes > 0) addEntry(audit)
      }),
    changeRequested: async (key, change, audit) =>
      db.write(() => {
        const row = free.get(key)
        if (!row) return null
        const after = change(deliveryOf(row))
        const { id, status, nextAt } = after
        write.run({ id, status, dueAt: nextAt, increment: fenceIncrement(), doc: JSON.stringify(after) })
        addEntry(audit)
        return after
      }),
  }
}

/** Deliveries that one step of a count passes: some milliseconds of the event loop. */
const deliveriesPerStep = 10_000

const reads = (
  db: SqliteDatabase,
): Pick<WebhookDeliveryStore, 'get' | 'lastSuccessAt' | 'countWaiting' | 'backlog'> => {
  const byId = db.prepare('SELECT doc, fence, lease_until FROM webhook_deliveries WHERE endpoint = ? AND id = ?')
  const newestOf = db.prepare(`
    SELECT doc FROM webhook_deliveries INDEXED BY webhook_deliveries_by_endpoint
    WHERE endpoint = ? AND status = ? AND id < ? ORDER BY id DESC LIMIT ?`)
  const ofEndpoint = db.prepare(`
    SELECT count(*) AS count FROM (
      SELECT 1 FROM webhook_deliveries INDEXED BY webhook_deliveries_waiting
      WHERE endpoint = ? AND due_at IS NOT NULL LIMIT ?)`)
  const waiting = 'FROM webhook_deliveries INDEXED BY webhook_deliveries_due WHERE due_at > ?'
  const stepEnd = db.prepare(`SELECT due_at AS at ${waiting} ORDER BY due_at LIMIT 1 OFFSET ${deliveriesPerStep - 1}`)
  const countStep = db.prepare(`SELECT count(*) AS count FROM (SELECT 1 ${waiting} AND due_at <= ? LIMIT ?)`)
  const countPending = async (max: number): Promise<number> => {
    let pending = 0
    for (let after = -1; pending < max; await nextIteration()) {
      const [from, left] = [after, max - pending]
      const end = db.read(() => stepEnd.get(from))?.['at'] ?? null
      after = end === null ? Number.MAX_SAFE_INTEGER : Number(end)
      const until = after
      pending += Number(db.read(() => countStep.get(from, until, left))?.['count'])
      if (end === null) return pending
    }
    return pending
  }
  const oldest = db.prepare(firstDueSql)
  return {
    get: async (endpoint, id) => {
      const row = db.read(() => byId.get(endpoint, id))
      if (!row) return null
      const leaseUntil = Number(row['lease_until'])
      return { ...claimedOf(row), leaseUntil: leaseUntil === 0 ? null : leaseUntil }
    },
    lastSuccessAt: async (endpoint, withClock) => {
      const newest = db.read(() => newestOf.all(endpoint, 'delivered', afterAllIds, soughtSuccesses))
      return lastSuccess(newest.map(deliveryOf), withClock)
    },
    countWaiting: async (endpoint, max) => Number(db.read(() => ofEndpoint.get(endpoint, max))?.['count']),
    backlog: async (max) => {
      const row = db.read(() => oldest.get())
      return { pending: await countPending(max), oldestDueAt: row ? Number(row['due_at']) : null }
    },
  }
}

/**
 * Reads a page: first the ids of each status, then one delivery after the other until the page is full. A delivery may
 * have the long responses of a receiver, and parsing those of all statuses blocked the process.
 */
const deliveryPages = (db: SqliteDatabase, slices: Slices): WebhookDeliveryStore['list'] => {
  const ofStatus = db.prepare(`
    SELECT id, seq FROM webhook_deliveries INDEXED BY webhook_deliveries_by_endpoint
    WHERE endpoint = ? AND status = ? AND id < ? ORDER BY id DESC LIMIT ?`)
  const bySeq = db.prepare('SELECT doc FROM webhook_deliveries WHERE seq = ?')
  const newest = ({ endpoint, before, limit, status }: DeliveryQuery): Row[] => {
    const statuses: readonly DeliveryStatus[] = status === null ? deliveryStatuses : [status]
    const rows = statuses.flatMap((one) => ofStatus.all(endpoint, one, before ?? afterAllIds, limit + 1))
    return rows.sort((a, b) => (String(a['id']) < String(b['id']) ? 1 : -1))
  }
  function* pageOf(query: DeliveryQuery): Steps<{ items: WebhookDelivery[]; hasMore: boolean }> {
    const room = pageRoom<WebhookDelivery>(query.limit)
    let characters = 0
    for (const { seq } of db.read(() => newest(query))) {
      const row = db.read(() => bySeq.get(Number(seq)))
      if (!row) continue
      const doc = String(row['doc'])
      if (!room.add(JSON.parse(doc) as WebhookDelivery, Buffer.byteLength(doc))) break
      characters += doc.length
      if (characters < charactersOfStep) continue
      characters = 0
      yield
    }
    return room.page()
  }
  return async (query) => {
    const { items: deliveries, hasMore } = await slices.of(query.endpoint).begin(pageOf(query))
    return { deliveries, hasMore }
  }
}

const removals = (
  db: SqliteDatabase,
): Pick<WebhookDeliveryStore, 'removeBefore' | 'removeOf' | 'forgetResponses' | 'endpointAfter'> => {
  const before = db.prepare(`
    DELETE FROM webhook_deliveries WHERE id IN (
      SELECT id FROM webhook_deliveries WHERE id < ? ORDER BY id LIMIT ?)`)
  const of = db.prepare(`
    DELETE FROM webhook_deliveries WHERE seq IN (SELECT seq FROM webhook_deliveries WHERE endpoint = ? LIMIT ?)`)
  const forget = db.prepare(`
    UPDATE webhook_deliveries SET fence = fence + ?, doc = json_set(doc, '$.attempts', (
      SELECT json_group_array(json_set(value, '$.response', NULL)) FROM json_each(doc, '$.attempts')))
    WHERE id IN (SELECT value FROM json_each(?))`)
  const fenceIncrement = fenceIncrements(db)
  const next = db.prepare(
    'SELECT endpoint FROM webhook_deliveries INDEXED BY webhook_deliveries_by_endpoint WHERE endpoint > ? ORDER BY endpoint LIMIT 1',
  )
  return {
    removeBefore: async (eventAt, limit) =>
      Number(db.writeOne(() => before.run(deliveryIdFrom(eventAt), limit)).changes),
    removeOf: async (endpoint, limit) => Number(db.writeOne(() => of.run(endpoint, limit)).changes),
    forgetResponses: async (ids) => {
      db.writeOne(() => forget.run(fenceIncrement(), JSON.stringify(ids)))
    },
    endpointAfter: async (endpoint) => {
      const row = db.read(() => next.get(endpoint))
      return row ? String(row['endpoint']) : null
    },
  }
}
