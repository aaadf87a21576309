import process from 'node:process'
import { sqliteLedger } from '@postrider/adapters/sqlite/ledger.ts'
import { ledgerConformance } from '@postrider/ports/ledger.conformance.ts'
import { ledgerModelConformance } from '@postrider/ports/ledgerModel.conformance.ts'
import { sqliteForTests } from './sqlite.ts'

const modelRuns = process.env['POSTRIDER_LONG'] === '1' ? 100_000 : 10_000

describe('ledgers', () => {
  const open = sqliteForTests()
  ledgerConformance('SQLite', () => sqliteLedger(open().db))
  ledgerModelConformance('SQLite', () => sqliteLedger(open().db), modelRuns)
})
