import { mongoAccounts } from '@postrider/adapters/mongo/accounts/accounts.ts'
import { mongoKeyNotices } from '@postrider/adapters/mongo/accounts/keyNotices.ts'
import { mongoLinks } from '@postrider/adapters/mongo/accounts/links.ts'
import { mongoUsers } from '@postrider/adapters/mongo/accounts/users.ts'
import { mongoSuspensions } from '@postrider/adapters/mongo/accounts/workspaces.ts'
import { mongoAudit } from '@postrider/adapters/mongo/audit/audit.ts'
import { sqliteAccounts, sqliteSuspensions } from '@postrider/adapters/sqlite/accounts/accounts.ts'
import { sqliteKeyNotices } from '@postrider/adapters/sqlite/accounts/keyNotices.ts'
import { sqliteLinks } from '@postrider/adapters/sqlite/accounts/links.ts'
import { sqliteUsers } from '@postrider/adapters/sqlite/accounts/users.ts'
import { sqliteAudit } from '@postrider/adapters/sqlite/audit/audit.ts'
import { linkPurposes } from '@postrider/domain/accounts/links.ts'
import {
  acceptInvitation,
  changeRole,
  invite,
  type People,
  type PeopleDecision,
  removeMember,
  transferOwnership,
} from '@postrider/domain/accounts/people.ts'
import { roles } from '@postrider/domain/accounts/roles.ts'
import { isValidSession, newUser, type Totp } from '@postrider/domain/accounts/users.ts'
import { noAuditFilter } from '@postrider/domain/audit/entry.ts'
import { dayMs, hourMs, minuteMs } from '@postrider/domain/time.ts'
import { aKey, aWorkspace } from '@postrider/ports/accounts.conformance.ts'
import type { AccountStore } from '@postrider/ports/accounts.ts'
import type { Audit, AuditEntry, EntryOf } from '@postrider/ports/audit.ts'
import { anEntry } from '@postrider/ports/auditFixtures.conformance.ts'
import type { KeyNoticeStore } from '@postrider/ports/keyNotices.ts'
import type { LinkStore } from '@postrider/ports/links.ts'
import type { Suspensions } from '@postrider/ports/suspensions.ts'
import type { UserStore } from '@postrider/ports/users.ts'
import fc from 'fast-check'
import { type Comparison, inAnyOrder, type Moment, newIdOf, operationsOn, plain, rarely, timeOf } from './compare.ts'

type Stores = {
  accounts: AccountStore
  users: UserStore
  links: LinkStore
  notices: KeyNoticeStore
  suspensions: Suspensions
  audit: Audit
  /** What was inserted, whether the store accepted it or not. */
  ids: {
    users: string[]
    workspaces: string[]
    keys: { workspace: string; id: string; createdAt: number }[]
    hashes: Uint8Array[]
  }
  invitations: { id: string; sentAt: number }[]
}

const operation = operationsOn<Stores>()

const pick = fc.nat({ max: 4 })
const email = fc.constantFrom('ann@example.com', 'bob@example.com', 'joann@example.com')
const limits = { members: 4, invitations: 2 }
const sessionLimits = { sessionAgeMs: 30 * dayMs, sessionIdleMs: dayMs }

const hashOf = ({ step }: Moment): Uint8Array => new Uint8Array(32).fill(step + 1)
const chosen = <Item>(items: readonly Item[], index: number): Item | undefined => items[index % items.length]

const entryOf = (moment: Moment, over: Partial<AuditEntry> = {}): AuditEntry =>
  anEntry({ id: newIdOf('aud', moment), at: timeOf(moment), ...over })

/** Returns the entry of a change, which shows all of the object before and after it. */
const shownChange =
  (moment: Moment, workspace: string): EntryOf<unknown> =>
  (before, after) => {
    const [was, is] = [plain(before), plain(after)] as [AuditEntry['before'], AuditEntry['after']]
    return JSON.stringify(was) === JSON.stringify(is) ? null : entryOf(moment, { workspace, before: was, after: is })
  }

const aUser = (address: string, moment: Moment) =>
  newUser({ id: newIdOf('usr', moment), email: address, passwordHash: 'x', createdAt: timeOf(moment) })

const totp: Totp = { sealed: 's1', enabledAt: 5, lastStep: 0, recovery: ['a', 'b'] }

