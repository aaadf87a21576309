import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { mongoEmails } from '@postrider/adapters/mongo/emails/emails.ts'
import type { Content } from '@postrider/domain/email/email.ts'
import { newId } from '@postrider/kit/ids.ts'
import type { EmailStore } from '@postrider/ports/emails.ts'
import type { Db } from 'mongodb'
import { mongoForTests } from '../contract/mongo.ts'
import { anEmail } from '../support/anEmail.ts'
import { skip } from '../support/skip.ts'
import { useLastRelease } from './tree.ts'

const attachment = (bytes: number) => ({
  filename: 'a.bin',
  contentType: 'application/octet-stream',
  contentId: null,
  content: new Uint8Array(bytes),
})

const plain: Content = { html: null, text: 'Hello', headers: {}, attachments: [] }

const sizes: [size: string, content: Content][] = [
  ['one document', plain],
  ['several documents', { ...plain, attachments: [attachment(13 * 2 ** 20)] }],
]

describe('mail of sending domains in a release without signatures', function unsignedSuite() {
  const release = useLastRelease()
  const open = mongoForTests()
  let oldStore: (db: Db) => EmailStore

  before(async function importOld() {
    if (existsSync(join(release().folder, 'services/dispatcher/signer.ts')))
      return skip(this, 'the last release signs mail')
    const old = await import(join(release().folder, 'packages/adapters/mongo/emails.ts'))
    oldStore = (old as { mongoEmails: (db: Db) => EmailStore }).mongoEmails
  })

  for (const [size, content] of sizes)
    it(`has no content that an old dispatcher could send, in ${size}`, async () => {
      const db = await open()
      const [signed, shared] = [anEmail({ id: newId('em'), domainId: 'dom_1' }), anEmail({ id: newId('em') })]
      const emails = mongoEmails(db)
      for (const email of [signed, shared]) assert.equal(await emails.insert(email, content), 'inserted')
      const old = oldStore(db)
      const claimed = await old.claim({ lane: 'transactional', now: 1_000, limit: 10, leaseMs: 30_000 })
      assert.deepEqual(new Set(claimed.map(({ email }) => email.id)), new Set([signed.id, shared.id]))
      assert.equal(await old.content(signed.id), null)
      assert.equal((await old.content(shared.id))?.text, 'Hello')
      // Its lease ends, and a dispatcher that signs claims it.
      const again = await emails.claim({ lane: 'transactional', now: 40_000, limit: 10, leaseMs: 30_000 })
      assert.deepEqual(new Set(again.map(({ email }) => email.id)), new Set([signed.id, shared.id]))
      assert.deepEqual(await emails.content(signed.id), content)
    })

  it('is readable by a dispatcher that signs if an old process stored it', async () => {
    const db = await open()
    const email = anEmail({ id: newId('em') })
    await oldStore(db).insert(email, plain)
    assert.deepEqual(await mongoEmails(db).content(email.id), plain)
  })
})
