import assert from 'node:assert/strict'
import type { ClaimedEmail, Content, Email, Recipient } from '@postrider/domain/email/email.ts'
import type { EmailQuery } from '@postrider/domain/email/filter.ts'
import { newId } from '@postrider/kit/ids.ts'
import type { EmailStore } from './emails.ts'

const leaseMs = 30_000

const recipient = (over: Partial<Recipient> = {}): Recipient => ({
  name: '',
  address: 'ann@example.com',
  kind: 'to',
  status: 'queued',
  class: null,
  reply: null,
  nextAt: 1_000,
  tries: 0,
  ...over,
})

const email = (over: Partial<Email> = {}): Email => ({
  id: newId('em'),
  workspace: 'ws_1',
  mode: 'live',
  keyId: 'key_1',
  requestId: 'req_1',
  category: 'transactional',
  topic: null,
  createdAt: 1_000,
  scheduledAt: null,
  expiresAt: null,
  onUnknown: 'retry',
  from: { name: 'Ada', address: 'ada@postrider.example' },
  envelopeFrom: 'ada@postrider.example',
  replyTo: [],
  subject: 'Grüße "aus" Berlin',
  templateId: null,
  templateVersion: null,
  domainId: null,
  tags: {},
  metadata: {},
  messageId: '<1@postrider.example>',
  notices: [],
  recipients: [recipient()],
  attempts: [],
  events: [],
  owed: [],
  counted: true,
  ...over,
})

const content: Content = {
  html: '<p>Grüße</p>',
  text: null,
  headers: { 'X-One': '1', 'X-Two': '2' },
  attachments: [
    { filename: 'a.bin', contentType: 'application/octet-stream', contentId: null, content: Uint8Array.of(0, 255, 10) },
    { filename: 'b.txt', contentType: 'text/plain', contentId: 'b', content: new Uint8Array() },
  ],
}

const everything: EmailQuery = {
  workspace: 'ws_1',
  mode: null,
  keyId: null,
  before: null,
  limit: 10,
  now: 5_000,
  status: null,
  to: null,
  from: null,
  subject: null,
  templateId: null,
  tag: null,
  category: null,
  createdAfter: null,
  createdBefore: null,
}

const claimAt = (emails: EmailStore, now: number, limit = 10) =>
  emails.claim({ lane: 'transactional', now, limit, leaseMs })

/** Claims one email that must be due, and flattens the result. */
const claimOne = async (emails: EmailStore, now: number) => {
  const [claimed] = await claimAt(emails, now)
  assert.ok(claimed, 'no email was due')
  return { id: claimed.email.id, fence: claimed.fence, deaths: claimed.deaths, email: claimed.email }
}

/** Declares the tests that every email store must pass. */
export const emailsConformance = (adapter: string, open: () => EmailStore | Promise<EmailStore>) =>
  describe(`email store in ${adapter}`, () => {
    describe('inserts', () => inserts(open))
    describe('claims', () => claims(open))
    describe('claims by id', () => claimsById(open))
    describe('shares of workspaces', () => shares(open))
    describe('writes and leases', () => writes(open))
    describe('deaths of workers', () => deathsOfWorkers(open))
    describe('lists', () => lists(open))
    describe('filters', () => filters(open))
    describe('counts of the queue', () => queueCounts(open))
    describe('mail of suspended workspaces', () => suspendedMail(open))
  })

type Open = () => EmailStore | Promise<EmailStore>

