import type { Role } from '@postrider/domain/accounts/roles.ts'

/**
 * Users, their sessions, workspaces and API keys. Nothing here is a secret: passwords come as argon2id hashes, tokens
 * and keys as SHA-256. Times are milliseconds since the epoch.
 */
export type AccountStore = {
  /** Keeps a new user with a new workspace that is theirs: both or neither. @returns false: the address is known */
  insertOwner(user: User, workspace: StoredWorkspace): Promise<boolean>
  userByEmail(email: string): Promise<User | null>
  /** The workspaces of a user, the first joined first. */
  memberships(user: string): Promise<{ workspace: string; role: Role }[]>
  role(workspace: string, user: string): Promise<Role | null>

  insertSession(session: StoredSession): Promise<void>
  /** A session with whose it is; null also where the user is no member of its workspace any more. */
  session(hash: Uint8Array): Promise<OpenSession | null>
  touchSession(hash: Uint8Array, seenAt: number): Promise<void>
  /** @returns false: there was none */
  deleteSession(hash: Uint8Array): Promise<boolean>
  /** Forgets sessions opened, or last seen, at or before these times. @returns how many */
  deleteStaleSessions(stale: { createdBefore: number; seenBefore: number }): Promise<number>

  workspace(id: string): Promise<StoredWorkspace | null>
  /** Writes the given fields in one update. @returns the workspace as it then is; null: no such one */
  changeWorkspace(id: string, change: WorkspaceChange): Promise<StoredWorkspace | null>
  /** Newest first, `before` excluded; null: from the newest. */
  listWorkspaces(before: string | null, limit: number): Promise<StoredWorkspace[]>

  /** Keeps a new key where its workspace has fewer than `most` that aren't revoked. @returns false: it has not */
  insertKey(key: StoredKey, most: number): Promise<boolean>
  /** A key and its workspace by SHA-256 of the whole key: the hot path, one indexed read. */
  keyByHash(hash: Uint8Array): Promise<{ key: StoredKey; workspace: StoredWorkspace } | null>
  key(workspace: string, id: string): Promise<StoredKey | null>
  /** Those not revoked before the revoked, each newest first. */
  listKeys(workspace: string, limit: number): Promise<StoredKey[]>
  /** Writes the given fields in one update. @returns the key as it then is; null: no such one in this workspace */
  changeKey(workspace: string, id: string, change: KeyChange): Promise<StoredKey | null>
  touchKey(id: string, usedAt: number): Promise<void>
}

/** `email` as normalised at sign-up; unique. */
export type User = { id: string; email: string; passwordHash: string; createdAt: number }

export type StoredSession = { hash: Uint8Array; user: string; workspace: string; createdAt: number; seenAt: number }

export type OpenSession = { session: StoredSession; email: string; role: Role; workspace: StoredWorkspace }

export type StoredWorkspace = {
  id: string
  name: string
  plan: 'free' | 'pro'
  /** Display name on the shared sender; empty: none was chosen. */
  senderName: string
  /** Empty: none. */
  postalAddress: string
  onUnknown: 'retry' | 'hold'
  /** `none`, `metadata` or a number of days; empty: the service's default. */
  retention: string
  /** Most overage a month; null: no cap. */
  spendingCapUsd: number | null
  /** The operator's: nothing is sent. */
  suspended: boolean
  /** The operator's own. */
  note: string
  /** The operator's override, requests a second; null: the defaults, 0: no limit. */
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
  /** Sending domains it may use; none: all. */
  domains: string[]
  /** CIDRs it may be used from; none: any. */
  networks: string[]
  createdAt: number
  /** null: never. */
  expiresAt: number | null
  /** To the minute; null: never. */
  lastUsedAt: number | null
  /** null: valid. */
  revokedAt: number | null
}

/** What is revoked stays revoked. */
export type KeyChange = Partial<
  Pick<StoredKey, 'name' | 'scopes' | 'domains' | 'networks' | 'expiresAt'> & { revokedAt: number }
>
