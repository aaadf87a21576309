import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import {
  acceptInvitation,
  changeRole,
  type Invitation,
  invite,
  type People,
  type PeopleDecision,
  removeMember,
  transferOwnership,
} from '@postrider/domain/accounts/people.ts'
import { type Role, roles } from '@postrider/domain/accounts/roles.ts'
import { newUser } from '@postrider/domain/accounts/users.ts'
import { newId } from '@postrider/kit/ids.ts'
import fc from 'fast-check'
import { aWorkspace } from './accounts.conformance.ts'
import type { AccountStore, StoredPeople, User } from './accounts.ts'
import { anEntry } from './auditFixtures.conformance.ts'

type Open = () => AccountStore | Promise<AccountStore>

const sha256 = (text: string): Uint8Array => new Uint8Array(createHash('sha256').update(text).digest())

const aUser = (name: string): User =>
  newUser({ id: newId('usr'), email: `${name}@example.com`, passwordHash: 'x', createdAt: 1_000 })

const anInvitation = (email: string, invitedBy: string, role: Role = 'member'): Invitation => ({
  id: newId('inv'),
  email,
  role,
  invitedBy,
  createdAt: 2_000,
  sentAt: 2_000,
  expiresAt: 9_000,
})

const withOwner = async (store: AccountStore) => {
  const user = aUser('ada')
  const workspace = aWorkspace(newId('ws'))
  assert.equal(await store.insertOwner(user, workspace, anEntry()), true)
  return { user, workspace }
}

const peopleOf = async (store: AccountStore, workspace: string): Promise<StoredPeople> =>
  (await store.people(workspace)) ?? assert.fail('there is no such workspace')

const anotherMember = async (store: AccountStore, workspace: string, name: string, role: Role): Promise<User> => {
  const user = aUser(name)
  assert.equal(await store.insertUser(user, anEntry()), true)
  const from = await peopleOf(store, workspace)
  const to = { ...from, members: [...from.members, { user: user.id, role, joinedAt: 3_000 }] }
  assert.equal(await store.changePeople(workspace, { from, to }, anEntry({ workspace })), true)
  return user
}

const limits = { members: 10, invitations: 5 }

const peopleSuite = (open: Open): void => {
  it('returns the owner of a new workspace as its only member', async () => {
    const store = await open()
    const { user, workspace } = await withOwner(store)
    const members = [{ user: user.id, role: 'owner', joinedAt: user.createdAt }]
    assert.deepEqual(await store.people(workspace.id), { version: 0, members, invitations: [] })
    assert.equal(await store.people(newId('ws')), null)
  })

  it('writes members and invitations once for each version', async () => {
    const store = await open()
    const { user, workspace } = await withOwner(store)
    const from = await peopleOf(store, workspace.id)
    const bob = aUser('bob')
    await store.insertUser(bob, anEntry())
    const members = [...from.members, { user: bob.id, role: 'viewer' as const, joinedAt: 3_000 }]
    const invitations = [anInvitation('eve@example.com', user.id)]
    const write = () =>
      store.changePeople(workspace.id, { from, to: { members, invitations } }, anEntry({ workspace: workspace.id }))
    assert.equal(await write(), true)
    assert.equal(await write(), false)
    assert.deepEqual(await store.people(workspace.id), { version: 1, members, invitations })
    assert.equal(await store.role(workspace.id, bob.id), 'viewer')
    assert.deepEqual(await store.memberships(bob.id), [{ workspace: workspace.id, role: 'viewer' }])
    assert.deepEqual(await store.workspace(workspace.id), workspace)
  })

  it('writes one of twenty concurrent changes of one version', async () => {
    const store = await open()
    const { user, workspace } = await withOwner(store)
    const from = await peopleOf(store, workspace.id)
    const written = await Promise.all(
      Array.from({ length: 20 }, (_, n) => {
        const to = { ...from, invitations: [anInvitation(`${n}@example.com`, user.id)] }
        return store.changePeople(workspace.id, { from, to }, anEntry({ workspace: workspace.id }))
      }),
    )
    assert.equal(written.filter(Boolean).length, 1)
    const { version, invitations } = await peopleOf(store, workspace.id)
    assert.deepEqual([version, invitations.length], [1, 1])
  })

  it('stores a user once for each address', async () => {
    const store = await open()
    const users = Array.from({ length: 10 }, () => aUser('bob'))
    const stored = await Promise.all(users.map((user) => store.insertUser(user, anEntry())))
    assert.equal(stored.filter(Boolean).length, 1)
    const [kept] = users.filter((_, index) => stored[index])
    assert.deepEqual(await store.userByEmail('bob@example.com'), kept)
    assert.deepEqual(await store.users(users.map(({ id }) => id)), [kept])
    assert.deepEqual(await store.memberships(kept?.id ?? ''), [])
  })

  it('stores further workspaces of a user', async () => {
    const store = await open()
    const { user, workspace } = await withOwner(store)
    const second = { ...aWorkspace(newId('ws')), createdAt: 5_000 }
    await store.insertWorkspace(second, user.id, anEntry({ workspace: second.id }))
    assert.deepEqual(await store.memberships(user.id), [
      { workspace: workspace.id, role: 'owner' },
      { workspace: second.id, role: 'owner' },
    ])
    assert.deepEqual(await store.workspace(second.id), second)
    assert.equal((await store.listWorkspaces(null, 10)).length, 2)
  })
}

