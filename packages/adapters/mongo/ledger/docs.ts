import { randomUUID } from 'node:crypto'
import { type Correction, dayKey, type Entry, type Line, type MonthUsage } from '@postrider/domain/quota/entries.ts'
import { type Allowance, readAllowance, type StoredAllowance } from '@postrider/domain/quota/plans.ts'
import type { PendingReservation } from '@postrider/domain/quota/quota.ts'
import { monthOf } from '@postrider/domain/time.ts'
import type { Db } from 'mongodb'
import { outboxIndex, type WithOutbox } from '../audit/outbox.ts'
import type { Indexes } from '../client/connect.ts'
import { pendingIndex, type WithPending } from '../events/pending.ts'

/**
 * One month of a workspace: the numbers that decide refusals, and the entries that are not lines yet; see `Entry`. It
 * stays small, because an entry exists only while its send is being accepted.
 */
export type MonthDoc = MonthUsage & {
  /** `<workspace> <month>` */
  _id: string
  workspace: string
  /** `YYYY-MM` */
  month: string
  /** Incremented by every update. */
  rev: number
  pending: Entry[]
  /** Corrections that are part of the numbers; absent: none. Each has a line, or gets one. */
  adjusted?: Correction[]
  /** Marks of the thresholds that were reached; absent: none. */
  noticed?: string[]
} & WithPending

export type LineDoc = Line & { _id: string }

/** An entry and the `_id` of its month. */
export type KeyedEntry = { key: string; entry: Entry }

/** The plan and limits of a workspace, as sends read it. */
export type AllowanceDoc = StoredAllowance & WithOutbox & { _id: string }

/** The document has parts that sends do not need; see `BilledDoc`. */
export const withoutBilling = { billing: 0 } as const

export const allowanceOf = ({ _id, outbox: _, gone: __, ...stored }: AllowanceDoc): Allowance => readAllowance(stored)

export const ledgerIndexes: Indexes = {
  // Contains only months with pending entries, which are few.
  ledger_months: [{ key: { 'pending.at': 1 } }, pendingIndex],
  ledger_lines: [{ key: { workspace: 1, day: 1 } }],
  // `billing.dueAt` finds the workspaces whose billing is due; see `BilledDoc`.
  // `plan` and `_id` find workspaces by their plan; see accounts/planSearch.ts.
  allowances: [
    outboxIndex,
    { key: { 'billing.dueAt': 1 } },
    { key: { plan: 1, 'billing.dueAt': 1 } },
    { key: { plan: 1, _id: -1 } },
  ],
}

export const monthsOf = (db: Db) => db.collection<MonthDoc>('ledger_months')
export const linesOf = (db: Db) => db.collection<LineDoc>('ledger_lines')

/** Returns the `_id` of the month document of a workspace and time. */
export const monthKey = ({ workspace, at }: { workspace: string; at: number }): string => `${workspace} ${monthOf(at)}`

export const partsOf = (key: string): { workspace: string; month: string } => {
  const space = key.lastIndexOf(' ')
  return { workspace: key.slice(0, space), month: key.slice(space + 1) }
}

/** Returns an entry with a token that no other entry has. The token contains `n`; see `keyedEntryOf`. */
export const newEntry = (id: string, n: number, at: number): Entry => ({
  id,
  n,
  day: dayKey(at),
  token: `${n}.${randomUUID()}`,
  at,
})

/** Returns the entry of a reservation. Its sends come from the token: a repeated request may have counted others. */
export const keyedEntryOf = (reservation: Omit<PendingReservation, 'count'>): KeyedEntry => {
  const { id, at, token } = reservation
  const n = Number(token.slice(0, token.indexOf('.')))
  if (!Number.isInteger(n) || n < 1) throw new Error('the token does not belong to a reservation')
  return { key: monthKey(reservation), entry: { id, n, day: dayKey(at), token, at } }
}

export const pendingOf = (workspace: string, { id, n, at, token }: Entry): PendingReservation => ({
  workspace,
  id,
  count: n,
  at,
  token,
})

export const byMonth = <Item extends { key: string }>(items: readonly Item[]): [key: string, items: Item[]][] => [
  ...Map.groupBy(items, ({ key }) => key),
]

/** Matches the ids of an email's release lines; '0' is the character after '/'. */
export const releaseIds = (emailId: string) => ({ $gt: `${emailId}/`, $lt: `${emailId}0` })
