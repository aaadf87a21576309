import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { newUser } from '@postrider/domain/accounts/users.ts'
import { newWorkspace } from '@postrider/domain/accounts/workspaceRules.ts'
import { newId } from '@postrider/kit/ids.ts'
import type { AccountStore, KeyChange, StoredKey, StoredWorkspace } from './accounts.ts'
import { operatorSuite } from './accountsOperator.conformance.ts'
import { anEntry, entryIfChanged } from './auditFixtures.conformance.ts'

type Open = () => AccountStore | Promise<AccountStore>

const sha256 = (text: string): Uint8Array => new Uint8Array(createHash('sha256').update(text).digest())

export const aWorkspace = (id: string): StoredWorkspace =>
  newWorkspace({ id, name: 'Acme', plan: 'free', createdAt: 1_000 })

export const aKey = (workspace: string, secret: string, id = newId('key')): StoredKey => ({
  id,
  workspace,
  hash: sha256(secret),
  name: 'Key',
  scopes: ['emails:send', 'emails:read'],
  mode: 'live',
  prefix: 'pr_live_abcd',
  lastFour: 'wxyz',
  domains: [],
  networks: ['10.0.0.0/8'],
  recipients: ['jane@example.com', 'example.org'],
  family: id,
  rolledFrom: null,
  rolledTo: null,
  createdAt: 1_000,
  expiresAt: null,
  lastUsedAt: null,
  lastUsedFrom: '',
  revokedAt: null,
})

/** Inserts an owner with a workspace. */
export const withOwner = async (store: AccountStore, email = 'ada@example.com') => {
  const user = newUser({ id: newId('usr'), email, passwordHash: '$argon2id$…', createdAt: 1_000 })
  const workspace = aWorkspace(newId('ws'))
  assert.equal(await store.insertOwner(user, workspace, anEntry()), true)
  return { user, workspace }
}

const ownersSuite = (open: Open): void => {
  it('finds an owner by address, as a member of their workspace', async () => {
    const store = await open()
    const { user, workspace } = await withOwner(store)
    assert.deepEqual(await store.userByEmail('ada@example.com'), user)
    assert.deepEqual(await store.memberships(user.id), [{ workspace: workspace.id, role: 'owner' }])
    assert.equal(await store.role(workspace.id, user.id), 'owner')
    assert.equal(await store.role(newId('ws'), user.id), null)
  })

  it('refuses a second owner with the same address and stores no workspace for them', async () => {
    const store = await open()
    await withOwner(store)
    const second = newUser({ id: newId('usr'), email: 'ada@example.com', passwordHash: 'x', createdAt: 2_000 })
    assert.equal(await store.insertOwner(second, aWorkspace(newId('ws')), anEntry()), false)
    assert.equal((await store.listWorkspaces(null, 10)).length, 1)
  })

  it('stores one of twenty concurrent sign-ups with the same address', async () => {
    const store = await open()
    const email = 'ada@example.com'
    const stored = await Promise.all(
      Array.from({ length: 20 }, () =>
        store.insertOwner(
          newUser({ id: newId('usr'), email, passwordHash: 'x', createdAt: 1 }),
          aWorkspace(newId('ws')),
          anEntry(),
        ),
      ),
    )
    assert.equal(stored.filter(Boolean).length, 1)
    assert.equal((await store.listWorkspaces(null, 30)).length, 1)
  })

  it('returns null for an unknown address', async () =>
    assert.equal(await (await open()).userByEmail('eve@example.com'), null))
}

