import assert from 'node:assert/strict'
import type { Email } from '@postrider/domain/email/email.ts'
import { lanes } from '@postrider/domain/email/email.ts'
import { type EmailQuery, matches } from '@postrider/domain/email/filter.ts'
import type { EmailStore } from './emails.ts'
import { claimOne, content, email, everything, leaseMs, type Open, recipient } from './emailsFixtures.conformance.ts'

const idsOf = async (emails: EmailStore, query: Partial<EmailQuery>): Promise<string[]> =>
  (await emails.list({ ...everything, ...query })).emails.map((stored) => stored.email.id)

export const lists = (open: Open): void => {
  it('stops reading when the reader has gone', async () => {
    const emails = await open()
    for (let count = 0; count < 100; count++) await emails.insert(email({ subject: 'other' }), content)
    const gone = new AbortController()
    const reading = emails.list({ ...everything, subject: 'none of them' }, gone.signal)
    gone.abort()
    assert.deepEqual(await reading, { emails: [], hasMore: false })
    // Regression: on a slow machine the first step of SQLite ends before it has found the whole page.
    const page = { ...everything, limit: 2, subject: 'other' }
    const { emails: found } = await emails.list(page, AbortSignal.abort())
    assert.ok(found.length > 0)
    assert.deepEqual(found, (await emails.list(page)).emails.slice(0, found.length))
  })

  it('lists one workspace in pages, newest first', async () => {
    const emails = await open()
    const ids: string[] = []
    for (let count = 0; count < 7; count++) {
      const one = email({ createdAt: 1_000 + Math.floor(count / 2) })
      await emails.insert(one, content)
      ids.unshift(one.id)
    }
    await emails.insert(email({ workspace: 'ws_2' }), content)
    const first = await emails.list({ ...everything, limit: 3 })
    assert.equal(first.hasMore, true)
    const before = first.emails.at(-1)?.email.id ?? null
    const second = await emails.list({ ...everything, before, limit: 4 })
    assert.equal(second.hasMore, false)
    assert.deepEqual(
      [...first.emails, ...second.emails].map((stored) => stored.email.id),
      ids,
    )
  })

  it('finds the few matching emails among many', async () => {
    const emails = await open()
    const wanted: string[] = []
    for (let count = 0; count < 700; count++) {
      const one = email({ createdAt: 1_000 + count, tags: { run: count % 300 === 0 ? 'yes' : 'no' } })
      await emails.insert(one, content)
      if (count % 300 === 0) wanted.unshift(one.id)
    }
    const tag = { name: 'run', value: 'yes' }
    assert.deepEqual(await idsOf(emails, { tag }), wanted)
    const page = await emails.list({ ...everything, tag, limit: 2 })
    assert.equal(page.hasMore, true)
    assert.deepEqual(await idsOf(emails, { tag, before: page.emails[1]?.email.id ?? null }), wanted.slice(2))
  })
}

/** Filters, each alone: of mail that some tests below store, and of mail that does not exist. */
const eachFilter: readonly Partial<EmailQuery>[] = [
  { mode: 'test' },
  { mode: 'live' },
  { keyId: 'key_2' },
  { keyId: 'key_none' },
  { status: 'queued' },
  { status: 'bounced' },
  { status: 'failed' },
  { to: 'ANN@example.com' },
  { to: 'none@example.com' },
  { from: 'Bob@postrider.example' },
  { from: 'none@postrider.example' },
  { subject: 'invoice' },
  { subject: '\u212a' },
  { subject: 'n' },
  { subject: 'no such subject' },
  { subject: '\u00a7' },
  { templateId: 'tpl_1' },
  { templateId: 'tpl_none' },
  { tag: { name: 'team', value: 'red' } },
  { tag: { name: 'team', value: 'none' } },
  { category: 'marketing' },
  { category: 'transactional' },
  { createdAfter: 1_007 },
  { createdBefore: 1_003 },
]

/** Each filter alone, and each pair. */
const pairs: readonly Partial<EmailQuery>[] = eachFilter.flatMap((one, number) => [
  one,
  ...eachFilter.slice(number + 1).map((other) => ({ ...one, ...other })),
])

const isStrange = (one: number): boolean => one % 7 === 0

