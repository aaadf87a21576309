import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate as nextIteration } from 'node:timers/promises'
import { nextDueOf } from '@postrider/domain/email/due.ts'
import type { Email, Lane, Mode, Recipient } from '@postrider/domain/email/email.ts'
import type { EmailStore } from '@postrider/ports/emails.ts'
import { printedSeed, seeded } from '../../../../test/faults/random.ts'
import { useDatabase } from '../../../../test/support/useDatabase.ts'
import type { SqliteDatabase } from '../client/database.ts'
import { mail } from '../migrations/0001_mail.ts'
import { accounts } from '../migrations/0002_accounts.ts'
import { fairClaims } from '../migrations/0003_fair_claims.ts'
import { queueShares } from '../migrations/0004_queue_shares.ts'
import { sqliteEmails } from './emails.ts'

const content = { html: null, text: 'Hi', headers: {}, attachments: [] }

const withRecipient = (email: Email, status: Recipient['status'], nextAt: number | null): Email => ({
  ...email,
  recipients: [{ name: '', address: 'a@example.com', kind: 'to', status, nextAt } as Recipient],
})

const emailOf = (over: Partial<Email>, status: Recipient['status'], nextAt: number | null): Email =>
  withRecipient(
    {
      mode: 'live',
      category: 'transactional',
      createdAt: 0,
      scheduledAt: null,
      owed: [],
      attempts: [],
      events: [],
      ...over,
    } as unknown as Email,
    status,
    nextAt,
  )

