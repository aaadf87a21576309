import type { Allowance, Reservation } from '@postrider/domain/quota/quota.ts'
import { dayOf, monthOf, newAllowance, refusalOf, standingOf } from '@postrider/domain/quota/quota.ts'
import type { Ledger, Pending } from '@postrider/ports/ledger.ts'
import type { SqliteDatabase } from './database.ts'
import { ledgerLines } from './ledgerLines.ts'

/** The ledger in SQLite: a line and what it does to the totals are one transaction, so they can't part. */
export const sqliteLedger = (db: SqliteDatabase): Ledger => {
  const lines = ledgerLines(db)
  const allowances = keptAllowances(db)
  const insertPending = db.prepare('INSERT INTO ledger_pending (id, at) VALUES (?, ?)')
  const deletePending = db.prepare('DELETE FROM ledger_pending WHERE id = ?')
  const oldPending = db.prepare(`
    SELECT id, at, workspace, sends FROM ledger_pending JOIN ledger_lines USING (id) WHERE at < ? ORDER BY at LIMIT ?`)

  const reserve = (entry: Reservation) => {
    const { workspace, id, count, at } = entry
    const allowance = allowances.get(workspace)
    const day = dayOf(at)
    const used = lines.used(workspace, day)
    if (!lines.add({ id, workspace, day, kind: 'reserve', sends: count })) return standingOf(allowance, used)
    const refusal = refusalOf(allowance, used, entry)
    if (refusal) throw refusal
    insertPending.run(id, at)
    return standingOf(allowance, { month: used.month + count, day: used.day + count })
  }

  return {
    // The line's id is proof enough where the line is there from the start.
    reserve: async (entry) => ({ ...db.write(() => reserve(entry)), token: entry.id }),
    commit: async ({ id, workspace, count, at }) => {
      if (db.writeOne(() => deletePending.run(id)).changes === 1) return
      db.write(() => lines.add({ id, workspace, day: dayOf(at), kind: 'reserve', sends: count }))
    },
    release: async ({ workspace, id, recipients }) => {
      db.write(() => {
        if (lines.release(workspace, id, recipients)) deletePending.run(id)
      })
    },
    pending: async (before, limit) => db.read(() => oldPending.all(before, limit).map(pendingOf)),
    settle: async ({ id }, there) => db.write(() => deletePending.run(id).changes === 1 && !there && lines.void(id)),
    usage: async (workspace, at) =>
      db.read(() => ({
        ...standingOf(allowances.get(workspace), lines.used(workspace, dayOf(at))),
        history: lines.history(workspace, monthOf(at)),
      })),
    recount: async (workspace, month) => db.read(() => lines.recount(workspace, month)),
    allowance: async (workspace) => db.read(() => allowances.get(workspace)),
    setAllowance: async (workspace, change) =>
      db.write(() => allowances.set(workspace, { ...allowances.get(workspace), ...change })),
  }
}

const pendingOf = (row: Record<string, unknown>): Pending => {
  const id = String(row['id'])
  return { workspace: String(row['workspace']), id, count: Number(row['sends']), at: Number(row['at']), token: id }
}

const keptAllowances = (db: SqliteDatabase) => {
  const select = db.prepare('SELECT doc FROM allowances WHERE workspace = ?')
  const upsert = db.prepare('INSERT INTO allowances VALUES (?, ?) ON CONFLICT DO UPDATE SET doc = excluded.doc')
  return {
    get: (workspace: string): Allowance => {
      const row = select.get(workspace)
      return row ? (JSON.parse(String(row['doc'])) as Allowance) : newAllowance
    },
    set: (workspace: string, allowance: Allowance): Allowance => {
      upsert.run(workspace, JSON.stringify(allowance))
      return allowance
    },
  }
}