/** Mail that differs in everything that a filter names, in an order that is not that of its times. */
const assorted = (count: number): Email[] =>
  Array.from({ length: count }, (_, one) =>
    email({
      workspace: isStrange(one) ? 'ws_2' : 'ws_1',
      mode: one % 5 === 0 ? 'test' : 'live',
      keyId: one % 3 === 0 ? 'key_2' : 'key_1',
      createdAt: 1_000 + ((one * 7) % 20),
      category: lanes[one % 4 === 0 ? 1 : 0],
      from: { name: '', address: one % 2 === 0 ? 'Bob@postrider.example' : 'ada@postrider.example' },
      subject: ['Invoice 4711', 'Ihre İnvoice', '300 \u212a', '', 'Re: n'][one % 5] ?? '',
      templateId: one % 6 === 0 ? 'tpl_1' : null,
      tags: one % 4 === 1 ? { team: 'red' } : {},
      recipients: [
        one % 3 === 1
          ? recipient({ status: 'bounced', nextAt: null })
          : recipient({ address: `r${one % 4}@example.com` }),
      ],
    }),
  )

/** Returns the pages of a query, one after the other. */
const pagesOf = async (emails: EmailStore, query: Partial<EmailQuery>, limit: number): Promise<string[]> => {
  const ids: string[] = []
  for (let before: string | null = null; ; ) {
    const page = await emails.list({ ...everything, ...query, before, limit })
    ids.push(...page.emails.map((stored) => stored.email.id))
    if (!page.hasMore) return ids
    before = page.emails.at(-1)?.email.id ?? null
  }
}

/** Adds all mail to the index of lists. */
const fill = async (emails: EmailStore): Promise<void> => {
  while ((await emails.fillListIndex(100)) === 100);
}