/** Returns a session that was last used at time 5. */
export const aSession = (name: string, user: User, workspace: string) => ({
  hash: sha256(name),
  user: user.id,
  workspace,
  csrfSalt: '',
  totpEnabledAt: null,
  createdAt: 5,
  seenAt: 5,
  device: '',
  address: '',
})

const sessionsSuite = (open: Open): void => {
  it('ends the sessions of a removed member in that workspace only, and does not revive them', async () => {
    const store = await open()
    const { user: ada, workspace } = await withOwner(store)
    const bob = await anotherMember(store, workspace.id, 'bob', 'member')
    const own = aWorkspace(newId('ws'))
    await store.insertWorkspace(own, bob.id, anEntry({ workspace: own.id }))
    await store.insertSession(aSession('ada', ada, workspace.id), anEntry())
    await store.insertSession(aSession('bob', bob, workspace.id), anEntry())
    await store.insertSession(aSession('own', bob, own.id), anEntry())
    const from = await peopleOf(store, workspace.id)
    const to = { ...from, members: from.members.filter(({ user }) => user !== bob.id) }
    await store.changePeople(workspace.id, { from, to }, anEntry({ workspace: workspace.id }))
    assert.equal(await store.session(sha256('bob')), null)
    assert.equal((await store.session(sha256('own')))?.role, 'owner')
    assert.equal((await store.session(sha256('ada')))?.role, 'owner')
    const back = { ...to, members: from.members }
    await store.changePeople(
      workspace.id,
      { from: { ...to, version: from.version + 1 }, to: back },
      anEntry({ workspace: workspace.id }),
    )
    assert.equal(await store.role(workspace.id, bob.id), 'member')
    assert.equal(await store.session(sha256('bob')), null)
  })

  it('moves a session to another workspace of its user, and to no other', async () => {
    const store = await open()
    const { user: ada, workspace } = await withOwner(store)
    const second = aWorkspace(newId('ws'))
    await store.insertWorkspace(second, ada.id, anEntry({ workspace: second.id }))
    const session = aSession('ada', ada, workspace.id)
    await store.insertSession(session, anEntry())
    const move = { user: ada.id, workspace: second.id, csrfSalt: 'salt' }
    assert.equal(await store.moveSession(session.hash, move, anEntry({ workspace: second.id })), true)
    const moved = await store.session(session.hash)
    assert.deepEqual([moved?.workspace.id, moved?.session.csrfSalt, moved?.session.createdAt], [second.id, 'salt', 5])
    for (const refused of [
      store.moveSession(session.hash, { ...move, workspace: newId('ws') }, anEntry()),
      store.moveSession(session.hash, { ...move, user: newId('usr') }, anEntry()),
      store.moveSession(sha256('other'), move, anEntry()),
    ])
      assert.equal(await refused, false)
    assert.equal((await store.session(session.hash))?.workspace.id, second.id)
  })

  it('returns when members last used a session in the workspace', async () => {
    const store = await open()
    const { user: ada, workspace } = await withOwner(store)
    const bob = await anotherMember(store, workspace.id, 'bob', 'member')
    const second = aWorkspace(newId('ws'))
    await store.insertWorkspace(second, ada.id, anEntry({ workspace: second.id }))
    await store.insertSession(aSession('a', ada, workspace.id), anEntry())
    await store.insertSession({ ...aSession('b', ada, workspace.id), seenAt: 70 }, anEntry())
    await store.insertSession({ ...aSession('c', ada, second.id), seenAt: 90 }, anEntry())
    assert.deepEqual(await store.lastSeen(workspace.id, [ada.id, bob.id]), new Map([[ada.id, 70]]))
  })
}

