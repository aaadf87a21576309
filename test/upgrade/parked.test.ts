import assert from 'node:assert/strict'
import { join } from 'node:path'
import { emailIndexes, mongoEmails } from '@postrider/adapters/mongo/emails/emails.ts'
import type { Content } from '@postrider/domain/email/email.ts'
import { newId } from '@postrider/kit/ids.ts'
import type { EmailStore } from '@postrider/ports/emails.ts'
import type { Db } from 'mongodb'
import { mongoForTests } from '../contract/mongo.ts'
import { anEmail } from '../support/anEmail.ts'
import { useLastRelease } from './tree.ts'

const content: Content = { html: null, text: 'Hello', headers: {}, attachments: [] }

type Old = Pick<EmailStore, 'insert' | 'claim' | 'clearLeases'>

describe('mail that the last release parks in MongoDB', () => {
  const release = useLastRelease()
  const open = mongoForTests(emailIndexes)

  const openOld = async (db: Db): Promise<Old> => {
    const imported = (path: string) => import(join(release().folder, 'packages/adapters', path))
    const { mongoEmails: store } = (await imported('mongo/emails.ts').catch(() =>
      imported('mongo/emails/emails.ts'),
    )) as { mongoEmails: (db: Db) => Old }
    return store(db)
  }

  it('is listed after a pass and can be released, if either version stored it', async () => {
    const db = await open()
    const [old, emails] = [await openOld(db), mongoEmails(db)]
    const stored = Array.from({ length: 4 }, () => anEmail({ id: newId('em') }))
    for (const [number, one] of stored.entries()) await (number % 2 === 0 ? old : emails).insert(one, content)
    const claim = { lane: 'transactional', now: 1e12, limit: 10, leaseMs: 30_000 } as const
    for (let deaths = 0; deaths < 20; deaths++) {
      await old.claim(claim)
      await old.clearLeases()
    }
    assert.deepEqual(await old.claim(claim), [])
    const listed = async () =>
      (await emails.parked({ before: null, limit: 10 })).map(({ stored: { email }, parkedAt }) => [email.id, parkedAt])
    while ((await emails.timeParked(5_000, 3)).more);
    const ids = stored.map(({ id }) => id).sort((one, other) => (one < other ? 1 : -1))
    assert.deepEqual(
      await listed(),
      ids.map((id) => [id, 5_000]),
    )
    const [first] = stored
    assert.ok(first)
    const { fence = -1 } = (await emails.get(first.id)) ?? {}
    assert.ok(await emails.change(first.id, fence, 6_000, { email: first, nextAt: 1_000, resetsDeaths: true }))
    assert.equal((await listed()).length, 3)
    assert.deepEqual(
      (await old.claim(claim)).map(({ email }) => email.id),
      [first.id],
    )
  })
})
