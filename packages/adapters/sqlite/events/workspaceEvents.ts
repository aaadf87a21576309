import type { Clock } from '@postrider/kit/clock.ts'
import type { NewWorkspaceEvent, WorkspaceEventStore } from '@postrider/ports/workspaceEvents.ts'
import type { SqliteDatabase } from '../client/database.ts'

/**
 * Stores events without an email. Call it inside of the write that makes the change, so that both are stored or
 * neither.
 */
export const workspaceEventRows = (db: SqliteDatabase): ((event: NewWorkspaceEvent, at: number) => boolean) => {
  const insert = db.prepare(`
    INSERT INTO workspace_events (id, workspace, mode, at, type, data) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT (id) DO NOTHING`)
  return ({ id, workspace, mode, type, data }, at) =>
    insert.run(id, workspace, mode, at, type, JSON.stringify(data)).changes === 1
}

/** Events without an email in SQLite. */
export const sqliteWorkspaceEvents = (db: SqliteDatabase, now: Clock): WorkspaceEventStore => {
  const insert = workspaceEventRows(db)
  const remove = db.prepare(`
    DELETE FROM workspace_events WHERE id IN (
      SELECT id FROM workspace_events INDEXED BY workspace_events_at WHERE at <= ? ORDER BY at LIMIT ?)`)
  return {
    insert: async (events) => db.write(() => events.filter((event) => insert(event, now())).map(({ id }) => id)),
    removeUntil: async (at, limit) => Number(db.writeOne(() => remove.run(at, limit)).changes),
  }
}