const sessionsSuite = (open: Open): void => {
  it('returns a session with its user and workspace until it is deleted', async () => {
    const store = await open()
    const { user, workspace } = await withOwner(store)
    const session = {
      hash: sha256('t'),
      user: user.id,
      workspace: workspace.id,
      csrfSalt: '',
      createdAt: 5,
      seenAt: 5,
      device: 'curl',
      address: '::1',
      totpEnabledAt: 4,
    }
    await store.insertSession(session, anEntry())
    const found = await store.session(sha256('t'))
    assert.deepEqual(
      { ...found, session: { ...found?.session, hash: 0 } },
      {
        session: { ...session, hash: 0 },
        email: user.email,
        isEmailConfirmed: false,
        hasTotp: false,
        hasPassedTotp: false,
        isOperator: false,
        isDisabled: false,
        sessionsSince: 0,
        role: 'owner',
        workspace,
      },
    )
    assert.equal(await store.deleteSession(sha256('t'), anEntry()), true)
    assert.equal(await store.deleteSession(sha256('t'), anEntry()), false)
    assert.equal(await store.session(sha256('t')), null)
  })

  it('deletes only sessions that are too old or idle too long', async () => {
    const store = await open()
    const { user, workspace } = await withOwner(store)
    const own = { user: user.id, workspace: workspace.id, csrfSalt: '', totpEnabledAt: null, device: '', address: '' }
    await store.insertSession({ ...own, hash: sha256('old'), createdAt: 10, seenAt: 990 }, anEntry())
    await store.insertSession({ ...own, hash: sha256('idle'), createdAt: 500, seenAt: 600 }, anEntry())
    await store.insertSession({ ...own, hash: sha256('used'), createdAt: 500, seenAt: 600 }, anEntry())
    await store.touchSession(sha256('used'), 900, '192.0.2.1')
    assert.equal(await store.deleteStaleSessions({ createdBefore: 10, seenBefore: 600 }), 2)
    await store.touchSession(sha256('used'), 800, '192.0.2.2')
    const { seenAt, address } = (await store.session(sha256('used')))?.session ?? {}
    assert.deepEqual([seenAt, address], [900, '192.0.2.1'], 'the time of last use never decreases')
  })

  it('deletes the sessions of a user beyond a number, those that were used least recently', async () => {
    const store = await open()
    const { user, workspace } = await withOwner(store)
    const { user: other } = await withOwner(store, 'other@example.com')
    const own = { workspace: workspace.id, csrfSalt: '', totpEnabledAt: null, device: '', address: '', createdAt: 1 }
    const insert = (name: string, of: string, seenAt: number) =>
      store.insertSession({ ...own, user: of, hash: sha256(name), seenAt }, anEntry())
    await insert('first', user.id, 30)
    await insert('second', user.id, 10)
    await insert('third', user.id, 20)
    await insert('of another', other.id, 5)
    assert.equal(await store.deleteExcessSessions(user.id, 3), 0)
    assert.equal(await store.deleteExcessSessions(user.id, 2), 1)
    const isThere = async (name: string) => store.deleteSession(sha256(name), anEntry())
    const names = ['first', 'second', 'third', 'of another']
    assert.deepEqual(await Promise.all(names.map(isThere)), [true, false, true, true])
  })
}

const workspacesSuite = (open: Open): void => {
  it('changes only the given fields of a workspace', async () => {
    const store = await open()
    const { workspace } = await withOwner(store)
    const change = { onUnknown: 'hold', suspended: true, rate: 2.5, burst: 0, spendingCapUsd: 12.34 } as const
    const changed = { ...workspace, ...change }
    assert.deepEqual(await store.changeWorkspace(workspace.id, change, entryIfChanged), changed)
    assert.deepEqual(await store.workspace(workspace.id), changed)
    assert.deepEqual(
      await store.changeWorkspace(workspace.id, {}, entryIfChanged),
      changed,
      'an empty change changes nothing',
    )
    assert.equal((await store.changeWorkspace(workspace.id, { rate: null }, entryIfChanged))?.rate, null)
    assert.equal(await store.changeWorkspace(newId('ws'), { name: 'x' }, entryIfChanged), null)
    assert.equal(await store.workspace(newId('ws')), null)
  })

  it('lists workspaces newest first, in pages', async () => {
    const store = await open()
    const ids: string[] = []
    for (const name of ['a', 'b', 'c']) ids.unshift((await withOwner(store, `${name}@example.com`)).workspace.id)
    const sorted = ids.toSorted().reverse()
    const first = await store.listWorkspaces(null, 2)
    assert.deepEqual(
      first.map(({ id }) => id),
      sorted.slice(0, 2),
    )
    assert.deepEqual(
      (await store.listWorkspaces(first[1]?.id ?? '', 2)).map(({ id }) => id),
      sorted.slice(2),
    )
  })
}

