import type { Role } from '@postrider/domain/accounts/roles.ts'
import type { PlanName } from '@postrider/domain/quota/plans.ts'

/**
 * Users, their sessions, workspaces and API keys. The store contains no secrets: passwords are argon2id hashes, tokens
 * and keys are SHA-256 hashes. Times are milliseconds since the epoch.
 */
export type AccountStore = {
  /** Stores a new user as the owner of a new workspace: both or neither. @returns false: the address has a user */
  insertOwner(user: User, workspace: StoredWorkspace): Promise<boolean>
  userByEmail(email: string): Promise<User | null>
  /** Returns the workspaces of a user in the order of joining. */
  memberships(user: string): Promise<{ workspace: string; role: Role }[]>
  role(workspace: string, user: string): Promise<Role | null>

  insertSession(session: StoredSession): Promise<void>
  /** Returns a session with its user and workspace; null also when the user has left the workspace. */
  session(hash: Uint8Array): Promise<OpenSession | null>
  touchSession(hash: Uint8Array, seenAt: number): Promise<void>
  /** @returns false: it does not exist */
  deleteSession(hash: Uint8Array): Promise<boolean>
  /** Deletes sessions created, or last used, at or before these times. @returns how many */
  deleteStaleSessions(stale: { createdBefore: number; seenBefore: number }): Promise<number>

  workspace(id: string): Promise<StoredWorkspace | null>
  /** Writes the given fields in one update. @returns the changed workspace; null: it does not exist */
  changeWorkspace(id: string, change: WorkspaceChange): Promise<StoredWorkspace | null>
  /** Returns workspaces, newest first, starting after `before`; null: from the newest. */
  listWorkspaces(before: string | null, limit: number): Promise<StoredWorkspace[]>

  /** Stores a new key if its workspace has fewer than `most` keys that are not revoked. @returns false: it has `most` */
  insertKey(key: StoredKey, most: number): Promise<boolean>
  /** Returns a key and its workspace by the SHA-256 of the whole key. On the hot path: one indexed read. */
  keyByHash(hash: Uint8Array): Promise<{ key: StoredKey; workspace: StoredWorkspace } | null>
  key(workspace: string, id: string): Promise<StoredKey | null>
  /** Returns valid keys, then revoked keys, each newest first. */
  listKeys(workspace: string, limit: number): Promise<StoredKey[]>
  /** Writes the given fields in one update. @returns the changed key; null: the workspace has no such key */
  changeKey(workspace: string, id: string, change: KeyChange): Promise<StoredKey | null>
  touchKey(id: string, usedAt: number): Promise<void>
}

/** `email` is unique, in the form normalised at sign-up. */
export type User = { id: string; email: string; passwordHash: string; createdAt: number }

export type StoredSession = { hash: Uint8Array; user: string; workspace: string; createdAt: number; seenAt: number }

export type OpenSession = { session: StoredSession; email: string; role: Role; workspace: StoredWorkspace }

export type StoredWorkspace = {
  id: string
  name: string
  plan: PlanName
  /** Display name on the shared sender; empty: none is set. */
  senderName: string
  /** Empty: none is set. */
  postalAddress: string
  onUnknown: 'retry' | 'hold'
  /** `none`, `metadata` or a number of days; empty: the default. */
  retention: string
  /** Largest overage per month; null: no cap. */
  spendingCapUsd: number | null
  /** Set by the operator: sends are refused. */
  suspended: boolean
  /** The operator's note; the workspace's users cannot read it. */
  note: string
  /** The operator's override in requests per second; null: the default, 0: no limit. */
  rate: number | null
  burst: number | null
  createdAt: number
}

export type WorkspaceChange = Partial<Omit<StoredWorkspace, 'id' | 'createdAt'>>

export type StoredKey = {
  id: string
  workspace: string
  hash: Uint8Array
  name: string
  scopes: string[]
  mode: 'live' | 'test'
  /** `pr_live_` and the first four characters of the secret. */
  prefix: string
  lastFour: string
  /** Sending domains that it may use; empty: all. */
  domains: string[]
  /** CIDRs that it may be used from; empty: any. */
  networks: string[]
  createdAt: number
  /** null: never. */
  expiresAt: number | null
  /** Rounded to the minute; null: never. */
  lastUsedAt: number | null
  /** null: not revoked. */
  revokedAt: number | null
}

/** A revocation cannot be undone. */
export type KeyChange = Partial<
  Pick<StoredKey, 'name' | 'scopes' | 'domains' | 'networks' | 'expiresAt'> & { revokedAt: number }
>
