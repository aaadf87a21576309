import { emailIndexes, mongoEmails } from '@postrider/adapters/mongo/emails/emails.ts'
import { sqliteEmails } from '@postrider/adapters/sqlite/emails/emails.ts'
import { emailsConformance } from '@postrider/ports/emails.conformance.ts'
import { interruptedPurges } from '@postrider/ports/emailsPurges.conformance.ts'
import { wrappedDb } from '../faults/wrappedDb.ts'
import { dyingSqlite } from '../support/crashingStores.ts'
import { mongoForTests } from './mongo.ts'
import { sqliteForTests } from './sqlite.ts'

describe('email stores', () => {
  const open = sqliteForTests()
  emailsConformance('SQLite', () => sqliteEmails(open().db))
  interruptedPurges('SQLite', () => {
    const { db } = open()
    const interruptedBy = (before: () => Promise<unknown>) => {
      const write = <Result>(work: () => Result): Result => {
        // It writes in this event loop iteration.
        void before()
        return work()
      }
      return sqliteEmails(dyingSqlite(db, { isDead: () => false, read: (work) => work(), write }))
    }
    return { emails: sqliteEmails(db), interruptedBy }
  })

  describe('cluster', () => {
    const openMongo = mongoForTests(emailIndexes)
    emailsConformance('MongoDB', async () => mongoEmails(await openMongo()))
    interruptedPurges('MongoDB', async () => {
      const db = await openMongo()
      const interruptedBy = (before: () => Promise<unknown>) =>
        mongoEmails(
          wrappedDb(db, {
            write: async ({ run }) => {
              await before()
              return run()
            },
          }),
        )
      return { emails: mongoEmails(db), interruptedBy }
    })
  })
})