const insertSession = async (
  { accounts, ids }: Stores,
  given: { user: number; workspace: number },
  moment: Moment,
): Promise<unknown> => {
  const user = chosen(ids.users, given.user) ?? ''
  const membership = chosen(await accounts.memberships(user), given.workspace)
  if (!membership) return null
  const hash = hashOf(moment)
  const at = timeOf(moment)
  ids.hashes.push(hash)
  const opened = { csrfSalt: '', createdAt: at, seenAt: at, device: 'Firefox', address: '', totpEnabledAt: null }
  return accounts.insertSession({ hash, user, workspace: membership.workspace, ...opened }, entryOf(moment))
}

const session = async ({ accounts, ids }: Stores, { of }: { of: number }, { now }: Moment): Promise<unknown> => {
  const found = await accounts.session(chosen(ids.hashes, of) ?? new Uint8Array(32))
  return found && { found, isValid: isValidSession(found.session, found, now, sessionLimits) }
}

type PeopleInput = {
  workspace: number
  kind: 'role' | 'remove' | 'transfer' | 'invite' | 'accept'
  actor: number
  user: number
  role: (typeof roles)[number]
  isStale: boolean
}

const changePeople = async (stores: Stores, given: PeopleInput, moment: Moment): Promise<unknown> => {
  const { accounts, ids, invitations } = stores
  const workspace = chosen(ids.workspaces, given.workspace) ?? ''
  const from = await accounts.people(workspace)
  if (from === null) return null
  const [actor, user] = [chosen(ids.users, given.actor) ?? '', chosen(ids.users, given.user) ?? '']
  const now = timeOf(moment)
  const decide = (people: People): PeopleDecision => {
    if (given.kind === 'role') return changeRole(people, { actor, user, role: given.role })
    if (given.kind === 'remove') return removeMember(people, { actor, user })
    if (given.kind === 'transfer') return transferOwnership(people, { actor, user })
    if (given.kind === 'accept') {
      const { id = '', sentAt = 0 } = chosen(invitations, given.actor) ?? {}
      return acceptInvitation(people, { id, sentAt, user, now })
    }
    const times = { createdAt: now, sentAt: now, expiresAt: now + 7 * dayMs }
    const invitation = { id: newIdOf('inv', moment), email: `${user}@example.com`, role: given.role, invitedBy: actor }
    invitations.push({ id: invitation.id, sentAt: now })
    return invite(people, { invitation: { ...invitation, ...times }, user, limits })
  }
  const decision = decide(from)
  if (decision.kind !== 'changed') return decision
  const read = given.isStale ? { ...from, version: from.version - 1 } : from
  return accounts.changePeople(workspace, { from: read, to: decision.people }, entryOf(moment, { workspace }))
}

const people = {
  signUp: operation(
    { email },
    async ({ accounts, ids }, given, moment) => {
      const [user, workspace] = [aUser(given.email, moment), aWorkspace(newIdOf('ws', moment))]
      ids.users.push(user.id)
      ids.workspaces.push(workspace.id)
      return accounts.insertOwner(user, { ...workspace, createdAt: timeOf(moment) }, entryOf(moment))
    },
    4,
  ),
  insertUser: operation(
    { email },
    async ({ accounts, ids }, given, moment) => {
      const user = aUser(given.email, moment)
      ids.users.push(user.id)
      return accounts.insertUser(user, entryOf(moment))
    },
    3,
  ),
  insertWorkspace: operation(
    { user: pick },
    async ({ accounts, ids }, given, moment) => {
      const owner = chosen(ids.users, given.user) ?? ''
      if ((await accounts.users([owner])).length === 0) return null
      const workspace = { ...aWorkspace(newIdOf('ws', moment)), name: 'Café', createdAt: timeOf(moment) }
      ids.workspaces.push(workspace.id)
      return accounts.insertWorkspace(workspace, owner, entryOf(moment, { workspace: workspace.id }))
    },
    2,
  ),
  changePeople: operation(
    {
      workspace: pick,
      kind: fc.constantFrom('role', 'remove', 'transfer', 'invite', 'invite', 'accept', 'accept'),
      actor: pick,
      user: pick,
      role: fc.constantFrom(...roles),
      isStale: rarely,
    },
    changePeople,
    8,
  ),
}

