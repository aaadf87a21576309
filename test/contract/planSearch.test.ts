import { accountIndexes, mongoAccounts } from '@postrider/adapters/mongo/accounts/accounts.ts'
import { ledgerIndexes } from '@postrider/adapters/mongo/ledger/docs.ts'
import { mongoLedger } from '@postrider/adapters/mongo/ledger/ledger.ts'
import { sqliteAccounts } from '@postrider/adapters/sqlite/accounts/accounts.ts'
import { sqliteAllowances } from '@postrider/adapters/sqlite/ledger/allowances.ts'
import { sqliteLedger } from '@postrider/adapters/sqlite/ledger/ledger.ts'
import { planSearchConformance } from '@postrider/ports/planSearch.conformance.ts'
import { mongoForTests } from './mongo.ts'
import { sqliteForTests } from './sqlite.ts'

describe('plans of workspaces', () => {
  describe('one process', () => {
    const openFile = sqliteForTests()
    planSearchConformance('SQLite', () => {
      const { db } = openFile()
      return { accounts: sqliteAccounts(db), ledger: sqliteLedger(db, sqliteAllowances(db)) }
    })
  })

  describe('cluster', () => {
    const openDb = mongoForTests(accountIndexes, ledgerIndexes)
    planSearchConformance('MongoDB', async () => {
      const db = await openDb()
      return { accounts: mongoAccounts(db), ledger: mongoLedger(db) }
    })
  })
})