const keysSuite = (open: Open): void => {
  it('finds a key with its workspace by hash, and by id only in its workspace', async () => {
    const store = await open()
    const { workspace } = await withOwner(store)
    const key = aKey(workspace.id, 'secret')
    assert.equal(await store.insertKey(key, 100, anEntry()), true)
    assert.deepEqual(await store.keyByHash(sha256('secret')), { key, workspace })
    assert.equal(await store.keyByHash(sha256('other')), null)
    assert.deepEqual(await store.key(workspace.id, key.id), key)
    assert.equal(await store.key(newId('ws'), key.id), null)
  })

  it('changes only the given fields of a key, and only in its workspace', async () => {
    const store = await open()
    const { workspace } = await withOwner(store)
    const key = aKey(workspace.id, 'secret')
    await store.insertKey(key, 100, anEntry())
    assert.equal(await store.changeKey(newId('ws'), key.id, { revokedAt: 5 }, entryIfChanged), null)
    const changed = { ...key, name: 'New', expiresAt: 99, scopes: ['emails:send'] }
    assert.deepEqual(
      await store.changeKey(
        workspace.id,
        key.id,
        { name: 'New', expiresAt: 99, scopes: ['emails:send'] },
        entryIfChanged,
      ),
      changed,
    )
    assert.deepEqual(
      await store.changeKey(workspace.id, key.id, {}, entryIfChanged),
      changed,
      'an empty change changes nothing',
    )
    await store.touchKey(key.id, 60_000, '10.0.0.1')
    await store.touchKey(key.id, 59_000, '10.0.0.2')
    assert.deepEqual(await store.key(workspace.id, key.id), {
      ...changed,
      lastUsedAt: 60_000,
      lastUsedFrom: '10.0.0.1',
    })
  })

  it('refuses keys past the limit of a workspace, not counting revoked keys', async () => {
    const store = await open()
    const { workspace } = await withOwner(store)
    const first = aKey(workspace.id, 'a')
    assert.equal(await store.insertKey(first, 2, anEntry()), true)
    assert.equal(await store.insertKey(aKey(workspace.id, 'b'), 2, anEntry()), true)
    assert.equal(await store.insertKey(aKey(workspace.id, 'c'), 2, anEntry()), false)
    assert.equal(await store.keyByHash(sha256('c')), null)
    await store.changeKey(workspace.id, first.id, { revokedAt: 7 }, entryIfChanged)
    assert.equal(await store.insertKey(aKey(workspace.id, 'c'), 2, anEntry()), true)
  })

  it('stores as many of fifty concurrent keys as the limit allows', async () => {
    const store = await open()
    const { workspace } = await withOwner(store)
    for (let n = 0; n < 90; n += 1) await store.insertKey(aKey(workspace.id, `${n}`), 100, anEntry())
    const more = Array.from({ length: 50 }, (_, n) => aKey(workspace.id, `more ${n}`))
    const taken = await Promise.all(more.map((key) => store.insertKey(key, 100, anEntry())))
    assert.equal(taken.filter(Boolean).length, 10)
    assert.equal((await store.listKeys(workspace.id, 1_000)).length, 100)
    for (const [n, key] of more.entries()) assert.equal((await store.keyByHash(key.hash)) !== null, taken[n])
  })

  it('lists valid keys before revoked keys, each newest first', async () => {
    const store = await open()
    const { workspace } = await withOwner(store)
    const made = ['a', 'b', 'c', 'd'].map((secret) => aKey(workspace.id, secret))
    for (const key of made) await store.insertKey(key, 100, anEntry())
    const [fourth, third, second, first] = made
      .map(({ id }) => id)
      .toSorted()
      .reverse() as [string, string, string, string]
    await store.changeKey(workspace.id, fourth, { revokedAt: 7 }, entryIfChanged)
    const listed = (await store.listKeys(workspace.id, 10)).map(({ id }) => id)
    assert.deepEqual(listed, [third, second, first, fourth])
    assert.equal((await store.listKeys(workspace.id, 3)).length, 3)
    assert.deepEqual(await store.listKeys(newId('ws'), 10), [])
  })
}

/** A roll of `key` into a new one, which it returns. */
const rollOf = (key: StoredKey, secret: string, expiresAt = 5_000) => {
  const successor = { ...aKey(key.workspace, secret), family: key.family, rolledFrom: key.id }
  return { old: key, successor, expiresAt }
}

