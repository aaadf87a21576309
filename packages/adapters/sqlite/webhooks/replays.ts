import type { StatementSync } from 'node:sqlite'
import { setImmediate as nextIteration } from 'node:timers/promises'
import { type ClaimedReplay, replayDueAt, type WebhookReplay } from '@postrider/domain/webhooks/replay.ts'
import type { WebhookReplayStore } from '@postrider/ports/webhookReplays.ts'
import { auditEntries } from '../audit/audit.ts'
import type { Row, SqliteDatabase } from '../client/database.ts'
import { fenceIncrements } from '../client/groupCommit.ts'

const replayOf = (row: Row): WebhookReplay => JSON.parse(String(row['doc'])) as WebhookReplay

/** Replays that one event loop iteration removes: some milliseconds. */
const replaysPerIteration = 500

/** Replays in SQLite. */
export const sqliteWebhookReplays = (db: SqliteDatabase): WebhookReplayStore => {
  const fenceIncrement = fenceIncrements(db)
  const addEntries = auditEntries(db)
  const known = db.prepare('SELECT 1 FROM webhook_replays WHERE id = ?')
  const running = db.prepare('SELECT 1 FROM webhook_replays WHERE endpoint = ? AND due_at IS NOT NULL')
  const insert = db.prepare('INSERT INTO webhook_replays (id, endpoint, workspace, due_at, doc) VALUES (?, ?, ?, ?, ?)')
  const byId = db.prepare('SELECT doc FROM webhook_replays WHERE endpoint = ? AND id = ?')
  const newest = db.prepare('SELECT doc FROM webhook_replays WHERE endpoint = ? ORDER BY id DESC LIMIT 1')
  const newestOf = db.prepare(`
    SELECT doc FROM webhook_replays WHERE id IN (
      SELECT (SELECT max(id) FROM webhook_replays WHERE endpoint = requested.value) FROM json_each(?) AS requested)`)
  const claim = db.prepare(`
    UPDATE webhook_replays SET due_at = :until, fence = fence + :increment
    WHERE seq IN (
      SELECT seq FROM webhook_replays WHERE due_at <= :now AND workspace NOT IN (SELECT value FROM json_each(:except))
      ORDER BY due_at LIMIT :limit)
    RETURNING fence, doc`)
  const write = db.prepare(
    'UPDATE webhook_replays SET due_at = :dueAt, doc = :doc WHERE id = :id AND fence = :fence AND due_at IS NOT NULL',
  )
  const clear = db.prepare("UPDATE webhook_replays SET due_at = json_extract(doc, '$.createdAt') WHERE due_at > -1")
  const removal = (of: string) =>
    db.prepare(
      `DELETE FROM webhook_replays WHERE seq IN (SELECT seq FROM webhook_replays ${of} LIMIT ${replaysPerIteration})`,
    )
  const removeOf = removal('WHERE endpoint = ?')
  const removeBefore = removal(
    "INDEXED BY webhook_replays_ended WHERE due_at IS NULL AND json_extract(doc, '$.endedAt') < ?",
  )
  const removeAll = async (statement: StatementSync, of: string | number): Promise<number> => {
    for (let all = 0; ; await nextIteration()) {
      const removed = Number(db.writeOne(() => statement.run(of)).changes)
      all += removed
      if (removed < replaysPerIteration) return all
    }
  }
  return {
    insert: async (replay, audit) =>
      db.write(() => {
        const { id, endpoint, workspace } = replay
        if (known.get(id)) return 'inserted'
        if (running.get(endpoint)) return 'running'
        insert.run(id, endpoint, workspace, replayDueAt(replay, null), JSON.stringify(replay))
        addEntries(audit)
        return 'inserted'
      }),
    get: async (endpoint, id) => {
      const row = db.read(() => (id === null ? newest.get(endpoint) : byId.get(endpoint, id)))
      return row ? replayOf(row) : null
    },
    newest: async (endpoints) => {
      const found = db.read(() => newestOf.all(JSON.stringify(endpoints))).map(replayOf)
      return new Map(found.map((replay) => [replay.endpoint, replay]))
    },
    claim: async ({ now, limit, leaseMs, except }) => {
      // SQLite reads a negative limit as none.
      if (limit < 1) return []
      const values = { now, limit, until: now + leaseMs, increment: fenceIncrement(), except: JSON.stringify(except) }
      return db
        .writeOne(() => claim.all(values))
        .map((row): ClaimedReplay => ({ replay: replayOf(row), fence: Number(row['fence']) }))
    },
    write: async (id, fence, replay, leaseUntil) => {
      const dueAt = replayDueAt(replay, leaseUntil)
      return db.writeOne(() => write.run({ id, fence, dueAt, doc: JSON.stringify(replay) })).changes > 0
    },
    clearLeases: async () => {
      db.writeOne(() => clear.run())
    },
    removeOf: (endpoint) => removeAll(removeOf, endpoint),
    removeBefore: (at) => removeAll(removeBefore, at),
  }
}
