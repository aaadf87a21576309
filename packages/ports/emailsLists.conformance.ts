import assert from 'node:assert/strict'
import type { Email } from '@postrider/domain/email/email.ts'
import type { EmailQuery } from '@postrider/domain/email/filter.ts'
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
    assert.deepEqual(await emails.list({ ...everything, limit: 2, subject: 'other' }, AbortSignal.abort()), {
      ...(await emails.list({ ...everything, limit: 2, subject: 'other' })),
    })
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

export const filters = (open: Open): void => {
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