const sessions = {
  logIn: operation({ user: pick, workspace: pick }, insertSession, 5),
  session: operation({ of: pick }, session, 4),
  touchSession: operation({ of: pick }, async ({ accounts, ids }, { of }, moment) =>
    accounts.touchSession(chosen(ids.hashes, of) ?? new Uint8Array(32), timeOf(moment), '198.51.100.7'),
  ),
  logOut: operation({ of: pick }, async ({ accounts, ids }, { of }, moment) =>
    accounts.deleteSession(chosen(ids.hashes, of) ?? new Uint8Array(32), entryOf(moment)),
  ),
  moveSession: operation(
    { of: pick, user: pick, workspace: pick },
    async ({ accounts, ids }, given, moment) => {
      const [user, workspace] = [chosen(ids.users, given.user) ?? '', chosen(ids.workspaces, given.workspace) ?? '']
      const hash = chosen(ids.hashes, given.of) ?? new Uint8Array(32)
      return accounts.moveSession(hash, { user, workspace, csrfSalt: `${moment.step}` }, entryOf(moment))
    },
    2,
  ),
  removeStale: operation({ ageMs: fc.constantFrom(0, hourMs, dayMs) }, ({ accounts }, { ageMs }, { now }) =>
    accounts.deleteStaleSessions({ createdBefore: now - 30 * dayMs, seenBefore: now - ageMs }),
  ),
  removeExcess: operation({ user: pick, keep: fc.nat({ max: 2 }) }, async ({ accounts, ids }, given) =>
    accounts.deleteExcessSessions(chosen(ids.users, given.user) ?? '', given.keep),
  ),
  sessionsOf: operation({ user: pick, limit: fc.integer({ min: 1, max: 3 }) }, ({ users, ids }, given, { now }) =>
    users.sessionsOf(chosen(ids.users, given.user) ?? '', now - dayMs, given.limit),
  ),
  removeSessionsOf: operation(
    { user: pick, except: fc.option(pick, { nil: null }) },
    ({ users, ids }, given, moment) => {
      const except = given.except === null ? null : (chosen(ids.hashes, given.except) ?? null)
      return users.deleteSessionsOf(chosen(ids.users, given.user) ?? '', except, entryOf(moment))
    },
  ),
  lastSeen: operation({ workspace: pick }, ({ accounts, ids }, given) =>
    accounts.lastSeen(chosen(ids.workspaces, given.workspace) ?? '', ids.users),
  ),
}

const ofOperator = {
  disable: operation(
    { user: pick, isDisabled: fc.boolean() },
    ({ accounts, ids }, given, moment) => {
      const disabled = given.isDisabled ? { at: timeOf(moment), reason: 'spam' } : null
      return accounts.setUserDisabled(chosen(ids.users, given.user) ?? '', disabled, shownChange(moment, ''))
    },
    3,
  ),
  setOperator: operation({ user: pick, is: fc.boolean() }, ({ accounts, ids }, given, moment) =>
    accounts.setOperator(
      chosen(ids.users, given.user) ?? '',
      given.is ? timeOf(moment) : null,
      shownChange(moment, ''),
    ),
  ),
  touchUser: operation({ user: pick }, ({ accounts, ids }, given, { now }) =>
    accounts.touchUser(chosen(ids.users, given.user) ?? '', now),
  ),
  findUsers: operation(
    {
      text: fc.constantFrom(null, 'ANN', 'bob@', 'usr_0001'),
      disabled: fc.constantFrom(null, null, true, false),
      operator: fc.constantFrom(null, null, true, false),
      before: fc.option(pick, { nil: null }),
      limit: fc.constantFrom(1, 2, 10),
    },
    ({ accounts, ids }, given) => {
      const before = given.before === null ? null : (chosen(ids.users, given.before) ?? null)
      return accounts.findUsers({ ...given, before })
    },
    2,
  ),
  findWorkspaces: operation(
    {
      text: fc.constantFrom(null, 'ann', 'ACME', 'CAFÉ', 'ws_0001'),
      suspended: fc.constantFrom(null, null, true, false),
      deleting: fc.constantFrom(null, null, true, false),
      before: fc.option(pick, { nil: null }),
      limit: fc.constantFrom(1, 2, 10),
      maxUsers: fc.constantFrom(1, 10),
    },
    ({ accounts, ids }, given) => {
      const before = given.before === null ? null : (chosen(ids.workspaces, given.before) ?? null)
      return accounts.findWorkspaces({ ...given, before, plan: null })
    },
    2,
  ),
  changeWorkspace: operation(
    { workspace: pick, as: fc.constantFrom('suspend', 'resume', 'delete', 'restore', 'rename', 'same') },
    ({ accounts, ids }, given, moment) => {
      const id = chosen(ids.workspaces, given.workspace) ?? ''
      const changes = {
        suspend: { suspended: true, suspendedReason: 'spam', rate: 5 },
        resume: { suspended: false, suspendedReason: '', rate: null },
        delete: { suspended: true, deletesAt: timeOf(moment) + hourMs, resumesOnRestore: true },
        restore: { suspended: false, deletesAt: null, resumesOnRestore: false },
        rename: { name: `Acme ${moment.step}`, requireTotp: true, retention: 'none' },
        same: {},
      }
      return accounts.changeWorkspace(id, changes[given.as], shownChange(moment, id))
    },
    3,
  ),
  listWorkspaces: operation(
    { before: fc.option(pick, { nil: null }), limit: fc.constantFrom(1, 2, 10) },
    async ({ accounts, suspensions, ids }, given, { now }) => {
      const before = given.before === null ? null : (chosen(ids.workspaces, given.before) ?? null)
      return [
        await accounts.listWorkspaces(before, given.limit),
        await accounts.workspacesToDelete(now, given.limit),
        await suspensions.suspended(),
      ]
    },
  ),
}

