import type { SQLInputValue, SQLOutputValue } from 'node:sqlite'
import type { Link } from '@postrider/domain/accounts/links.ts'
import type { Invitation, Member } from '@postrider/domain/accounts/people.ts'
import type { StoredKey, StoredSession, StoredWorkspace, User } from '@postrider/ports/accounts.ts'
import type { Row } from '../client/database.ts'

/** A column: its name, and how its values are converted. */
type Column<Value> = { name: string; read(stored: SQLOutputValue): Value; write(value: Value): SQLInputValue }

/** A table whose rows are objects of type `Stored`. */
export type Table<Stored> = {
  columns: readonly string[]
  /** Reads a row whose columns are named with `prefix`. */
  read(row: Row, prefix?: string): Stored
  /** Returns the values to bind to the column names. */
  write(stored: Stored): Record<string, SQLInputValue>
}

const table = <Stored extends object>(columns: { [Name in keyof Stored]: Column<Stored[Name]> }): Table<Stored> => {
  const entries = Object.entries(columns) as [keyof Stored, Column<Stored[keyof Stored]>][]
  return {
    columns: entries.map(([, { name }]) => name),
    read: (row, prefix = '') =>
      Object.fromEntries(
        entries.map(([property, { name, read }]) => [property, read(row[prefix + name] ?? null)]),
      ) as Stored,
    write: (stored) =>
      Object.fromEntries(entries.map(([property, { name, write }]) => [name, write(stored[property])])),
  }
}

/** A column that SQLite stores as it is. */
const plain = <Value extends SQLInputValue>(name: string): Column<Value> => ({
  name,
  read: (stored) => stored as Value,
  write: (value) => value,
})

const flag = (name: string): Column<boolean> => ({
  name,
  read: (stored) => stored === 1,
  write: (value) => (value ? 1 : 0),
})

/** A list of texts, stored as JSON. */
const list = (name: string): Column<string[]> => ({
  name,
  read: (stored) => JSON.parse(String(stored)),
  write: (value) => JSON.stringify(value),
})

/** A value that is stored as JSON, or null. */
const json = <Value>(name: string): Column<Value | null> => ({
  name,
  read: (stored) => (stored === null ? null : (JSON.parse(String(stored)) as Value)),
  write: (value) => (value === null ? null : JSON.stringify(value)),
})

/** Returns the statement that inserts a row. @param more columns in addition to those of the table's objects */
export const insertInto = (
  name: string,
  { columns }: Pick<Table<unknown>, 'columns'>,
  more: readonly string[] = [],
): string => {
  const all = [...columns, ...more]
  return `INSERT INTO ${name} (${all.join(', ')}) VALUES (${all.map((column) => `:${column}`).join(', ')})`
}

/** Returns a table's columns for a join, with the table's letter in front: `k.id AS k_id`. */
export const qualified = (letter: string, { columns }: Pick<Table<unknown>, 'columns'>): string =>
  columns.map((column) => `${letter}.${column} AS ${letter}_${column}`).join(', ')

export const userTable = table<User>({
  id: plain('id'),
  email: plain('email'),
  passwordHash: plain('password_hash'),
  createdAt: plain('created_at'),
  emailConfirmedAt: plain('email_confirmed_at'),
  totp: json('totp'),
  sessionsSince: plain('sessions_since'),
})

export const sessionTable = table<StoredSession>({
  hash: plain('hash'),
  user: plain('user'),
  workspace: plain('workspace'),
  csrfSalt: plain('csrf_salt'),
  createdAt: plain('created_at'),
  seenAt: plain('seen_at'),
  device: plain('device'),
  address: plain('address'),
  totpEnabledAt: plain('totp_enabled_at'),
})

export const workspaceTable = table<StoredWorkspace>({
  id: plain('id'),
  name: plain('name'),
  plan: plain('plan'),
  senderName: plain('sender_name'),
  postalAddress: plain('postal_address'),
  onUnknown: plain('on_unknown'),
  retention: plain('retention'),
  spendingCapUsd: plain('spending_cap_usd'),
  suspended: flag('suspended'),
  suspendedReason: plain('suspended_reason'),
  deletesAt: plain('deletes_at'),
  resumesOnRestore: flag('resumes_on_restore'),
  note: plain('note'),
  rate: plain('rate'),
  burst: plain('burst'),
  requireTotp: flag('require_totp'),
  createdAt: plain('created_at'),
})

export const memberTable = table<Member>({
  user: plain('user'),
  role: plain('role'),
  joinedAt: plain('created_at'),
})

export const invitationTable = table<Invitation>({
  id: plain('id'),
  email: plain('email'),
  role: plain('role'),
  invitedBy: plain('invited_by'),
  createdAt: plain('created_at'),
  sentAt: plain('sent_at'),
  expiresAt: plain('expires_at'),
})

export const keyTable = table<StoredKey>({
  id: plain('id'),
  workspace: plain('workspace'),
  hash: plain('hash'),
  name: plain('name'),
  scopes: list('scopes'),
  mode: plain('mode'),
  prefix: plain('prefix'),
  lastFour: plain('last_four'),
  domains: list('domains'),
  networks: list('networks'),
  recipients: list('recipients'),
  family: plain('family'),
  rolledFrom: plain('rolled_from'),
  rolledTo: plain('rolled_to'),
  createdAt: plain('created_at'),
  expiresAt: plain('expires_at'),
  lastUsedAt: plain('last_used_at'),
  lastUsedFrom: plain('last_used_from'),
  revokedAt: plain('revoked_at'),
})

export const linkTable = table<Link>({
  hash: plain('hash'),
  purpose: plain('purpose'),
  subject: plain('subject'),
  address: plain('address'),
  createdAt: plain('created_at'),
  expiresAt: plain('expires_at'),
})
