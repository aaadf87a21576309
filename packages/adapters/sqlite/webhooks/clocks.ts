import type { WebhookDelivery } from '@postrider/domain/webhooks/delivery.ts'
import type { WebhookDeliveryStore } from '@postrider/ports/webhookDeliveries.ts'
import type { SqliteDatabase } from '../client/database.ts'
import { fenceIncrements } from '../client/groupCommit.ts'

type DueQuery = Parameters<WebhookDeliveryStore['dueTests']>[0]

/** Deliveries of test mode for a move of their clock. Their index has no live ones. */
export const webhookClocks = (
  db: SqliteDatabase,
): Pick<WebhookDeliveryStore, 'behindClock' | 'follow' | 'dueTests'> => {
  const fenceIncrement = fenceIncrements(db)
  const ofTestMode = `
    FROM webhook_deliveries INDEXED BY webhook_deliveries_test_places
    WHERE endpoint IN (SELECT value FROM json_each(:endpoints)) AND due_at IS NOT NULL
      AND json_extract(doc, '$.mode') = 'test'`
  const behind = db.prepare(`
    SELECT doc, fence ${ofTestMode} AND lease_until <= :now
      AND coalesce(json_extract(doc, '$.clockOffset'), 0) < :offset
    LIMIT :limit`)
  const follow = db.prepare(`
    UPDATE webhook_deliveries SET due_at = :dueAt, lease_until = 0, fence = fence + :increment, doc = :doc
    WHERE id = :id AND fence = :fence AND due_at IS NOT NULL AND lease_until <= :now`)
  const countDue = dueCount(db)
  return {
    behindClock: async ({ endpoints, ...query }) =>
      db
        .read(() => behind.all({ ...query, endpoints: JSON.stringify(endpoints) }))
        .map((row) => ({ delivery: JSON.parse(String(row['doc'])) as WebhookDelivery, fence: Number(row['fence']) })),
    follow: async (id, fence, delivery, now) => {
      const values = {
        id,
        fence,
        now,
        dueAt: delivery.nextAt,
        doc: JSON.stringify(delivery),
        increment: fenceIncrement(),
      }
      return db.writeOne(() => follow.run(values)).changes > 0
    },
    dueTests: async (query) => db.read(() => countDue(query)),
  }
}

/**
 * Counts what is due and what is in flight by two ranges of indexes. One condition on both would examine every waiting
 * delivery, of which an endpoint that does not respond has many. `due_at` follows `clockOffset` in its index: each
 * offset has a range.
 */
const dueCount = (db: SqliteDatabase): ((query: DueQuery) => number) => {
  const offset = "coalesce(json_extract(doc, '$.clockOffset'), 0)"
  const ofEndpoint = `
    FROM webhook_deliveries INDEXED BY webhook_deliveries_test_places
    WHERE endpoint = :endpoint AND due_at IS NOT NULL AND json_extract(doc, '$.mode') = 'test'`
  const nextOffset = db.prepare(`
    SELECT ${offset} AS offset ${ofEndpoint} AND ${offset} > :after ORDER BY ${offset} LIMIT 1`)
  const due = db.prepare(`
    SELECT count(*) AS count FROM (SELECT 1 ${ofEndpoint} AND ${offset} = :offset AND due_at <= :now LIMIT :max)`)
  const leased = db.prepare(`
    SELECT count(*) AS count FROM (
      SELECT 1 FROM webhook_deliveries INDEXED BY webhook_deliveries_leased
      WHERE lease_until > 0 AND lease_until > :now AND due_at > :now
        AND endpoint IN (SELECT value FROM json_each(:endpoints)) AND json_extract(doc, '$.mode') = 'test'
      LIMIT :max)`)
  return ({ endpoints, now, max }) => {
    let count = Number(leased.get({ endpoints: JSON.stringify(endpoints), now, max })?.['count'])
    for (const endpoint of endpoints)
      for (let after = -1; count < max; ) {
        const row = nextOffset.get({ endpoint, after })
        if (!row) break
        after = Number(row['offset'])
        count += Number(due.get({ endpoint, offset: after, now, max: max - count })?.['count'])
      }
    return count
  }
}
