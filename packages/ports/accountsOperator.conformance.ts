import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { isValidSession, newUser } from '@postrider/domain/accounts/users.ts'
import { newWorkspace } from '@postrider/domain/accounts/workspaceRules.ts'
import { newId } from '@postrider/kit/ids.ts'
import type { AccountStore, StoredWorkspace } from './accounts.ts'
import type { Disabled, OperatorAccounts, UserQuery, WorkspaceQuery } from './accountsOperator.ts'
import { anEntry, entryIfChanged } from './auditFixtures.conformance.ts'

type Open = () => AccountStore | Promise<AccountStore>
type Owned = { user: string; workspace: string }

const hashOf = (text: string) => new Uint8Array(createHash('sha256').update(text).digest())

const owned = async (store: AccountStore, email: string, over: Partial<StoredWorkspace> = {}): Promise<Owned> => {
  const user = newUser({ id: newId('usr'), email, passwordHash: 'x', createdAt: 1_000 })
  const workspace = { ...newWorkspace({ id: newId('ws'), name: 'Acme', plan: 'free', createdAt: 1_000 }), ...over }
  assert.equal(await store.insertOwner(user, workspace, anEntry()), true)
  return { user: user.id, workspace: workspace.id }
}

const all: WorkspaceQuery = {
  ...{ before: null, limit: 10, maxUsers: 10, text: null },
  ...{ plan: null, suspended: null, deleting: null },
}
const allUsers: UserQuery = { before: null, limit: 10, text: null, disabled: null, operator: null }

const foundIds = (found: Awaited<ReturnType<OperatorAccounts['findWorkspaces']>>): string[] =>
  found === 'too_many_users' ? assert.fail(found) : found.map(({ id }) => id)

const searches = (open: Open): void => {
  it('finds workspaces by id, part of the name and part of a member’s address, in any case', async () => {
    const store = await open()
    const acme = await owned(store, 'ada@example.com', { name: 'Acme (Ätna) 100%' })
    const other = await owned(store, 'bob@acme.example', { name: 'Other_.*' })
    const find = async (text: string) => foundIds(await store.findWorkspaces({ ...all, text }))
    for (const [text, expected] of [
      [acme.workspace, [acme.workspace]],
      [acme.workspace.toUpperCase(), [acme.workspace]],
      [acme.workspace.slice(0, -1), []],
      ['ACME', [other.workspace, acme.workspace]],
      ['(ätna)', [acme.workspace]],
      ['0%', [acme.workspace]],
      ['%', [acme.workspace]],
      ['_.*', [other.workspace]],
      ['.*', [other.workspace]],
      ['ada@example.com', [acme.workspace]],
      ['Bob@Acme', [other.workspace]],
      ['@', [other.workspace, acme.workspace]],
      ['nothing', []],
    ] as const)
      assert.deepEqual(new Set(await find(text)), new Set(expected), text)
  })

  // Regression: neither store found `istanbul` in `İstanbul`, or a name that ends with a sigma.
  it('ignores the case of letters whose lower case has several forms', async () => {
    const store = await open()
    const istanbul = await owned(store, 'ada@example.com', { name: 'İstanbul Ltd' })
    const street = await owned(store, 'bob@example.com', { name: 'ΟΔΟΣ' })
    const kelvin = await owned(store, '\u212aim@example.com', { name: '3 \u212a' })
    for (const [text, expected] of [
      ['istanbul', [istanbul]],
      ['İST', [istanbul]],
      ['L LTD', [istanbul]],
      ['οδοσ', [street]],
      ['οδος', [street]],
      ['3 k', [kelvin]],
      ['kim@', [kelvin]],
      ['i', [istanbul, kelvin]],
    ] as const) {
      const ids = expected.map(({ workspace }) => workspace)
      assert.deepEqual(new Set(foundIds(await store.findWorkspaces({ ...all, text }))), new Set(ids), text)
    }
    // The limit counts users that match, not those that a store selects first.
    assert.deepEqual(foundIds(await store.findWorkspaces({ ...all, text: 'kim', maxUsers: 1 })), [kelvin.workspace])
    assert.deepEqual(foundIds(await store.findWorkspaces({ ...all, text: 'οδος', maxUsers: 0 })), [street.workspace])
    const found = await store.findUsers({ ...allUsers, text: 'KIM@' })
    assert.deepEqual(
      found.map(({ id }) => id),
      [kelvin.user],
    )
  })

  // SQLite had no limit, and the response depended on the composition.
  it('finds workspaces by the addresses of a limited number of users', async () => {
    const store = await open()
    const ids = [await owned(store, 'ada@example.com'), await owned(store, 'bob@example.com')].map(
      (one) => one.workspace,
    )
    await owned(store, 'eve@example.org', { name: 'com' })
    const find = (query: Partial<WorkspaceQuery>) => store.findWorkspaces({ ...all, ...query })
    assert.deepEqual(new Set(foundIds(await find({ text: '.COM', maxUsers: 2 }))), new Set(ids))
    assert.equal(await find({ text: '.com', maxUsers: 1 }), 'too_many_users')
    assert.deepEqual(foundIds(await find({ text: 'ada', maxUsers: 1 })), ids.slice(0, 1))
    assert.equal(foundIds(await find({ maxUsers: 1 })).length, 3)
  })

  it('finds workspaces by suspension and scheduled deletion, in pages, newest first', async () => {
    const store = await open()
    const ids = []
    for (const [n, over] of [{}, { plan: 'pro' }, { suspended: true }, { suspended: true, deletesAt: 9_000 }].entries())
      ids.push((await owned(store, `${n}@example.com`, over as Partial<StoredWorkspace>)).workspace)
    const [plain = '', pro = '', stopped = '', deleting = ''] = ids
    const find = async (query: Partial<WorkspaceQuery>) => foundIds(await store.findWorkspaces({ ...all, ...query }))
    const sorted = (found: string[]) => found.toSorted().reverse()
    assert.deepEqual(await find({}), sorted(ids))
    assert.deepEqual(await find({ limit: 2 }), sorted(ids).slice(0, 2))
    assert.deepEqual(await find({ before: sorted(ids)[1] ?? '', limit: 2 }), sorted(ids).slice(2))
    assert.deepEqual(await find({ suspended: true }), sorted([stopped, deleting]))
    assert.deepEqual(await find({ suspended: false }), sorted([plain, pro]))
    assert.deepEqual(await find({ deleting: true }), [deleting])
    assert.deepEqual(await find({ deleting: false, text: '@example' }), sorted([plain, pro, stopped]))
  })

  it('returns the workspaces whose deletion is due, the longest overdue first', async () => {
    const store = await open()
    const late = await owned(store, 'a@example.com', { deletesAt: 5_000 })
    const later = await owned(store, 'b@example.com', { deletesAt: 4_000 })
    const future = await owned(store, 'c@example.com', { deletesAt: 5_001 })
    await owned(store, 'd@example.com')
    assert.deepEqual(await store.workspacesToDelete(5_000, 10), [later.workspace, late.workspace])
    assert.deepEqual(await store.workspacesToDelete(5_000, 1), [later.workspace])
    await store.changeWorkspace(future.workspace, { deletesAt: 1 }, entryIfChanged)
    await store.changeWorkspace(late.workspace, { deletesAt: null }, entryIfChanged)
    assert.deepEqual(await store.workspacesToDelete(5_000, 10), [future.workspace, later.workspace])
  })
}

