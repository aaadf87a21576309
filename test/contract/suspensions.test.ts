import { accountIndexes, mongoAccounts } from '@postrider/adapters/mongo/accounts/accounts.ts'
import { mongoSuspensions } from '@postrider/adapters/mongo/accounts/workspaces.ts'
import { sqliteAccounts, sqliteSuspensions } from '@postrider/adapters/sqlite/accounts/accounts.ts'
import { suspensionsConformance } from '@postrider/ports/suspensions.conformance.ts'
import { mongoForTests } from './mongo.ts'
import { sqliteForTests } from './sqlite.ts'

describe('suspensions', () => {
  const open = sqliteForTests()
  suspensionsConformance('SQLite', () => {
    const { db } = open()
    return { accounts: sqliteAccounts(db), suspensions: sqliteSuspensions(db) }
  })

  describe('cluster', () => {
    const openMongo = mongoForTests(accountIndexes)
    suspensionsConformance('MongoDB', async () => {
      const db = await openMongo()
      return { accounts: mongoAccounts(db), suspensions: mongoSuspensions(db) }
    })
  })
})