const inserts = (open: Open): void => {
  it('returns an email and its content as they were inserted', async () => {
    const emails = await open()
    const kept = email()
    assert.equal(await emails.insert(kept, content), 'inserted')
    const stored = { email: kept, nextAt: 1_000, leaseUntil: null, fence: 0, deaths: 0 }
    assert.deepEqual(await emails.get(kept.id), stored)
    assert.deepEqual(await emails.content(kept.id), content)
  })

  it('ignores a second insert of the same id', async () => {
    const emails = await open()
    const kept = email()
    await emails.insert(kept, content)
    assert.equal(await emails.insert({ ...kept, subject: 'Another' }, { ...content, attachments: [] }), 'exists')
    assert.equal((await emails.get(kept.id))?.email.subject, kept.subject)
    assert.equal((await emails.content(kept.id))?.attachments.length, 2)
  })

  it('never inserts an email under a tombstoned id', async () => {
    const emails = await open()
    const late = email()
    assert.equal(await emails.tombstone(late.id), true)
    assert.equal(await emails.tombstone(late.id), true)
    assert.equal(await emails.insert(late, content), 'void')
    assert.equal(await emails.get(late.id), null)
    assert.equal(await emails.content(late.id), null)
    assert.deepEqual(await emails.list(everything), { emails: [], hasMore: false })
    assert.equal(await emails.nextDue('transactional'), null)
  })

  it('does not tombstone the id of an email', async () => {
    const emails = await open()
    const kept = email()
    await emails.insert(kept, content)
    assert.equal(await emails.tombstone(kept.id), false)
    assert.deepEqual((await emails.get(kept.id))?.email, kept)
  })

  it('lists an email with a pending refund until it is refunded', async () => {
    const emails = await open()
    const owing = email({ owed: [0] })
    await emails.insert(owing, content)
    await emails.insert(email(), content)
    assert.deepEqual(
      (await emails.pendingRefunds(10)).map((stored) => stored.email.id),
      [owing.id],
    )
    await emails.change(owing.id, 0, 1_000, { email: { ...owing, owed: [] }, nextAt: null })
    assert.deepEqual(await emails.pendingRefunds(10), [])
  })
}

const claims = (open: Open): void => {
  it('claims due mail of one lane once, oldest first', async () => {
    const emails = await open()
    const [late, soon, other, scheduled] = [
      email({ recipients: [recipient({ nextAt: 900 })] }),
      email({ recipients: [recipient({ nextAt: 800 }), recipient({ nextAt: 2_000 })] }),
      email({ category: 'marketing', recipients: [recipient({ nextAt: 700 })] }),
      email({ recipients: [recipient({ nextAt: 1_001 })] }),
    ]
    for (const one of [late, soon, other, scheduled]) await emails.insert(one, content)
    const ids = (await claimAt(emails, 1_000)).map((claimed) => claimed.email.id)
    assert.deepEqual(ids, [soon.id, late.id])
    assert.deepEqual(await claimAt(emails, 1_000), [])
    const [marketing] = await emails.claim({ lane: 'marketing', now: 1_000, limit: 1, leaseMs })
    assert.equal(marketing?.email.id, other.id)
  })

  it('claims no more than the limit', async () => {
    const emails = await open()
    for (let count = 0; count < 5; count++) await emails.insert(email(), content)
    assert.equal((await claimAt(emails, 1_000, 3)).length, 3)
    assert.equal((await claimAt(emails, 1_000, 3)).length, 2)
  })

  it('stores the lease and the raised fence of a claimed email', async () => {
    const emails = await open()
    await emails.insert(email(), content)
    const { id, fence, deaths } = await claimOne(emails, 1_000)
    const stored = await emails.get(id)
    assert.equal(deaths, 0)
    assert.ok(fence > 0)
    assert.equal(stored?.fence, fence)
    assert.equal(stored?.leaseUntil, 1_000 + leaseMs)
  })

  it('makes a released email due at once and counts no death', async () => {
    const emails = await open()
    await emails.insert(email(), content)
    const first = await claimOne(emails, 1_000)
    await emails.releaseLeases([first])
    assert.equal(await emails.nextDue('transactional'), 1_000)
    const second = await claimOne(emails, 1_000)
    assert.ok(second.fence > first.fence)
    assert.equal(second.deaths, 0)
  })

  it('returns the time of the earliest email or lease end as the next due time', async () => {
    const emails = await open()
    assert.equal(await emails.nextDue('transactional'), null)
    await emails.insert(email({ recipients: [recipient({ nextAt: 5_000_000 })] }), content)
    await emails.insert(email(), content)
    assert.equal(await emails.nextDue('transactional'), 1_000)
    await claimOne(emails, 1_000)
    assert.equal(await emails.nextDue('transactional'), 1_000 + leaseMs)
    assert.equal(await emails.nextDue('marketing'), null)
  })

  it('counts due mail of each lane, with the oldest due time', async () => {
    const emails = await open()
    await emails.insert(email({ recipients: [recipient({ nextAt: 9_000 })] }), content)
    await emails.insert(email({ recipients: [recipient({ nextAt: 2_000 })] }), content)
    await emails.insert(email({ recipients: [recipient({ nextAt: null, status: 'suppressed' })] }), content)
    const lanes = await emails.backlog(3_000)
    assert.deepEqual(
      lanes.find(({ lane }) => lane === 'transactional'),
      { lane: 'transactional', due: 1, oldestDueAt: 2_000 },
    )
    assert.deepEqual(
      lanes.find(({ lane }) => lane === 'marketing'),
      { lane: 'marketing', due: 0, oldestDueAt: null },
    )
  })
}

