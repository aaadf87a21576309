import type { Role } from '@postrider/domain/accounts/roles.ts'
import type { StoredKey, StoredSession, StoredWorkspace, User } from '@postrider/ports/accounts.ts'
import type { Binary, Collection, Db } from 'mongodb'
import type { Indexes } from '../client/connect.ts'

export type UserDoc = Omit<User, 'id'> & { _id: string }

export type WorkspaceDoc = Omit<StoredWorkspace, 'id'> & {
  _id: string
  members: { user: string; role: Role; at: number }[]
  /** Ids of the keys that exist: a key document whose id is not listed does not count. */
  keys: string[]
  /** False until its owner is stored; until then no list contains it. */
  open: boolean
}

/** A digest is written as bytes and read as `Binary`. */
type Digest = Binary | Uint8Array

export type SessionDoc = Omit<StoredSession, 'hash'> & { _id: Digest }

export type KeyDoc = Omit<StoredKey, 'id' | 'hash'> & {
  _id: string
  hash: Digest
  /** True if `revokedAt` is set; lists sort by it. */
  revoked: boolean
}

export type AccountCollections = {
  users: Collection<UserDoc>
  workspaces: Collection<WorkspaceDoc>
  sessions: Collection<SessionDoc>
  keys: Collection<KeyDoc>
}

export const accountCollections = (db: Db): AccountCollections => ({
  users: db.collection('users'),
  workspaces: db.collection('workspaces'),
  sessions: db.collection('sessions'),
  keys: db.collection('api_keys'),
})

export const accountIndexes: Indexes = {
  users: [{ key: { email: 1 }, unique: true }],
  workspaces: [{ key: { 'members.user': 1 } }, { key: { open: 1, _id: -1 } }, { key: { suspended: 1 } }],
  sessions: [{ key: { createdAt: 1 } }, { key: { seenAt: 1 } }],
  api_keys: [{ key: { hash: 1 }, unique: true }, { key: { workspace: 1, revoked: 1, _id: -1 } }],
}

/** Leaves out members and keys, which may be many. */
export const withoutLists = { members: 0, keys: 0, open: 0 } as const

export type BareWorkspaceDoc = Omit<WorkspaceDoc, keyof typeof withoutLists>

export const workspaceOf = ({ _id, ...rest }: BareWorkspaceDoc): StoredWorkspace => ({ id: _id, ...rest })

export const userOf = ({ _id, ...rest }: UserDoc): User => ({ id: _id, ...rest })

const bytesOf = (digest: Digest): Uint8Array => new Uint8Array(digest instanceof Uint8Array ? digest : digest.value())

export const sessionOf = ({ _id, ...rest }: SessionDoc): StoredSession => ({ hash: bytesOf(_id), ...rest })

export const keyOf = ({ _id, hash, revoked: _, ...rest }: KeyDoc): StoredKey => ({
  id: _id,
  hash: bytesOf(hash),
  ...rest,
})

export const keyDoc = ({ id, ...rest }: StoredKey): KeyDoc => ({
  _id: id,
  ...rest,
  revoked: rest.revokedAt !== null,
})
