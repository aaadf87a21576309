import { isDeepStrictEqual } from 'node:util'
import { usesSlot } from '@postrider/domain/accounts/keyLife.ts'
import { keySettings } from '@postrider/domain/accounts/keyRules.ts'
import type { Link } from '@postrider/domain/accounts/links.ts'
import { firstMember, joinedOrLeft } from '@postrider/domain/accounts/people.ts'
import type { Role } from '@postrider/domain/accounts/roles.ts'
import { sessionFacts } from '@postrider/domain/accounts/users.ts'
import type { SystemMessage } from '@postrider/domain/email/systemMessage.ts'
import { gcra, microseconds } from '@postrider/domain/rateLimit/gcra.ts'
import type {
  AccountStore,
  StoredKey,
  StoredPeople,
  StoredSession,
  StoredWorkspace,
  User,
} from '@postrider/ports/accounts.ts'
import type { Disabled } from '@postrider/ports/accountsOperator.ts'
import type { Audit, AuditEntry, EntryOf } from '@postrider/ports/audit.ts'
import type { Limiter } from '@postrider/ports/limiter.ts'
import type { LinkStore } from '@postrider/ports/links.ts'
import type { UserStore } from '@postrider/ports/users.ts'
import { memoryOperator } from './fakesOperator.ts'
import { change, memoryUsers, nameOf } from './fakesUsers.ts'
import type { MailQueue } from './mailQueue.ts'
import type { AccountsMetrics, LogInRefusal } from './metrics.ts'
import type { Passwords } from './passwords.ts'

const newestFirst = (a: { id: string }, b: { id: string }): number => (a.id < b.id ? 1 : -1)

const changeEntries =
  (audit: Pick<MemoryAudit, 'entries'>) =>
  <T>(records: Map<string, T>, id: string, fields: Partial<NoInfer<T>>, entryOf: EntryOf<NoInfer<T>>): T | null => {
    const found = records.get(id)
    const entry = found && entryOf(found, { ...found, ...fields })
    if (!entry) return found ?? null
    audit.entries.push(entry)
    return change(records, id, fields)
  }