const idsIn = (claimed: readonly ClaimedEmail[]): string[] => claimed.map(({ email }) => email.id)

const claimsById = (open: Open): void => {
  const claimIds = (emails: EmailStore, now: number, ids: readonly string[], limit = 10) =>
    emails.claim({ lane: 'transactional', now, limit, leaseMs, ids })

  it('claims only due emails of the given ids', async () => {
    const emails = await open()
    const [due, other, later, held] = [
      email(),
      email(),
      email({ recipients: [recipient({ nextAt: 1_001 })] }),
      email({ recipients: [recipient({ nextAt: 500 })] }),
    ]
    await emails.insert(held, content)
    await claimOne(emails, 500)
    for (const one of [due, other, later]) await emails.insert(one, content)
    const asked = [later.id, held.id, newId('em'), due.id, due.id]
    assert.deepEqual(idsIn(await claimIds(emails, 1_000, asked)), [due.id])
    assert.deepEqual(await claimIds(emails, 1_000, asked), [])
    assert.deepEqual(await claimIds(emails, 1_000, []), [])
    assert.deepEqual(idsIn(await claimAt(emails, 1_000)), [other.id])
  })

  it('does not claim ids of another lane', async () => {
    const emails = await open()
    const marketing = email({ category: 'marketing' })
    await emails.insert(marketing, content)
    assert.deepEqual(await claimIds(emails, 1_000, [marketing.id]), [])
    assert.equal((await emails.get(marketing.id))?.fence, 0)
  })

  it('claims the oldest when more ids are given than the limit', async () => {
    const emails = await open()
    const [new_, old, middle] = [3, 1, 2].map((nextAt) => email({ recipients: [recipient({ nextAt })] }))
    assert.ok(new_ && old && middle)
    for (const one of [new_, old, middle]) await emails.insert(one, content)
    const asked = [new_.id, old.id, middle.id]
    assert.deepEqual(idsIn(await claimIds(emails, 1_000, asked, 2)), [old.id, middle.id])
    assert.deepEqual(idsIn(await claimIds(emails, 1_000, asked, 2)), [new_.id])
  })

  it('takes over mail whose holder died', async () => {
    const emails = await open()
    const kept = email()
    await emails.insert(kept, content)
    await claimOne(emails, 1_000)
    assert.deepEqual(await claimIds(emails, 999 + leaseMs, [kept.id]), [])
    const [taken] = await claimIds(emails, 1_000 + leaseMs, [kept.id])
    assert.equal(taken?.deaths, 1)
  })

  it('treats operators of the query language as ids', async () => {
    const emails = await open()
    await emails.insert(email(), content)
    assert.deepEqual(await claimIds(emails, 1_000, ['$gt', '%', '']), [])
  })
}

const shares = (open: Open): void => {
  const insertFor = async (emails: EmailStore, workspace: string, count: number, nextAt = 1_000) => {
    const recipients = [recipient({ nextAt })]
    await Promise.all(Array.from({ length: count }, () => emails.insert(email({ workspace, recipients }), content)))
  }
  const countBy = (claimed: readonly ClaimedEmail[]): Record<string, number> => {
    const counts: Record<string, number> = {}
    for (const { email } of claimed) counts[email.workspace] = (counts[email.workspace] ?? 0) + 1
    return counts
  }

  it('leaves room for a workspace with little due mail', async () => {
    const emails = await open()
    await insertFor(emails, 'ws_1', 500, 900)
    await insertFor(emails, 'ws_2', 3)
    assert.deepEqual(countBy(await claimAt(emails, 1_000)), { ws_1: 7, ws_2: 3 })
    assert.deepEqual(countBy(await claimAt(emails, 1_000)), { ws_1: 10 })
  })

  it('gives workspaces with much due mail equal shares of their oldest mail', async () => {
    const emails = await open()
    await insertFor(emails, 'ws_2', 20, 900)
    await insertFor(emails, 'ws_1', 20, 1_000)
    await insertFor(emails, 'ws_1', 3, 950)
    await insertFor(emails, 'ws_3', 20, 5_000)
    const claimed = await claimAt(emails, 1_000)
    assert.deepEqual(countBy(claimed), { ws_1: 5, ws_2: 5 })
    const ages = claimed.map(({ email }) => email.recipients[0]?.nextAt)
    assert.deepEqual(ages, [900, 900, 900, 900, 900, 950, 950, 950, 1_000, 1_000])
  })

  it('serves all workspaces over several claims when there are more than the limit', async () => {
    const emails = await open()
    const workspaces = Array.from({ length: 30 }, (_, number) => `ws_${number}`)
    for (const workspace of workspaces) await insertFor(emails, workspace, 4)
    const served = new Set<string>()
    for (let claim = 0; claim < 3; claim++) {
      for (const { email } of await claimAt(emails, 1_000)) served.add(email.workspace)
    }
    assert.deepEqual([...served].sort(), workspaces.sort())
  })

  it('fills a claim although many workspaces have no mail due yet', async () => {
    const emails = await open()
    for (let number = 0; number < 100; number++) await insertFor(emails, `ws_a${number}`, 1, 5_000)
    await insertFor(emails, 'ws_b', 20)
    assert.equal((await claimAt(emails, 1_000)).length, 10)
  })
}

