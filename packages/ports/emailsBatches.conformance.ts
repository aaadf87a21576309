import assert from 'node:assert/strict'
import { withEvents } from '@postrider/domain/email/changes.ts'
import type { Content, Email } from '@postrider/domain/email/email.ts'
import { newId } from '@postrider/kit/ids.ts'
import type { BatchEmail, BatchHead } from './emailBatches.ts'
import type { EmailStore } from './emails.ts'
import { claimAt, content, email, everything, idsIn, type Open, recipient } from './emailsFixtures.conformance.ts'

const day = 86_400_000

const head = (over: Partial<BatchHead> = {}): BatchHead => ({
  id: newId('bat'),
  workspace: 'ws_1',
  at: 1_000,
  until: 31_000,
  ...over,
})

const batchEmail = (number: number, over: Partial<Email> = {}): BatchEmail => {
  const one = email({ subject: `Message ${number}`, messageBytes: 100, ...over })
  const cause = { kind: 'request', actor: 'key_1' } as const
  const accepted = withEvents(one, 1_000, [{ type: 'email.accepted', recipient: null, cause }])
  return { email: accepted, content, item: { number, id: one.id, sends: 1, kind: 'due', bytes: 100 } }
}

const idsOf = (emails: readonly BatchEmail[]): string[] => emails.map(({ email: { id } }) => id)

/** Returns a content with bytes that compare equal in every type of array. */
const plain = (one: Content | null) => ({
  ...one,
  attachments: one?.attachments.map((attachment) => ({ ...attachment, content: Buffer.from(attachment.content) })),
})

/** Asserts that no method of the store shows these emails. */
const assertHidden = async (emails: EmailStore, ids: readonly string[]): Promise<void> => {
  for (const id of ids) assert.equal(await emails.get(id), null)
  assert.deepEqual((await emails.list(everything)).emails, [])
  assert.deepEqual(await claimAt(emails, 10 * day), [])
  assert.deepEqual(await emails.claim({ lane: 'transactional', now: 10 * day, limit: 10, leaseMs: 1, ids }), [])
  assert.equal(await emails.nextDue('transactional'), null)
  assert.deepEqual(await emails.queueCounts(), [])
  assert.deepEqual(await emails.pendingRefunds(10), [])
}

const given = { results: 'results', now: 1_500 }

