import { mailboxIndexes, mongoMailbox } from '@postrider/adapters/mongo/emails/mailbox.ts'
import { sqliteMailbox } from '@postrider/adapters/sqlite/emails/mailbox.ts'
import { mailboxConformance } from '@postrider/ports/mailbox.conformance.ts'
import { mongoForTests } from './mongo.ts'
import { sqliteForTests } from './sqlite.ts'

describe('mailbox stores', () => {
  const open = sqliteForTests()
  mailboxConformance('SQLite', () => sqliteMailbox(open().db))

  describe('cluster', () => {
    const openMongo = mongoForTests(mailboxIndexes)
    mailboxConformance('MongoDB', async () => mongoMailbox(await openMongo()))
  })
})
