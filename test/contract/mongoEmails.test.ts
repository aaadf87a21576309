import assert from 'node:assert/strict'
import type { EmailDoc } from '@postrider/adapters/mongo/emails/document.ts'
import { emailIndexes, mongoEmails } from '@postrider/adapters/mongo/emails/emails.ts'
import { sourcesOf } from '@postrider/adapters/mongo/emails/sources.ts'
import { withEvents } from '@postrider/domain/email/changes.ts'
import type { Content, Email } from '@postrider/domain/email/email.ts'
import { type EmailQuery, noFilter } from '@postrider/domain/email/filter.ts'
import { termsOfQuery } from '@postrider/domain/email/terms.ts'
import { newId } from '@postrider/kit/ids.ts'
import type { EmailStore } from '@postrider/ports/emails.ts'
import { wrappedDb } from '../faults/wrappedDb.ts'
import { anEmail, aRecipient } from '../support/anEmail.ts'
import { inParallel } from '../support/inParallel.ts'
import { mongoForTests } from './mongo.ts'

const content: Content = { html: null, text: 'Hello', headers: {}, attachments: [] }
const [rare, common] = ['rare@receiver.example', 'common@receiver.example']
const claim = { lane: 'transactional', now: 1_000, limit: 40, leaseMs: 30_000 } as const

const manyEmails = (count: number): Email[] => Array.from({ length: count }, () => anEmail({ id: newId('em') }))

const sent = { type: 'email.sent', recipient: 0 } as const

const attachment = (bytes: number) => ({
  filename: 'large.bin',
  contentType: 'application/octet-stream',
  contentId: null,
  content: new Uint8Array(Buffer.alloc(bytes, 'postrider')),
})

/** Inserts some at the same time. Of a thousand, the last would be too late for the store of a busy machine. */
const insertAll = (emails: Pick<EmailStore, 'insert'>, mails: readonly Email[]): Promise<void> =>
  inParallel(50, { from: 0, to: mails.length }, async (number) => {
    await emails.insert(mails[number] ?? assert.fail(), content)
  })