export const batches = (open: Open): void => {
  it('accepts all emails of a batch, which are then listed and due', async () => {
    const emails = await open()
    const [batch, all] = [head(), [batchEmail(0), batchEmail(1, { category: 'marketing' })]]
    assert.equal(await emails.acceptBatch(batch, all, given), 'accepted')
    for (const { email } of all) {
      const stored = await emails.get(email.id)
      assert.deepEqual(stored, { email, nextAt: 1_000, leaseUntil: null, fence: 0, deaths: 0 })
      assert.deepEqual(await emails.content(email.id), content)
    }
    assert.equal((await emails.list(everything)).emails.length, 2)
    assert.deepEqual(idsIn(await claimAt(emails, 1_000)), [all[0]?.email.id])
    const counts = (await emails.queueCounts()).map(({ lane, emails, bytes }) => `${lane} ${emails} ${bytes}`)
    assert.deepEqual(counts.sort(), ['marketing 1 100', 'transactional 1 100'])
    const items = all.map(({ item }) => item)
    const { id, workspace, at } = batch
    assert.deepEqual(await emails.batch(id), { id, workspace, at, state: 'accepted', items, results: 'results' })
  })

  it('hides staged emails until their batch is accepted', async () => {
    const emails = await open()
    const [batch, first, second, remaining] = [head(), [batchEmail(0)], [batchEmail(2)], [batchEmail(1)]]
    const long = { ...content, html: 'x'.repeat(400_000) }
    const staged = first.map((one) => ({ ...one, content: long }))
    assert.equal(await emails.stageBatch(batch, staged), 'staged')
    assert.equal(await emails.stageBatch(batch, second), 'staged')
    await assertHidden(emails, idsOf([...first, ...second]))
    assert.equal((await emails.batch(batch.id))?.state, 'open')
    assert.equal(await emails.acceptBatch(batch, remaining, given), 'accepted')
    assert.equal((await claimAt(emails, 1_000)).length, 3)
    for (const [id, wanted] of [
      ...idsOf(first).map((id) => [id, long] as const),
      ...idsOf(second).map((id) => [id, content] as const),
    ])
      assert.deepEqual(plain(await emails.content(id)), plain(wanted))
    assert.deepEqual(
      (await emails.batch(batch.id))?.items.map(({ number }) => number),
      [0, 2, 1],
    )
  })

  it('keeps the positions of scheduled and suppressed emails in a batch', async () => {
    const emails = await open()
    const scheduled = batchEmail(0, { scheduledAt: day, recipients: [recipient({ status: 'scheduled', nextAt: day })] })
    const suppressed = batchEmail(1, { recipients: [recipient({ status: 'suppressed', nextAt: null })] })
    await emails.acceptBatch(head(), [scheduled, suppressed], given)
    assert.equal(await emails.nextDue('transactional'), day)
    assert.deepEqual(await claimAt(emails, 1_000), [])
    assert.equal((await emails.list({ ...everything, status: 'suppressed' })).emails.length, 1)
    assert.equal((await emails.list({ ...everything, status: 'scheduled' })).emails.length, 1)
  })

  it('gives events new times if a batch is accepted long after its emails were staged', async () => {
    const emails = await open()
    const [batch, one] = [head(), batchEmail(0)]
    await emails.stageBatch(batch, [one])
    await emails.acceptBatch(batch, [batchEmail(1)], { results: '', now: 50_000 })
    const stored = (await emails.list(everything)).emails.flatMap(({ email }) => email.events.map(({ at }) => at))
    assert.equal(stored.length, 2)
    // The time that the acceptance itself takes is added, because readers of the feed may be past its beginning.
    for (const at of stored) assert.ok(at >= 50_000, String(at))
  })

  it('accepts a batch without emails', async () => {
    const emails = await open()
    const batch = head()
    assert.equal(await emails.acceptBatch(batch, [], given), 'accepted')
    assert.deepEqual((await emails.completeBatch(batch.id, 2_000))?.results, 'results')
    assert.equal(await emails.voidBatch(batch.id, 2_000), false)
  })

  it('never accepts a batch that was made void, and removes its emails', async () => {
    const emails = await open()
    const [batch, staged, remaining] = [head(), batchEmail(0), batchEmail(1)]
    await emails.stageBatch(batch, [staged])
    assert.equal(await emails.voidBatch(batch.id, 2_000), true)
    assert.equal(await emails.voidBatch(batch.id, 2_000), true)
    assert.equal(await emails.stageBatch(batch, [batchEmail(2)]), 'void')
    assert.equal(await emails.acceptBatch(batch, [remaining], given), 'void')
    assert.equal(await emails.completeBatch(batch.id, 2_000), null)
    assert.equal(await emails.sweepBatches(2_000, 10), 1)
    await assertHidden(emails, idsOf([staged, remaining]))
    for (const { email } of [staged, remaining]) assert.equal(await emails.content(email.id), null)
    assert.equal(await emails.acceptBatch(batch, [remaining], given), 'void')
  })

  it('makes a batch void that is not known yet', async () => {
    const emails = await open()
    const batch = head()
    assert.equal(await emails.voidBatch(batch.id, 2_000), true)
    assert.equal(await emails.acceptBatch(batch, [batchEmail(0)], given), 'void')
    assert.equal((await emails.batch(batch.id))?.state, 'void')
    assert.deepEqual((await emails.list(everything)).emails, [])
  })

  it('does not make an accepted batch void', async () => {
    const emails = await open()
    const batch = head()
    await emails.acceptBatch(batch, [batchEmail(0)], given)
    assert.equal(await emails.voidBatch(batch.id, 2_000), false)
    await emails.sweepBatches(60_000, 10)
    assert.equal((await claimAt(emails, 1_000)).length, 1)
  })

  it('discards an open batch with its emails immediately, and no batch that is accepted', async () => {
    const emails = await open()
    const [refused, accepted, unknown] = [head(), head(), head()]
    const [staged, kept] = [batchEmail(0), batchEmail(0)]
    await emails.stageBatch(refused, [staged])
    await emails.stageBatch(accepted, [kept])
    await emails.acceptBatch(accepted, [], given)
    for (const _ of ['first', 'again']) assert.equal(await emails.discardBatch(refused.id, 2_000), true)
    assert.equal(await emails.discardBatch(accepted.id, 2_000), false)
    assert.equal(await emails.discardBatch(unknown.id, 2_000), true)
    assert.deepEqual(
      [await emails.content(staged.email.id), (await emails.get(kept.email.id))?.email.id],
      [null, kept.email.id],
    )
    assert.equal(await emails.batch(unknown.id), null)
    assert.equal(await emails.stageBatch(refused, [batchEmail(1)]), 'void')
    assert.equal(await emails.acceptBatch(refused, [], given), 'void')
    assert.equal(await emails.acceptBatch(unknown, [], given), 'accepted')
    assert.equal(await emails.sweepBatches(2_000, 10), 0)
    assert.equal(await emails.sweepBatches(2_000 + 2 * day, 10), 3)
    assert.equal(await emails.batch(refused.id), null)
  })

  it('makes an abandoned batch void after its time, and deletes it after two days', async () => {
    const emails = await open()
    const [batch, one] = [head(), batchEmail(0)]
    await emails.stageBatch(batch, [one])
    assert.equal(await emails.sweepBatches(30_999, 10), 0)
    await emails.stageBatch({ ...batch, until: 60_000 }, [batchEmail(1)])
    assert.equal(await emails.sweepBatches(59_999, 10), 0)
    assert.equal(await emails.sweepBatches(60_000, 10), 1)
    assert.equal(await emails.acceptBatch(batch, [], given), 'void')
    assert.equal(await emails.content(one.email.id), null)
    assert.equal(await emails.sweepBatches(60_000 + 2 * day - 1, 10), 0)
    assert.equal(await emails.sweepBatches(60_000 + 2 * day, 10), 1)
    assert.equal(await emails.batch(batch.id), null)
  })

  it('makes the open batches of a dead process void, and no other', async () => {
    const emails = await open()
    const [staged, accepted, one] = [head(), head(), batchEmail(0)]
    await emails.stageBatch(staged, [one])
    await emails.acceptBatch(accepted, [batchEmail(1)], given)
    assert.equal(await emails.voidOpenBatches(), 1)
    assert.equal(await emails.voidOpenBatches(), 0)
    assert.equal(await emails.acceptBatch(staged, [], given), 'void')
    assert.equal(await emails.voidBatch(accepted.id, 2_000), false)
    assert.equal(await emails.sweepBatches(2_000, 10), 1)
    assert.equal(await emails.content(one.email.id), null)
  })

  it('changes the results of accepted batches of a workspace, and of no other', async () => {
    const emails = await open()
    const [own, second, other, staged] = [head(), head(), head({ workspace: 'ws_2' }), head()]
    for (const one of [own, second, other]) await emails.acceptBatch(one, [], { results: one.id, now: 1_500 })
    await emails.stageBatch(staged, [batchEmail(0)])
    await emails.changeResults('ws_1', { after: '', limit: 100 }, function* (results) {
      yield
      return `${results} changed`
    })
    const found = await Promise.all([own, second, other, staged].map(({ id }) => emails.batch(id)))
    assert.deepEqual(
      found.map((one) => one?.results),
      [`${own.id} changed`, `${second.id} changed`, other.id, ''],
    )
    assert.equal(await emails.voidBatch(staged.id, 2_000), true)
  })

  it('changes the results of batches in pages, in the order of ids', async () => {
    const emails = await open()
    const ids = ['bat_3', 'bat_1', 'bat_5', 'bat_2', 'bat_4']
    for (const id of ids) await emails.acceptBatch(head({ id }), [], { results: id, now: 1_500 })
    await emails.stageBatch(head({ id: 'bat_0' }), [batchEmail(0)])
    const pages: string[][] = []
    for (let after: string | null = ''; after !== null; ) {
      const read: string[] = []
      pages.push(read)
      after = await emails.changeResults('ws_1', { after, limit: 2 }, function* (results) {
        yield
        read.push(results)
        return `${results} changed`
      })
      assert.equal(after, pages.length < 3 ? read.at(-1) : null)
    }
    assert.deepEqual(pages, [['bat_1', 'bat_2'], ['bat_3', 'bat_4'], ['bat_5']])
    for (const id of ids) assert.equal((await emails.batch(id))?.results, `${id} changed`)
  })

  it('keeps changes of results that run at the same time', async () => {
    const emails = await open()
    const batch = head()
    await emails.acceptBatch(batch, [], { results: '0', now: 1_500 })
    const add = (text: string) =>
      emails.changeResults('ws_1', { after: '', limit: 100 }, function* (results) {
        yield
        return `${results}${text}`
      })
    await Promise.all(['1', '2', '3'].map(add))
    assert.equal([...((await emails.batch(batch.id))?.results ?? '')].toSorted().join(''), '0123')
  })

  it('lets one of an acceptance and a void win', async () => {
    const emails = await open()
    for (let round = 0; round < 5; round += 1) {
      const [batch, one] = [head(), batchEmail(0)]
      await emails.stageBatch(batch, [one])
      const [accepted, isVoid] = await Promise.all([
        emails.acceptBatch(batch, [batchEmail(1)], given),
        emails.voidBatch(batch.id, 2_000),
      ])
      assert.equal(accepted === 'accepted', !isVoid)
      assert.equal((await emails.get(one.email.id)) !== null, !isVoid)
    }
  })
}