const users = (open: Open): void => {
  it('finds users by id and part of the address, in pages, with their workspaces', async () => {
    const store = await open()
    const ada = await owned(store, 'ada@example.com', { name: 'Ada Ltd' })
    const bob = await owned(store, 'bob.+x@example.org')
    const find = async (query: Partial<UserQuery>) =>
      (await store.findUsers({ ...allUsers, ...query })).map(({ id }) => id)
    const sorted = [ada.user, bob.user].toSorted().reverse()
    assert.deepEqual(await find({}), sorted)
    assert.deepEqual(await find({ limit: 1 }), sorted.slice(0, 1))
    assert.deepEqual(await find({ before: sorted[0] ?? '' }), sorted.slice(1))
    assert.deepEqual(await find({ text: 'ADA@' }), [ada.user])
    assert.deepEqual(await find({ text: '.+x' }), [bob.user])
    assert.deepEqual(await find({ text: bob.user }), [bob.user])
    assert.deepEqual(await find({ text: 'b.b' }), [])
    assert.deepEqual(await store.findUser(ada.user), {
      id: ada.user,
      email: 'ada@example.com',
      createdAt: 1_000,
      lastSeenAt: null,
      disabled: null,
      operatorSince: null,
      hasTotp: false,
      workspaces: [{ id: ada.workspace, name: 'Ada Ltd', role: 'owner' }],
    })
    assert.equal(await store.findUser(newId('usr')), null)
  })

  it('remembers when a user was seen, which never decreases', async () => {
    const store = await open()
    const { user } = await owned(store, 'ada@example.com')
    await store.touchUser(user, 7_200)
    await store.touchUser(user, 3_600)
    assert.equal((await store.findUser(user))?.lastSeenAt, 7_200)
  })

  const begin = (store: AccountStore, { user, workspace }: Owned, token: string, at = 5) => {
    const client = { csrfSalt: '', totpEnabledAt: null, device: '', address: '' }
    return store.insertSession(
      { hash: hashOf(token), user, workspace, createdAt: at, seenAt: at, ...client },
      anEntry(),
    )
  }

  it('ends the sessions of a disabled user and of no other, and marks one that begins at the same time', async () => {
    const store = await open()
    const [ada, bob] = [await owned(store, 'ada@example.com'), await owned(store, 'bob@example.com')]
    await begin(store, ada, 'a')
    await begin(store, bob, 'b')
    const disabled = { at: 9_000, reason: 'abuse' }
    assert.deepEqual((await store.setUserDisabled(ada.user, disabled, entryIfChanged))?.disabled, disabled)
    await begin(store, ada, 'late')
    assert.equal(await store.session(hashOf('a')), null)
    assert.equal((await store.session(hashOf('late')))?.isDisabled, true)
    assert.equal((await store.session(hashOf('b')))?.isDisabled, false)
    const ids = async (wanted: boolean) =>
      (await store.findUsers({ ...allUsers, disabled: wanted })).map(({ id }) => id)
    assert.deepEqual([await ids(true), await ids(false)], [[ada.user], [bob.user]])
    assert.equal((await store.userByEmail('ada@example.com'))?.id, ada.user)
    assert.equal((await store.setUserDisabled(ada.user, null, entryIfChanged))?.disabled, null)
    assert.equal(await store.session(hashOf('a')), null)
    assert.equal(await store.setUserDisabled(newId('usr'), disabled, entryIfChanged), null)
  })

  // Regression: a login that the disabling overtook left a session, which was valid when the user was enabled again.
  it('enables a user without the sessions from before, and accepts those that begin after that', async () => {
    const store = await open()
    const ada = await owned(store, 'ada@example.com')
    const isValid = async (token: string): Promise<boolean> => {
      const found = await store.session(hashOf(token))
      return (
        found !== null && isValidSession(found.session, found, 9_500, { sessionAgeMs: 9_500, sessionIdleMs: 9_500 })
      )
    }
    const set = (disabled: Disabled | null, at: number) =>
      store.setUserDisabled(ada.user, disabled, () => anEntry({ at }))
    await begin(store, ada, 'first')
    await set({ at: 9_000, reason: '' }, 9_000)
    await begin(store, ada, 'late', 9_001)
    assert.equal(await isValid('late'), false)
    await set(null, 9_002)
    assert.deepEqual([await isValid('first'), await isValid('late')], [false, false])
    await begin(store, ada, 'next', 9_002)
    assert.equal(await isValid('next'), true)
    // The clock was set back.
    await set({ at: 8_000, reason: '' }, 8_000)
    await set(null, 8_001)
    assert.equal((await store.userByEmail('ada@example.com'))?.sessionsSince, 9_002)
  })
}