const rollsSuite = (open: Open): void => {
  it('stores a successor and the expiry of the old key together, once', async () => {
    const store = await open()
    const { workspace } = await withOwner(store)
    const key = aKey(workspace.id, 'old')
    await store.insertKey(key, 100, anEntry())
    const roll = rollOf(key, 'new')
    const { successor, expiresAt } = roll
    assert.equal(await store.rollKey({ ...roll, old: { ...key, workspace: newId('ws') } }, anEntry()), false)
    assert.equal(await store.rollKey(roll, anEntry()), true)
    assert.deepEqual(await store.key(workspace.id, key.id), { ...key, rolledTo: successor.id, expiresAt })
    assert.deepEqual((await store.keyByHash(successor.hash))?.key, successor)
    const again = rollOf(key, 'again')
    assert.equal(await store.rollKey(again, anEntry()), false)
    assert.equal(await store.keyByHash(again.successor.hash), null)
  })

  it('does not roll a revoked key', async () => {
    const store = await open()
    const { workspace } = await withOwner(store)
    const key = aKey(workspace.id, 'old')
    await store.insertKey(key, 100, anEntry())
    await store.changeKey(workspace.id, key.id, { revokedAt: 7 }, entryIfChanged)
    const roll = rollOf(key, 'new')
    assert.equal(await store.rollKey(roll, anEntry()), false)
    assert.equal(await store.keyByHash(roll.successor.hash), null)
  })

  it('does not roll a key whose settings changed since it was read', async () => {
    const store = await open()
    const { workspace } = await withOwner(store)
    const key = aKey(workspace.id, 'old')
    await store.insertKey(key, 100, anEntry())
    for (const [n, change] of (
      [
        { name: 'changed' },
        { scopes: ['emails:read'] },
        { domains: ['acme.example'] },
        { networks: ['192.0.2.0/24'] },
        { recipients: ['acme.example'] },
        { expiresAt: 99 },
      ] as const
    ).entries()) {
      const old = (await store.key(workspace.id, key.id)) ?? assert.fail('no key')
      const roll = rollOf(old, `new ${n}`)
      await store.changeKey(workspace.id, key.id, change as KeyChange, entryIfChanged)
      assert.equal(await store.rollKey(roll, anEntry()), false, JSON.stringify(change))
      assert.equal(await store.keyByHash(roll.successor.hash), null)
    }
    const old = (await store.key(workspace.id, key.id)) ?? assert.fail('no key')
    assert.equal(await store.rollKey(rollOf(old, 'last'), anEntry()), true)
  })

  it('makes one successor of twenty concurrent rolls', async () => {
    const store = await open()
    const { workspace } = await withOwner(store)
    const key = aKey(workspace.id, 'old')
    await store.insertKey(key, 100, anEntry())
    const rolls = Array.from({ length: 20 }, (_, n) => rollOf(key, `new ${n}`))
    const made = await Promise.all(rolls.map((roll) => store.rollKey(roll, anEntry())))
    assert.equal(made.filter(Boolean).length, 1)
    const winner = rolls[made.indexOf(true)]?.successor.id ?? ''
    assert.equal((await store.key(workspace.id, key.id))?.rolledTo, winner)
    const listed = (await store.listKeys(workspace.id, 100)).map(({ id }) => id)
    assert.deepEqual(new Set(listed), new Set([key.id, winner]))
  })

  it('counts a key and the keys that it replaced as one against the limit, and lists all of them', async () => {
    const store = await open()
    const { workspace } = await withOwner(store)
    const first = aKey(workspace.id, 'first')
    assert.equal(await store.insertKey(first, 2, anEntry()), true)
    const second = rollOf(first, 'second')
    assert.equal(await store.rollKey(second, anEntry()), true)
    const third = rollOf(second.successor, 'third')
    assert.equal(await store.rollKey(third, anEntry()), true)
    assert.equal(await store.insertKey(aKey(workspace.id, 'other'), 2, anEntry()), true)
    assert.equal(await store.insertKey(aKey(workspace.id, 'too many'), 2, anEntry()), false)
    assert.equal((await store.listKeys(workspace.id, 100)).length, 4)
    await store.changeKey(workspace.id, first.id, { revokedAt: 7 }, entryIfChanged)
    assert.equal(await store.insertKey(aKey(workspace.id, 'too many'), 2, anEntry()), false)
    await store.changeKey(workspace.id, third.successor.id, { revokedAt: 7 }, entryIfChanged)
    assert.equal(await store.insertKey(aKey(workspace.id, 'fits'), 2, anEntry()), true)
  })
}

/** Declares the tests that every account store must pass. `open` returns an empty store. */
export const accountsConformance = (name: string, open: Open) =>
  describe(`account store in ${name}`, () => {
    ownersSuite(open)
    sessionsSuite(open)
    workspacesSuite(open)
    keysSuite(open)
    rollsSuite(open)
    describe('operator', () => operatorSuite(open))
  })