const writes = (open: Open): void => {
  it('lets a holder write under its fence and ends the lease with the last write', async () => {
    const emails = await open()
    await emails.insert(email(), content)
    const held = await claimOne(emails, 1_000)
    const begun = { ...held.email, notices: ['begun'] }
    assert.equal(await emails.write(held.id, held.fence, { email: begun, nextAt: 1_000, done: false }), true)
    assert.equal((await emails.get(held.id))?.leaseUntil, 1_000 + leaseMs)
    const done = { ...begun, notices: ['done'] }
    assert.equal(await emails.write(held.id, held.fence, { email: done, nextAt: 7_000, done: true }), true)
    const stored = { email: done, nextAt: 7_000, leaseUntil: null, fence: held.fence, deaths: 0 }
    assert.deepEqual(await emails.get(held.id), stored)
    assert.deepEqual(await claimAt(emails, 6_999), [])
    assert.equal((await claimOne(emails, 7_000)).id, held.id)
  })

  it('never claims final mail again', async () => {
    const emails = await open()
    await emails.insert(email(), content)
    const { id, fence, email: claimed } = await claimOne(emails, 1_000)
    await emails.write(id, fence, { email: claimed, nextAt: null, done: true })
    assert.deepEqual(await claimAt(emails, 1e12), [])
    assert.equal(await emails.nextDue('transactional'), null)
  })

  it('refuses writes, renewals and releases after another worker took over the lease', async () => {
    const emails = await open()
    await emails.insert(email(), content)
    const old = await claimOne(emails, 1_000)
    const taker = await claimOne(emails, 1_000 + leaseMs)
    const change = { email: { ...old.email, notices: ['late'] }, nextAt: null, done: true }
    assert.equal(await emails.write(old.id, old.fence, change), false)
    assert.deepEqual(await emails.renew([old], 90_000), new Set())
    await emails.releaseLeases([old])
    const stored = await emails.get(old.id)
    assert.equal(stored?.leaseUntil, 1_000 + 2 * leaseMs)
    assert.equal(stored?.fence, taker.fence)
    assert.deepEqual(stored?.email.notices, [])
  })

  it('refuses a write after the holder ended its lease', async () => {
    const emails = await open()
    await emails.insert(email(), content)
    const { id, fence, email: claimed } = await claimOne(emails, 1_000)
    await emails.write(id, fence, { email: claimed, nextAt: 2_000, done: true })
    const again = { email: { ...claimed, notices: ['again'] }, nextAt: null, done: true }
    assert.equal(await emails.write(id, fence, again), false)
    assert.equal((await emails.get(id))?.nextAt, 2_000)
  })

  it('renews every lease that is still held', async () => {
    const emails = await open()
    for (let count = 0; count < 3; count++) await emails.insert(email(), content)
    const [first, second, third] = (await claimAt(emails, 1_000)).map((claimed) => ({
      id: claimed.email.id,
      fence: claimed.fence,
    }))
    assert.ok(first && second && third)
    await emails.releaseLeases([second])
    assert.deepEqual(await emails.renew([first, second, third], 60_000), new Set([first.id, third.id]))
    assert.deepEqual(
      (await claimAt(emails, 59_999)).map((claimed) => claimed.email.id),
      [second.id],
    )
  })

  it('lets only one of a change and a claim succeed', async () => {
    const emails = await open()
    const kept = email()
    await emails.insert(kept, content)
    const canceled = { email: { ...kept, notices: ['canceled'] }, nextAt: null }
    assert.equal(await emails.change(kept.id, 0, 1_000, canceled), true)
    assert.deepEqual(await claimAt(emails, 1_000), [])
    assert.equal(await emails.change(kept.id, 0, 1_000, canceled), false, 'the fence was raised')

    const held = email()
    await emails.insert(held, content)
    const { fence } = await claimOne(emails, 1_000)
    assert.equal(await emails.change(held.id, 0, 1_001, canceled), false)
    assert.equal(await emails.change(held.id, fence, 1_001, canceled), false, 'it is held')
  })

  it('raises the fence by one on a change, which can make mail due', async () => {
    const emails = await open()
    const kept = email({ recipients: [recipient({ nextAt: null, status: 'unknown' })] })
    await emails.insert(kept, content)
    await emails.change(kept.id, 0, 1_000, { email: kept, nextAt: 3_000 })
    assert.equal((await emails.get(kept.id))?.fence, 1)
    assert.equal((await claimOne(emails, 3_000)).id, kept.id)
  })
}

