import {
  type Allowance,
  newAllowance,
  readAllowance,
  type StoredAllowance,
  storedChange,
} from '@postrider/domain/quota/plans.ts'
import {
  type PendingReservation,
  type Reservation,
  refusalOf,
  releasable,
  releaseLineId,
  standingOf,
  type Used,
} from '@postrider/domain/quota/quota.ts'
import { dayOf, monthOf } from '@postrider/domain/time.ts'
import type { Ledger, ReserveOutcome } from '@postrider/ports/ledger.ts'
import type { SqliteDatabase } from './database.ts'

/**
 * The ledger in SQLite. A line and its change of the totals are one transaction, so a reservation writes its line at
 * once; until it is committed, a row of `ledger_pending` marks it. The id of the line is the reservation's token.
 */
export const sqliteLedger = (db: SqliteDatabase): Ledger => {
  const lines = ledgerLines(db)
  const allowances = storedAllowances(db)
  const insertPending = db.prepare('INSERT INTO ledger_pending (id, at) VALUES (?, ?)')
  const deletePending = db.prepare('DELETE FROM ledger_pending WHERE id = ?')
  const oldPending = db.prepare(`
    SELECT id, at, workspace, sends FROM ledger_pending JOIN ledger_lines USING (id) WHERE at < ? ORDER BY at LIMIT ?`)

  const reserve = (entry: Reservation): ReserveOutcome => {
    const { workspace, id, count, at } = entry
    const allowance = allowances.get(workspace)
    const day = dayOf(at)
    const used = lines.used(workspace, day)
    const refusal = refusalOf(allowance, used, entry)
    const isNew = refusal === null && lines.add({ id, workspace, day, kind: 'reserve', sends: count })
    if (isNew) {
      insertPending.run(id, at)
      const after = { month: used.month + count, day: used.day + count }
      return { kind: 'reserved', token: id, standing: standingOf(allowance, after) }
    }
    // A repeated reservation is in `used` already.
    if (refusal && lines.find(id) === null) return { kind: 'refused', refusal }
    return { kind: 'reserved', token: id, standing: standingOf(allowance, used) }
  }

  /** Gives back one send for each of these recipients. @returns false: there is no such reservation */
  const release = ({ workspace, id, recipients }: Parameters<Ledger['release']>[0]): boolean => {
    const line = lines.find(id)
    if (line?.workspace !== workspace) return false
    const { left, written } = lines.released(line)
    const wanted = recipients.map((recipient) => ({ id: releaseLineId(id, recipient) }))
    for (const { id: lineId } of releasable(left, written, wanted))
      lines.add({ ...line, id: lineId, kind: 'release', sends: -1 })
    return true
  }

  /** Gives back all sends of a reservation. @returns false: it has none left */
  const takeBack = (id: string): boolean => {
    const line = lines.find(id)
    const left = line ? lines.released(line).left : 0
    return line !== null && left > 0 && lines.add({ ...line, id: `${id}/void`, kind: 'void', sends: -left })
  }

  return {
    reserve: async (entry) => db.write(() => reserve(entry)),
    commit: async ({ id, workspace, count, at }) => {
      if (db.writeOne(() => deletePending.run(id)).changes === 1) return
      db.write(() => lines.add({ id, workspace, day: dayOf(at), kind: 'reserve', sends: count }))
    },
    release: async (request) => {
      db.write(() => {
        if (release(request)) deletePending.run(request.id)
      })
    },
    pending: async (before, limit) => db.read(() => oldPending.all(before, limit).map(pendingOf)),
    settle: async ({ id }, emailExists) =>
      db.write(() => deletePending.run(id).changes === 1 && !emailExists && takeBack(id)),
    usage: async (workspace, at) =>
      db.read(() => ({
        ...standingOf(allowances.get(workspace), lines.used(workspace, dayOf(at))),
        history: lines.history(workspace, monthOf(at)),
      })),
    recount: async (workspace, month) => db.read(() => lines.recount(workspace, month)),
    allowance: async (workspace) => db.read(() => allowances.get(workspace)),
    setAllowance: async (workspace, change) =>
      db.write(() => allowances.set(workspace, { ...allowances.get(workspace), ...change })),
    deleteAllowance: async (workspace) => db.write(() => allowances.delete(workspace)),
  }
}

const pendingOf = (row: Record<string, unknown>): PendingReservation => {
  const id = String(row['id'])
  return { workspace: String(row['workspace']), id, count: Number(row['sends']), at: Number(row['at']), token: id }
}

type Line = { id: string; workspace: string; day: string; kind: 'reserve' | 'release' | 'void'; sends: number }

const monthPart = (day: string): string => day.slice(0, 'YYYY-MM'.length)