type Operation =
  | { actor: number; user: number; kind: 'role' | 'invite'; role: Role }
  | { actor: number; user: number; kind: 'remove' | 'transfer' | 'accept' }

const userCount = 5
const person = fc.integer({ min: 0, max: userCount - 1 })
const pair = { actor: person, user: person }
const role = fc.constantFrom(...roles)
const operation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('role' as const), role, ...pair }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('remove' as const), ...pair }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('transfer' as const), ...pair }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('invite' as const), role, ...pair }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('accept' as const), ...pair }) },
)
/** Operations of a batch run at the same time. */
const batches = fc.array(fc.array(operation, { minLength: 1, maxLength: 5 }), { maxLength: 6, size: 'max' })

const decisionOf = (
  people: People,
  wanted: Operation,
  { ids, workspace }: { ids: readonly string[]; workspace: string },
): PeopleDecision => {
  const [actor = '', user = ''] = [ids[wanted.actor], ids[wanted.user]]
  const id = `inv ${workspace} ${user}`
  if (wanted.kind === 'role') return changeRole(people, { actor, user, role: wanted.role })
  if (wanted.kind === 'invite') {
    const invitation = { ...anInvitation(`${user}@example.com`, actor, wanted.role), id }
    return invite(people, { invitation, user, limits })
  }
  if (wanted.kind === 'remove') return removeMember(people, { actor, user })
  if (wanted.kind === 'transfer') return transferOwnership(people, { actor, user })
  return acceptInvitation(people, { id, sentAt: 2_000, user, now: 3_000 })
}

/** Returns the version that the decision was based on; null: it was refused or changes nothing. */
const perform = async (store: AccountStore, workspace: string, decide: (people: People) => PeopleDecision) => {
  for (;;) {
    const from = await peopleOf(store, workspace)
    const decision = decide(from)
    if (decision.kind !== 'changed') return null
    if (await store.changePeople(workspace, { from, to: decision.people }, anEntry({ workspace }))) return from.version
  }
}

/**
 * Runs random changes at the same time, and compares the members with those that the written changes give one after the
 * other.
 * @param runs number of random sequences
 */
const modelSuite = (open: Open, runs: number): void => {
  it(`has an owner after any concurrent changes, which equal changes one after the other (${runs} runs)`, async () => {
    const store = await open()
    const ids: string[] = []
    for (let n = 0; n < userCount; n += 1) {
      const user = aUser(`user${n}`)
      ids.push(user.id)
      await store.insertUser(user, anEntry())
    }
    const property = fc.asyncProperty(batches, async (all) => {
      const workspace = aWorkspace(newId('ws'))
      await store.insertWorkspace(workspace, ids[0] ?? '', anEntry({ workspace: workspace.id }))
      const first = await peopleOf(store, workspace.id)
      const second = { user: ids[1] ?? '', role: 'owner' as const, joinedAt: 2_000 }
      const to = { ...first, members: [...first.members, second] }
      await store.changePeople(workspace.id, { from: first, to }, anEntry({ workspace: workspace.id }))
      const written: { version: number; wanted: Operation }[] = []
      for (const batch of all) {
        const run = async (wanted: Operation) => {
          const version = await perform(store, workspace.id, (people) =>
            decisionOf(people, wanted, { ids, workspace: workspace.id }),
          )
          if (version !== null) written.push({ version, wanted })
        }
        await Promise.all(batch.map(run))
        const { members } = await peopleOf(store, workspace.id)
        assert.ok(members.some((member) => member.role === 'owner'))
      }
      const model = written
        .toSorted((a, b) => a.version - b.version)
        .reduce<People>((people, { wanted }) => {
          const decision = decisionOf(people, wanted, { ids, workspace: workspace.id })
          assert.ok(decision.kind === 'changed')
          return decision.people
        }, to)
      const { members, version } = await peopleOf(store, workspace.id)
      const sorted = ({ members: list }: Pick<People, 'members'>) =>
        list.map((member) => `${member.user} ${member.role}`).toSorted()
      assert.deepEqual(sorted({ members }), sorted(model))
      assert.equal(version, 1 + written.length)
    })
    await fc.assert(property, { numRuns: runs })
  })
}

/** Declares the tests of members and invitations that every account store must pass. `open` returns an empty store. */
export const peopleConformance = (name: string, open: Open, runs: number) =>
  describe(`people in ${name}`, () => {
    peopleSuite(open)
    sessionsSuite(open)
    modelSuite(open, runs)
  })