/** Accounts in memory for tests. The conformance suite of the port checks it. */
export const memoryAccounts = (audit: Pick<MemoryAudit, 'entries'> = memoryAudit()): AccountStore & UserStore => {
  const changeWithEntry = changeEntries(audit)
  const addEntry = (entry: AuditEntry) => audit.entries.push(entry)
  const users = new Map<string, User>()
  const people = new Map<string, StoredPeople>()
  const sessions = new Map<string, StoredSession>()
  const workspaces = new Map<string, StoredWorkspace>()
  const keys = new Map<string, StoredKey>()
  const disabled = new Map<string, Disabled>()
  const operators = new Map<string, number>()
  const ofWorkspace = (id: string) => [...keys.values()].filter((key) => key.workspace === id)
  const roleOf = (workspace: string, user: string): Role | null =>
    people.get(workspace)?.members.find((member) => member.user === user)?.role ?? null
  const isTaken = (email: string) => [...users.values()].some((user) => user.email === email)
  const storeWorkspace = (workspace: StoredWorkspace, owner: string): void => {
    workspaces.set(workspace.id, workspace)
    people.set(workspace.id, { version: 0, members: [firstMember(owner, workspace)], invitations: [] })
  }
  return {
    ...memoryOperator({ users, people, sessions, workspaces, disabled, operators, audit }),
    insertOwner: async (user, workspace, entry) => {
      if (isTaken(user.email)) return false
      users.set(user.id, user)
      storeWorkspace(workspace, user.id)
      audit.entries.push(entry)
      return true
    },
    userByEmail: async (email) => [...users.values()].find((user) => user.email === email) ?? null,
    memberships: async (user) =>
      [...people]
        .flatMap(([workspace, { members }]) => members.map((member) => ({ workspace, ...member })))
        .filter((member) => member.user === user)
        .toSorted((a, b) => a.joinedAt - b.joinedAt)
        .map(({ workspace, role }) => ({ workspace, role })),
    role: async (workspace, user) => roleOf(workspace, user),
    insertSession: async (session, entry) => {
      sessions.set(nameOf(session.hash), session)
      audit.entries.push(entry)
    },
    session: async (hash) => {
      const session = sessions.get(nameOf(hash))
      const workspace = session && workspaces.get(session.workspace)
      const role = session && roleOf(session.workspace, session.user)
      if (!session || !workspace || !role) return null
      const user = users.get(session.user)
      if (!user) return null
      const operatorSince = operators.get(user.id) ?? null
      const person = { ...user, operatorSince, disabledAt: disabled.get(user.id)?.at ?? null }
      return { session, ...sessionFacts(session, person), role, workspace }
    },
    touchSession: async (hash, seenAt, address) => {
      const seenLast = sessions.get(nameOf(hash))?.seenAt ?? 0
      if (seenAt > seenLast) change(sessions, nameOf(hash), { seenAt, address })
    },
    deleteSession: async (hash, entry) => {
      const isRemoved = sessions.delete(nameOf(hash))
      if (isRemoved) audit.entries.push(entry)
      return isRemoved
    },
    deleteStaleSessions: async ({ createdBefore, seenBefore }) =>
      [...sessions].filter(
        ([name, { createdAt, seenAt }]) =>
          (createdAt <= createdBefore || seenAt <= seenBefore) && sessions.delete(name),
      ).length,
    deleteExcessSessions: async (user, keep) =>
      [...sessions]
        .filter(([, session]) => session.user === user)
        .toSorted(([, one], [, other]) => other.seenAt - one.seenAt)
        .slice(keep)
        .filter(([name]) => sessions.delete(name)).length,
    workspace: async (id) => workspaces.get(id) ?? null,
    changeWorkspace: async (id, fields, entryOf) => changeWithEntry(workspaces, id, fields, entryOf),
    listWorkspaces: async (before, limit) =>
      [...workspaces.values()]
        .filter(({ id }) => before === null || id < before)
        .sort(newestFirst)
        .slice(0, limit),
    insertKey: async (key, max, entry) => {
      if (ofWorkspace(key.workspace).filter(usesSlot).length >= max) return false
      keys.set(key.id, key)
      audit.entries.push(entry)
      return true
    },
    keyByHash: async (hash) => {
      const key = [...keys.values()].find((each) => nameOf(each.hash) === nameOf(hash))
      const workspace = key && workspaces.get(key.workspace)
      return key && workspace ? { key, workspace } : null
    },
    key: async (workspace, id) => ofWorkspace(workspace).find((key) => key.id === id) ?? null,
    listKeys: async (workspace, limit) => {
      const all = ofWorkspace(workspace).sort(newestFirst)
      const [valid, revoked] = [
        all.filter((key) => key.revokedAt === null),
        all.filter((key) => key.revokedAt !== null),
      ]
      return [...valid, ...revoked].slice(0, limit)
    },
    changeKey: async (workspace, id, fields, entryOf) =>
      keys.get(id)?.workspace === workspace ? changeWithEntry(keys, id, fields, entryOf) : null,
    rollKey: async ({ old: read, successor, expiresAt }, entry) => {
      const { id, workspace } = read
      const old = keys.get(id)
      if (old?.workspace !== workspace || !usesSlot(old)) return false
      if (!isDeepStrictEqual(keySettings(old), keySettings(read))) return false
      keys.set(successor.id, successor)
      change(keys, id, { rolledTo: successor.id, expiresAt })
      audit.entries.push(entry)
      return true
    },
    touchKey: async (id, lastUsedAt, lastUsedFrom) => {
      if (lastUsedAt > (keys.get(id)?.lastUsedAt ?? 0)) change(keys, id, { lastUsedAt, lastUsedFrom })
    },
    insertUser: async (user, audit) => {
      if (isTaken(user.email)) return false
      users.set(user.id, user)
      addEntry(audit)
      return true
    },
    users: async (ids) => ids.flatMap((id) => users.get(id) ?? []),
    insertWorkspace: async (workspace, owner, audit) => {
      storeWorkspace(workspace, owner)
      addEntry(audit)
    },
    people: async (workspace) => people.get(workspace) ?? null,
    changePeople: async (workspace, { from, to }, audit) => {
      if (people.get(workspace)?.version !== from.version) return false
      people.set(workspace, { ...to, version: from.version + 1 })
      const changed = joinedOrLeft(from, to)
      for (const [name, session] of sessions)
        if (session.workspace === workspace && changed.includes(session.user)) sessions.delete(name)
      addEntry(audit)
      return true
    },
    lastSeen: async (workspace, ids) => {
      const own = [...sessions.values()].filter((one) => one.workspace === workspace && ids.includes(one.user))
      return new Map(own.toSorted((a, b) => a.seenAt - b.seenAt).map(({ user, seenAt }) => [user, seenAt]))
    },
    moveSession: async (hash, { user, workspace, csrfSalt }, audit) => {
      const isOwn = sessions.get(nameOf(hash))?.user === user && roleOf(workspace, user) !== null
      if (!isOwn) return false
      change(sessions, nameOf(hash), { workspace, csrfSalt })
      addEntry(audit)
      return true
    },
    ...memoryUsers({ users, sessions, audit }),
  }
}

