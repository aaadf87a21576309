import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { memoryAccounts } from '@postrider/accounts/fakes.ts'
import { sqliteAccounts } from '@postrider/adapters/sqlite/accounts.ts'
import { openDatabase, type SqliteDatabase } from '@postrider/adapters/sqlite/database.ts'
import { accountsConformance } from '@postrider/ports/accounts.conformance.ts'
import type { User } from '@postrider/ports/accounts.ts'

accountsConformance('memory', memoryAccounts)

describe('SQLite', () => {
  let folder = ''
  let databases: SqliteDatabase[] = []

  const openFile = (name: string): SqliteDatabase => {
    const onFatal = (reason: unknown) => {
      throw reason
    }
    const database = openDatabase({ path: join(folder, name), onFatal })
    databases.push(database)
    return database
  }

  const closeAll = async () => {
    for (const database of databases) await database[Symbol.asyncDispose]()
    databases = []
  }

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'postrider-accounts-'))
  })
  afterEach(async () => {
    await closeAll()
    rmSync(folder, { recursive: true })
  })

  accountsConformance('SQLite', () => sqliteAccounts(openFile('a.db')))

  it('what was settled is there when the file is opened again', async () => {
    const first = openFile('a.db')
    const user: User = { id: 'usr_1', email: 'ada@example.com', passwordHash: 'x', createdAt: 1 }
    const settings = { senderName: 'Ada', postalAddress: '', onUnknown: 'hold', retention: '' } as const
    const controls = { spendingCapUsd: null, suspended: false, note: '', rate: null, burst: null }
    const workspace = { id: 'ws_1', name: 'Acme', plan: 'free', ...settings, ...controls, createdAt: 1 } as const
    await sqliteAccounts(first).insertOwner(user, workspace)
    await first.settled()
    await closeAll()
    const again = sqliteAccounts(openFile('a.db'))
    assert.deepEqual(await again.userByEmail(user.email), user)
    assert.deepEqual(await again.workspace('ws_1'), workspace)
  })
})
