import assert from 'node:assert/strict'
import type { StatementSync } from 'node:sqlite'
import type { Email } from '@postrider/domain/email/email.ts'
import { type EmailQuery, matches, noFilter } from '@postrider/domain/email/filter.ts'
import { anEmail, aRecipient } from '../../../../test/support/anEmail.ts'
import { useDatabase } from '../../../../test/support/useDatabase.ts'
import type { SqliteDatabase } from '../client/database.ts'
import { sqliteEmails } from './emails.ts'
import { listEmails } from './list.ts'

const content = { html: null, text: 'Hi', headers: {}, attachments: [] }

const mails = (count: number, first = 0): Email[] =>
  Array.from({ length: count }, (_, index) => {
    const number = first + index
    const subject = `Number ${number}`
    return anEmail({ id: `em_${number}`, createdAt: 1_000 + number, subject, tags: { even: `${number % 2 === 0}` } })
  })

const everything: EmailQuery = { ...noFilter, workspace: anEmail().workspace, limit: 5, now: 5_000 }

const eachFilter: readonly Partial<EmailQuery>[] = [
  { mode: 'test' },
  { keyId: 'key_2' },
  { status: 'failed' },
  { status: 'queued' },
  { to: 'none@example.com' },
  { from: 'none@postrider.example' },
  { subject: 'no such subject' },
  { subject: '§' },
  { subject: 'Number' },
  { templateId: 'tpl_none' },
  { tag: { name: 'team', value: 'none' } },
  { tag: { name: 'even', value: 'true' } },
  { category: 'marketing' },
  { createdAfter: 2_000 },
  { createdBefore: 1_000 },
]

