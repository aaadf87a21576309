import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { memoryAccounts, memoryLinks } from '@postrider/accounts/fakes.ts'
import { accountIndexes, mongoAccounts } from '@postrider/adapters/mongo/accounts/accounts.ts'
import { mongoKeyNotices } from '@postrider/adapters/mongo/accounts/keyNotices.ts'
import { linkIndexes, mongoLinks } from '@postrider/adapters/mongo/accounts/links.ts'
import { mongoUsers } from '@postrider/adapters/mongo/accounts/users.ts'
import { mongoAudit } from '@postrider/adapters/mongo/audit/audit.ts'
import { sqliteAccounts } from '@postrider/adapters/sqlite/accounts/accounts.ts'
import { sqliteKeyNotices } from '@postrider/adapters/sqlite/accounts/keyNotices.ts'
import { sqliteLinks } from '@postrider/adapters/sqlite/accounts/links.ts'
import { sqliteUsers } from '@postrider/adapters/sqlite/accounts/users.ts'
import type { SqliteDatabase } from '@postrider/adapters/sqlite/client/database.ts'
import { isValidSession, newUser } from '@postrider/domain/accounts/users.ts'
import { noAuditFilter } from '@postrider/domain/audit/entry.ts'
import { newId } from '@postrider/kit/ids.ts'
import { accountsConformance, aKey, aWorkspace, withOwner } from '@postrider/ports/accounts.conformance.ts'
import type { AccountStore } from '@postrider/ports/accounts.ts'
import { anEntry, entryIfChanged } from '@postrider/ports/auditFixtures.conformance.ts'
import { keyNoticesConformance } from '@postrider/ports/keyNotices.conformance.ts'
import { linksConformance } from '@postrider/ports/links.conformance.ts'
import { aSession, peopleConformance } from '@postrider/ports/people.conformance.ts'
import { usersConformance } from '@postrider/ports/users.conformance.ts'
import type { CommandSucceededEvent, Db, Document, Filter, FindOptions } from 'mongodb'
import { shortOrLong } from '../faults/random.ts'
import { iterationsOf } from '../support/cost.ts'
import { openNewDatabase } from '../support/newDatabase.ts'
import { dyingMongo } from './dying.ts'
import { watchedMongoForTests } from './mongo.ts'

/** Random sequences of concurrent changes. */
const runs = shortOrLong(30, 1_000)

accountsConformance('memory', () => memoryAccounts())
peopleConformance('memory', () => memoryAccounts(), runs)
linksConformance('memory', memoryLinks)
usersConformance('memory', () => {
  const store = memoryAccounts()
  return { accounts: store, users: store }
})

