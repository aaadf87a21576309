import assert from 'node:assert/strict'
import { emailIndexes, mongoEmails } from '@postrider/adapters/mongo/emails/emails.ts'
import type { Content, Email } from '@postrider/domain/email/email.ts'
import { newId } from '@postrider/kit/ids.ts'
import type { EmailStore } from '@postrider/ports/emails.ts'
import { wrappedDb } from '../faults/wrappedDb.ts'
import { anEmail } from '../support/anEmail.ts'
import { mongoForTests } from './mongo.ts'

const content: Content = { html: null, text: 'Hello', headers: {}, attachments: [] }
const claim = { lane: 'transactional', now: 1_000, limit: 40, leaseMs: 30_000 } as const

const manyEmails = (count: number): Email[] => Array.from({ length: count }, () => anEmail({ id: newId('em') }))

const attachment = (bytes: number) => ({
  filename: 'large.bin',
  contentType: 'application/octet-stream',
  contentId: null,
  content: new Uint8Array(Buffer.alloc(bytes, 'postrider')),
})

describe('email store on MongoDB', () => {
  const open = mongoForTests(emailIndexes)

  it('gives each of 1,000 due emails to one of 50 concurrent claimers', async () => {
    const db = await open()
    const mails = manyEmails(1_000)
    const first = mongoEmails(db)
    await Promise.all(mails.map((mail) => first.insert(mail, content)))
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

  it('stores one email for 100 concurrent inserts of an id, with the content of the same insert', async () => {
    const db = await open()
    const id = newId('em')
    const tries = Array.from({ length: 100 }, (_, number) =>
      mongoEmails(db).insert(anEmail({ id, subject: `Try ${number}` }), { ...content, text: `Try ${number}` }),
    )
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
  it('returns the content of the insert that stored the email, not the remains of an earlier one that crashed', async () => {
    const db = await open()
    const emails = mongoEmails(db)
    const [stored, split] = [anEmail({ id: newId('em') }), anEmail({ id: newId('em') })]
    const attachments = [attachment(13 * 2 ** 20)]
    for (const { id } of [stored, split]) {
      await emails.insert(anEmail({ id, subject: 'Earlier' }), { ...content, attachments, text: 'Earlier' })
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

  it('stores no content for a tombstone, whether the insert was before or after it', async () => {
    const db = await open()
    const emails = mongoEmails(db)
    const crashed = anEmail({ id: newId('em') })
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
    const held = await emails.claim(claim)
    const lost = held.filter((_, index) => index % 2 === 0).map(({ email }) => email.id)
    await emails.releaseLeases(
      held.filter(({ email }) => lost.includes(email.id)).map(({ email, fence }) => ({ id: email.id, fence })),
    )
    const written = await Promise.all(
      held.map(({ email, fence }) =>
        emails.write(email.id, fence, { email: { ...email, notices: ['sent'] }, nextAt: null, done: true }),
      ),
    )
    assert.deepEqual(
      written,
      held.map(({ email }) => !lost.includes(email.id)),
    )
  })

  // After `unavailable` the holder repeats the write; false would make it report an email it sent as lost.
  it('returns true for a repeated write whose first answer was lost', async () => {
    const emails = mongoEmails(await open())
    await emails.insert(anEmail({ id: newId('em') }), content)
    const [held] = await emails.claim(claim)
    assert.ok(held)
    const { email, fence } = held
    const last = { email: { ...email, notices: ['sent'] }, nextAt: null, done: true }
    assert.equal(await emails.write(email.id, fence, last), true)
    assert.equal(await emails.write(email.id, fence, last), true)
    assert.equal(await emails.write(email.id, fence, { ...last, email }), false)
  })

  it('stores tags, metadata and headers with any names', async () => {
    const emails = mongoEmails(await open())
    const names = { 'a.b': '1', $set: '2', '': '3', __proto__x: '4', 'x\u0000y': '5' }
    const odd = anEmail({ id: newId('em'), tags: names, metadata: names })
    await emails.insert(odd, { ...content, headers: names })
    assert.deepEqual((await emails.get(odd.id))?.email, odd)
    assert.deepEqual((await emails.content(odd.id))?.headers, names)
  })

  // A holder released its lease during another claim, and the second command of that claim counted the release as a death.
  it('does not park an email that is released between the commands of a claim', async () => {
    const db = await open()
    const [mail] = manyEmails(1)
    assert.ok(mail)
    const holder = mongoEmails(db)
    await holder.insert(mail, content)
    const [held] = await holder.claim(claim)
    assert.ok(held)
    let writes = 0
    const interrupted = wrappedDb(db, {
      write: async ({ run }) => {
        writes += 1
        if (writes === 2) await holder.releaseLeases([{ id: mail.id, fence: held.fence }])
        return run()
      },
    })
    const parked: string[] = []
    await mongoEmails(interrupted, (id) => parked.push(id)).claim({ ...claim, ids: [mail.id] })
    assert.deepEqual(parked, [])
    assert.equal((await holder.claim(claim)).length, 1)
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
