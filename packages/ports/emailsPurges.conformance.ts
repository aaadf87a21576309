import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import type { Content, Email } from '@postrider/domain/email/email.ts'
import { removedAddress, withoutContent, withoutPersonal } from '@postrider/domain/retention/purge.ts'
import { Fault } from '@postrider/kit/fault.ts'
import type { EmailStore } from './emails.ts'
import { claimOne, content, email, everything, type Open, recipient } from './emailsFixtures.conformance.ts'

const plain = { ...content, attachments: [] }
const long = { ...content, html: 'ü\n'.repeat(150_000) }
const delivered = (over: Partial<Email> = {}): Email =>
  email({ recipients: [recipient({ status: 'delivered', nextAt: null })], ...over })

/** A store may return the bytes as a buffer. */
const isSame = (found: Content | null, expected: Content): boolean => {
  const attachments = found?.attachments.map((one) => ({ ...one, content: Uint8Array.from(one.content) }))
  return isDeepStrictEqual({ ...found, attachments }, expected)
}

const record = { step: 'record', from: 1_000 }
const all = () => Number.MAX_SAFE_INTEGER

/** Tests of what is removed because of its age. */
export const purges = (open: Open): void => {
  it('returns mail whose step is due, by step, oldest first', async () => {
    const emails = await open()
    const [young, old, other] = [email({ createdAt: 3_000 }), email({ createdAt: 2_000 }), email({ retention: 7 })]
    for (const one of [young, old, other]) await emails.insert(one, plain)
    const due = await emails.duePurges((step) => (step === 'content' ? 3_000 : 0), 10)
    assert.deepEqual(
      due,
      [old, young].map((one) => ({
        id: one.id,
        email: one,
        fence: 0,
        leaseUntil: null,
        purge: { step: 'content', from: one.createdAt },
      })),
    )
    assert.equal((await emails.duePurges(all, 2)).length, 2)
    assert.deepEqual(await emails.purgeBacklog((step) => (step === 'content' ? 3_000 : 0), 10), [
      { step: 'content', due: 2, oldest: 2_000 },
      { step: 'content:7', due: 0, oldest: null },
    ])
  })

  it('begins with the attachments of mail that has some', async () => {
    const emails = await open()
    await emails.insert(email({ scheduledAt: 9_000 }), content)
    const [due] = await emails.duePurges(all, 10)
    assert.deepEqual(due?.purge, { step: 'attachments', from: 9_000 })
  })

  it('makes mail without retention due with the write that makes it final', async () => {
    const emails = await open()
    const one = email({ retention: 'none' })
    await emails.insert(one, plain)
    assert.deepEqual(await emails.duePurges(() => 1_000, 10), [])
    const { id, fence } = await claimOne(emails, 1_000)
    const last = { id: 'evt_1', sequence: 1, type: 'email.delivered' as const, at: 1_000, recipient: 0 }
    const final = delivered({ ...one, createdAt: 500, recipients: delivered().recipients, events: [last] })
    await emails.write(id, fence, { email: final, nextAt: null, done: true })
    const due = await emails.duePurges(() => 1_000, 10)
    assert.deepEqual(
      due.map((found) => [found.id, found.purge]),
      [[id, { step: 'final', from: 1_000 }]],
    )
  })

  // Regression: MongoDB stored the content again, for as long as the record.
  it('stores no content for an insert that is repeated after the content was removed', async () => {
    const emails = await open()
    for (const domainId of [null, 'dom_1']) {
      const one = delivered({ domainId })
      await emails.insert(one, plain)
      await emails.purge([{ email: withoutPersonal(one, 5_000), fence: 0, purge: record, remove: 'content' }])
      for (const repeated of [plain, long]) {
        assert.equal(await emails.insert(one, repeated), 'exists')
        assert.equal(await emails.content(one.id), null)
      }
    }
  })

  for (const [name, stored] of Object.entries({ short: { ...content, attachments: content.attachments }, long })) {
    it(`removes ${name} content and what the document has of it`, async () => {
      const emails = await open()
      const one = delivered()
      await emails.insert(one, stored)
      const after = withoutPersonal(one, 5_000)
      const change = { email: after, fence: 0, purge: record, remove: 'content' } as const
      assert.equal(await emails.purge([change]), 1)
      assert.equal(await emails.content(one.id), null)
      const found = await emails.get(one.id)
      assert.deepEqual(found?.email, after)
      assert.equal(found?.email.recipients[0]?.address, removedAddress)
      assert.deepEqual(
        (await emails.duePurges(all, 10)).map(({ purge }) => purge),
        [record],
      )
      assert.equal(await emails.purge([change]), 0, 'the fencing token has changed')
    })

    it(`removes the bytes of attachments of ${name} content and keeps the other parts`, async () => {
      const emails = await open()
      const one = delivered({ domainId: name === 'long' ? 'dom_1' : null })
      await emails.insert(one, stored)
      const purge = { step: 'content', from: 1_000 }
      const after = { ...one, attachmentsRemovedAt: 5_000 }
      assert.equal(await emails.purge([{ email: after, fence: 0, purge, remove: 'attachments' }]), 1)
      const empty = stored.attachments.map((attachment) => ({ ...attachment, content: new Uint8Array() }))
      assert.ok(isSame(await emails.content(one.id), { ...stored, attachments: empty }))
    })

    it(`removes records with ${name} content`, async () => {
      const emails = await open()
      const [one, other] = [delivered(), delivered()]
      for (const each of [one, other]) await emails.insert(each, stored)
      assert.equal(
        await emails.removeEmails([
          { id: one.id, fence: 0 },
          { id: other.id, fence: 1 },
        ]),
        1,
      )
      assert.equal(await emails.get(one.id), null)
      assert.equal(await emails.content(one.id), null)
      assert.ok(isSame(await emails.content(other.id), stored))
      assert.deepEqual(
        (await emails.list(everything)).emails.map(({ email: { id } }) => id),
        [other.id],
      )
    })
  }

  it('removes nothing of leased mail', async () => {
    const emails = await open()
    const one = email()
    await emails.insert(one, plain)
    const { fence } = await claimOne(emails, 1_000)
    const change = { email: withoutContent(one, 1), fence, purge: record, remove: 'content' } as const
    assert.equal(await emails.removeEmails([{ id: one.id, fence }]), 0)
    assert.equal(await emails.purge([change]), 0)
    assert.equal((await emails.get(one.id))?.email.subject, one.subject)
  })

  it('postpones a step only if it is as it was read', async () => {
    const emails = await open()
    const one = email()
    await emails.insert(one, plain)
    const was = { step: 'content', from: 1_000 }
    await emails.setPurges([{ id: one.id, was: { ...was, from: 0 }, purge: { ...was, from: 7_000 } }])
    assert.deepEqual(
      (await emails.duePurges(all, 1)).map(({ purge }) => purge),
      [was],
    )
    await emails.setPurges([{ id: one.id, was, purge: { ...was, from: 7_000 } }])
    assert.deepEqual(
      (await emails.duePurges(all, 1)).map(({ purge }) => purge.from),
      [7_000],
    )
  })

  // Regression: the step of a void id was read as that of an email, and failed in each round before all other removals.
  it('gives a void id a step, returns it without an email, and removes it', async () => {
    const emails = await open()
    const [id, before, later] = ['em_void', email({ tags: { a: '1' } }), email({ tags: { a: '1' } })]
    await emails.insert(before, plain)
    await emails.tombstone(id)
    await emails.fillListIndex(10)
    assert.equal(await emails.adoptPurges(4_000, 10), 1)
    assert.equal(await emails.adoptPurges(4_000, 10), 0)
    const purge = { step: 'record', from: 4_000 }
    const due = (): ReturnType<typeof emails.duePurges> =>
      emails.duePurges((step) => (step === 'record' ? 4_000 : 0), 10)
    assert.deepEqual(await due(), [{ id, email: null, fence: 0, leaseUntil: null, purge }])
    assert.equal(await emails.removeEmails([{ id, fence: 1 }]), 0)
    assert.equal(await emails.removeEmails([{ id, fence: 0 }]), 1)
    assert.deepEqual(await due(), [])
    await emails.scrub(true)
    // Mail that is stored next is in the index of lists, even if it has the position of the void id.
    assert.equal(await emails.insert(later, plain), 'inserted')
    await emails.fillListIndex(10)
    const found = await emails.list({ ...everything, tag: { name: 'a', value: '1' } })
    assert.deepEqual(found.emails.map(({ email: one }) => one.id).toSorted(), [before.id, later.id].toSorted())
  })
}

