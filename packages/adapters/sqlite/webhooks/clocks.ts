import type { WebhookDelivery } from '@postrider/domain/webhooks/delivery.ts'
import type { WebhookDeliveryStore } from '@postrider/ports/webhookDeliveries.ts'
import type { SqliteDatabase } from '../client/database.ts'
import { fenceIncrements } from '../client/groupCommit.ts'

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
  const due = db.prepare(`
    SELECT count(*) AS count FROM (SELECT 1 ${ofTestMode} AND (due_at <= :now OR lease_until > :now) LIMIT :max)`)
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
    dueTests: async ({ endpoints, ...query }) =>
      Number(db.read(() => due.get({ ...query, endpoints: JSON.stringify(endpoints) }))?.['count']),
  }
}
