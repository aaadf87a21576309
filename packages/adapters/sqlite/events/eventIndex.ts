import type { Email } from '@postrider/domain/email/email.ts'
import type { SqliteDatabase } from '../client/database.ts'

/** The index of the events in the records of emails. A reader first calls `db.complete`, so that it sees all of it. */
export type EventIndex = {
  /**
   * Adds the new events of an email. A write calls it when none of its statements can fail any more, so that the index
   * is committed with the record.
   * @param stored how many of its events are in the index; absent: the function searches for them
   */
  addEvents(email: Email, stored?: number): void
  /** Called inside of the write that removes the record, after `db.complete`. */
  removeEvents(email: Email): void
}

/** Rows of one statement: a statement of 64 rows takes a third of the time of 64 statements. */
const rowsPerStatement = [64, 16, 4, 1] as const

/** Columns of a row. */
const width = 5

/** The rows of a transaction are inserted together, at its end: a statement per event would cost twice as much. */
export const eventIndex = (db: SqliteDatabase): EventIndex => {
  const inserts = rowsPerStatement.map((rows) => {
    const values = Array(rows).fill('(?, ?, ?, ?, ?)').join(', ')
    return {
      size: rows * width,
      insert: db.prepare(`INSERT OR IGNORE INTO events (workspace, mode, at, id, email) VALUES ${values}`),
    }
  })
  const insertOne = db.prepare('INSERT OR IGNORE INTO events (workspace, mode, at, id, email) VALUES (?, ?, ?, ?, ?)')
  const remove = db.prepare('DELETE FROM events WHERE workspace = ? AND mode = ? AND at = ? AND id = ?')
  /** The values of the rows, one row after the other. */
  let added: (string | number)[] = []
  db.beforeCommit(() => {
    let from = 0
    for (const { size, insert } of inserts)
      for (; added.length - from >= size; from += size) insert.run(...added.slice(from, from + size))
    added = []
  })
  db.onFailedCommit(() => {
    added = []
  })
  return {
    addEvents: ({ id: email, workspace, mode, events }, stored) => {
      if (stored !== undefined) {
        for (const { at, id } of events.slice(stored)) added.push(workspace, mode, at, id, email)
        return
      }
      // Each write adds all of its events, so those before one that is in the index are in it too.
      for (const { at, id } of events.toReversed())
        if (insertOne.run(workspace, mode, at, id, email).changes === 0) return
    },
    removeEvents: ({ workspace, mode, events }) => {
      for (const { at, id } of events) remove.run(workspace, mode, at, id)
    },
  }
}
