import type { Invitation } from '@postrider/domain/accounts/people.ts'
import type { Role } from '@postrider/domain/accounts/roles.ts'
import type { StoredKey, StoredSession, StoredWorkspace, User } from '@postrider/ports/accounts.ts'
import type { OperatorUser } from '@postrider/ports/accountsOperator.ts'
import type { Binary, Collection, Db, Filter } from 'mongodb'
import { outboxIndex, type WithOutbox } from '../audit/outbox.ts'
import type { Indexes } from '../client/connect.ts'

/** A digest is written as bytes and read as `Binary`. */
type Digest = Binary | Uint8Array

/** `disabled`, `lastSeenAt` and `operatorSince` are the operator's; release 0.1 does not write them. */
export type UserDoc = Omit<User, 'id'> &
  WithOutbox & { _id: string } & Partial<Pick<OperatorUser, 'disabled' | 'lastSeenAt' | 'operatorSince'>> & {
    /** Sessions created at or before `at` have ended, except one; null: all have. It counts before they are deleted. */
    endedSessions?: { at: number; except: Digest | null }
  }

/** Fields that release 0.1 does not write. */
type LaterWorkspaceFields = Pick<StoredWorkspace, 'suspendedReason' | 'deletesAt' | 'resumesOnRestore'>

export type WorkspaceDoc = Omit<StoredWorkspace, 'id' | keyof LaterWorkspaceFields> &
  Partial<LaterWorkspaceFields> &
  WithOutbox & {
    _id: string
    members: { user: string; role: Role; at: number }[]
    /** Ids of the keys that exist: a key document whose id is not listed does not count. */
    keys: string[]
    /** False until its owner is stored; until then no list contains it. */
    open: boolean
    /** Absent: there are none. */
    invitations?: Invitation[]
    /** How often members or invitations have changed; absent: never. */
    peopleVersion?: number
  }

/** Fields that release 0.1 does not write. */
type LaterSessionFields = Pick<StoredSession, 'csrfSalt' | 'totpEnabledAt'>

export type SessionDoc = Omit<StoredSession, 'hash' | keyof LaterSessionFields> &
  Partial<LaterSessionFields> &
  WithOutbox & { _id: Digest }

/** Fields that release 0.1 does not write. */
type LaterKeyFields = Pick<StoredKey, 'recipients' | 'family' | 'rolledFrom' | 'rolledTo' | 'lastUsedFrom'>

export type KeyDoc = Omit<StoredKey, 'id' | 'hash' | keyof LaterKeyFields> &
  Partial<LaterKeyFields> &
  WithOutbox & {
    _id: string
    hash: Digest
    /** True if `revokedAt` is set; lists sort by it. */
    revoked: boolean
    /** When the key may be reported as unused; absent: at any time. */
    noticeAt?: number
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
  users: [{ key: { email: 1 }, unique: true }, { key: { operatorSince: 1 }, sparse: true }, outboxIndex],
  workspaces: [
    { key: { 'members.user': 1 } },
    { key: { open: 1, _id: -1 } },
    { key: { suspended: 1 } },
    { key: { deletesAt: 1 } },
    outboxIndex,
  ],
  sessions: [
    { key: { createdAt: 1 } },
    { key: { seenAt: 1 } },
    { key: { user: 1, workspace: 1, seenAt: -1 } },
    { key: { user: 1, workspace: 1 } },
    { key: { user: 1, seenAt: -1 } },
    outboxIndex,
  ],
  api_keys: [{ key: { hash: 1 }, unique: true }, { key: { workspace: 1, revoked: 1, _id: -1 } }, outboxIndex],
}

const workspaceDefaults = { suspendedReason: '', deletesAt: null, resumesOnRestore: false, requireTotp: false }
const userDefaults = { emailConfirmedAt: null, totp: null, sessionsSince: 0 }
const sessionDefaults = { csrfSalt: '', device: '', address: '', totpEnabledAt: null }

/** Leaves out members, invitations and keys, which may be many, and what is no part of the record. */
export const withoutLists = {
  members: 0,
  keys: 0,
  open: 0,
  invitations: 0,
  peopleVersion: 0,
  outbox: 0,
  gone: 0,
} as const

export type BareWorkspaceDoc = Omit<WorkspaceDoc, keyof typeof withoutLists>

/** Documents of earlier releases lack the fields that are added since: they have the values of the defaults here. */
export const workspaceOf = ({ _id, ...rest }: BareWorkspaceDoc): StoredWorkspace => ({
  ...workspaceDefaults,
  id: _id,
  ...rest,
})

export const userOf = ({ _id, ...doc }: UserDoc): User => {
  const { outbox: _, gone: __, disabled: ___, lastSeenAt: ____, operatorSince: _____, ...user } = doc
  const { endedSessions: ______, ...rest } = user
  return { ...userDefaults, id: _id, ...rest }
}

/**
 * Returns whether a session was deleted together with others of its user (`deleteSessionsOf`), although its document is
 * still there. Many documents are not deleted by one write, so a write of the user's document deletes the sessions.
 * `isValidSession` in packages/domain decides how long a session is valid.
 */
export const isEnded = (session: SessionDoc, { endedSessions }: Pick<UserDoc, 'endedSessions'>): boolean => {
  if (endedSessions === undefined || session.createdAt > endedSessions.at) return false
  const { except } = endedSessions
  return except === null || !Buffer.from(bytesOf(except)).equals(bytesOf(session._id))
}

/** Returns a filter of the sessions of a user that were not deleted together. */
export const withoutEnded = ({ endedSessions }: Pick<UserDoc, 'endedSessions'>): Filter<SessionDoc> => {
  if (endedSessions === undefined) return {}
  const { at, except } = endedSessions
  return { $or: [{ createdAt: { $gt: at } }, ...(except === null ? [] : [{ _id: except }])] }
}

export const bytesOf = (digest: Digest): Uint8Array =>
  new Uint8Array(digest instanceof Uint8Array ? digest : digest.value())

export const sessionOf = ({ _id, outbox: _, gone: __, ...rest }: SessionDoc): StoredSession => ({
  ...sessionDefaults,
  ...rest,
  hash: bytesOf(_id),
})

export const keyOf = ({ _id, hash, ...doc }: KeyDoc): StoredKey => {
  const { revoked: _, outbox: __, gone: ___, noticeAt: ____, ...rest } = doc
  return {
    id: _id,
    hash: bytesOf(hash),
    recipients: [],
    family: _id,
    rolledFrom: null,
    rolledTo: null,
    lastUsedFrom: '',
    ...rest,
  }
}

export const keyDoc = ({ id, ...rest }: StoredKey): KeyDoc => ({
  _id: id,
  ...rest,
  revoked: rest.revokedAt !== null,
})
