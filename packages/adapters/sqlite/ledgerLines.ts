import type { SqliteDatabase } from './database.ts'

type Line = { id: string; workspace: string; day: string; kind: 'reserve' | 'release' | 'void'; sends: number }

/** The month of a day. */
const monthPart = (day: string): string => day.slice(0, 'YYYY-MM'.length)

/** The lines and the totals derived from them. Everything here runs within a write or read of the caller. */
export const ledgerLines = (db: SqliteDatabase) => {
  const insert = db.prepare(
    'INSERT INTO ledger_lines (id, workspace, day, kind, sends) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING',
  )
  const addTo = db.prepare(`
    INSERT INTO ledger_totals VALUES (?1, ?2, ?4), (?1, ?3, ?4)
    ON CONFLICT DO UPDATE SET sends = sends + excluded.sends`)
  const select = db.prepare('SELECT * FROM ledger_lines WHERE id = ?')
  // '0' comes right after '/': every line about this reservation but its own.
  const givenBack = db.prepare("SELECT -total(sends) AS sends FROM ledger_lines WHERE id > ? || '/' AND id < ? || '0'")
  const sendsOf = 'SELECT sends FROM ledger_totals WHERE workspace = ? AND period = ?'
  const totals = db.prepare(`SELECT coalesce((${sendsOf}), 0) AS month, coalesce((${sendsOf}), 0) AS day`)
  const days = db.prepare('SELECT period, sends FROM ledger_totals WHERE workspace = ? AND period > ? AND period < ?')
  const sums = db.prepare(`
    SELECT day, sum(sends) AS sends FROM ledger_lines WHERE workspace = ? AND day BETWEEN ? AND ? GROUP BY day`)

  const add = (line: Line): boolean => {
    const { id, workspace, day, kind, sends } = line
    if (insert.run(id, workspace, day, kind, sends).changes === 0) return false
    addTo.run(workspace, monthPart(day), day, sends)
    return true
  }

  /** The reserve line of an id, with how much of it wasn't given back. */
  const reserved = (id: string): (Omit<Line, 'kind'> & { left: number }) | null => {
    const row = select.get(id)
    if (!row) return null
    const sends = Number(row['sends'])
    const left = sends - Number(givenBack.get(id, id)?.['sends'])
    return { id, workspace: String(row['workspace']), day: String(row['day']), sends, left }
  }

  return {
    /** @returns false: a line of this id is there, nothing changed */
    add,
    /** What the day and its month have used. */
    used: (workspace: string, day: string): { month: number; day: number } => {
      const row = totals.get(workspace, monthPart(day), workspace, day)
      return { month: Number(row?.['month']), day: Number(row?.['day']) }
    },
    /** Gives back one send for each of these recipients, never more than was reserved. @returns false: nothing was */
    release: (workspace: string, id: string, recipients: readonly number[]): boolean => {
      const line = reserved(id)
      if (line?.workspace !== workspace) return false
      let left = line.left
      for (const number of recipients) {
        if (left === 0) return true
        if (add({ ...line, id: `${id}/${number}/release`, kind: 'release', sends: -1 })) left -= 1
      }
      return true
    },
    /** Gives back a reservation whose email can't come any more. @returns false: there was nothing to give back */
    void: (id: string): boolean => {
      const line = reserved(id)
      return line !== null && line.left > 0 && add({ ...line, id: `${id}/void`, kind: 'void', sends: -line.left })
    },
    /** Days of a month that had any sends, oldest first. */
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
