import type { SQLInputValue, SQLOutputValue } from 'node:sqlite'
import type { StoredKey, StoredSession, StoredWorkspace, User } from '@postrider/ports/accounts.ts'

/** A row as it is read, and as it is bound to a statement's names. */
export type Row = Record<string, SQLOutputValue>
type Bound = Record<string, SQLInputValue>

export const userColumns = ['id', 'email', 'password_hash', 'created_at'] as const

export const sessionColumns = ['hash', 'user', 'workspace', 'created_at', 'seen_at'] as const

export const workspaceColumns = [
  'id',
  'name',
  'plan',
  'sender_name',
  'postal_address',
  'on_unknown',
  'retention',
  'spending_cap_usd',
  'suspended',
  'note',
  'rate',
  'burst',
  'created_at',
] as const

export const keyColumns = [
  'id',
  'workspace',
  'hash',
  'name',
  'scopes',
  'mode',
  'prefix',
  'last_four',
  'domains',
  'networks',
  'created_at',
  'expires_at',
  'last_used_at',
  'revoked_at',
] as const

/** A table's columns for a join, each named with the table's letter: `k.id AS k_id`. */
export const qualified = (letter: string, columns: readonly string[]): string =>
  columns.map((column) => `${letter}.${column} AS ${letter}_${column}`).join(', ')

const numberOrNull = (value: SQLOutputValue | undefined): number | null => (typeof value === 'number' ? value : null)

const list = (value: SQLOutputValue | undefined): string[] => JSON.parse(String(value))

export const userOf = (row: Row): User => ({
  id: String(row['id']),
  email: String(row['email']),
  passwordHash: String(row['password_hash']),
  createdAt: Number(row['created_at']),
})

export const userRow = ({ id, email, passwordHash, createdAt }: User): Bound => ({
  id,
  email,
  password_hash: passwordHash,
  created_at: createdAt,
})

export const sessionOf = (row: Row, prefix = ''): StoredSession => ({
  hash: row[`${prefix}hash`] as Uint8Array,
  user: String(row[`${prefix}user`]),
  workspace: String(row[`${prefix}workspace`]),
  createdAt: Number(row[`${prefix}created_at`]),
  seenAt: Number(row[`${prefix}seen_at`]),
})

export const workspaceOf = (row: Row, prefix = ''): StoredWorkspace => ({
  id: String(row[`${prefix}id`]),
  name: String(row[`${prefix}name`]),
  plan: row[`${prefix}plan`] as StoredWorkspace['plan'],
  senderName: String(row[`${prefix}sender_name`]),
  postalAddress: String(row[`${prefix}postal_address`]),
  onUnknown: row[`${prefix}on_unknown`] as StoredWorkspace['onUnknown'],
  retention: String(row[`${prefix}retention`]),
  spendingCapUsd: numberOrNull(row[`${prefix}spending_cap_usd`]),
  suspended: row[`${prefix}suspended`] === 1,
  note: String(row[`${prefix}note`]),
  rate: numberOrNull(row[`${prefix}rate`]),
  burst: numberOrNull(row[`${prefix}burst`]),
  createdAt: Number(row[`${prefix}created_at`]),
})

export const workspaceRow = (workspace: StoredWorkspace): Bound => ({
  id: workspace.id,
  name: workspace.name,
  plan: workspace.plan,
  sender_name: workspace.senderName,
  postal_address: workspace.postalAddress,
  on_unknown: workspace.onUnknown,
  retention: workspace.retention,
  spending_cap_usd: workspace.spendingCapUsd,
  suspended: workspace.suspended ? 1 : 0,
  note: workspace.note,
  rate: workspace.rate,
  burst: workspace.burst,
  created_at: workspace.createdAt,
})

export const keyOf = (row: Row, prefix = ''): StoredKey => ({
  id: String(row[`${prefix}id`]),
  workspace: String(row[`${prefix}workspace`]),
  hash: row[`${prefix}hash`] as Uint8Array,
  name: String(row[`${prefix}name`]),
  scopes: list(row[`${prefix}scopes`]),
  mode: row[`${prefix}mode`] as StoredKey['mode'],
  prefix: String(row[`${prefix}prefix`]),
  lastFour: String(row[`${prefix}last_four`]),
  domains: list(row[`${prefix}domains`]),
  networks: list(row[`${prefix}networks`]),
  createdAt: Number(row[`${prefix}created_at`]),
  expiresAt: numberOrNull(row[`${prefix}expires_at`]),
  lastUsedAt: numberOrNull(row[`${prefix}last_used_at`]),
  revokedAt: numberOrNull(row[`${prefix}revoked_at`]),
})

export const keyRow = (key: StoredKey): Bound => ({
  id: key.id,
  workspace: key.workspace,
  hash: key.hash,
  name: key.name,
  scopes: JSON.stringify(key.scopes),
  mode: key.mode,
  prefix: key.prefix,
  last_four: key.lastFour,
  domains: JSON.stringify(key.domains),
  networks: JSON.stringify(key.networks),
  created_at: key.createdAt,
  expires_at: key.expiresAt,
  last_used_at: key.lastUsedAt,
  revoked_at: key.revokedAt,
})
