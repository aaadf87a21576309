import assert from 'node:assert/strict'
import { noFilter } from '@postrider/domain/email/filter.ts'
import { makeSlices } from '@postrider/kit/slices.ts'
import { anEmail } from '../../../../test/support/anEmail.ts'
import { assertIterationsBelow } from '../../../../test/support/cost.ts'
import { longEmail } from '../../../../test/support/longEmail.ts'
import { useDatabase } from '../../../../test/support/useDatabase.ts'
import { sqliteEmails } from '../emails/emails.ts'
import { sqliteEventFeed } from '../events/eventFeed.ts'
import type { SqliteDatabase } from './database.ts'
import { recordScheduler } from './recordScheduler.ts'

const content = { html: null, text: 'Hi', headers: {}, attachments: [] }
const emails = 60
const now = 1_000_000

/*
 * A test key made such records of a hundred emails by moves of its clock. Then each of these calls blocked the process
 * for 0.2 to 0.7 s, because it parsed or wrote the records of a batch in one event loop iteration.
 */
describe('long records in SQLite', () => {
  let db: SqliteDatabase
  useDatabase((opened) => {
    db = opened
  })
  const ids = Array.from(
    { length: emails },
    (_, number) => `em_01m7yr6cabfzvahf8pz72f${String(number).padStart(4, '0')}`,
  )
  beforeEach(async () => {
    for (const id of ids) await sqliteEmails(db).insert(longEmail(id), content)
    await db.synced()
  })
  const { workspace } = anEmail()

  it('are claimed, written and changed a few in each event loop iteration', async () => {
    const store = sqliteEmails(db)
    const query = { lane: 'transactional', now, leaseMs: 60_000, limit: emails } as const
    await assertIterationsBelow(50, async () => {
      const claimed = await store.claim(query)
      assert.equal(claimed.length, emails)
      const written = claimed.map(({ email, fence }) => store.write(email.id, fence, { email, nextAt: 0, done: true }))
      assert.ok((await Promise.all(written)).every(Boolean))
      await db.synced()
    })
    const stored = await Promise.all(ids.map((id) => store.get(id)))
    await assertIterationsBelow(50, async () => {
      const changes = stored.map(async (one) => {
        const { email, fence } = one ?? assert.fail('no email')
        return store.change(email.id, fence, now, { email, nextAt: 0 })
      })
      await Promise.all(changes)
      await db.synced()
    })
  })

  it('are read a few in each event loop iteration, for records, clocks, statistics and removals', async () => {
    const store = sqliteEmails(db)
    await assertIterationsBelow(50, () => Promise.all(ids.map((id) => store.get(id))))
    await assertIterationsBelow(50, () => store.behindClock({ workspace, offset: 1, now, limit: emails }))
    await assertIterationsBelow(50, () => store.duePurges(() => Number.MAX_SAFE_INTEGER, emails))
    await assertIterationsBelow(50, () => store.list({ ...noFilter, workspace, limit: emails, now }))
  })

  it('are added to the index of lists a few in each event loop iteration', async () => {
    const store = sqliteEmails(db)
    const empty = db.prepare("INSERT INTO email_terms (email_terms) VALUES ('delete-all')")
    const forget = db.prepare('UPDATE email_terms_range SET after = 0, upto = 0')
    await assertIterationsBelow(50, async () => {
      db.write(() => [empty, forget].map((statement) => statement.run()))
      await db.synced()
      assert.ok((await store.fillListIndex(emails)) >= emails)
    })
    const found = await store.list({
      ...noFilter,
      workspace,
      now,
      limit: emails,
      to: longEmail('em_1').recipients[7]?.address ?? '',
    })
    assert.equal(found.emails.length, emails)
  })

  it('are set aside and resumed a few in each event loop iteration', async () => {
    const store = sqliteEmails(db)
    await assertIterationsBelow(50, async () => {
      const due = await store.dueOf([workspace], now, emails)
      assert.equal(due.length, emails)
      const mail = due.map(({ email: { id }, fence }) => ({ id, workspace, fence, until: 2 * now }))
      assert.equal(await store.suspend(mail, now), emails)
      await db.synced()
      assert.equal(await store.resume({ except: new Set(), limit: emails + 1 }), emails)
      await db.synced()
    })
    assert.equal((await store.get(ids[0] ?? ''))?.nextAt, 0)
  })

  it('are read a few in each event loop iteration for a page of events', async () => {
    const feed = sqliteEventFeed(db)
    const query = { workspace, mode: 'test', order: 'asc', after: null, until: now, limit: emails } as const
    await assertIterationsBelow(50, async () => {
      const { events } = await feed.readEvents(query)
      assert.deepEqual(new Set(events.map(({ type }) => type)), new Set(['email.accepted']))
      assert.equal(events.length, emails)
    })
    // Each 250 rows read all records again: 4 s of CPU for a page without an event.
    await assertIterationsBelow(50, () => feed.readEvents({ ...query, types: new Set(['email.opened']) }))
  })
})

describe('scheduler of long records', () => {
  it('lets usual records and the first long record proceed, and makes other long records wait', async () => {
    const schedule = recordScheduler(makeSlices())
    assert.equal(schedule('ws_1', 500_000), null)
    const waits = [schedule('ws_1', 20_000), schedule('ws_1', 20_000)]
    assert.ok(waits.every((wait) => wait !== null))
    for (let usual = 0; usual < 100; usual++) assert.equal(schedule('ws_1', 4_000), null)
    await Promise.all(waits)
  })

  it('lets several records proceed that are short together', () => {
    const schedule = recordScheduler(makeSlices())
    assert.deepEqual([schedule('ws_1', 60_000), schedule('ws_2', 60_000)], [null, null])
    assert.notEqual(schedule('ws_3', 30_000), null)
  })
})
