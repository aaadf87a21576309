import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { memoryAccounts } from '@postrider/accounts/fakes.ts'
import { accountIndexes, mongoAccounts } from '@postrider/adapters/mongo/accounts/accounts.ts'
import { sqliteAccounts } from '@postrider/adapters/sqlite/accounts.ts'
import { openDatabase, type SqliteDatabase } from '@postrider/adapters/sqlite/database.ts'
import { newId } from '@postrider/kit/ids.ts'
import { accountsConformance, aKey, aWorkspace } from '@postrider/ports/accounts.conformance.ts'
import type { AccountStore, User } from '@postrider/ports/accounts.ts'
import type { Db } from 'mongodb'
import { wrappedDb } from '../faults/wrappedDb.ts'
import { mongoForTests } from './mongo.ts'

/** Returns the database as seen by a process that dies after this many writes: every later call fails. */
const dyingMongo = (db: Db, writes: number): Db => {
  let left = writes
  const die = (): never => {
    throw new Error('the process died')
  }
  return wrappedDb(db, {
    write: ({ run }) => (left < 0 || left-- === 0 ? die() : run()),
    read: (run) => (left < 0 ? die() : run()),
  })
}

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

  it('returns settled writes after the file is reopened', async () => {
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

describe('MongoDB', () => {
  const open = mongoForTests(accountIndexes)
  accountsConformance('MongoDB', async () => mongoAccounts(await open()))

  const email = 'ada@example.com'
  const signUp = async (store: AccountStore) => {
    const user: User = { id: newId('usr'), email, passwordHash: 'x', createdAt: 1 }
    const workspace = aWorkspace(newId('ws'))
    return { user, workspace, stored: await store.insertOwner(user, workspace) }
  }

  for (const writes of [0, 1, 2]) {
    it(`stores both user and workspace or neither if the process dies after ${writes} writes of a sign-up`, async () => {
      const db = await open()
      const store = mongoAccounts(db)
      await assert.rejects(signUp(mongoAccounts(dyingMongo(db, writes))), /died/)
      const user = await store.userByEmail(email)
      const listed = await store.listWorkspaces(null, 10)
      assert.equal(user !== null, writes === 2, 'the second write completes it')
      assert.equal(listed.length, user ? 1 : 0)
      if (user) assert.deepEqual(await store.memberships(user.id), [{ workspace: listed[0]?.id, role: 'owner' }])
      assert.equal((await signUp(store)).stored, user === null, 'signing up again works if nothing was stored')
      assert.equal((await store.listWorkspaces(null, 10)).length, 1)
    })
  }

  for (const writes of [0, 1, 2]) {
    it(`stores a key or uses no place for it if the process dies after ${writes} writes of its creation`, async () => {
      const db = await open()
      const store = mongoAccounts(db)
      const { workspace } = await signUp(store)
      const made = mongoAccounts(dyingMongo(db, writes)).insertKey(aKey(workspace.id, 'first'), 2)
      await (writes === 2 ? made : assert.rejects(made, /died/))
      const before = (await store.listKeys(workspace.id, 10)).length
      assert.equal(before, writes === 2 ? 1 : 0)
      for (let n = before; n < 2; n += 1) assert.equal(await store.insertKey(aKey(workspace.id, `${n}`), 2), true)
      assert.equal(await store.insertKey(aKey(workspace.id, 'last'), 2), false)
      assert.equal((await store.listKeys(workspace.id, 10)).length, 2)
    })
  }

  it('revokes a key and frees its place even if the process dies half-way', async () => {
    const db = await open()
    const store = mongoAccounts(db)
    const { workspace } = await signUp(store)
    const key = aKey(workspace.id, 'first')
    await store.insertKey(key, 1)
    const dying = mongoAccounts(dyingMongo(db, 1))
    await assert.rejects(dying.changeKey(workspace.id, key.id, { revokedAt: 7 }), /died/)
    assert.equal((await store.keyByHash(key.hash))?.key.revokedAt, 7)
    assert.equal((await store.listKeys(workspace.id, 10)).length, 1)
    assert.equal(await store.insertKey(aKey(workspace.id, 'second'), 1), true)
    assert.equal(await store.insertKey(aKey(workspace.id, 'third'), 1), false)
  })

  it('rejects an object in place of a string', async () => {
    const store = mongoAccounts(await open())
    await signUp(store)
    const anything = { $ne: null } as unknown as string
    await assert.rejects(store.userByEmail(anything), /scalars only/)
    await assert.rejects(store.workspace(anything), /scalars only/)
    await assert.rejects(store.key(anything, anything), /scalars only/)
  })
})