describe('email store on MongoDB', () => {
  const open = mongoForTests(emailIndexes)

  it('gives each of 1,000 due emails to one of 50 concurrent claimers', async () => {
    const db = await open()
    const mails = manyEmails(1_000)
    await insertAll(mongoEmails(db), mails)
    const claimed: string[] = []
    const claimAll = async (emails: EmailStore): Promise<void> => {
      for (;;) {
        const batch = await emails.claim(claim)
        claimed.push(...batch.map(({ email }) => email.id))
        if (batch.length === 0 && (await emails.nextDue('transactional')) === claim.now + claim.leaseMs) return
      }
    }
    await Promise.all(Array.from({ length: 50 }, () => claimAll(mongoEmails(db))))
    assert.deepEqual(claimed.sort(), mails.map(({ id }) => id).sort())
  })

  it('finds mail that version 0.1 parked, some in each call, and later mail in the next pass', async () => {
    const db = await open()
    const emails = mongoEmails(db)
    const stored = db.collection<{ _id: string }>('emails')
    const parkAsOld = (mails: readonly Email[]) =>
      stored.updateMany(
        { _id: { $in: mails.map(({ id }) => id) } },
        { $set: { deaths: 20, nextAt: null, dueAt: Number.MAX_SAFE_INTEGER } },
      )
    const over = [{}, { mode: 'test' }, { category: 'marketing' }, { workspace: 'ws_other' }] as const
    const mails = Array.from({ length: 40 }, (_, number) => anEmail({ id: newId('em'), ...over[number % 4] }))
    await Promise.all(mails.map((mail) => emails.insert(mail, content)))
    const [first, later] = [mails.slice(8, 24), mails.slice(30, 32)]
    const parkedAt = async () =>
      new Map((await emails.parked({ before: null, limit: 100 })).map((one) => [one.stored.email.id, one.parkedAt]))
    await parkAsOld(first)
    assert.equal((await parkedAt()).size, 0)
    let calls = 1
    for (; (await emails.timeParked(5_000, 7)).more; calls++) assert.ok((await parkedAt()).size <= 7 * calls)
    assert.ok(calls >= mails.length / 7, 'a call checks at most 7 emails')
    assert.deepEqual(await parkedAt(), new Map(first.toReversed().map(({ id }) => [id, 5_000])))
    await parkAsOld(later)
    while ((await emails.timeParked(9_000, 7)).more);
    const expected = [...first.map(({ id }) => [id, 5_000] as const), ...later.map(({ id }) => [id, 9_000] as const)]
    assert.deepEqual([...(await parkedAt())].sort(), expected.sort())
  })

  it('sets no time for mail that is released while it is checked', async () => {
    const db = await open()
    const [mail] = manyEmails(1)
    assert.ok(mail)
    const release = async () => {
      const { fence = -1 } = (await mongoEmails(db).get(mail.id)) ?? {}
      await mongoEmails(db).change(mail.id, fence, 2_000, { email: mail, nextAt: 3_000, resetsDeaths: true })
    }
    const racing = wrappedDb(db, { write: ({ run }) => release().then(run) })
    await mongoEmails(db).insert(mail, content)
    const stored = db.collection<{ _id: string; nextAt: number | null; parkedAt?: number }>('emails')
    await stored.updateOne({ _id: mail.id }, { $set: { deaths: 20, nextAt: null } })
    await mongoEmails(racing).timeParked(5_000, 10)
    const found = await stored.findOne({ _id: mail.id })
    assert.deepEqual([found?.nextAt, found?.parkedAt], [3_000, undefined])
  })

  it('reads a list by the filter that fewer emails match, although many match each', async () => {
    const db = await open()
    const mails = Array.from({ length: 600 }, (_, number) =>
      anEmail({
        id: newId('em'),
        createdAt: number,
        from: { name: '', address: number % 4 === 0 ? rare : common },
        templateId: number % 2 === 0 ? 'tpl_often' : 'tpl_other',
        recipients: [aRecipient({ status: number % 5 === 0 ? 'bounced' : 'delivered', nextAt: null })],
      }),
    )
    await insertAll(mongoEmails(db), mails)
    const query = (filter: Partial<EmailQuery>): EmailQuery => ({
      ...{ ...noFilter, workspace: anEmail().workspace, limit: 20, now: mails.length },
      ...filter,
    })
    const readBy = async (filter: Partial<EmailQuery>) => {
      const [source] = await sourcesOf(db.collection<EmailDoc>('emails'), query(filter))
      return source?.(0).inIndex[0]
    }
    const term = (filter: Partial<EmailQuery>) => ({ terms: termsOfQuery(query(filter)).all[0] })
    assert.deepEqual(await readBy({ from: rare, templateId: 'tpl_often' }), term({ from: rare }))
    assert.deepEqual(await readBy({ from: common, templateId: 'tpl_often' }), term({ templateId: 'tpl_often' }))
    assert.deepEqual(await readBy({ from: rare, status: 'delivered' }), term({ from: rare }))
    assert.equal((await readBy({ from: common, status: 'bounced' }))?.status, 'bounced')
  })

  it('gives each id to one of 50 concurrent claims of the same ids', async () => {
    const db = await open()
    const mails = manyEmails(40)
    const ids = mails.map(({ id }) => id)
    const emails = mongoEmails(db)
    await Promise.all(mails.map((mail) => emails.insert(mail, content)))
    const claims = await Promise.all(Array.from({ length: 50 }, () => mongoEmails(db).claim({ ...claim, ids })))
    assert.deepEqual(
      claims
        .flat()
        .map(({ email, fence }) => [email.id, fence])
        .sort(),
      ids.sort().map((id) => [id, 1]),
    )
  })

  for (const [senders, domainIds] of [
    ['the shared sender', [null]],
    ['a domain', ['dom_1']],
    // The domain was verified, or failed, between two tries.
    ['the shared sender and a domain', [null, 'dom_1']],
  ] as const)
    it(`stores one email for 100 concurrent inserts of an id from ${senders}, with the content of the same insert`, async () => {
      const db = await open()
      const id = newId('em')
      const tries = Array.from({ length: 100 }, (_, number) => {
        const email = anEmail({ id, subject: `Try ${number}`, domainId: domainIds[number % domainIds.length] ?? null })
        return mongoEmails(db).insert(email, { ...content, text: `Try ${number}` })
      })
      const outcomes = await Promise.all(tries)
      assert.equal(outcomes.filter((outcome) => outcome === 'inserted').length, 1)
      assert.equal(outcomes.filter((outcome) => outcome === 'exists').length, 99)
      const stored = await mongoEmails(db).get(id)
      assert.equal(stored?.email.subject, `Try ${outcomes.indexOf('inserted')}`)
      assert.equal((await mongoEmails(db).content(id))?.text, stored.email.subject)
    })

  it('returns attachments of 40 MiB and a body of 16 MiB unchanged', async () => {
    const emails = mongoEmails(await open())
    const [heavy, long] = [anEmail({ id: newId('em') }), anEmail({ id: newId('em') })]
    const attachments = [attachment(25 * 2 ** 20), attachment(0), attachment(15 * 2 ** 20)]
    await emails.insert(heavy, { ...content, attachments })
    await emails.insert(long, { ...content, html: 'ü'.repeat(8 * 2 ** 20) })
    const stored = await emails.content(heavy.id)
    assert.equal(stored?.text, content.text)
    assert.deepEqual(
      stored.attachments.map((one) =>
        Buffer.compare(one.content, attachments[stored.attachments.indexOf(one)]?.content ?? one.content),
      ),
      [0, 0, 0],
    )
    assert.equal((await emails.content(long.id))?.html, 'ü'.repeat(8 * 2 ** 20))
  })

  it('returns other contents if one lacks a piece', async () => {
    const db = await open()
    const emails = mongoEmails(db)
    const [damaged, whole] = [anEmail({ id: newId('em') }), anEmail({ id: newId('em') })]
    await emails.insert(damaged, { ...content, attachments: [attachment(13 * 2 ** 20)] })
    await emails.insert(whole, content)
    await db.collection<{ _id: string }>('contents').deleteOne({ _id: `${damaged.id}/1` })
    const [lost, read] = await Promise.allSettled([damaged.id, whole.id].map((id) => emails.content(id)))
    assert.equal(lost?.status, 'rejected')
    assert.deepEqual(read, { status: 'fulfilled', value: content })
  })

  // The template may have another version when a request is repeated after a crash.
  for (const [name, domainId, earlier] of [
    ['one that crashed', null, [null]],
    ['one from a domain', null, ['dom_1']],
    ['one from the shared sender', 'dom_1', [null]],
    ['one from the same domain', 'dom_1', ['dom_1']],
    ['two that crashed', 'dom_1', [null, 'dom_1', 'dom_1']],
  ] as const)
    it(`returns the content of the insert that stored the email, not the remains of an earlier one: ${name}`, async () => {
      const db = await open()
      const emails = mongoEmails(db)
      const [stored, split] = [anEmail({ id: newId('em'), domainId }), anEmail({ id: newId('em'), domainId })]
      const attachments = [attachment(13 * 2 ** 20)]
      for (const { id } of [stored, split])
        for (const domainId of earlier) {
          await emails.insert(anEmail({ id, subject: 'Earlier', domainId }), {
            ...content,
            attachments,
            text: 'Earlier',
          })
          await db.collection<{ _id: string }>('emails').deleteOne({ _id: id })
        }
      assert.equal(await emails.insert(stored, content), 'inserted')
      assert.deepEqual(await emails.content(stored.id), content)
      const other = { ...content, attachments: [attachment(14 * 2 ** 20)] }
      assert.equal(await emails.insert(split, other), 'inserted')
      assert.equal((await emails.content(split.id))?.attachments[0]?.content.byteLength, 14 * 2 ** 20)
      assert.equal(await emails.insert(stored, other), 'exists')
      assert.deepEqual(await emails.content(stored.id), content)
    })

  for (const domainId of [null, 'dom_1'])
    it(`stores no content for a tombstone, whether the insert was before or after it (domain ${domainId})`, async () => {
      const db = await open()
      const emails = mongoEmails(db)
      const crashed = anEmail({ id: newId('em'), domainId })
      const heavy = { ...content, attachments: [attachment(13 * 2 ** 20)] }
      await emails.insert(crashed, heavy)
      await db.collection<{ _id: string }>('emails').deleteOne({ _id: crashed.id })
      assert.equal(await db.collection('contents').countDocuments({}), 3)
      assert.equal(await emails.tombstone(crashed.id), true)
      assert.equal(await db.collection('contents').countDocuments({}), 0)
      assert.equal(await emails.insert(crashed, heavy), 'void')
      assert.equal(await db.collection('contents').countDocuments({}), 0)
    })

  it('returns the result of each write of a batch', async () => {
    const emails = mongoEmails(await open())
    const mails = manyEmails(6)
    await Promise.all(mails.map((mail) => emails.insert(mail, content)))
    const leased = await emails.claim(claim)
    const lost = leased.filter((_, index) => index % 2 === 0).map(({ email }) => email.id)
    await emails.releaseLeases(
      leased.filter(({ email }) => lost.includes(email.id)).map(({ email, fence }) => ({ id: email.id, fence })),
    )
    const written = await Promise.all(
      leased.map(({ email, fence }) =>
        emails.write(email.id, fence, { email: { ...email, notices: ['sent'] }, nextAt: null, done: true }),
      ),
    )
    assert.deepEqual(
      written,
      leased.map(({ email }) => !lost.includes(email.id)),
    )
  })

  // After `unavailable` the holder repeats the write; false would make it report an email it sent as lost.
  it('returns true for a repeated write whose first response was lost', async () => {
    const emails = mongoEmails(await open())
    await emails.insert(anEmail({ id: newId('em') }), content)
    const [leased] = await emails.claim(claim)
    assert.ok(leased)
    const { email, fence } = leased
    const last = { email: { ...email, notices: ['sent'] }, nextAt: null, done: true }
    assert.equal(await emails.write(email.id, fence, last), true)
    assert.equal(await emails.write(email.id, fence, last), true)
    assert.equal(await emails.write(email.id, fence, { ...last, email }), false)
  })

  it('refuses a write that was computed from a record with other events than the stored one', async () => {
    const emails = mongoEmails(await open())
    await emails.insert(withEvents(anEmail({ id: newId('em') }), 1_000, [sent]), content)
    const [leased] = await emails.claim(claim)
    assert.ok(leased)
    const { fence, email } = leased
    const older = { ...email, events: [] }
    const change = { nextAt: null, done: true }
    for (const storedEvents of [0, 2])
      await assert.rejects(emails.write(email.id, fence, { ...change, email: older, storedEvents }), {
        code: 'unavailable',
      })
    assert.deepEqual((await emails.get(email.id))?.email, email)
    const after = withEvents(email, 2_000, [sent])
    assert.equal(await emails.write(email.id, fence, { ...change, email: after, storedEvents: 1 }), true)
    assert.deepEqual((await emails.get(email.id))?.email, after)
  })

  // Version 0.1 does not write `eventsAt`: it is absent, or has the times of fewer events.
  for (const done of [true, false])
    for (const [what, update] of [
      ['no times', { $unset: { eventsAt: 1 } }],
      ['the times of fewer', { $set: { eventsAt: [] } }],
    ] as const)
      it(`writes a document that has ${what} of its events, ${done ? 'as the last write' : 'and keeps the lease'}`, async () => {
        const db = await open()
        const emails = mongoEmails(db)
        await emails.insert(withEvents(anEmail({ id: newId('em') }), 1_000, [sent]), content)
        const [leased] = await emails.claim(claim)
        assert.ok(leased)
        await db.collection('emails').updateOne({}, update)
        const after = withEvents(leased.email, 2_000, [sent])
        const change = { email: after, nextAt: null, done, storedEvents: 1 }
        assert.equal(await emails.write(leased.email.id, leased.fence, change), true)
        const stored = await emails.get(leased.email.id)
        assert.deepEqual(stored?.email, after)
        assert.equal(stored?.leaseUntil, done ? null : claim.now + claim.leaseMs)
        const times = await db.collection<{ eventsAt: number[] }>('emails').findOne({})
        assert.deepEqual(times?.eventsAt, [1_000, 2_000])
      })

  it('stores tags, metadata and headers with any names', async () => {
    const emails = mongoEmails(await open())
    const names = { 'a.b': '1', $set: '2', '': '3', __proto__x: '4', 'x\u0000y': '5' }
    const odd = anEmail({ id: newId('em'), tags: names, metadata: names })
    await emails.insert(odd, { ...content, headers: names })
    assert.deepEqual((await emails.get(odd.id))?.email, odd)
    assert.deepEqual((await emails.content(odd.id))?.headers, names)
  })

  // A holder released its lease during another claim, and the second command of that claim counted the release as a
  // death.
  for (const [moment, { now, isLate }] of [
    ['before the claim reads who died', { now: claim.now, isLate: false }],
    ['before the claim reads who died, after its lease', { now: claim.now + claim.leaseMs, isLate: false }],
    ['before the claim takes it over', { now: claim.now + claim.leaseMs, isLate: true }],
  ] as const)
    it(`counts no death of an email that is released ${moment}`, async () => {
      const db = await open()
      const [mail] = manyEmails(1)
      assert.ok(mail)
      const holder = mongoEmails(db)
      await holder.insert(mail, content)
      const [leased] = await holder.claim(claim)
      assert.ok(leased)
      let writes = 0
      let released = 0
      const release = async (): Promise<void> => {
        released += 1
        await holder.releaseLeases([{ id: mail.id, fence: leased.fence }])
      }
      const interrupted = wrappedDb(db, {
        write: async ({ run }) => {
          writes += 1
          if (isLate && writes === 2) await release()
          return run()
        },
        read: async (run) => {
          if (!isLate && writes === 1) await release()
          return run()
        },
      })
      const parked: string[] = []
      const other = mongoEmails(interrupted, (id) => parked.push(id))
      const claimed = await other.claim({ ...claim, now, ids: [mail.id] })
      assert.ok(released > 0)
      const after = await holder.claim({ ...claim, now })
      assert.deepEqual(
        [...claimed, ...after].map(({ deaths }) => deaths),
        [0],
      )
      assert.deepEqual(parked, [])
    })

  it('reports a parked email', async () => {
    const parked: string[] = []
    const emails = mongoEmails(await open(), (id) => parked.push(id))
    const poison = anEmail({ id: newId('em') })
    await emails.insert(poison, content)
    let { now } = claim
    for (let deaths = 0; deaths < 20; deaths++) {
      const [taken] = await emails.claim({ ...claim, now })
      assert.equal(taken?.deaths, deaths)
      now += claim.leaseMs
    }
    assert.deepEqual(await emails.claim({ ...claim, now }), [])
    assert.deepEqual(parked, [poison.id])
    const stored = await emails.get(poison.id)
    assert.deepEqual([stored?.nextAt, stored?.leaseUntil, stored?.deaths], [null, null, 20])
    assert.equal(await emails.nextDue('transactional'), null)
  })
})
