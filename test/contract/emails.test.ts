import { emailIndexes, mongoEmails } from '@postrider/adapters/mongo/emails/emails.ts'
import { sqliteEmails } from '@postrider/adapters/sqlite/emails/emails.ts'
import { emailsConformance } from '@postrider/ports/emails.conformance.ts'
import { mongoForTests } from './mongo.ts'
import { sqliteForTests } from './sqlite.ts'

describe('email stores', () => {
  const open = sqliteForTests()
  emailsConformance('SQLite', () => sqliteEmails(open().db))

  describe('cluster', () => {
    const openMongo = mongoForTests(emailIndexes)
    emailsConformance('MongoDB', async () => mongoEmails(await openMongo()))
  })
})
