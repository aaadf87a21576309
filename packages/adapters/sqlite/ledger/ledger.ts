import {
  adjustLine,
  type DirectLine,
  daysWithSends,
  isAdjustable,
  releaseLine,
  reserveLine,
  restVoidLine,
} from '@postrider/domain/quota/entries.ts'
import { type Allowance, allowanceAt } from '@postrider/domain/quota/plans.ts'
import {
  type PendingReservation,
  quotaRefusalOf,
  type Reservation,
  releasable,
  releaseLineId,
  standingOf,
  type Used,
} from '@postrider/domain/quota/quota.ts'
import { newCrossings, thresholdsOf } from '@postrider/domain/quota/thresholds.ts'
import { dayOf, monthOf } from '@postrider/domain/time.ts'
import type { Clock } from '@postrider/kit/clock.ts'
import { derivedId } from '@postrider/kit/ids.ts'
import type { Ledger, ReserveOutcome } from '@postrider/ports/ledger.ts'
import { auditEntries } from '../audit/audit.ts'
import type { SqliteDatabase } from '../client/database.ts'
import { workspaceEventRows } from '../events/workspaceEvents.ts'
import { type Allowances, sqliteAllowances } from './allowances.ts'
import { pendingReservations } from './pending.ts'
import { ledgerTotals, monthPart } from './totals.ts'

/**
 * The ledger in SQLite. A ledger line and its change of the totals are one transaction, so a reservation writes its
 * line immediately. If it is not committed in the same transaction, a row of `ledger_pending` marks it until then. The
 * id of the line is the reservation's token. The event of a threshold is part of the transaction of the send that
 * reaches it.
 * @param now sets the times of events
 */
export const sqliteLedger = (
  db: SqliteDatabase,
  allowances: Allowances = sqliteAllowances(db),
  now: Clock = Date.now,
): Ledger => {
  const totals = ledgerTotals(db)
  const lines = ledgerLines(db, totals)
  const pending = pendingReservations(db)
  const { reserve, release, adjust, voidRest } = ledgerChanges(db, { lines, totals, pending, allowances, now })
  const addAuditEntries = auditEntries(db)
  const oldPending = db.prepare(`
    SELECT id, at, workspace, sends FROM ledger_pending JOIN ledger_lines USING (id) WHERE at < ? ORDER BY at LIMIT ?`)

  const pendingOfMonth = db.prepare(`
    SELECT 1 FROM ledger_pending CROSS JOIN ledger_lines USING (id) WHERE workspace = ? AND day BETWEEN ? AND ? LIMIT 1`)

  return {
    reserve: async (reservation) => lines.write(() => reserve(reservation)),
    commit: async (reservation) => {
      if (pending.removeOne(reservation.id)) return
      lines.write(() => lines.add(reserveLine(reservation, dayOf(reservation.at))))
    },
    release: async (request) => {
      if (lines.write(() => release(request))) pending.removeOne(request.id)
    },
    pending: async (before, limit) => {
      db.complete()
      return db.read(() => oldPending.all(before, limit).map(pendingOf))
    },
    settle: async ({ id }, emailExists) => {
      db.complete()
      return lines.write(() => pending.remove(id) && !emailExists && voidRest(id))
    },
    usage: async (workspace, at) => {
      db.complete()
      return db.read(() => ({
        ...standingOf(allowanceAt(allowances.get(workspace), at), totals.stored(workspace, dayOf(at))),
        history: lines.history(workspace, monthOf(at)),
      }))
    },
    adjust: async (correction) => lines.write(() => adjust(correction)),
    isSettled: async (workspace, month) => {
      db.complete()
      return db.read(() => pendingOfMonth.get(workspace, `${month}-`, `${month}-~`)) === undefined
    },
    allowance: async (workspace) => db.read(() => allowances.get(workspace)),
    setAllowance: async (workspace, change, entryOf) =>
      db.write(() => {
        const before = allowances.get(workspace)
        const after = { ...before, ...change }
        const entry = entryOf?.(before, after)
        if (entry === null) return before
        if (entry) addAuditEntries(entry)
        return allowances.set(workspace, after)
      }),
    deleteAllowance: async (workspace) => void db.write(() => allowances.delete(workspace)),
  }
}

type Totals = ReturnType<typeof ledgerTotals>
type ChangeParts = {
  lines: ReturnType<typeof ledgerLines>
  totals: Totals
  pending: Pick<ReturnType<typeof pendingReservations>, 'add'>
  allowances: Allowances
  now: Clock
}

