import type { User } from '@postrider/domain/accounts/users.ts'
import type { AuditEntry } from '@postrider/ports/audit.ts'
import type { ExpectedUser, UserStore } from '@postrider/ports/users.ts'
import { auditEntries } from '../audit/audit.ts'
import type { Row, SqliteDatabase } from '../client/database.ts'
import { unlessTaken } from '../client/errors.ts'
import { sessionTable, userTable } from './rows.ts'

const isAs = (user: User, { email, passwordHash, totp }: ExpectedUser): boolean =>
  (email === undefined || user.email === email) &&
  (passwordHash === undefined || user.passwordHash === passwordHash) &&
  (totp === undefined || (user.totp?.sealed ?? null) === totp)

/** Changes of a person's own account in SQLite. */
export const sqliteUsers = (db: SqliteDatabase): UserStore => {
  const byId = db.prepare('SELECT * FROM users WHERE id = ?')
  const replace = db.prepare(`
    UPDATE users SET email = :email, password_hash = :password_hash, email_confirmed_at = :email_confirmed_at, totp = :totp,
      sessions_since = :sessions_since
    WHERE id = :id`)
  const withTotp = db.prepare('SELECT * FROM users WHERE totp IS NOT NULL AND id > ? ORDER BY id LIMIT ?')
  const ofUser = db.prepare('SELECT * FROM sessions WHERE user = ? AND seen_at > ? ORDER BY seen_at DESC LIMIT ?')
  const removeSessions = db.prepare('DELETE FROM sessions WHERE user = ? AND hash IS NOT ?')
  const addEntry = auditEntries(db)

  const find = (id: string): User | null => {
    const row = byId.get(id) as Row | undefined
    return row === undefined ? null : userTable.read(row)
  }
  const write = (user: User): void => {
    const { created_at: _, ...values } = userTable.write(user)
    replace.run(values)
  }
  /** Writes what `change` returns of a user; null: nothing. @returns whether it wrote */
  const changeIf = (id: string, change: (user: User) => User | null, audit: AuditEntry | null): boolean =>
    db.write(() => {
      const found = find(id)
      const changed = found && change(found)
      if (!changed) return false
      write(changed)
      if (audit) addEntry(audit)
      return true
    })

  return {
    user: async (id) => db.read(() => find(id)),
    changeUser: async (id, change, expected, audit) =>
      unlessTaken('taken', () => {
        const isChanged = changeIf(id, (user) => (isAs(user, expected) ? { ...user, ...change } : null), audit)
        return isChanged ? 'changed' : 'lost'
      }),
    useTotpStep: async (id, step) => {
      const used = ({ totp, ...user }: User): User | null =>
        totp && totp.lastStep < step ? { ...user, totp: { ...totp, lastStep: step } } : null
      return changeIf(id, used, null)
    },
    useRecoveryCode: async (id, hash, audit) => {
      const used = ({ totp, ...user }: User): User | null =>
        totp?.recovery.includes(hash)
          ? { ...user, totp: { ...totp, recovery: totp.recovery.filter((other) => other !== hash) } }
          : null
      return changeIf(id, used, audit)
    },
    totpUsers: async (after, limit) =>
      db.read(() => withTotp.all(after, limit)).map((row) => userTable.read(row as Row)),
    resealTotp: async (id, from, to) => {
      const resealed = ({ totp, ...user }: User): User | null =>
        totp?.sealed === from ? { ...user, totp: { ...totp, sealed: to } } : null
      changeIf(id, resealed, null)
    },
    sessionsOf: async (user, seenAfter, limit) =>
      db.read(() => ofUser.all(user, seenAfter, limit)).map((row) => sessionTable.read(row as Row)),
    deleteSessionsOf: async (user, except, audit) =>
      db.write(() => {
        const deleted = Number(removeSessions.run(user, except).changes)
        if (deleted > 0) addEntry(audit)
        return deleted
      }),
  }
}
