import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { mongoEmails } from '@postrider/adapters/mongo/emails/emails.ts'
import type { Content } from '@postrider/domain/email/email.ts'
import { noFilter } from '@postrider/domain/email/filter.ts'
import { newId } from '@postrider/kit/ids.ts'
import type { BatchEmail } from '@postrider/ports/emailBatches.ts'
import type { EmailStore } from '@postrider/ports/emails.ts'
import type { Db } from 'mongodb'
import { mongoForTests } from '../contract/mongo.ts'
import { anEmail } from '../support/anEmail.ts'
import { skip } from '../support/skip.ts'
import { useLastRelease } from './tree.ts'

/** Methods of the store of emails that both releases have. */
type OldStore = Pick<EmailStore, 'claim' | 'get' | 'list' | 'nextDue' | 'backlog' | 'write'>

const content: Content = { html: null, text: 'Hello', headers: {}, attachments: [] }
const everything = { ...noFilter, workspace: anEmail().workspace, limit: 100, now: 0 }
const due = { lane: 'transactional' as const, now: 100_000, limit: 10, leaseMs: 30_000 }

const batchEmail = (number: number): BatchEmail => {
  const email = anEmail({ id: newId('em') })
  return { email, content, item: { number, id: email.id, sends: 1, kind: 'due', bytes: 100 } }
}

const idsOf = (emails: readonly BatchEmail[]): string[] => emails.map(({ email }) => email.id)

describe('batches alongside a release without them', function batchSuite() {
  const release = useLastRelease()
  const open = mongoForTests()
  let oldStore: (db: Db) => OldStore

  before(async function importOld() {
    if (existsSync(join(release().folder, 'services/intake/submitBatch.ts')))
      return skip(this, 'the last release has batches')
    const old = await import(join(release().folder, 'packages/adapters/mongo/emails.ts'))
    oldStore = (old as { mongoEmails: (db: Db) => OldStore }).mongoEmails
  })

  const head = () => ({ id: newId('bat'), workspace: everything.workspace, at: 1_000, until: 31_000 })
  const assertHidden = async (db: Db, ids: readonly string[]): Promise<void> => {
    const old = oldStore(db)
    assert.deepEqual(await old.claim(due), [])
    assert.deepEqual(await old.claim({ ...due, ids: [...ids] }), [])
    assert.equal(await old.nextDue('transactional'), null)
    assert.ok((await old.backlog(due.now)).every(({ due: waiting }) => waiting === 0))
    assert.deepEqual((await old.list(everything)).emails, [])
    for (const id of ids) assert.equal(await old.get(id), null)
  }

  it('an old process neither shows nor sends mail that is staged or void', async () => {
    const db = await open()
    const [emails, batch, staged] = [mongoEmails(db), head(), [batchEmail(0), batchEmail(1)]]
    await emails.stageBatch(batch, staged)
    await assertHidden(db, idsOf(staged))
    assert.equal(await emails.voidBatch(batch.id, 2_000), true)
    await assertHidden(db, idsOf(staged))
    await emails.sweepBatches(2_000, 10)
    await assertHidden(db, idsOf(staged))
    assert.equal(await emails.acceptBatch(batch, [], { results: '', now: 3_000 }), 'void')
  })

  it('an old process sends accepted mail, and each of it is sent once', async () => {
    const db = await open()
    const [emails, batch, staged, rest] = [mongoEmails(db), head(), [batchEmail(0)], [batchEmail(1)]]
    await emails.stageBatch(batch, staged)
    assert.equal(await emails.acceptBatch(batch, rest, { results: '', now: 2_000 }), 'accepted')
    const old = oldStore(db)
    const claimed = await old.claim({ ...due, limit: 1 })
    const others = await emails.claim(due)
    const ids = [...claimed, ...others].map(({ email }) => email.id)
    assert.deepEqual(ids.toSorted(), idsOf([...staged, ...rest]).toSorted())
    const [one] = claimed
    assert.ok(one)
    const recipients = one.email.recipients.map((to) => ({ ...to, status: 'delivered' as const, nextAt: null }))
    const change = { email: { ...one.email, recipients }, nextAt: null, done: true }
    assert.equal(await old.write(one.email.id, one.fence, change), true)
    const after = await emails.get(one.email.id)
    assert.deepEqual([after?.email.recipients[0]?.status, after?.nextAt], ['delivered', null])
    assert.equal((await emails.completeBatch(batch.id, 3_000))?.items.length, 2)
    assert.equal((await old.list(everything)).emails.length, 2)
  })
})
