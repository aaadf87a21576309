import assert from 'node:assert/strict'
import { withEvents } from '@postrider/domain/email/changes.ts'
import type { Email } from '@postrider/domain/email/email.ts'
import { newId } from '@postrider/kit/ids.ts'
import { content, email } from '@postrider/ports/emailsFixtures.conformance.ts'
import { useDatabase } from '../../../../test/support/useDatabase.ts'
import type { SqliteDatabase } from '../client/database.ts'
import { sqliteEmails } from '../emails/emails.ts'
import { sqliteEventFeed } from './eventFeed.ts'

const at = 1_790_000_000_000

const mail = (events: number): Email =>
  withEvents(
    email({ id: newId('em'), workspace: 'ws_1', createdAt: at }),
    at,
    Array.from({ length: events }, () => ({ type: 'email.deferred', recipient: 0 })),
  )

describe('SQLite index of events', () => {
  let db: SqliteDatabase
  useDatabase((opened) => {
    db = opened
  })

  const stored = (): string[] =>
    db
      .prepare('SELECT id FROM events ORDER BY id')
      .all()
      .map((row) => String(row['id']))
  const idsOf = (emails: readonly Email[]): string[] =>
    emails.flatMap(({ events }) => events.map(({ id }) => id)).toSorted()

  for (const [emails, events] of [
    [1, 1],
    [1, 3],
    [5, 1],
    [1, 64],
    [3, 29],
    [150, 2],
  ] as const)
    it(`has the events of a transaction of ${emails} emails with ${events} events each`, async () => {
      const store = sqliteEmails(db)
      const all = Array.from({ length: emails }, () => mail(events))
      await Promise.all(all.map((one) => store.insert(one, content)))
      await db.synced()
      assert.deepEqual(stored(), idsOf(all))
    })

  it('is read in the event loop iteration of the write', async () => {
    const one = mail(2)
    void sqliteEmails(db).insert(one, content)
    const query = { workspace: 'ws_1', mode: null, order: 'desc' as const, after: null, until: at, limit: 10 }
    const found = await sqliteEventFeed(db).readEvents(query)
    assert.deepEqual(found.events.map(({ id }) => id).toSorted(), idsOf([one]))
  })

  it('has nothing of a commit that failed, and all of the next', async () => {
    const store = sqliteEmails(db)
    const pages = (max: number): void => void db.prepare(`PRAGMA max_page_count = ${max}`).get()
    pages(Number(db.prepare('PRAGMA page_count').get()?.['page_count']))
    const lost = Array.from({ length: 50 }, () => mail(2))
    const results = await Promise.allSettled(lost.map((one) => store.insert(one, content)))
    assert.ok(results.some(({ status }) => status === 'rejected'))
    await assert.rejects(db.synced())
    assert.deepEqual(stored(), [])
    pages(1_000_000)
    await new Promise((resolve) => setImmediate(resolve))
    const kept = mail(2)
    await sqliteEmails(db).insert(kept, content)
    await db.synced()
    assert.deepEqual(stored(), idsOf([kept]))
  })

  it('has nothing of an email that is removed in the event loop iteration of its write', async () => {
    const store = sqliteEmails(db)
    const [kept, removed] = [mail(2), mail(2)]
    void store.insert(kept, content)
    void store.insert(removed, content)
    assert.equal(await store.removeEmails([{ id: removed.id, fence: 0 }]), 1)
    await db.synced()
    assert.deepEqual(stored(), idsOf([kept]))
  })

  it('has nothing of a write that is undone', async () => {
    const store = sqliteEmails(db)
    const one = mail(1)
    await store.insert(one, content)
    await db.synced()
    const changed = withEvents(one, at + 1, [{ type: 'email.canceled', recipient: 0 }])
    const line = { id: 'aud_1', workspace: 'ws_1', at: Number.NaN } as never
    await assert.rejects(store.change(one.id, 0, at, { email: changed, nextAt: null }, line))
    await db.synced()
    assert.deepEqual(stored(), idsOf([one]))
  })
})
