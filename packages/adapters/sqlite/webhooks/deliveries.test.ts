import assert from 'node:assert/strict'
import { webhookDelivery } from '@postrider/ports/webhooksFixtures.conformance.ts'
import { sqliteForTests } from '../../../../test/contract/sqlite.ts'
import { assertCpuBelow, assertIterationsBelow } from '../../../../test/support/cost.ts'
import { webhookClocks } from './clocks.ts'
import { sqliteWebhookDeliveries } from './deliveries.ts'

describe('deliveries in SQLite', () => {
  const open = sqliteForTests()

  // The condition of the count examined every waiting delivery: 48 ms for 500,000.
  it('counts those that are due or in flight without reading those that wait', async () => {
    const { db } = open()
    const deliveries = sqliteWebhookDeliveries(db)
    const one = (nextAt: number, clockOffset: number) => webhookDelivery('wh_1', { mode: 'test', nextAt, clockOffset })
    await deliveries.insert([
      ...[one(1_000, 0), one(1_000, 7), one(9_000, 7)].map((delivery) => ({ delivery, leaseUntil: null })),
      { delivery: one(1_000, 7), leaseUntil: 3_000 },
    ])
    const doc = JSON.stringify(one(9_000, 7))
    db.prepare(`
      WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 100000)
      INSERT INTO webhook_deliveries (id, endpoint, workspace, status, due_at, lease_until, fence, doc)
      SELECT 'dlv_' || n, 'wh_1', 'ws_1', 'pending', 9000, 0, 1, ? FROM numbers`).run(doc)
    const query = { endpoints: ['wh_1', 'wh_2'], now: 2_000, max: 1_000 }
    assert.equal(await deliveries.dueTests(query), 3)
    await assertCpuBelow(2, () => void webhookClocks(db).dueTests(query))
  })

  // A page read 101 documents of each status before it was cut.
  it('reads a page of the longest deliveries in steps', async () => {
    const { db } = open()
    const deliveries = sqliteWebhookDeliveries(db)
    const response = { body: '\u0001'.repeat(4_096), isCut: false }
    const attempts = Array.from({ length: 2 }, () => ({ at: 1, statusCode: 500, durationMs: 1, error: null, response }))
    for (const status of ['delivered', 'failed', 'canceled'] as const)
      for (let number = 0; number < 101; number++) {
        const delivery = webhookDelivery('wh_1', { status, nextAt: null, endedAt: 1, attempts })
        await deliveries.insert([{ delivery, leaseUntil: null }])
      }
    const query = { endpoint: 'wh_1', before: null, limit: 100, status: null }
    await assertIterationsBelow(15, async () => {
      const page = await deliveries.list(query)
      assert.ok(page.hasMore)
      assert.ok(page.deliveries.length > 50)
    })
  })
})