/** `interruptedBy`: the same store for a process that calls `before` before each write, and stops if that throws. */
type Interrupted = { emails: EmailStore; interruptedBy(before: () => Promise<unknown>): EmailStore }

/** Declares the tests of removals during which other calls run, or whose process stops. */
export const interruptedPurges = (adapter: string, open: () => Interrupted | Promise<Interrupted>) =>
  describe(`an interrupted removal in ${adapter}`, () => {
    // Regression: MongoDB stored the content again, between its removal and the write of the record, for as long as the
    // record.
    it('leaves no content of an insert that is repeated before any of its writes', async () => {
      for (const domainId of [null, 'dom_1']) {
        const { emails, interruptedBy } = await open()
        const one = delivered({ domainId })
        await emails.insert(one, plain)
        const repeated: ReturnType<typeof emails.insert>[] = []
        const repeat = (): Promise<unknown> => {
          const inserted = emails.insert(one, plain)
          repeated.push(inserted)
          return inserted
        }
        const change = { email: withoutPersonal(one, 5_000), fence: 0, purge: record, remove: 'content' } as const
        assert.equal(await interruptedBy(repeat).purge([change]), 1)
        assert.deepEqual([...new Set(await Promise.all(repeated))], ['exists'])
        assert.equal(await emails.content(one.id), null)
      }
    })

    // Regression: MongoDB counted an email in each process whose result would have been the same.
    it('counts an email once if another process removes the same before any of its writes', async () => {
      const { emails, interruptedBy } = await open()
      const one = delivered()
      await emails.insert(one, plain)
      const change = { email: withoutContent(one, 5_000), fence: 0, purge: record, remove: 'content' } as const
      const counts: Promise<number>[] = []
      const first = interruptedBy(() => {
        const other = emails.purge([change])
        counts.push(other)
        return other
      }).purge([change])
      const counted = [await first, ...(await Promise.all(counts))]
      assert.deepEqual(
        counted.filter((count) => count > 0),
        [1],
      )
    })

    for (const remove of ['content', 'attachments'] as const)
      it(`repeats the removal of ${remove} after it stopped before any of its writes`, async () => {
        for (let [last, isDone] = [0, false]; !isDone; last++) {
          const { emails, interruptedBy } = await open()
          const one = delivered()
          await emails.insert(one, content)
          const after = remove === 'content' ? withoutContent(one, 5_000) : { ...one, attachmentsRemovedAt: 5_000 }
          let writes = 0
          const stopping = interruptedBy(() => {
            if (writes++ === last) throw new Fault('unavailable', 'The process stops.')
            return Promise.resolve()
          })
          const purgeWith = (store: EmailStore, fence: number): Promise<number> =>
            store.purge([{ email: after, fence, purge: record, remove }])
          isDone = await purgeWith(stopping, 0).then(
            () => true,
            () => false,
          )
          const [due] = await emails.duePurges(all, 10)
          assert.equal(due?.purge.step, isDone ? 'record' : 'attachments')
          if (!isDone) assert.equal(await purgeWith(emails, due?.fence ?? -1), 1)
          const left = await emails.content(one.id)
          assert.deepEqual(
            left?.attachments.map((file) => file.content.length) ?? [],
            remove === 'content' ? [] : [0, 0],
          )
          assert.deepEqual((await emails.get(one.id))?.email, after)
          assert.deepEqual(
            (await emails.duePurges(all, 10)).map(({ purge }) => purge),
            [record],
          )
        }
      })
  })