describe('SQLite counts of the queue', () => {
  let db: SqliteDatabase
  const { path, openAgain } = useDatabase((opened) => {
    db = opened
  })

  /** Counts the rows of the emails themselves. */
  const recount = () =>
    db
      .prepare(`
        SELECT workspace, lane, iif(mode = 'test', 'test', iif(status = 'scheduled', 'scheduled', 'due')) AS kind,
          count(*) AS emails, sum(bytes) AS bytes
        FROM emails WHERE next_at IS NOT NULL GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`)
      .all()
      .map((row) => ({ ...row }))
  const counts = async (emails: Pick<EmailStore, 'queueCounts'>) =>
    (await emails.queueCounts()).toSorted((a, b) =>
      `${a.workspace} ${a.lane} ${a.kind}` < `${b.workspace} ${b.lane} ${b.kind}` ? -1 : 1,
    )

  it('equal a count of all emails after any sequence of writes', async () => {
    const random = seeded(printedSeed())
    const below = (max: number): number => Math.floor(random() * max)
    const pick = <T>(values: readonly T[]): T => values[below(values.length)] as T
    const emails = sqliteEmails(db)
    const all: Email[] = []
    let now = 1_000
    const changed = (email: Email): Email => {
      const [status, waits] = pick([
        ['queued', true],
        ['deferred', true],
        ['scheduled', true],
        ['unknown', false],
        ['delivered', false],
      ] as const)
      return withRecipient(email, status, waits ? now + below(40) - 20 : null)
    }
    /** Earlier releases stored no `storedBytes`. */
    const sizes = () => ({ messageBytes: below(1_000), ...(below(2) === 0 && { storedBytes: below(100) }) })
    const steps: readonly (() => Promise<unknown>)[] = [
      async () => {
        const [workspace, mode] = [pick(['ws_1', 'ws_2', 'ws_3']), pick<Mode>(['live', 'test'])]
        const category = pick<Lane>(['transactional', 'marketing'])
        const over = { id: `em_${all.length}`, workspace, mode, category }
        const email = changed(emailOf({ ...over, ...sizes() }, 'queued', now))
        all.push(email)
        await emails.insert(email, content)
        await emails.insert(email, content)
      },
      async () => {
        const lane = pick<Lane>(['transactional', 'marketing'])
        for (const { email, fence } of await emails.claim({ lane, now, limit: 4, leaseMs: 50 })) {
          if (below(4) === 0) continue
          const begun = below(2) === 0 ? email : changed(email)
          await emails.write(email.id, fence, { email: begun, nextAt: nextDueOf(begun), done: false })
          const done = changed(email)
          if (below(4) > 0) await emails.write(email.id, fence, { email: done, nextAt: nextDueOf(done), done: true })
        }
      },
      async () => {
        const stored = all.length > 0 ? await emails.get(pick(all).id) : null
        if (!stored) return
        const after = changed(stored.email)
        await emails.change(stored.email.id, stored.fence, now, { email: after, nextAt: nextDueOf(after) })
      },
      async () => {
        const due = await emails.dueOf([pick(['ws_1', 'ws_2'])], now, 3)
        const mail = due.map(({ email: { id, workspace }, fence }) => ({ id, workspace, fence, until: now + 500 }))
        await emails.suspend(mail, now)
      },
      () => emails.resume({ except: new Set(['ws_2']), limit: 2 }),
      () => emails.clearLeases(),
      () => emails.tombstone(`em_void_${now}`),
      () => db.synced(),
    ]
    for (let count = 0; count < 600; count++) {
      now += below(20)
      await pick(steps)()
      if (count % 20 === 0) assert.deepEqual(await counts(emails), recount())
    }
    assert.deepEqual(await counts(emails), recount())
    await db[Symbol.asyncDispose]()
    openAgain()
    assert.deepEqual(await counts(sqliteEmails(db)), recount())
  })

  it('begin with the mail that waits in a file of schema 4', async () => {
    await db[Symbol.asyncDispose]()
    rmSync(path())
    const file = new DatabaseSync(path())
    file.exec([mail, accounts, fairClaims, queueShares, 'PRAGMA user_version = 4'].join(';'))
    const insert = file.prepare(`
      INSERT INTO emails (seq, id, workspace, mode, lane, created_at, status, next_at, owing, bytes, doc)
      VALUES (?, ?, 'ws_1', 'live', 'transactional', 0, ?, ?, 0, 7, ?)`)
    const insertContent = file.prepare("INSERT INTO contents VALUES (?, NULL, 'Hi', '{}')")
    for (const [seq, status, nextAt] of [
      [1, 'queued', 0],
      [2, 'scheduled', 5_000],
      [3, 'delivered', null],
    ] as const) {
      const id = `em_${seq}`
      const email = emailOf({ id, workspace: 'ws_1', messageBytes: 7 }, status, nextAt)
      insert.run(seq, id, status, nextAt, JSON.stringify(email))
      insertContent.run(seq)
    }
    file.close()
    openAgain()
    const emails = sqliteEmails(db)
    const expected = { workspace: 'ws_1', lane: 'transactional', emails: 1, bytes: 7 }
    assert.deepEqual(await counts(emails), [
      { ...expected, kind: 'due' },
      { ...expected, kind: 'scheduled' },
    ])
    assert.deepEqual(await emails.content('em_1'), content)
    const stored = await emails.get('em_1')
    const canceled = withRecipient(stored?.email ?? assert.fail(), 'canceled', null)
    assert.equal(await emails.change('em_1', 0, 1_000, { email: canceled, nextAt: null }), true)
    assert.deepEqual(await counts(emails), [{ ...expected, kind: 'scheduled' }])
  })

  it('counts of the queue omit parked mail', async () => {
    const emails = sqliteEmails(db)
    await emails.insert(emailOf({ id: 'em_1', workspace: 'ws_1' }, 'queued', 0), content)
    for (let deaths = 0; deaths < 20; deaths++) {
      await emails.claim({ lane: 'transactional', now: 1_000, limit: 1, leaseMs: 30_000 })
      await emails.clearLeases()
    }
    assert.equal((await emails.queueCounts()).length, 1)
    await emails.claim({ lane: 'transactional', now: 1_000, limit: 1, leaseMs: 30_000 })
    assert.deepEqual(await emails.queueCounts(), [])
  })

  it('contain nothing of a transaction that failed', async () => {
    const emails = sqliteEmails(db)
    await emails.insert(emailOf({ id: 'em_1', workspace: 'ws_1' }, 'queued', 0), content)
    await db.synced()
    db.prepare('PRAGMA max_page_count = 1').get()
    const long = { ...emailOf({ id: 'em_3', workspace: 'ws_1' }, 'queued', 0), subject: 'x'.repeat(1_000_000) }
    await emails.insert(emailOf({ id: 'em_2', workspace: 'ws_1' }, 'queued', 0), content)
    await assert.rejects(emails.insert(long, content), { code: 'unavailable' })
    await nextIteration()
    db.prepare('PRAGMA max_page_count = 1000000').get()
    assert.deepEqual(await counts(emails), recount())
    assert.equal((await emails.queueCounts())[0]?.emails, 1)
  })

  it('remove the rows of workspaces whose mail has left', async () => {
    const emails = sqliteEmails(db)
    for (let number = 0; number < 1_001; number++) {
      const email = emailOf({ id: `em_${number}`, workspace: `ws_${number}` }, 'queued', 0)
      await emails.insert(email, content)
      if (number % 100 === 0) await db.synced()
    }
    await db.synced()
    for (let number = 0; number < 1_001; number++) {
      const email = emailOf({ id: `em_${number}`, workspace: `ws_${number}` }, 'canceled', null)
      assert.equal(await emails.change(email.id, 0, 1_000, { email, nextAt: null }), true)
    }
    assert.deepEqual(await emails.queueCounts(), [])
    assert.equal(db.prepare('SELECT count(*) AS count FROM queue_counts').get()?.['count'], 0)
  })
})