const operators = (open: Open): void => {
  it('marks a user as an operator, once, and removes the mark', async () => {
    const store = await open()
    const [ada, bob] = [await owned(store, 'ada@example.com'), await owned(store, 'bob@example.com')]
    const find = async (query: Partial<UserQuery>) =>
      (await store.findUsers({ ...allUsers, ...query })).map(({ id }) => id)
    const sorted = [ada.user, bob.user].toSorted().reverse()
    const set = async (user: string, since: number | null) =>
      (await store.setOperator(user, since, entryIfChanged))?.operatorSince
    assert.equal(await set(ada.user, 7_000), 7_000)
    assert.equal(await set(ada.user, 7_000), 7_000)
    assert.deepEqual([await find({ operator: true }), await find({ operator: false })], [[ada.user], [bob.user]])
    assert.deepEqual(await find({ operator: true, text: 'bob' }), [])
    assert.equal(await set(bob.user, 8_000), 8_000)
    assert.deepEqual(await find({ operator: true }), sorted)
    assert.deepEqual(await find({ operator: true, limit: 1 }), sorted.slice(0, 1))
    assert.deepEqual(await find({ operator: true, before: sorted[0] ?? '' }), sorted.slice(1))
    assert.equal(await set(ada.user, null), null)
    assert.equal(await set(ada.user, null), null)
    assert.deepEqual(await find({ operator: true }), [bob.user])
    assert.equal(await store.setOperator(newId('usr'), 9_000, entryIfChanged), null)
    assert.equal((await store.userByEmail('bob@example.com'))?.id, bob.user)
  })

  it('shows with a session whether its user is an operator', async () => {
    const store = await open()
    const { user, workspace } = await owned(store, 'ada@example.com')
    const session = { hash: hashOf('a'), user, workspace, csrfSalt: '', totpEnabledAt: null, createdAt: 5, seenAt: 5 }
    await store.insertSession({ ...session, device: '', address: '' }, anEntry())
    const isOperator = async () => (await store.session(hashOf('a')))?.isOperator
    assert.equal(await isOperator(), false)
    await store.setOperator(user, 7_000, entryIfChanged)
    assert.equal(await isOperator(), true)
    await store.setOperator(user, null, entryIfChanged)
    assert.equal(await isOperator(), false)
  })
}

/** Tests of what the operator reads and changes. */
export const operatorSuite = (open: Open): void => {
  searches(open)
  users(open)
  operators(open)
}