/** One-time links in memory for tests. */
export const memoryLinks = (): LinkStore => {
  const links = new Map<string, Link>()
  const usable: LinkStore['link'] = async (hash, purpose, now) => {
    const found = links.get(nameOf(hash))
    return found && found.purpose === purpose && found.expiresAt > now ? found : null
  }
  const deleteIf = (isDeleted: (link: Link) => boolean): number =>
    [...links].filter(([name, link]) => isDeleted(link) && links.delete(name)).length
  return {
    insertLink: async (link) => void links.set(nameOf(link.hash), link),
    link: usable,
    takeLink: async (hash, purpose, now) => {
      const found = await usable(hash, purpose, now)
      return found && links.delete(nameOf(hash)) ? found : null
    },
    deleteLinks: async (purpose, subject) =>
      void deleteIf((link) => link.purpose === purpose && link.subject === subject),
    deleteExpiredLinks: async (now) => deleteIf(({ expiresAt }) => expiresAt <= now),
  }
}

/** An audit log whose entries a test can read. */
export type MemoryAudit = Audit & { entries: AuditEntry[] }

export const memoryAudit = (): MemoryAudit => {
  const entries: AuditEntry[] = []
  return {
    entries,
    record: async (entry) => void entries.push(entry),
    redact: async (entry) =>
      void entries.splice(
        entries.findIndex(({ id }) => id === entry.id),
        1,
        entry,
      ),
    list: async ({ workspace, limit }) =>
      entries
        .filter((entry) => workspace === null || entry.workspace === workspace)
        .reverse()
        .slice(0, limit),
    complete: async () => {},
    actorNames: async () => new Map(),
  }
}

/** A limiter in memory that forgets no bucket and reads the time of its caller only. */
export const fakeLimiter = (): Limiter => {
  /** Theoretical arrival times in microseconds. */
  const arrivals = new Map<string, number>()
  return {
    take: async (buckets, cost, now) => {
      const nowUs = now * microseconds
      const before = buckets.map(({ key }) => Math.max((arrivals.get(key) ?? nowUs) - nowUs, 0))
      const { verdict, debts } = gcra(buckets, before, cost)
      if (verdict.admitted) for (const [at, { key }] of buckets.entries()) arrivals.set(key, nowUs + (debts[at] ?? 0))
      return verdict
    },
  }
}

/** Metrics that a test can read: refused logins by reason. */
export const countedMetrics = (): Pick<AccountsMetrics, 'loginsRefused' | 'systemMail'> & {
  refused: Partial<Record<LogInRefusal, number>>
} => {
  const refused: Partial<Record<LogInRefusal, number>> = {}
  const inc = ({ reason }: { reason: LogInRefusal }): void => {
    refused[reason] = (refused[reason] ?? 0) + 1
  }
  return { refused, loginsRefused: { inc }, systemMail: { inc: () => {} } }
}

/** Passwords without hashing, for tests of other subjects. */
export const plainPasswords = (): Passwords => ({
  hash: async (password) => `plain:${password}`,
  verify: async (passwordHash, password) => passwordHash === `plain:${password}`,
})

/** system emails that a test can read, in the order of sending. */
export const recordedMails = (): Pick<MailQueue, 'post' | 'idle'> & { sent: SystemMessage[] } => {
  const sent: SystemMessage[] = []
  let all: Promise<unknown> = Promise.resolve()
  const post: MailQueue['post'] = (compose) => {
    const composing = compose().then((messages) => sent.push(...messages))
    all = Promise.all([all, composing])
  }
  return {
    sent,
    post,
    idle: async () => {
      await all
    },
  }
}