const deathsOfWorkers = (open: Open): void => {
  // Mail that met twenty restarts during a day of retries used to be parked as if it had killed twenty workers.
  it('resets the deaths when a worker writes an outcome', async () => {
    const emails = await open()
    await emails.insert(email(), content)
    await claimOne(emails, 1_000)
    const second = await claimOne(emails, 1_000 + leaseMs)
    const kept = { email: second.email, nextAt: 2_000, done: true }
    assert.equal(await emails.write(second.id, second.fence, kept), true)
    assert.equal((await claimOne(emails, 1_000 + 2 * leaseMs)).deaths, 0)
  })

  it('counts a death when an expired lease is taken over', async () => {
    const emails = await open()
    await emails.insert(email(), content)
    await claimOne(emails, 1_000)
    assert.deepEqual(await claimAt(emails, 999 + leaseMs), [], 'the lease is live')
    assert.equal((await claimOne(emails, 1_000 + leaseMs)).deaths, 1)
  })

  it('makes held mail due when leases are cleared, counts a death each and refuses the holder', async () => {
    const emails = await open()
    await emails.insert(email(), content)
    await emails.insert(email(), content)
    const [held] = await claimAt(emails, 1_000, 1)
    assert.ok(held)
    assert.equal(await emails.clearLeases(), 1)
    const change = { email: held.email, nextAt: null, done: true }
    assert.equal(await emails.write(held.email.id, held.fence, change), false)
    const again = await claimAt(emails, 1_000)
    assert.deepEqual(again.map(({ deaths }) => deaths).sort(), [0, 1])
  })

  it('parks mail whose worker died 20 times', async () => {
    const emails = await open()
    const poison = email()
    await emails.insert(poison, content)
    for (let deaths = 0; deaths < 20; deaths++) {
      assert.equal((await claimOne(emails, 1_000)).deaths, deaths)
      await emails.clearLeases()
    }
    assert.deepEqual(await claimAt(emails, 1e12), [])
    assert.equal(await emails.nextDue('transactional'), null)
    const stored = await emails.get(poison.id)
    assert.equal(stored?.nextAt, null)
    assert.equal(stored?.deaths, 20)
  })
}

const idsOf = async (emails: EmailStore, query: Partial<EmailQuery>): Promise<string[]> =>
  (await emails.list({ ...everything, ...query })).emails.map((stored) => stored.email.id)

