import process from 'node:process'
import { auditIndexes, mongoAudit } from '@postrider/adapters/mongo/audit/audit.ts'
import { mongoBilling } from '@postrider/adapters/mongo/billing/billing.ts'
import { billingIndexes } from '@postrider/adapters/mongo/billing/docs.ts'
import { ledgerIndexes } from '@postrider/adapters/mongo/ledger/docs.ts'
import { sqliteAudit } from '@postrider/adapters/sqlite/audit/audit.ts'
import { sqliteBilling } from '@postrider/adapters/sqlite/billing/billing.ts'
import { sqliteAllowances } from '@postrider/adapters/sqlite/ledger/allowances.ts'
import { type BillingStores, billingConformance } from '@postrider/ports/billing.conformance.ts'
import { countedMongoLedger, countedSqliteLedger } from '../support/countedLedgers.ts'
import { billingModel } from './billingModel.ts'
import { mongoForTests } from './mongo.ts'
import { sqliteForTests } from './sqlite.ts'

const long = process.env['POSTRIDER_LONG'] === '1'

describe('billing stores', () => {
  describe('one process', () => {
    const openFile = sqliteForTests()
    const open = (): BillingStores => {
      const { db } = openFile()
      const allowances = sqliteAllowances(db)
      return {
        billing: sqliteBilling(db, allowances),
        ledger: countedSqliteLedger(db, allowances),
        audit: sqliteAudit(db),
      }
    }
    billingConformance('SQLite', open)
    billingModel('SQLite', open, long ? 20_000 : 300)
  })

  describe('cluster', () => {
    const openDb = mongoForTests(ledgerIndexes, billingIndexes, auditIndexes)
    const open = async (): Promise<BillingStores> => {
      const db = await openDb()
      return { billing: mongoBilling(db), ledger: countedMongoLedger(db), audit: mongoAudit(db) }
    }
    billingConformance('MongoDB', open)
    billingModel('MongoDB', open, long ? 2_000 : 15)
  })
})
