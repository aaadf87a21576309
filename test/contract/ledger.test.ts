import process from 'node:process'
import { ledgerIndexes } from '@postrider/adapters/mongo/ledger/docs.ts'
import { ledgerConformance } from '@postrider/ports/ledger.conformance.ts'
import { ledgerModelConformance } from '@postrider/ports/ledgerModel.conformance.ts'
import { countedMongoLedger, countedSqliteLedger } from '../support/countedLedgers.ts'
import { mongoForTests } from './mongo.ts'
import { sqliteForTests } from './sqlite.ts'

const isLong = process.env['POSTRIDER_LONG'] === '1'

/** Random sequences. Mutants of the ledger in SQLite failed within 121. */
const inSqlite = { runs: isLong ? 100_000 : 4_000, perLedger: Number.POSITIVE_INFINITY }
/** The stand-in for MongoDB reads all months to find pending reservations. */
const inMongo = { runs: isLong ? 10_000 : 200, perLedger: 25 }

describe('ledgers', () => {
  describe('one process', () => {
    const open = sqliteForTests()
    ledgerConformance('SQLite', () => countedSqliteLedger(open().db))
    ledgerModelConformance('SQLite', () => countedSqliteLedger(open().db), inSqlite)
  })

  describe('cluster', () => {
    const open = mongoForTests(ledgerIndexes)
    ledgerConformance('MongoDB', async () => countedMongoLedger(await open()))
    ledgerModelConformance('MongoDB', async () => countedMongoLedger(await open()), inMongo)
  })
})