const lists = (open: Open): void => {
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

const filters = (open: Open): void => {
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

const queueCounts = (open: Open): void => {
  const scheduled = { recipients: [recipient({ status: 'scheduled', nextAt: 9_000 })], scheduledAt: 9_000 }
  const final = [recipient({ status: 'delivered', nextAt: null })]
  const counted = async (emails: EmailStore): Promise<string[]> =>
    (await emails.queueCounts())
      .map(({ workspace, lane, kind, emails, bytes }) => `${workspace} ${lane} ${kind} ${emails} ${bytes}`)
      .sort()

  it('are by workspace, lane and kind, with the size of the messages', async () => {
    const emails = await open()
    assert.deepEqual(await counted(emails), [])
    for (const over of [
      { messageBytes: 100 },
      { messageBytes: 10 },
      { messageBytes: 7, ...scheduled },
      { messageBytes: 5, mode: 'test' as const },
      { messageBytes: 4, mode: 'test' as const, ...scheduled },
      { messageBytes: 3, category: 'marketing' as const },
      { workspace: 'ws_2', messageBytes: 2 },
      { workspace: 'ws_2' },
      { recipients: [recipient({ status: 'suppressed', nextAt: null })] },
    ])
      await emails.insert(email(over), content)
    assert.deepEqual(await counted(emails), [
      'ws_1 marketing due 1 3',
      'ws_1 transactional due 2 110',
      'ws_1 transactional scheduled 1 7',
      'ws_1 transactional test 2 9',
      'ws_2 transactional due 2 2',
    ])
  })

  it('follow an email from its schedule over its attempts to its end', async () => {
    const emails = await open()
    const kept = email({ messageBytes: 7, ...scheduled })
    await emails.insert(kept, content)
    await emails.insert(kept, content)
    assert.deepEqual(await counted(emails), ['ws_1 transactional scheduled 1 7'])
    const { id, fence } = await claimOne(emails, 9_000)
    assert.deepEqual(await counted(emails), ['ws_1 transactional scheduled 1 7'])
    const sending = { ...kept, recipients: [recipient({ status: 'sending', nextAt: 9_000 })] }
    await emails.write(id, fence, { email: sending, nextAt: 9_000, done: false })
    assert.deepEqual(await counted(emails), ['ws_1 transactional due 1 7'])
    const deferred = { ...kept, recipients: [recipient({ status: 'deferred', nextAt: 10_000 })] }
    await emails.write(id, fence, { email: deferred, nextAt: 10_000, done: true })
    assert.deepEqual(await counted(emails), ['ws_1 transactional due 1 7'])
    const again = await claimOne(emails, 10_000)
    const delivered = { ...kept, recipients: final }
    await emails.write(again.id, again.fence, { email: delivered, nextAt: null, done: true })
    assert.deepEqual(await counted(emails), [])
  })

  it('do not contain cancelled mail and contain mail that waits again', async () => {
    const emails = await open()
    const kept = email({ messageBytes: 7 })
    await emails.insert(kept, content)
    const canceled = { ...kept, recipients: [recipient({ status: 'canceled', nextAt: null })] }
    assert.equal(await emails.change(kept.id, 0, 1_000, { email: canceled, nextAt: null }), true)
    assert.deepEqual(await counted(emails), [])
    const deferred = { ...kept, recipients: [recipient({ status: 'deferred', nextAt: 2_000 })] }
    assert.equal(await emails.change(kept.id, 1, 1_000, { email: deferred, nextAt: 2_000 }), true)
    assert.deepEqual(await counted(emails), ['ws_1 transactional due 1 7'])
  })
}

const suspendedMail = (open: Open): void => {
  const none: ReadonlySet<string> = new Set()
  const insertOf = async (emails: EmailStore, workspace: string, over: Partial<Email> = {}): Promise<Email> => {
    const one = email({ workspace, ...over })
    await emails.insert(one, content)
    return one
  }
  const setAside = async (emails: EmailStore, workspace: string, now = 1_000, until = 50_000) => {
    const due = await emails.dueOf([workspace], now, 10)
    const mail = due.map((stored) => ({ id: stored.email.id, workspace, fence: stored.fence, until }))
    return emails.suspend(mail, now)
  }

  it('is not claimed by a scan that excludes the workspace, however much of it is older', async () => {
    const emails = await open()
    for (let count = 0; count < 5; count++) await insertOf(emails, 'ws_1')
    const [first, second] = [await insertOf(emails, 'ws_2'), await insertOf(emails, 'ws_2')]
    const query = { lane: 'transactional', now: 1_000, leaseMs, except: new Set(['ws_1']) } as const
    assert.deepEqual(idsIn(await emails.claim({ ...query, limit: 1 })), [first.id])
    assert.deepEqual(idsIn(await emails.claim({ ...query, limit: 10 })), [second.id])
    assert.deepEqual(await emails.claim({ ...query, limit: 3 }), [])
    assert.equal((await claimAt(emails, 1_000)).length, 5)
  })

  it('that is set aside is not due before its time and keeps its record', async () => {
    const emails = await open()
    const kept = await insertOf(emails, 'ws_1')
    await insertOf(emails, 'ws_1', { category: 'marketing' })
    await insertOf(emails, 'ws_1', { recipients: [recipient({ nextAt: 2_000 })] })
    assert.equal(await setAside(emails, 'ws_1'), 2)
    assert.deepEqual((await emails.get(kept.id))?.email, kept)
    assert.deepEqual(await claimAt(emails, 1_000), [])
    assert.equal(await emails.nextDue('transactional'), 2_000)
    assert.equal(await emails.nextDue('marketing'), 50_000)
    assert.deepEqual(
      (await emails.backlog(1_000)).map(({ due }) => due),
      [0, 0],
    )
    assert.equal((await claimAt(emails, 50_000)).length, 2)
  })

  it('is resumed with its own time, except that of workspaces that are still suspended', async () => {
    const emails = await open()
    const mine = await insertOf(emails, 'ws_1')
    const other = await insertOf(emails, 'ws_2')
    for (const workspace of ['ws_1', 'ws_2']) assert.equal(await setAside(emails, workspace), 1)
    assert.equal(await emails.resume({ except: new Set(['ws_1', 'ws_2']), limit: 10 }), 0)
    assert.equal(await emails.resume({ except: new Set(['ws_1']), limit: 10 }), 1)
    assert.deepEqual(idsIn(await claimAt(emails, 1_000)), [other.id])
    assert.equal(await emails.resume({ except: none, limit: 10 }), 1)
    assert.equal(await emails.resume({ except: none, limit: 10 }), 0)
    assert.deepEqual(idsIn(await claimAt(emails, 1_000)), [mine.id])
  })

  it('is resumed in batches', async () => {
    const emails = await open()
    for (let count = 0; count < 3; count++) await insertOf(emails, 'ws_1')
    await insertOf(emails, 'ws_2')
    for (const workspace of ['ws_1', 'ws_2']) await setAside(emails, workspace)
    assert.equal(await emails.resume({ except: none, limit: 2 }), 2)
    assert.equal(await emails.resume({ except: none, limit: 2 }), 2)
    assert.equal(await emails.resume({ except: none, limit: 2 }), 0)
    assert.equal((await claimAt(emails, 1_000)).length, 4)
  })

  it('is not set aside while a worker holds it, and is when its lease has ended, as a death', async () => {
    const emails = await open()
    const { id } = await insertOf(emails, 'ws_1')
    const { fence } = await claimOne(emails, 1_000)
    assert.equal(await emails.suspend([{ id, workspace: 'ws_1', fence, until: 50_000 }], 1_000), 0)
    assert.deepEqual(await emails.dueOf(['ws_1', 'ws_2'], 1_000, 10), [])
    assert.equal(await setAside(emails, 'ws_1', 1_000 + leaseMs), 1)
    const stored = await emails.get(id)
    assert.deepEqual([stored?.leaseUntil, stored?.deaths], [null, 1])
    assert.equal(await emails.write(id, fence, { email: email({ id }), nextAt: null, done: true }), false)
  })

  it('is not set aside by a decision that is older than another change', async () => {
    const emails = await open()
    const kept = await insertOf(emails, 'ws_1')
    const canceled = { ...kept, recipients: [recipient({ status: 'canceled', nextAt: null })] }
    assert.equal(await emails.change(kept.id, 0, 1_000, { email: canceled, nextAt: null }), true)
    assert.equal(await emails.suspend([{ id: kept.id, workspace: 'ws_1', fence: 0, until: 50_000 }], 1_000), 0)
    assert.equal(await emails.nextDue('transactional'), null)
  })

  it('can be cancelled, and is not due again when its workspace is resumed', async () => {
    const emails = await open()
    const kept = await insertOf(emails, 'ws_1')
    await setAside(emails, 'ws_1')
    const fence = (await emails.get(kept.id))?.fence ?? -1
    const canceled = { ...kept, recipients: [recipient({ status: 'canceled', nextAt: null })] }
    assert.equal(await emails.change(kept.id, fence, 1_000, { email: canceled, nextAt: null }), true)
    await emails.resume({ except: none, limit: 10 })
    assert.equal(await emails.nextDue('transactional'), null)
    assert.equal(await emails.resume({ except: none, limit: 10 }), 0)
  })
}
