import {
  type Allowance,
  isBilled,
  newAllowance,
  readAllowance,
  type StoredAllowance,
  storedChange,
} from '@postrider/domain/quota/plans.ts'
import { boundedMap } from '@postrider/kit/boundedMap.ts'
import type { SqliteDatabase } from '../client/database.ts'

/** Maximum number of allowances in memory. Every send reads one. */
const maxCached = 10_000

/**
 * The allowances of this database, which no other process writes. One object serves the ledger, billing and the removal
 * of workspaces, so that a change applies to the next send.
 */
export const sqliteAllowances = (db: SqliteDatabase) => {
  const cached = boundedMap<Allowance>(maxCached)
  // They may have been read from the transaction that failed.
  db.onFailedCommit(cached.clear)
  const select = db.prepare('SELECT doc FROM allowances WHERE workspace = ?')
  const upsert = db.prepare('INSERT INTO allowances VALUES (?, ?) ON CONFLICT DO UPDATE SET doc = excluded.doc')
  // A workspace that is billed already has a row.
  const bill = db.prepare('INSERT INTO billing_accounts VALUES (?, 0, 0, NULL) ON CONFLICT DO NOTHING')
  const remove = db.prepare('DELETE FROM allowances WHERE workspace = ?')
  const removeUnbilled = db.prepare('DELETE FROM billing_accounts WHERE workspace = ? AND doc IS NULL')
  return {
    get: (workspace: string): Allowance => {
      const known = cached.get(workspace)
      if (known) return known
      const row = select.get(workspace)
      const allowance = row ? readAllowance(JSON.parse(String(row['doc'])) as StoredAllowance) : newAllowance
      cached.set(workspace, allowance)
      return allowance
    },
    set: (workspace: string, allowance: Allowance): Allowance => {
      upsert.run(workspace, JSON.stringify(storedChange(allowance)))
      if (isBilled(allowance.plan)) bill.run(workspace)
      else removeUnbilled.run(workspace)
      cached.delete(workspace)
      return allowance
    },
    /** @returns how many rows it removed */
    delete: (workspace: string): number => {
      cached.delete(workspace)
      return Number(remove.run(workspace).changes) + Number(removeUnbilled.run(workspace).changes)
    },
  }
}

export type Allowances = ReturnType<typeof sqliteAllowances>
