import type { StoredKey } from '@postrider/domain/accounts/keyLife.ts'
import type { People } from '@postrider/domain/accounts/people.ts'
import type { Role } from '@postrider/domain/accounts/roles.ts'
import type { SessionFacts, User } from '@postrider/domain/accounts/users.ts'
import type { OperatorAccounts } from './accountsOperator.ts'
import type { AuditEntry, EntryOf } from './audit.ts'
import type { StoredWorkspace } from './storedWorkspace.ts'

export type { StoredKey } from '@postrider/domain/accounts/keyLife.ts'
export type { StoredWorkspace } from './storedWorkspace.ts'

/**
 * Users, their sessions, workspaces and API keys. The store contains no secrets: passwords are argon2id hashes, tokens
 * and keys are SHA-256 hashes. Times are milliseconds since the epoch. A change and its audit entry are one write.
 */
export type AccountStore = OperatorAccounts &
  PeopleStore & {
    /** Stores a new user as the owner of a new workspace: both or neither. @returns false: the address has a user */
    insertOwner(user: User, workspace: StoredWorkspace, audit: AuditEntry): Promise<boolean>
    userByEmail(email: string): Promise<User | null>
    /** Returns the workspaces of a user in the order of joining. */
    memberships(user: string): Promise<{ workspace: string; role: Role }[]>
    role(workspace: string, user: string): Promise<Role | null>

    insertSession(session: StoredSession, audit: AuditEntry): Promise<void>
    /** Returns a session with its user and workspace; also null when the user has left the workspace. */
    session(hash: Uint8Array): Promise<OpenSession | null>
    /** @param address the client address of this use */
    touchSession(hash: Uint8Array, seenAt: number, address: string): Promise<void>
    /** @returns false: it does not exist, and there is no entry */
    deleteSession(hash: Uint8Array, audit: AuditEntry): Promise<boolean>
    /**
     * Deletes sessions created, or last used, at or before these times; of many, some are left to later calls.
     * @returns how many
     */
    deleteStaleSessions(stale: { createdBefore: number; seenBefore: number }): Promise<number>
    /**
     * Deletes sessions of a user beyond `keep`, those that were used least recently; of many, some are left to later
     * calls.
     * @returns how many
     */
    deleteExcessSessions(user: string, keep: number): Promise<number>

    workspace(id: string): Promise<StoredWorkspace | null>
    /** Writes the given fields in one update. @returns the changed workspace; null: it does not exist */
    changeWorkspace(
      id: string,
      change: WorkspaceChange,
      entryOf: EntryOf<StoredWorkspace>,
    ): Promise<StoredWorkspace | null>
    /** Returns workspaces, newest first, starting after `before`; null: from the newest. */
    listWorkspaces(before: string | null, limit: number): Promise<StoredWorkspace[]>

    /**
     * Stores a new key if its workspace has fewer than `max` keys that are not revoked.
     * @returns false: it has `max`
     */
    insertKey(key: StoredKey, max: number, audit: AuditEntry): Promise<boolean>
    /** Returns a key and its workspace by the SHA-256 of the whole key. On the hot path: one indexed read. */
    keyByHash(hash: Uint8Array): Promise<{ key: StoredKey; workspace: StoredWorkspace } | null>
    key(workspace: string, id: string): Promise<StoredKey | null>
    /** Returns valid keys, then revoked keys, each newest first. */
    listKeys(workspace: string, limit: number): Promise<StoredKey[]>
    /** Writes the given fields in one update. @returns the changed key; null: the workspace has no such key */
    changeKey(workspace: string, id: string, change: KeyChange, entryOf: EntryOf<StoredKey>): Promise<StoredKey | null>
    /**
     * Stores the successor of a key, and the expiry of that key: both or neither. A replaced key does not count against
     * the limit of `insertKey`.
     * @returns false: the key is revoked or was replaced already, or its settings changed since it was read
     */
    rollKey(roll: KeyRoll, audit: AuditEntry): Promise<boolean>
    /** Writes the time of last use, which never decreases, and the client's address of that use. */
    touchKey(id: string, usedAt: number, usedFrom: string): Promise<void>
  }

/** The people of workspaces. A change and its entry of the audit log are one write. */
export type PeopleStore = {
  /** Stores a user who is in no workspace yet. @returns false: the address has a user */
  insertUser(user: User, audit: AuditEntry): Promise<boolean>
  /** Returns the users that exist, in any order. */
  users(ids: readonly string[]): Promise<User[]>
  /** Stores another workspace of a user, with that user as owner. */
  insertWorkspace(workspace: StoredWorkspace, owner: string, audit: AuditEntry): Promise<void>
  /** Returns members in the order of joining, and invitations; null: there is no such workspace. */
  people(workspace: string): Promise<StoredPeople | null>
  /**
   * Writes members and invitations if neither has changed since they were read. Then the sessions of former members in
   * this workspace end, and so do those of a former membership of a new member.
   * @returns false: they have changed, and nothing is written
   */
  changePeople(workspace: string, change: PeopleChange, audit: AuditEntry): Promise<boolean>
  /** Returns when each of these users last used a session in the workspace; users without a session are absent. */
  lastSeen(workspace: string, users: readonly string[]): Promise<Map<string, number>>
  /** Moves a session to another workspace of its user. @returns false: the session or the membership does not exist */
  moveSession(hash: Uint8Array, move: SessionMove, audit: AuditEntry): Promise<boolean>
}

/** `version` counts changes. */
export type StoredPeople = People & { version: number }

export type PeopleChange = {
  /** The stored people as the caller read them. */
  from: StoredPeople
  to: People
}

/** `csrfSalt` replaces that of the session. */
export type SessionMove = { user: string; workspace: string; csrfSalt: string }

export type { User } from '@postrider/domain/accounts/users.ts'

export type StoredSession = {
  hash: Uint8Array
  user: string
  workspace: string
  /**
   * Part of the token for changes: another one makes another token. Empty until the session moves to another workspace.
   */
  csrfSalt: string
  createdAt: number
  seenAt: number
  /** What it was opened with, such as `Firefox on Linux`; empty: unknown. */
  device: string
  /** The client address of the last use; empty: unknown. */
  address: string
  /** When the second factor was enabled whose code opened it; null: no code did. */
  totpEnabledAt: number | null
}

export type OpenSession = SessionFacts & {
  session: StoredSession
  role: Role
  workspace: StoredWorkspace
}

export type WorkspaceChange = Partial<Omit<StoredWorkspace, 'id' | 'createdAt'>>

/** `old`: the key as it was read. `expiresAt`: when it ends. */
export type KeyRoll = { old: StoredKey; successor: StoredKey; expiresAt: number }

/** A revocation cannot be undone. */
export type KeyChange = Partial<
  Pick<StoredKey, 'name' | 'scopes' | 'domains' | 'networks' | 'recipients' | 'expiresAt'> & { revokedAt: number }
>