/** The lines and the totals derived from them. The caller runs these functions inside its write or read. */
const ledgerLines = (db: SqliteDatabase) => {
  const insert = db.prepare(
    'INSERT INTO ledger_lines (id, workspace, day, kind, sends) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING',
  )
  const addToTotals = db.prepare(`
    INSERT INTO ledger_totals VALUES (?1, ?2, ?4), (?1, ?3, ?4)
    ON CONFLICT DO UPDATE SET sends = sends + excluded.sends`)
  const select = db.prepare('SELECT * FROM ledger_lines WHERE id = ?')
  // Ids that begin with the reservation's id and a slash; '0' is the character after '/'.
  const givenBack = db.prepare("SELECT id, sends FROM ledger_lines WHERE id > ? || '/' AND id < ? || '0'")
  const sendsOf = 'SELECT sends FROM ledger_totals WHERE workspace = ? AND period = ?'
  const totals = db.prepare(`SELECT coalesce((${sendsOf}), 0) AS month, coalesce((${sendsOf}), 0) AS day`)
  return {
    /** @returns false: a line with this id exists, nothing changed */
    add: ({ id, workspace, day, kind, sends }: Line): boolean => {
      if (insert.run(id, workspace, day, kind, sends).changes === 0) return false
      addToTotals.run(workspace, monthPart(day), day, sends)
      return true
    },
    find: (id: string): Line | null => {
      const row = select.get(id)
      if (!row) return null
      const [workspace, day, kind] = [String(row['workspace']), String(row['day']), row['kind'] as Line['kind']]
      return { id, workspace, day, kind, sends: Number(row['sends']) }
    },
    /** @returns the ids of the lines that gave sends of a reservation back, and the sends that are left */
    released: ({ id, sends }: Line): { left: number; written: Set<string> } => {
      const rows = givenBack.all(id, id)
      const left = rows.reduce((sum, row) => sum + Number(row['sends']), sends)
      return { left, written: new Set(rows.map((row) => String(row['id']))) }
    },
    used: (workspace: string, day: string): Used => {
      const row = totals.get(workspace, monthPart(day), workspace, day)
      return { month: Number(row?.['month']), day: Number(row?.['day']) }
    },
    ...monthTotals(db),
  }
}

const monthTotals = (db: SqliteDatabase) => {
  const days = db.prepare('SELECT period, sends FROM ledger_totals WHERE workspace = ? AND period > ? AND period < ?')
  const sums = db.prepare(`
    SELECT day, sum(sends) AS sends FROM ledger_lines WHERE workspace = ? AND day BETWEEN ? AND ? GROUP BY day`)
  return {
    /** Returns the days of a month that have sends, oldest first. */
    history: (workspace: string, month: string): { date: string; sends: number }[] =>
      days
        .all(workspace, `${month}-`, `${month}-~`)
        .map((row) => ({ date: String(row['period']), sends: Number(row['sends']) }))
        .filter(({ sends }) => sends > 0),
    recount: (workspace: string, month: string): { used: number; days: Record<string, number> } => {
      const rows = sums
        .all(workspace, `${month}-`, `${month}-~`)
        .map((row) => [String(row['day']), Number(row['sends'])] as const)
        .filter(([, sends]) => sends > 0)
      return { used: rows.reduce((sum, [, sends]) => sum + sends, 0), days: Object.fromEntries(rows) }
    },
  }
}

/** Most allowances in memory. Every send reads one. */
const mostCached = 10_000

/** The allowances of this database, which no other process writes. */
const storedAllowances = (db: SqliteDatabase) => {
  const cached = new Map<string, Allowance>()
  // They may have been read from the transaction that failed.
  db.onFailedCommit(() => cached.clear())
  const select = db.prepare('SELECT doc FROM allowances WHERE workspace = ?')
  const upsert = db.prepare('INSERT INTO allowances VALUES (?, ?) ON CONFLICT DO UPDATE SET doc = excluded.doc')
  const remove = db.prepare('DELETE FROM allowances WHERE workspace = ?')
  return {
    get: (workspace: string): Allowance => {
      const known = cached.get(workspace)
      if (known) return known
      const row = select.get(workspace)
      const allowance = row ? readAllowance(JSON.parse(String(row['doc'])) as StoredAllowance) : newAllowance
      if (cached.size >= mostCached) cached.clear()
      cached.set(workspace, allowance)
      return allowance
    },
    set: (workspace: string, allowance: Allowance): Allowance => {
      upsert.run(workspace, JSON.stringify(storedChange(allowance)))
      cached.delete(workspace)
      return allowance
    },
    delete: (workspace: string): void => {
      remove.run(workspace)
      cached.delete(workspace)
    },
  }
}
