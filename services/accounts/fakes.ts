import type { Role } from '@postrider/domain/accounts/roles.ts'
import type { Bucket, Verdict } from '@postrider/domain/rateLimit/gcra.ts'
import type { AccountStore, StoredKey, StoredSession, StoredWorkspace, User } from '@postrider/ports/accounts.ts'
import type { Audit, AuditEntry } from '@postrider/ports/audit.ts'
import type { Limiter } from '@postrider/ports/limiter.ts'
import type { AccountsMetrics, LogInRefusal } from './metrics.ts'
import type { Passwords } from './passwords.ts'

const nameOf = (hash: Uint8Array): string => Buffer.from(hash).toString('hex')

const newestFirst = (a: { id: string }, b: { id: string }): number => (a.id < b.id ? 1 : -1)

const change = <T>(records: Map<string, T>, id: string, fields: Partial<NoInfer<T>>): T | null => {
  const found = records.get(id)
  if (found === undefined) return null
  const changed = { ...found, ...fields }
  records.set(id, changed)
  return changed
}

/** Accounts in memory for tests. The conformance suite of the port checks it. */
export const memoryAccounts = (): AccountStore => {
  const users = new Map<string, User>()
  const members: { user: string; workspace: string; role: Role }[] = []
  const sessions = new Map<string, StoredSession>()
  const workspaces = new Map<string, StoredWorkspace>()
  const keys = new Map<string, StoredKey>()
  const ofWorkspace = (id: string) => [...keys.values()].filter((key) => key.workspace === id)
  const roleOf = (workspace: string, user: string) =>
    members.find((member) => member.workspace === workspace && member.user === user)?.role ?? null
  return {
    insertOwner: async (user, workspace) => {
      if ([...users.values()].some(({ email }) => email === user.email)) return false
      users.set(user.id, user)
      workspaces.set(workspace.id, workspace)
      members.push({ user: user.id, workspace: workspace.id, role: 'owner' })
      return true
    },
    userByEmail: async (email) => [...users.values()].find((user) => user.email === email) ?? null,
    memberships: async (user) =>
      members.filter((member) => member.user === user).map(({ workspace, role }) => ({ workspace, role })),
    role: async (workspace, user) => roleOf(workspace, user),
    insertSession: async (session) => void sessions.set(nameOf(session.hash), session),
    session: async (hash) => {
      const session = sessions.get(nameOf(hash))
      const workspace = session && workspaces.get(session.workspace)
      const role = session && roleOf(session.workspace, session.user)
      if (!session || !workspace || !role) return null
      return { session, email: users.get(session.user)?.email ?? '', role, workspace }
    },
    touchSession: async (hash, seenAt) => {
      const seenLast = sessions.get(nameOf(hash))?.seenAt ?? 0
      change(sessions, nameOf(hash), { seenAt: Math.max(seenAt, seenLast) })
    },
    deleteSession: async (hash) => sessions.delete(nameOf(hash)),
    deleteStaleSessions: async ({ createdBefore, seenBefore }) =>
      [...sessions].filter(
        ([name, { createdAt, seenAt }]) =>
          (createdAt <= createdBefore || seenAt <= seenBefore) && sessions.delete(name),
      ).length,
    workspace: async (id) => workspaces.get(id) ?? null,
    changeWorkspace: async (id, fields) => change(workspaces, id, fields),
    listWorkspaces: async (before, limit) =>
      [...workspaces.values()]
        .filter(({ id }) => before === null || id < before)
        .sort(newestFirst)
        .slice(0, limit),
    insertKey: async (key, most) => {
      if (ofWorkspace(key.workspace).filter(({ revokedAt }) => revokedAt === null).length >= most) return false
      keys.set(key.id, key)
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
    changeKey: async (workspace, id, fields) =>
      keys.get(id)?.workspace === workspace ? change(keys, id, fields) : null,
    touchKey: async (id, usedAt) =>
      void change(keys, id, { lastUsedAt: Math.max(usedAt, keys.get(id)?.lastUsedAt ?? 0) }),
  }
}

/** An audit log whose entries a test can read. */
export const memoryAudit = (): Audit & { entries: AuditEntry[] } => {
  const entries: AuditEntry[] = []
  return { entries, record: async (entry) => void entries.push(entry) }
}

/** GCRA with one number per bucket: the time at which it is full again. */
export const memoryLimiter = (): Limiter => {
  const fullAt = new Map<string, number>()
  const wait = (bucket: Bucket, now: number, cost: number): number =>
    Math.max(fullAt.get(bucket.key) ?? 0, now) - now + ((cost - bucket.burst) * 1000) / bucket.rate
  return {
    take: async (buckets, cost, now): Promise<Verdict> => {
      const tightest = buckets.toSorted((a, b) => wait(b, now, 1) - wait(a, now, 1))[0] as Bucket
      const retryAfterMs = Math.max(0, Math.ceil(wait(tightest, now, 1)))
      const admitted = retryAfterMs === 0
      for (const { key, rate } of admitted ? buckets : [])
        fullAt.set(key, Math.max(fullAt.get(key) ?? 0, now) + (cost * 1000) / rate)
      const remaining = Math.floor((-wait(tightest, now, 0) * tightest.rate) / 1000)
      return { admitted, tightest, remaining, resetMs: (fullAt.get(tightest.key) ?? now) - now, retryAfterMs }
    },
  }
}

/** Metrics that a test can read: refused log-ins by reason. */
export const countedMetrics = (): AccountsMetrics & { refused: Partial<Record<LogInRefusal, number>> } => {
  const refused: Partial<Record<LogInRefusal, number>> = {}
  const inc = ({ reason }: { reason: LogInRefusal }): void => {
    refused[reason] = (refused[reason] ?? 0) + 1
  }
  return { refused, loginsRefused: { inc } }
}

/** Passwords without hashing, for tests of other subjects. */
export const plainPasswords = (): Passwords => ({
  hash: async (password) => `plain:${password}`,
  verify: async (passwordHash, password) => passwordHash === `plain:${password}`,
})