const keys = {
  insertKey: operation(
    { workspace: pick, max: fc.constantFrom(1, 2, 9) },
    async ({ accounts, ids }, given, moment) => {
      const workspace = chosen(ids.workspaces, given.workspace) ?? ''
      if ((await accounts.workspace(workspace)) === null) return null
      const id = newIdOf('key', moment)
      ids.keys.push({ workspace, id, createdAt: timeOf(moment) })
      const key = { ...aKey(workspace, id, id), createdAt: timeOf(moment) }
      return accounts.insertKey(key, given.max, entryOf(moment, { workspace }))
    },
    4,
  ),
  changeKey: operation(
    { key: pick, as: fc.constantFrom('revoke', 'expire', 'rename', 'same') },
    ({ accounts, ids }, given, moment) => {
      const { workspace = '', id = '' } = chosen(ids.keys, given.key) ?? {}
      const changes = {
        revoke: { revokedAt: timeOf(moment) },
        expire: { expiresAt: timeOf(moment) + hourMs },
        rename: { name: `Key ${moment.step}`, scopes: ['emails:read'] },
        same: {},
      }
      return accounts.changeKey(workspace, id, changes[given.as], shownChange(moment, workspace))
    },
    3,
  ),
  rollKey: operation(
    { key: pick, isStale: rarely },
    async ({ accounts, ids }, given, moment) => {
      const { workspace = '', id = '' } = chosen(ids.keys, given.key) ?? {}
      const found = await accounts.key(workspace, id)
      if (found === null) return null
      const old = given.isStale ? { ...found, name: 'Other' } : found
      const next = newIdOf('key', moment)
      ids.keys.push({ workspace, id: next, createdAt: timeOf(moment) })
      const successor = { ...aKey(workspace, next, next), name: old.name, family: old.family, rolledFrom: id }
      const roll = { old, successor: { ...successor, createdAt: timeOf(moment) }, expiresAt: timeOf(moment) + hourMs }
      return accounts.rollKey(roll, entryOf(moment, { workspace }))
    },
    3,
  ),
  touchKey: operation({ key: pick, earlierMs: fc.constantFrom(0, hourMs) }, ({ accounts, ids }, given, { now }) => {
    const { id = '', createdAt = 0 } = chosen(ids.keys, given.key) ?? {}
    return accounts.touchKey(id, Math.max(now - given.earlierMs, createdAt), '198.51.100.7')
  }),
  keyByHash: operation({ key: pick }, ({ accounts, ids }, given) => {
    const { workspace = '', id = '' } = chosen(ids.keys, given.key) ?? {}
    return accounts.keyByHash(aKey(workspace, id, id).hash)
  }),
  listKeys: operation({ workspace: pick, limit: fc.constantFrom(1, 2, 10) }, ({ accounts, ids }, given) =>
    accounts.listKeys(chosen(ids.workspaces, given.workspace) ?? '', given.limit),
  ),
  reportUnused: operation(
    { isReported: fc.boolean() },
    async ({ notices }, given, { now }) => {
      const query = { now, unusedBefore: now - hourMs, leaseMs: minuteMs, limit: 100 }
      const claims = await notices.claimUnusedKeys(query)
      const reported: unknown[] = []
      if (given.isReported) for (const claim of claims) reported.push(await notices.markReported(claim))
      return [inAnyOrder(claims), reported]
    },
    2,
  ),
}

