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

describe('emails of a cluster', () => {
  const open = mongoForTests(emailIndexes)

  it('of 1,000 due mails 50 claimers at once get each mail once', async () => {
    const db = await open()
    const mails = manyEmails(1_000)
    const first = mongoEmails(db)
    await Promise.all(mails.map((mail) => first.insert(mail, content)))
    const claimed: string[] = []
    const claimUntilNothingIsLeft = async (emails: EmailStore): Promise<void> => {
      for (;;) {
        const some = await emails.claim(claim)
        claimed.push(...some.map(({ email }) => email.id))
        if (some.length === 0 && (await emails.nextDue('transactional')) === claim.now + claim.leaseMs) return
      }
    }
    await Promise.all(Array.from({ length: 50 }, () => claimUntilNothingIsLeft(mongoEmails(db))))
    assert.deepEqual(claimed.sort(), mails.map(({ id }) => id).sort())
  }).timeout(60_000)

  it('of 50 claims of the same ids only one gets each', async () => {
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

  it('100 inserts of the same id at once leave one email, with the content that came with it', async () => {
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

  it('a message of 40 MiB comes back as it went in, and so does a body of 16 MiB', async () => {
    const emails = mongoEmails(await open())
    const [heavy, long] = [anEmail({ id: newId('em') }), anEmail({ id: newId('em') })]
    const attachments = [attachment(25 * 2 ** 20), attachment(0), attachment(15 * 2 ** 20)]
    await emails.insert(heavy, { ...content, attachments })
    await emails.insert(long, { ...content, html: 'ü'.repeat(8 * 2 ** 20) })
    const kept = await emails.content(heavy.id)
    assert.equal(kept?.text, content.text)
    assert.deepEqual(
      kept.attachments.map((one) =>
        Buffer.compare(one.content, attachments[kept.attachments.indexOf(one)]?.content ?? one.content),
      ),
      [0, 0, 0],
    )
    assert.equal((await emails.content(long.id))?.html, 'ü'.repeat(8 * 2 ** 20))
  })

  it('a content that lacks a piece keeps no other from its reader', async () => {
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

  // A template may have another version by the time that a request is repeated after a crash.
  it('an email has the content of its own try, not what a crash left of an earlier one', async () => {
    const db = await open()
    const emails = mongoEmails(db)
    const [kept, split] = [anEmail({ id: newId('em') }), anEmail({ id: newId('em') })]
    const attachments = [attachment(13 * 2 ** 20)]
    for (const { id } of [kept, split]) {
      await emails.insert(anEmail({ id, subject: 'Earlier' }), { ...content, attachments, text: 'Earlier' })
      await db.collection<{ _id: string }>('emails').deleteOne({ _id: id })
    }
    assert.equal(await emails.insert(kept, content), 'inserted')
    assert.deepEqual(await emails.content(kept.id), content)
    const other = { ...content, attachments: [attachment(14 * 2 ** 20)] }
    assert.equal(await emails.insert(split, other), 'inserted')
    assert.equal((await emails.content(split.id))?.attachments[0]?.content.byteLength, 14 * 2 ** 20)
    assert.equal(await emails.insert(kept, other), 'exists')
    assert.deepEqual(await emails.content(kept.id), content)
  })

  it('an id that is taken back leaves no content behind, whether it came before or after', async () => {
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

  it('of writes that travel together each learns its own outcome', async () => {
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

  // Its holder is told `unavailable` and writes again: told that it lost the lease, it would say so of mail it sent.
  it('a write that was done although its answer was lost is done when it is repeated', async () => {
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

  it('tags, metadata and headers may have any names', async () => {
    const emails = mongoEmails(await open())
    const names = { 'a.b': '1', $set: '2', '': '3', __proto__x: '4', 'x\u0000y': '5' }
    const odd = anEmail({ id: newId('em'), tags: names, metadata: names })
    await emails.insert(odd, { ...content, headers: names })
    assert.deepEqual((await emails.get(odd.id))?.email, odd)
    assert.deepEqual((await emails.content(odd.id))?.headers, names)
  })

  // A holder that stops lets go just as somebody else asks: the second of a claim's commands took that for one death too many.
  it('mail that is let go between the commands of a claim is not set aside', async () => {
    const db = await open()
    const [mail] = manyEmails(1)
    assert.ok(mail)
    const holder = mongoEmails(db)
    await holder.insert(mail, content)
    const [held] = await holder.claim(claim)
    assert.ok(held)
    let writes = 0
    const late = wrappedDb(db, {
      write: async ({ run }) => {
        writes += 1
        if (writes === 2) await holder.releaseLeases([{ id: mail.id, fence: held.fence }])
        return run()
      },
    })
    const parked: string[] = []
    await mongoEmails(late, (id) => parked.push(id)).claim({ ...claim, ids: [mail.id] })
    assert.deepEqual(parked, [])
    assert.equal((await holder.claim(claim)).length, 1)
  })

  it('mail that was set aside is told of', async () => {
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
