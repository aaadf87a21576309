import type { Totp } from '@postrider/domain/accounts/users.ts'
import type { StoredSession, User } from '@postrider/ports/accounts.ts'
import type { AuditEntry } from '@postrider/ports/audit.ts'
import type { UserStore } from '@postrider/ports/users.ts'

/** Returns the key of a hash in the maps of these fakes. */
export const nameOf = (hash: Uint8Array): string => Buffer.from(hash).toString('hex')

/** Replaces fields of a stored record. @returns the record as it then is; null: there is none */
export const change = <T>(records: Map<string, T>, id: string, fields: Partial<NoInfer<T>>): T | null => {
  const found = records.get(id)
  if (found === undefined) return null
  const changed = { ...found, ...fields }
  records.set(id, changed)
  return changed
}

type PeopleInMemory = {
  users: Map<string, User>
  sessions: Map<string, StoredSession>
  audit: { entries: AuditEntry[] }
}

/** The part of the accounts in memory that is about users, their second factor and their sessions. */
export const memoryUsers = ({ users, sessions, audit }: PeopleInMemory): UserStore => {
  /** Replaces the second factor of a user by what `next` returns; null: it stays. */
  const changeTotp = (id: string, next: (totp: Totp) => Totp | null): boolean => {
    const totp = users.get(id)?.totp ?? null
    const changed = totp && next(totp)
    return changed !== null && change(users, id, { totp: changed }) !== null
  }
  return {
    user: async (id) => users.get(id) ?? null,
    changeUser: async (id, fields, { email, passwordHash, totp }, entry) => {
      const user = users.get(id)
      const isAs =
        user !== undefined &&
        (email === undefined || user.email === email) &&
        (passwordHash === undefined || user.passwordHash === passwordHash) &&
        (totp === undefined || (user.totp?.sealed ?? null) === totp)
      if (!isAs) return 'lost'
      const isTaken = [...users.values()].some((other) => other.id !== id && other.email === fields.email)
      if (isTaken) return 'taken'
      change(users, id, fields)
      audit.entries.push(entry)
      return 'changed'
    },
    useTotpStep: async (id, step) =>
      changeTotp(id, (totp) => (totp.lastStep < step ? { ...totp, lastStep: step } : null)),
    useRecoveryCode: async (id, hash, entry) => {
      const isUsed = changeTotp(id, (totp) =>
        totp.recovery.includes(hash) ? { ...totp, recovery: totp.recovery.filter((other) => other !== hash) } : null,
      )
      if (isUsed) audit.entries.push(entry)
      return isUsed
    },
    totpUsers: async (after, limit) =>
      [...users.values()]
        .filter(({ id, totp }) => id > after && totp !== null)
        .sort((a, b) => (a.id < b.id ? -1 : 1))
        .slice(0, limit),
    resealTotp: async (id, from, to) =>
      void changeTotp(id, (totp) => (totp.sealed === from ? { ...totp, sealed: to } : null)),
    sessionsOf: async (user, seenAfter, limit) =>
      [...sessions.values()]
        .filter((session) => session.user === user && session.seenAt > seenAfter)
        .sort((a, b) => b.seenAt - a.seenAt)
        .slice(0, limit),
    deleteSessionsOf: async (user, except, entry) => {
      const others = [...sessions].filter(
        ([name, session]) => session.user === user && (except === null || name !== nameOf(except)),
      )
      if (others.length > 0) audit.entries.push(entry)
      return others.filter(([name]) => sessions.delete(name)).length
    },
  }
}
