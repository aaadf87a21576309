import type { User } from '@postrider/domain/accounts/users.ts'
import type { StoredSession } from './accounts.ts'
import type { AuditEntry } from './audit.ts'

/** Changes of a person's own account. Times are milliseconds since the epoch. */
export type UserStore = {
  user(id: string): Promise<User | null>
  /**
   * Writes the given fields, and the audit entry with them, if the user still has the values of `expected`.
   * @returns `lost`: they changed, or there is no such user; `taken`: another user has the address
   */
  changeUser(id: string, change: UserChange, expected: ExpectedUser, audit: AuditEntry): Promise<UserChanged>
  /**
   * Records that the code of a period was used.
   * @returns false: that code or a later one was used before, or none is needed
   */
  useTotpStep(id: string, step: number): Promise<boolean>
  /**
   * Removes a recovery code, and writes the audit entry.
   * @param hash base64url
   * @returns false: the user has no such code
   */
  useRecoveryCode(id: string, hash: string, audit: AuditEntry): Promise<boolean>
  /** Returns users with a second factor whose id is greater than `after`, in the order of ids. */
  totpUsers(after: string, limit: number): Promise<User[]>
  /** Writes a second factor's secret again, encrypted under another master key. It is no change of the user. */
  resealTotp(id: string, from: string, to: string): Promise<void>

  /** Returns the sessions of a user that were used after `seenAfter`, the last one first. */
  sessionsOf(user: string, seenAfter: number, limit: number): Promise<StoredSession[]>
  /** Deletes all sessions of a user except one; null: all. @returns how many */
  deleteSessionsOf(user: string, except: Uint8Array | null, audit: AuditEntry): Promise<number>
}

export type UserChange = Partial<Pick<User, 'email' | 'passwordHash' | 'emailConfirmedAt' | 'totp' | 'sessionsSince'>>

/** `totp` is the encrypted secret; null: the user has none. An absent field is not compared. */
export type ExpectedUser = Partial<Pick<User, 'email' | 'passwordHash'>> & { totp?: string | null }

export type UserChanged = 'changed' | 'lost' | 'taken'
