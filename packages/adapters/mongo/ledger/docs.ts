import { randomUUID } from 'node:crypto'
import { dayOf, monthOf } from '@postrider/domain/quota/quota.ts'
import type { Pending } from '@postrider/ports/ledger.ts'
import type { Db } from 'mongodb'
import type { Indexes } from '../client/connect.ts'

/**
 * A workspace's month: the numbers that refuse, and what isn't a line yet. It stays small, for an entry lives as long
 * as its send is being taken. `used` and `days` are never less than lines and entries come to: what is taken counts
 * from the update that adds its entry, what is given back from the update that pulls it.
 */
export type MonthDoc = {
  /** `<workspace> <month>` */
  _id: string
  workspace: string
  /** `YYYY-MM` */
  month: string
  /** Raised by every update. */
  rev: number
  used: number
  /** By day of the month, two digits. */
  days: Record<string, number>
  pending: Entry[]
}

/** What is on its way into a line of the same id. `n`: sends taken, or, below zero, to be given back. */
export type Entry = { id: string; n: number; day: string; token: string; at: number }

/** An entry and the `_id` of the month that it is in. */
export type Placed = { key: string; entry: Entry }

/**
 * Never changed, and of an id there is one: whoever inserts it decides. A reservation that was taken back leaves a
 * `void` line of no sends under its id, so that it can't be committed or made again.
 */
export type LineDoc = {
  _id: string
  workspace: string
  /** `YYYY-MM-DD` */
  day: string
  kind: 'reserve' | 'release' | 'void'
  sends: number
  /** Of the entry that this line was made from. */
  token: string
}

export const ledgerIndexes: Indexes = {
  // Only entries that are pending are in it, so it is as small as they are few.
  ledger_months: [{ key: { 'pending.at': 1 } }],
  ledger_lines: [{ key: { workspace: 1, day: 1 } }],
}

export const monthsOf = (db: Db) => db.collection<MonthDoc>('ledger_months')
export const linesOf = (db: Db) => db.collection<LineDoc>('ledger_lines')

/** Which month of which workspace: the `_id` of its document. */
export const monthKey = ({ workspace, at }: { workspace: string; at: number }): string => `${workspace} ${monthOf(at)}`

export const partsOf = (key: string): { workspace: string; month: string } => {
  const space = key.lastIndexOf(' ')
  return { workspace: key.slice(0, space), month: key.slice(space + 1) }
}

/** The day of the month of a time, two digits. */
export const dayKey = (at: number): string => dayOf(at).slice('YYYY-MM-'.length)

/** A token no other entry has. It carries what was taken: a commit that counted anew writes what the entry took. */
const newToken = (n: number): string => `${n}.${randomUUID()}`

const sendsOfToken = (token: string): number => {
  const sends = Number(token.slice(0, token.indexOf('.')))
  if (!Number.isInteger(sends) || sends < 1) throw new Error('no reservation gave this token')
  return sends
}

export const newEntry = (id: string, n: number, at: number): Entry => ({
  id,
  n,
  day: dayKey(at),
  token: newToken(n),
  at,
})

export const pendingOf = (workspace: string, { id, n, at, token }: Entry): Pending => ({
  workspace,
  id,
  count: n,
  at,
  token,
})

export const entryOf = ({ id, at, token }: Omit<Pending, 'count'>): Entry => ({
  id,
  n: sendsOfToken(token),
  day: dayKey(at),
  token,
  at,
})

export const byMonth = <Item extends { key: string }>(items: readonly Item[]): [key: string, items: Item[]][] => [
  ...Map.groupBy(items, ({ key }) => key),
]

/** The line that makes an entry final: of a reservation what it took, of a release what it gives back. */
export const lineOf = (workspace: string, { id, n, at, token }: Entry): LineDoc => ({
  _id: id,
  workspace,
  day: dayOf(at),
  kind: n > 0 ? 'reserve' : 'release',
  sends: n,
  token,
})

export const voidLineOf = (workspace: string, entry: Entry): LineDoc => ({
  ...lineOf(workspace, entry),
  kind: 'void',
  sends: 0,
})

export const releaseId = (emailId: string, recipient: number): string => `${emailId}/${recipient}/release`

/** Ids of what was given back of an email: '0' comes right after '/'. */
export const releaseIds = (emailId: string) => ({ $gt: `${emailId}/`, $lt: `${emailId}0` })
