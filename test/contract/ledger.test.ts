import process from 'node:process'
import { ledgerIndexes } from '@postrider/adapters/mongo/ledger/docs.ts'
import { mongoLedger } from '@postrider/adapters/mongo/ledger/ledger.ts'
import { sqliteLedger } from '@postrider/adapters/sqlite/ledger/ledger.ts'
import { ledgerConformance } from '@postrider/ports/ledger.conformance.ts'
import { ledgerModelConformance } from '@postrider/ports/ledgerModel.conformance.ts'
import { mongoForTests } from './mongo.ts'
import { sqliteForTests } from './sqlite.ts'

const long = process.env['POSTRIDER_LONG'] === '1'

describe('ledgers', () => {
  describe('one process', () => {
    const open = sqliteForTests()
    ledgerConformance('SQLite', () => sqliteLedger(open().db))
    ledgerModelConformance('SQLite', () => sqliteLedger(open().db), long ? 100_000 : 10_000)
  })

  describe('cluster', () => {
    const open = mongoForTests(ledgerIndexes)
    ledgerConformance('MongoDB', async () => mongoLedger(await open()))
    ledgerModelConformance('MongoDB', async () => mongoLedger(await open()), long ? 10_000 : 200)
  })
})