export const filters = (open: Open): void => {
  for (const [state, indexed] of [
    ['all mail is in the index', 60],
    ['no mail is in the index', 0],
    ['each pair too, and some mail is in the index', 30],
  ] as const)
    it(`lists with each filter what matches, newest first, in pages: ${state}`, async () => {
      const emails = await open()
      const mails = assorted(60)
      for (const [number, one] of mails.entries()) {
        await emails.insert(one, content)
        if (number === indexed - 1) await fill(emails)
      }
      const listed = await emails.list({ ...everything, limit: 100 })
      const order = listed.emails.map((stored) => stored.email.id)
      const queries = indexed === 30 ? pairs : eachFilter
      for (const query of queries) {
        const expected = listed.emails
          .filter((stored) => matches(stored, { ...everything, ...query }))
          .map((stored) => stored.email.id)
        assert.deepEqual(await idsOf(emails, { ...query, limit: 100 }), expected, JSON.stringify(query))
        if (eachFilter.includes(query))
          assert.deepEqual(await pagesOf(emails, query, 7), expected, JSON.stringify(query))
      }
      assert.equal(order.length, mails.filter(({ workspace }) => workspace === 'ws_1').length)
    })

  for (const [state, indexed] of [
    ['no mail', 0],
    ['a part of it', 20],
    ['all mail', 50],
  ] as const)
    it(`lists each email of one millisecond once in pages, if ${state} is in the index`, async () => {
      const emails = await open()
      for (const [number, one] of assorted(50).entries()) {
        await emails.insert({ ...one, createdAt: 1_000 }, content)
        if (number === indexed - 1) await fill(emails)
      }
      // Leased mail has a source of its own.
      await claimOne(emails, 1_000)
      const mine = await idsOf(emails, { limit: 100 })
      assert.equal(new Set(mine).size, 42)
      for (const query of [{}, ...eachFilter]) {
        const expected = await idsOf(emails, { ...query, limit: 100 })
        // The order of all lists is the same.
        assert.deepEqual(
          expected,
          mine.filter((one) => expected.includes(one)),
        )
        assert.deepEqual(await pagesOf(emails, query, 4), expected, JSON.stringify(query))
      }
    })

  it('lists pages that new mail does not move, whether or not it is in the index', async () => {
    const emails = await open()
    const stored: string[] = []
    const add = async (createdAt: number): Promise<void> => {
      const one = email({ createdAt, tags: { team: 'red' } })
      await emails.insert(one, content)
      stored.unshift(one.id)
    }
    for (let at = 0; at < 20; at++) await add(1_000 + at)
    const expected = [...stored]
    const query = { tag: { name: 'team', value: 'red' } }
    const found: string[] = []
    for (let page = 0; page < 5; page++) {
      found.push(...(await idsOf(emails, { ...query, before: found.at(-1) ?? null, limit: 4 })))
      await add(2_000 + page)
      if (page % 2 === 0) await fill(emails)
    }
    assert.deepEqual(found, expected)
    assert.deepEqual(await pagesOf(emails, query, 7), stored)
  })

  it('does not find removed mail', async () => {
    const emails = await open()
    const [one, other] = [email({ subject: 'Code 123', tags: { team: 'red' } }), email({ subject: 'Code 456' })]
    for (const each of [one, other]) await emails.insert(each, content)
    await fill(emails)
    const { purge } = (await emails.duePurges(() => 1_000, 10))[0] ?? { purge: { step: '', from: 0 } }
    const without = { ...one, subject: '', tags: {}, recipients: [recipient({ address: 'removed@removed.invalid' })] }
    assert.equal(await emails.purge([{ email: without, fence: 0, purge, remove: 'content' }]), 1)
    assert.deepEqual(await idsOf(emails, { subject: 'Code' }), [other.id])
    assert.deepEqual(await idsOf(emails, { subject: '1' }), [])
    assert.deepEqual(await idsOf(emails, { tag: { name: 'team', value: 'red' } }), [])
    assert.deepEqual(await idsOf(emails, { to: 'ann@example.com' }), [other.id])
    assert.deepEqual(await idsOf(emails, { mode: 'live' }), [other.id, one.id])
    assert.equal(
      await emails.removeEmails([
        { id: one.id, fence: 1 },
        { id: other.id, fence: 0 },
      ]),
      2,
    )
    assert.deepEqual(await idsOf(emails, { mode: 'live' }), [])
    // The store may use the row id of the last email again.
    const next = email({ subject: 'Code 789' })
    await emails.insert(next, content)
    assert.deepEqual(await idsOf(emails, { subject: 'code' }), [next.id])
    await fill(emails)
    assert.deepEqual(await idsOf(emails, { subject: 'code' }), [next.id])
  })

  it('counts the emails that it adds to the index', async () => {
    const emails = await open()
    for (const one of assorted(5)) await emails.insert(one, content)
    await emails.tombstone('em_void')
    assert.ok((await emails.fillListIndex(3)) <= 3)
    await fill(emails)
    assert.equal(await emails.fillListIndex(3), 0)
  })

  it('applies each filter exactly', async () => {
    const emails = await open()
    const plain = email()
    const other = email({
      mode: 'test',
      keyId: 'key_2',
      createdAt: 2_000,
      category: 'marketing',
      from: { name: '', address: 'Bob@postrider.example' },
      subject: 'Ärger 100% "quoted"',
      templateId: 'tpl_1',
      tags: { campaign: 'spring: "one"' },
      recipients: [
        recipient({ status: 'bounced', nextAt: null }),
        recipient({ kind: 'bcc', address: 'Zoë@example.org', status: 'delivered', nextAt: null }),
      ],
    })
    await emails.insert(plain, content)
    await emails.insert(other, content)
    const finds = async (query: Partial<EmailQuery>, ...expected: Email[]): Promise<void> =>
      assert.deepEqual(
        await idsOf(emails, query),
        expected.map(({ id }) => id),
        JSON.stringify(query),
      )
    await finds({}, other, plain)
    await finds({ mode: 'test' }, other)
    await finds({ keyId: 'key_1' }, plain)
    await finds({ status: 'queued' }, plain)
    await finds({ status: 'partially_delivered' }, other)
    await finds({ status: 'bounced' })
    await finds({ to: 'ANN@example.com' }, other, plain)
    await finds({ to: 'zoË@example.org' }, other)
    await finds({ to: 'nn@example.com' })
    await finds({ from: 'bob@postrider.example' }, other)
    await finds({ subject: 'ärger' }, other)
    await finds({ subject: '"QUOTED"' }, other)
    await finds({ subject: '%' }, other)
    await finds({ subject: 'berlin' }, plain)
    await finds({ templateId: 'tpl_1' }, other)
    await finds({ tag: { name: 'campaign', value: 'spring: "one"' } }, other)
    await finds({ tag: { name: 'campaign', value: 'SPRING: "one"' } })
    await finds({ category: 'transactional' }, plain)
    await finds({ createdAfter: 1_000 }, other)
    await finds({ createdBefore: 2_000 }, plain)
    await finds({ createdAfter: 500, createdBefore: 1_500, subject: 'aus' }, plain)
  })

  it('lists leased mail as sending only while its lease is live', async () => {
    const emails = await open()
    await emails.insert(email(), content)
    const { id } = await claimOne(emails, 1_000)
    assert.deepEqual(await idsOf(emails, { status: 'sending', now: 1_001 }), [id])
    assert.deepEqual(await idsOf(emails, { status: 'queued', now: 1_001 }), [])
    assert.deepEqual(await idsOf(emails, { status: 'queued', now: 1_000 + leaseMs }), [id])
    assert.deepEqual(await idsOf(emails, { status: 'sending', now: 1_000 + leaseMs }), [])
  })
}