/** Returns the changes of the ledger that have a rule. Each is called inside of `lines.write`. */
const ledgerChanges = (db: SqliteDatabase, { lines, totals, pending, allowances, now }: ChangeParts) => {
  const noteReached = reachedThresholds(db, now)

  const reserve = (reservation: Reservation): ReserveOutcome => {
    const { workspace, id, count, at } = reservation
    const allowance = allowanceAt(allowances.get(workspace), at)
    const day = dayOf(at)
    const used = totals.used(workspace, day)
    const refusal = quotaRefusalOf(allowance, used, reservation)
    const isNew = refusal === null && lines.add(reserveLine(reservation, day))
    if (isNew) {
      const after = { month: used.month + count, day: used.day + count }
      noteReached(workspace, allowance, after, { at, day })
      pending.add(reservation)
      return { kind: 'reserved', token: id, standing: standingOf(allowance, after) }
    }
    // A repeated reservation is in `used` already.
    if (refusal && lines.find(id) === null) {
      // The limit may be lower than when the last send was made.
      noteReached(workspace, allowance, used, { at, day })
      return { kind: 'refused', refusal }
    }
    return { kind: 'reserved', token: id, standing: standingOf(allowance, used) }
  }

  /** Releases one send for each of these recipients. @returns false: there is no such reservation */
  const release = ({ workspace, id, recipients }: Parameters<Ledger['release']>[0]): boolean => {
    const line = lines.find(id)
    if (line?.workspace !== workspace) return false
    const { left, written } = lines.released(line)
    const wanted = recipients.map((recipient) => ({ id: releaseLineId(id, recipient) }))
    for (const { id: lineId } of releasable(left, written, wanted)) lines.add(releaseLine(line, lineId))
    return true
  }

  const adjust = ({ workspace, id, sends, at }: Parameters<Ledger['adjust']>[0]): boolean => {
    if (lines.find(id) !== null) return true
    const line = adjustLine({ workspace, month: monthOf(at), id, sends })
    return isAdjustable(totals.used(workspace, line.day).month, sends) && lines.add({ ...line, id })
  }

  /** Releases all sends of a reservation. @returns false: it has none left */
  const voidRest = (id: string): boolean => {
    const line = lines.find(id)
    const voidLine = line && restVoidLine(line, lines.released(line).left)
    return voidLine !== null && lines.add(voidLine)
  }

  return { reserve, release, adjust, voidRest }
}

/**
 * Returns a function that stores the events of thresholds that these sends reach, each once. Call it inside of a write.
 */
const reachedThresholds = (db: SqliteDatabase, now: Clock) => {
  const addEvent = workspaceEventRows(db)
  const known = db.prepare('SELECT 1 FROM quota_marks WHERE workspace = ? AND month = ? AND mark = ?')
  const insert = db.prepare('INSERT INTO quota_marks VALUES (?, ?, ?)')
  const removeOld = db.prepare('DELETE FROM quota_marks WHERE workspace = ? AND month < ?')
  return (workspace: string, allowance: Allowance, used: Used, { at, day }: { at: number; day: string }): void => {
    const month = monthPart(day)
    const isKnown = (mark: string): boolean => known.get(workspace, month, mark) !== undefined
    const thresholds = thresholdsOf(allowance)
    for (const { mark, derivation, event } of newCrossings({ workspace, thresholds, used, at, isKnown })) {
      removeOld.run(workspace, month)
      insert.run(workspace, month, mark)
      addEvent({ id: derivedId('evt', derivation.at, derivation.cause), ...event }, now())
    }
  }
}

const pendingOf = (row: Record<string, unknown>): PendingReservation => {
  const id = String(row['id'])
  return { workspace: String(row['workspace']), id, count: Number(row['sends']), at: Number(row['at']), token: id }
}

const dayPart = (day: string): string => day.slice('YYYY-MM-'.length)

/** The ledger lines. The caller runs these functions inside `write` or a read. */
const ledgerLines = (db: SqliteDatabase, totals: Totals) => {
  const insert = db.prepare(
    'INSERT INTO ledger_lines (id, workspace, day, kind, sends) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING',
  )
  const select = db.prepare('SELECT * FROM ledger_lines WHERE id = ?')
  // Ids that begin with the reservation's id and a slash; '0' is the character after '/'.
  const selectReleases = db.prepare("SELECT id, sends FROM ledger_lines WHERE id > ? || '/' AND id < ? || '0'")
  const days = db.prepare(
    'SELECT period AS day, sends FROM ledger_totals WHERE workspace = ? AND period > ? AND period < ?',
  )
  /** Lines of the current write. */
  let added: DirectLine[] = []
  return {
    /** Runs several writes as one (`SqliteDatabase`). Its last step adds their lines to the totals. */
    write: <T>(work: () => T): T => {
      added = []
      return db.write(() => {
        const result = work()
        for (const line of added) totals.add(line)
        return result
      })
    },
    /** @returns false: a line with this id exists, nothing changed */
    add: (line: DirectLine): boolean => {
      const { id, workspace, day, kind, sends } = line
      if (insert.run(id, workspace, day, kind, sends).changes === 0) return false
      added.push(line)
      return true
    },
    find: (id: string): DirectLine | null => {
      const row = select.get(id)
      if (!row) return null
      const [workspace, day, kind] = [String(row['workspace']), String(row['day']), row['kind'] as DirectLine['kind']]
      return { id, workspace, day, kind, sends: Number(row['sends']) }
    },
    /** @returns the ids of the lines that released sends of a reservation, and the sends that are left */
    released: ({ id, sends }: DirectLine): { left: number; written: Set<string> } => {
      const rows = selectReleases.all(id, id)
      const left = rows.reduce((sum, row) => sum + Number(row['sends']), sends)
      return { left, written: new Set(rows.map((row) => String(row['id']))) }
    },
    /** Returns the days of the month that have sends, oldest first. */
    history: (workspace: string, month: string): { date: string; sends: number }[] => {
      const rows = days.all(workspace, `${month}-`, `${month}-~`)
      const sends = Object.fromEntries(rows.map((row) => [dayPart(String(row['day'])), Number(row['sends'])]))
      return Object.entries(daysWithSends(month, sends)).map(([date, count]) => ({ date, sends: count }))
    },
  }
}
