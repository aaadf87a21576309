import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { emailIndexes, mongoEmails } from '@postrider/adapters/mongo/emails/emails.ts'
import { openDatabase } from '@postrider/adapters/sqlite/client/database.ts'
import { sqliteEmails } from '@postrider/adapters/sqlite/emails/emails.ts'
import type { Content, Email } from '@postrider/domain/email/email.ts'
import { type EmailQuery, noFilter } from '@postrider/domain/email/filter.ts'
import { newId } from '@postrider/kit/ids.ts'
import type { EmailStore } from '@postrider/ports/emails.ts'
import type { Db } from 'mongodb'
import { mongoForTests } from '../contract/mongo.ts'
import { anEmail, aRecipient } from '../support/anEmail.ts'
import { useLastRelease } from './tree.ts'

const content: Content = { html: null, text: 'Hello', headers: {}, attachments: [] }
const onFatal = (reason: unknown): void => {
  throw reason
}

const mail = (number: number): Email =>
  anEmail({
    id: newId('em'),
    createdAt: 1_000 + number,
    subject: `Invoice ${number}`,
    templateId: 'tpl_1',
    tags: { team: 'red' },
    recipients: [aRecipient({ address: `r${number}@example.com` })],
  })

const filters: readonly Partial<EmailQuery>[] = [
  { mode: 'live' },
  { keyId: anEmail().keyId },
  { status: 'queued' },
  { from: anEmail().from.address },
  { subject: 'invoice' },
  { subject: 'v' },
  { templateId: 'tpl_1' },
  { tag: { name: 'team', value: 'red' } },
  { category: 'transactional' },
  { status: 'queued', subject: 'invoice' },
]

const idsOf = async (emails: EmailStore, query: Partial<EmailQuery>): Promise<string[]> => {
  const found = await emails.list({ ...noFilter, workspace: anEmail().workspace, limit: 100, now: 5_000, ...query })
  return found.emails.map(({ email }) => email.id)
}

/** Asserts that filters find all mail, before and after it is added to the index. */
const assertFound = async (emails: EmailStore, stored: readonly Email[]): Promise<void> => {
  const ids = stored.map(({ id }) => id).reverse()
  for (let count = 2; count === 2; count = await emails.fillListIndex(2)) {
    for (const query of filters) assert.deepEqual(await idsOf(emails, query), ids, JSON.stringify(query))
    for (const [number, { id }] of stored.entries())
      assert.deepEqual(await idsOf(emails, { to: `r${number}@example.com` }), [id])
  }
  for (const query of filters) assert.deepEqual(await idsOf(emails, query), ids, JSON.stringify(query))
}

type Old = Pick<EmailStore, 'insert'>

describe('lists with mail of the last release', () => {
  const release = useLastRelease()
  const open = mongoForTests(emailIndexes)
  /** @param paths of a module: before and since the adapter has folders */
  const imported = async (...paths: [string, string]) => {
    const [before, since] = paths.map((path) => join(release().folder, 'packages/adapters', path)) as typeof paths
    return import(existsSync(before) ? before : since)
  }

  it('find what an old process stores in MongoDB alongside a new one', async () => {
    const db = await open()
    const { mongoEmails: openOld } = (await imported('mongo/emails.ts', 'mongo/emails/emails.ts')) as {
      mongoEmails: (db: Db) => Old
    }
    const [old, emails] = [openOld(db), mongoEmails(db)]
    const stored = Array.from({ length: 7 }, (_, number) => mail(number))
    for (const [number, one] of stored.entries()) await (number % 2 === 0 ? old : emails).insert(one, content)
    await assertFound(emails, stored)
  })

  it('find what an old process stored in SQLite', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'postrider-'))
    const path = join(folder, 'postrider.db')
    try {
      const { openDatabase: openOld } = (await imported('sqlite/database.ts', 'sqlite/client/database.ts')) as {
        openDatabase(options: Parameters<typeof openDatabase>[0]): AsyncDisposable
      }
      const { sqliteEmails: storeOld } = (await imported('sqlite/emails.ts', 'sqlite/emails/emails.ts')) as {
        sqliteEmails: (db: unknown) => Old
      }
      const stored = Array.from({ length: 7 }, (_, number) => mail(number))
      {
        await using db = openOld({ path, onFatal })
        for (const one of stored.slice(0, 5)) await storeOld(db).insert(one, content)
      }
      await using db = openDatabase({ path, onFatal })
      for (const one of stored.slice(5)) await sqliteEmails(db).insert(one, content)
      await assertFound(sqliteEmails(db), stored)
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})
