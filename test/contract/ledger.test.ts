import process from 'node:process'
import { ledgerIndexes } from '@postrider/adapters/mongo/ledger/docs.ts'
import { ledgerConformance } from '@postrider/ports/ledger.conformance.ts'
import { ledgerModelConformance } from '@postrider/ports/ledgerModel.conformance.ts'
import { countedMongoLedger, countedSqliteLedger } from '../support/countedLedgers.ts'
import { mongoForTests } from './mongo.ts'
import { sqliteForTests } from './sqlite.ts'

const long = process.env['POSTRIDER_LONG'] === '1'

describe('ledgers', () => {
  describe('one process', () => {
    const open = sqliteForTests()
    ledgerConformance('SQLite', () => countedSqliteLedger(open().db))
    ledgerModelConformance('SQLite', () => countedSqliteLedger(open().db), long ? 100_000 : 10_000)
  })

  describe('cluster', () => {
    const open = mongoForTests(ledgerIndexes)
    ledgerConformance('MongoDB', async () => countedMongoLedger(await open()))
    ledgerModelConformance('MongoDB', async () => countedMongoLedger(await open()), long ? 10_000 : 200)
  })
})