describe('lists of emails in SQLite', () => {
  let db: SqliteDatabase
  useDatabase((opened) => {
    db = opened
  })

  const store = async (some: readonly Email[]): Promise<void> => {
    for (const one of some) await sqliteEmails(db).insert(one, content)
  }
  const fill = async (): Promise<void> => {
    while ((await sqliteEmails(db).fillListIndex(100)) === 100);
  }
  const idsOf = async (query: Partial<EmailQuery>): Promise<string[]> =>
    (await listEmails(db, { ...everything, limit: 100, ...query })).emails.map(({ email }) => email.id)
  const newestFirst = (some: readonly Email[]): string[] => some.map(({ id }) => id).reverse()

  /** Makes the index as a migration leaves it: mail of an earlier release is not in it. */
  const forget = (): void => {
    db.writeOne(() => {
      db.prepare('DELETE FROM email_terms').run()
      db.prepare('UPDATE email_terms_range SET (after, upto) = (SELECT max(seq), max(seq) FROM emails)').run()
    })
  }

  it('read every filter and every pair of filters from an index, in its order', async () => {
    await store(mails(400))
    await fill()
    const texts = new Set<string>()
    const watched = {
      ...db,
      prepare: (sql: string) => {
        texts.add(sql)
        return db.prepare(sql)
      },
    }
    const queries = eachFilter.flatMap((one) => eachFilter.map((other) => ({ ...one, ...other })))
    for (const query of queries) {
      const { emails } = await listEmails(watched, { ...everything, ...query })
      const before = emails.at(-1)?.email.id
      if (before !== undefined) await listEmails(watched, { ...everything, ...query, before })
    }
    assert.ok(texts.size > 20)
    for (const sql of texts) {
      const plan = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all()
      const steps = plan.map((row) => String(row['detail']))
      // One row; and terms, which are looked up.
      const scans = steps.filter(
        (step) =>
          step.startsWith('SCAN') &&
          !/^SCAN (email_terms_range|email_terms VIRTUAL TABLE INDEX \d+:.*M\d|email_term_entries VIRTUAL TABLE INDEX [1-9]|\(subquery-\d+\))/.test(
            step,
          ),
      )
      assert.deepEqual(scans, [], sql)
      // Only the newest mail, which is not in the index yet, is sorted.
      const isSorted = steps.some((step) => step.includes('TEMP B-TREE FOR'))
      assert.equal(isSorted, sql.includes('NOT INDEXED'), sql)
    }
  })

  it('have mail of an earlier release before, while and after it is added to the index', async () => {
    const old = mails(30)
    await store(old)
    forget()
    const later = mails(5, 30)
    await store(later)
    const all = newestFirst([...old, ...later])
    const even = newestFirst([...old, ...later].filter((one) => one.tags['even'] === 'true'))
    for (let added = 0; ; ) {
      assert.deepEqual(await idsOf({ subject: 'number' }), all, `${added} were added`)
      assert.deepEqual(await idsOf({ tag: { name: 'even', value: 'true' } }), even)
      assert.deepEqual(await idsOf({ subject: 'Number 7' }), ['em_7'])
      assert.deepEqual(await idsOf({ to: 'none@example.com' }), [])
      const count = await sqliteEmails(db).fillListIndex(4)
      added += count
      if (count < 4) break
    }
    const { rows } = db.prepare('SELECT count(*) AS rows FROM email_terms').get() ?? {}
    assert.equal(rows, 35)
    assert.deepEqual({ ...db.prepare('SELECT after FROM email_terms_range').get() }, { after: 0 })
  })

  it('find new mail after all mail was removed, whose row ids are used again', async () => {
    const first = mails(10)
    await store(first)
    await fill()
    for (const upgraded of [false, true]) {
      if (upgraded) forget()
      for (const id of newestFirst(first)) await sqliteEmails(db).removeEmails([{ id, fence: 0 }])
      const { rows } = db.prepare('SELECT count(*) AS rows FROM email_terms').get() ?? {}
      assert.equal(rows, 0)
      await store(first)
      assert.equal((await idsOf({ subject: 'number' })).length, 10)
      await fill()
      assert.equal((await idsOf({ subject: 'number' })).length, 10)
    }
  })

  it('find a recipient in mail with many', async () => {
    const recipients = Array.from({ length: 50 }, (_, number) => aRecipient({ address: `r${number}@example.com` }))
    await store([anEmail({ id: 'em_many', recipients })])
    await fill()
    assert.deepEqual(await idsOf({ to: 'R49@EXAMPLE.com' }), ['em_many'])
  })

  // FTS5 intersected the terms in one statement up to the next email that has all of them: among 400,000 emails for 50
  // ms.
  it('find mail by several frequent terms with statements that look up one of them', async () => {
    const subjectOf = (number: number) => (number % 700 === 0 ? 'abcd' : number % 2 === 0 ? 'abc' : 'bcd')
    const all = mails(4_200).map((mail, number) => ({
      ...mail,
      createdAt: 1_000 + Math.floor(number / 7),
      subject: subjectOf(number),
    }))
    await Promise.all(all.map((one) => sqliteEmails(db).insert(one, content)))
    await fill()
    const looked = new Set<string>()
    const watched = { ...db, prepare: (sql: string) => watchedTerms(db.prepare(sql), looked) }
    const even = { tag: { name: 'even', value: 'true' } }
    const odd = { tag: { name: 'even', value: 'false' } }
    for (const filter of [
      { subject: 'abcd' },
      { subject: 'bcd', ...even },
      { subject: 'bcd', ...odd },
      { subject: 'ab', ...odd },
      { subject: 'BC', ...even, mode: 'live' },
      { subject: 'abcd', status: 'queued', category: 'transactional' },
      { subject: 'abc', status: 'failed' },
      { subject: 'abcd', createdAfter: 1_050, createdBefore: 1_550 },
    ] satisfies Partial<EmailQuery>[]) {
      const query = { ...everything, limit: 300, ...filter }
      const expected = all
        .filter((email) => matches({ email, nextAt: 0, leaseUntil: null, fence: 0, deaths: 0 }, query))
        .map(({ id }) => id)
      const found: string[] = []
      for (let hasMore = true; hasMore; ) {
        const page = await listEmails(watched, { ...query, before: found.at(-1) ?? null })
        found.push(...page.emails.map(({ email }) => email.id))
        hasMore = page.hasMore
      }
      assert.deepEqual(found, expected.reverse(), JSON.stringify(filter))
    }
    assert.ok(looked.size > 5)
    assert.deepEqual(
      [...looked].filter((terms) => terms.includes(' ')),
      [],
    )
  })
})

/** Notes what a statement looks up in the index of terms. */
const watchedTerms = (statement: StatementSync, looked: Set<string>): StatementSync =>
  new Proxy(statement, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name)
      if (typeof member !== 'function') return member
      return (...values: unknown[]): unknown => {
        for (const [key, value] of Object.entries(Object(values[0])))
          if (/^(?:term|narrowing)/.test(key) && typeof value === 'string') looked.add(value)
        return member.apply(target, values)
      }
    },
  })