describe('SQLite', () => {
  let folder = ''
  let databases: SqliteDatabase[] = []

  const openFile = (name: string): SqliteDatabase => {
    const onFatal = (reason: unknown) => {
      throw reason
    }
    const database = openNewDatabase({ path: join(folder, name), onFatal })
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
  peopleConformance('SQLite', () => sqliteAccounts(openFile('a.db')), runs)
  linksConformance('SQLite', () => sqliteLinks(openFile('a.db')))
  keyNoticesConformance('SQLite', () => {
    const db = openFile('a.db')
    return { accounts: sqliteAccounts(db), notices: sqliteKeyNotices(db) }
  })
  usersConformance('SQLite', () => {
    const db = openFile('a.db')
    return { accounts: sqliteAccounts(db), users: sqliteUsers(db) }
  })

  // One statement read all keys: 400,000 took 49 ms, and each batch of 20 claims read them again.
  it('reads a part of the keys in each event loop iteration to find unused ones', async () => {
    const db = openFile('a.db')
    const notices = sqliteKeyNotices(db)
    const { workspace } = await withOwner(sqliteAccounts(db), 'ada@example.com')
    await sqliteAccounts(db).insertKey({ ...aKey(workspace.id, '', 'key_1'), lastUsedAt: 9_000 }, 100, anEntry())
    const columns = db.prepare("SELECT name FROM pragma_table_info('api_keys')").all()
    const unique: Record<string, string> = { id: "'key_2' || value", hash: "CAST('key_2' || value AS BLOB)" }
    const copied = columns.map(({ name }) => unique[String(name)] ?? name)
    await db.write(() =>
      db
        .prepare(`
        WITH RECURSIVE numbers (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM numbers WHERE value < 3500)
        INSERT INTO api_keys SELECT ${copied} FROM api_keys, numbers WHERE id = 'key_1'`)
        .run(),
    )
    const query = { now: 10_000, unusedBefore: 5_000, leaseMs: 100, limit: 10 }
    const iterations = await iterationsOf(async () => assert.deepEqual(await notices.claimUnusedKeys(query), []))
    assert.ok(iterations >= 3, `${iterations} iterations`)
  })

  it('returns synced writes after the file is reopened', async () => {
    const first = openFile('a.db')
    const user = newUser({ id: 'usr_1', email: 'ada@example.com', passwordHash: 'x', createdAt: 1 })
    const settings = { senderName: 'Ada', postalAddress: '', onUnknown: 'hold', retention: '' } as const
    const deletion = { suspendedReason: '', deletesAt: null, resumesOnRestore: false, requireTotp: false }
    const controls = { ...deletion, spendingCapUsd: null, suspended: false, note: '', rate: null, burst: null }
    const workspace = { id: 'ws_1', name: 'Acme', plan: 'free', ...settings, ...controls, createdAt: 1 } as const
    await sqliteAccounts(first).insertOwner(user, workspace, anEntry())
    await first.synced()
    await closeAll()
    const again = sqliteAccounts(openFile('a.db'))
    assert.deepEqual(await again.userByEmail(user.email), user)
    assert.deepEqual(await again.workspace('ws_1'), workspace)
  })
})

describe('MongoDB', () => {
  const open = watchedMongoForTests({ ...accountIndexes, ...linkIndexes })
  accountsConformance('MongoDB', async () => mongoAccounts(await open()))
  peopleConformance('MongoDB', async () => mongoAccounts(await open()), runs)
  linksConformance('MongoDB', async () => mongoLinks(await open()))
  keyNoticesConformance('MongoDB', async () => {
    const db = await open()
    return { accounts: mongoAccounts(db), notices: mongoKeyNotices(db) }
  })
  usersConformance('MongoDB', async () => {
    const db = await open()
    return { accounts: mongoAccounts(db), users: mongoUsers(db) }
  })

  // It read all of them: logins make them by the hundred thousand.
  it('reads one session of each member to return when the members last used one', async () => {
    const db = await open()
    const { user, workspace } = await withOwner(mongoAccounts(db), 'ada@example.com')
    for (let seenAt = 1; seenAt <= 20; seenAt++)
      await mongoAccounts(db).insertSession({ ...aSession(`s${seenAt}`, user, workspace.id), seenAt }, anEntry())
    const read: unknown[] = []
    const found = await mongoAccounts(watchedReads(db, read)).lastSeen(workspace.id, [user.id, 'usr_other'])
    assert.deepEqual(found, new Map([[user.id, 20]]))
    assert.equal(read.length, 1)
  })

  // Regression: a text without a part that has a single form read all users in one batch, or in batches of a page.
  it('reads the candidates of a search of the operator in batches, and only those that have its plain part', async () => {
    const db = await open()
    const store = mongoAccounts(db)
    const numbers = Array.from({ length: 1_100 }, (_, number) => ({
      _id: `usr_${number}`,
      email: `${number}@b.example`,
    }))
    await db.collection<{ _id: string }>('users').insertMany(numbers)
    await db
      .collection<{ _id: string }>('workspaces')
      .insertMany(
        numbers.map(({ _id }) => ({ ...aWorkspace(_id.replace('usr', 'ws')), _id, open: true, members: [], keys: [] })),
      )
    const ofUsers = { before: null, limit: 20, disabled: null, operator: null }
    const ofWorkspaces = { before: null, limit: 20, maxUsers: 10, plan: null, suspended: null, deleting: null }
    const whole = [500, 500, 100]
    for (const [text, expected] of [
      ['ki', whole],
      ['Київ', whole],
      ['北京', []],
      [null, [20]],
    ] as const) {
      const ofFoundUsers = await batchesOf(db, 'users', () => store.findUsers({ ...ofUsers, text }))
      const ofFound = await batchesOf(db, 'workspaces', () => store.findWorkspaces({ ...ofWorkspaces, text }))
      assert.deepEqual([ofFoundUsers, ofFound], [expected, expected], `${text}`)
      const ofMembers = await batchesOf(db, 'users', () => store.findWorkspaces({ ...ofWorkspaces, text }))
      assert.deepEqual(ofMembers, text === null ? [] : expected, `members by ${text}`)
    }
  })

  const email = 'ada@example.com'
  const signUp = async (store: AccountStore) => {
    const user = newUser({ id: newId('usr'), email, passwordHash: 'x', createdAt: 1 })
    const workspace = aWorkspace(newId('ws'))
    return { user, workspace, stored: await store.insertOwner(user, workspace, anEntry()) }
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

  it('shows the operator a workspace whose sign-up a crash interrupted before its last write', async () => {
    const db = await open()
    await assert.rejects(signUp(mongoAccounts(dyingMongo(db, 2))), /died/)
    const query = { before: null, limit: 10, maxUsers: 10, text: email, plan: null, suspended: null, deleting: null }
    assert.equal((await mongoAccounts(db).findWorkspaces(query)).length, 1)
  })

  it('keeps the entry of a session that waits when its user is removed', async () => {
    const db = await open()
    const store = mongoAccounts(db)
    const { user, workspace } = await signUp(store)
    const entry = anEntry({ action: 'session.open' })
    const session = {
      hash: new Uint8Array(32),
      user: user.id,
      workspace: workspace.id,
      csrfSalt: '',
      totpEnabledAt: null,
    }
    await store.insertSession({ ...session, createdAt: 1, seenAt: 1, device: '', address: '' }, anEntry())
    // As a crash leaves it: the entry is in the session and not in the log.
    await db.collection('sessions').updateOne({}, { $set: { outbox: [{ ...entry, before: null, after: null }] } })
    const from = (await store.people(workspace.id)) ?? assert.fail('no workspace')
    assert.equal(
      await store.changePeople(workspace.id, { from, to: { members: [], invitations: [] } }, anEntry()),
      true,
    )
    assert.equal(await db.collection('sessions').countDocuments(), 0)
    const entries = await mongoAudit(db).list({
      ...noAuditFilter,
      ...{ workspace: null, action: { is: 'session.open' }, limit: 10 },
    })
    assert.deepEqual(
      entries.map(({ id }) => id),
      [entry.id],
    )
  })

  // Regression: it was valid again, because it could not be deleted with the others while its entry waited.
  it('does not accept a session whose entry waits when its user is disabled and enabled again', async () => {
    const db = await open()
    const store = mongoAccounts(db)
    const { user, workspace } = await signUp(store)
    const session = aSession('s1', user, workspace.id)
    await store.insertSession(session, anEntry())
    const outbox = [{ ...anEntry({ action: 'session.open' }), before: null, after: null }]
    await db.collection('sessions').updateOne({}, { $set: { outbox } })
    await store.setUserDisabled(user.id, { at: 7_000, reason: '' }, () => anEntry({ at: 7_000 }))
    await store.setUserDisabled(user.id, null, () => anEntry({ at: 8_000 }))
    const found = (await store.session(session.hash)) ?? assert.fail('the session with the entry was removed')
    const limits = { sessionAgeMs: 9_000, sessionIdleMs: 9_000 }
    assert.equal(isValidSession(found.session, found, 8_500, limits), false)
  })

  for (const writes of [0, 1, 2]) {
    it(`stores a key or uses no slot for it if the process dies after ${writes} writes of its creation`, async () => {
      const db = await open()
      const store = mongoAccounts(db)
      const { workspace } = await signUp(store)
      const made = mongoAccounts(dyingMongo(db, writes)).insertKey(aKey(workspace.id, 'first'), 2, anEntry())
      await (writes === 2 ? made : assert.rejects(made, /died/))
      const before = (await store.listKeys(workspace.id, 10)).length
      assert.equal(before, writes === 2 ? 1 : 0)
      for (let n = before; n < 2; n += 1)
        assert.equal(await store.insertKey(aKey(workspace.id, `${n}`), 2, anEntry()), true)
      assert.equal(await store.insertKey(aKey(workspace.id, 'last'), 2, anEntry()), false)
      assert.equal((await store.listKeys(workspace.id, 10)).length, 2)
    })
  }

  it('revokes a key and frees its slot even if the process dies half-way', async () => {
    const db = await open()
    const store = mongoAccounts(db)
    const { workspace } = await signUp(store)
    const key = aKey(workspace.id, 'first')
    await store.insertKey(key, 1, anEntry())
    const dying = mongoAccounts(dyingMongo(db, 1))
    await assert.rejects(dying.changeKey(workspace.id, key.id, { revokedAt: 7 }, entryIfChanged), /died/)
    assert.equal((await store.keyByHash(key.hash))?.key.revokedAt, 7)
    assert.equal((await store.listKeys(workspace.id, 10)).length, 1)
    assert.equal(await store.insertKey(aKey(workspace.id, 'second'), 1, anEntry()), true)
    assert.equal(await store.insertKey(aKey(workspace.id, 'third'), 1, anEntry()), false)
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

/** Returns the sizes of the batches with documents that the server returns from a collection during `work`. */
const batchesOf = async (db: Db, name: string, work: () => Promise<unknown>): Promise<number[]> => {
  const sizes: number[] = []
  const note = ({ reply }: CommandSucceededEvent): void => {
    const { ns, firstBatch, nextBatch = firstBatch } = (reply as { cursor?: Document }).cursor ?? {}
    if (ns === `${db.databaseName}.${name}` && nextBatch.length > 0) sizes.push(nextBatch.length)
  }
  db.client.on('commandSucceeded', note)
  await work()
  db.client.off('commandSucceeded', note)
  return sizes
}

/** Notes the documents that lists read. */
const watchedReads = (db: Db, read: unknown[]): Db => {
  const collection = (name: string) => {
    const inner = db.collection(name)
    const find = (filter: Filter<Document>, options?: FindOptions) => {
      const cursor = inner.find(filter, options)
      const toArray = cursor.toArray.bind(cursor)
      cursor.toArray = async () => {
        const found = await toArray()
        read.push(...found)
        return found
      }
      return cursor
    }
    return Object.assign(Object.create(inner), { find })
  }
  return Object.assign(Object.create(db), { collection })
}