const own = {
  changeUser: operation(
    {
      user: pick,
      email: fc.option(email, { nil: null }),
      hasTotp: fc.constantFrom(null, true, false),
      expectsTotp: fc.constantFrom(undefined, null, 's1'),
    },
    async ({ users, ids }, given, moment) => {
      const id = chosen(ids.users, given.user) ?? ''
      const stored = await users.user(id)
      const change = {
        ...(given.email !== null && { email: given.email, emailConfirmedAt: timeOf(moment) }),
        ...(given.hasTotp !== null && { totp: given.hasTotp ? totp : null }),
        ...(given.email === null && { passwordHash: 'y', sessionsSince: timeOf(moment) }),
      }
      const expected = {
        ...(stored && { email: stored.email, passwordHash: stored.passwordHash }),
        ...(given.expectsTotp !== undefined && { totp: given.expectsTotp }),
      }
      return users.changeUser(id, change, expected, entryOf(moment))
    },
    3,
  ),
  useCodes: operation(
    { user: pick, code: fc.constantFrom('a', 'b', 'c'), at: fc.nat({ max: 3 }) },
    async ({ users, ids }, given, moment) => {
      const id = chosen(ids.users, given.user) ?? ''
      return [await users.useTotpStep(id, given.at), await users.useRecoveryCode(id, given.code, entryOf(moment))]
    },
  ),
  resealTotp: operation({ user: pick, from: fc.constantFrom('s1', 's2') }, async ({ users, ids }, given) => {
    await users.resealTotp(chosen(ids.users, given.user) ?? '', given.from, 's2')
    return users.totpUsers('', 2)
  }),
  link: operation(
    {
      as: fc.constantFrom('insert', 'insert', 'take', 'read', 'delete', 'expire'),
      purpose: fc.constantFrom(...linkPurposes.slice(0, 2)),
      of: fc.nat({ max: 2 }),
    },
    async ({ links }, { as, purpose, of }, moment) => {
      const hash = new Uint8Array(32).fill(of)
      const [subject, now] = [`usr_${of}`, timeOf(moment)]
      if (as === 'take') return links.takeLink(hash, purpose, now)
      if (as === 'read') return links.link(hash, purpose, now)
      if (as === 'delete') return links.deleteLinks(purpose, subject)
      if (as === 'expire') return links.deleteExpiredLinks(now)
      // No two links have one hash.
      const known = await Promise.all(linkPurposes.map((one) => links.link(hash, one, 0)))
      if (known.some((one) => one !== null)) return null
      const link = { hash: hashOf(moment), purpose, subject, address: 'ann@example.com' }
      return links.insertLink({ ...link, hash, createdAt: now, expiresAt: now + hourMs })
    },
    2,
  ),
}

const contents = async (stores: Stores, _: undefined, moment: Moment): Promise<unknown> => {
  const { accounts, users, audit, ids } = stores
  const all = <Item, Result>(items: readonly Item[], read: (item: Item) => Promise<Result>) =>
    Promise.all(items.map(read))
  return {
    users: await all(ids.users, (id) => users.user(id)),
    shown: await all(ids.users, (id) => accounts.findUser(id)),
    memberships: await all(ids.users, (id) => accounts.memberships(id)),
    workspaces: await all(ids.workspaces, (id) => accounts.workspace(id)),
    people: await all(ids.workspaces, (id) => accounts.people(id)),
    keys: await all(ids.workspaces, (id) => accounts.listKeys(id, 100)),
    sessions: await Promise.all(ids.hashes.map((_, of) => session(stores, { of }, moment))),
    audit: await audit.list({ ...noAuditFilter, workspace: null, limit: 1_000 }),
    names: await audit.actorNames([...ids.users, ...ids.keys.map(({ id }) => id)]),
  }
}

const withIds = (stores: Omit<Stores, 'ids' | 'invitations'>): Stores => ({
  ...stores,
  ids: { users: [], workspaces: [], keys: [], hashes: [] },
  invitations: [],
})

export const accountDifferences: Comparison<Stores> = {
  name: 'accounts, sessions, API keys and links',
  sqlite: (db) =>
    withIds({
      accounts: sqliteAccounts(db),
      users: sqliteUsers(db),
      links: sqliteLinks(db),
      notices: sqliteKeyNotices(db),
      suspensions: sqliteSuspensions(db),
      audit: sqliteAudit(db),
    }),
  mongo: (db) =>
    withIds({
      accounts: mongoAccounts(db),
      users: mongoUsers(db),
      links: mongoLinks(db),
      notices: mongoKeyNotices(db),
      suspensions: mongoSuspensions(db),
      audit: mongoAudit(db),
    }),
  operations: { ...people, ...sessions, ...ofOperator, ...keys, ...own },
  waits: [1_000, minuteMs, hourMs, dayMs, -1_000],
  contents,
  maxOperations: 40,
}
