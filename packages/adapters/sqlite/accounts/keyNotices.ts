import type { KeyNoticeStore } from '@postrider/ports/keyNotices.ts'
import type { SqliteDatabase } from '../client/database.ts'

/** A time that no clock reaches: the key is reported. */
const reported = Number.MAX_SAFE_INTEGER

/** Notices about unused keys in SQLite. */
export const sqliteKeyNotices = (db: SqliteDatabase): KeyNoticeStore => {
  const claim = db.prepare(`
    UPDATE api_keys SET notice_at = :until WHERE id IN (
      SELECT id FROM api_keys
      WHERE revoked_at IS NULL AND ifnull(last_used_at, created_at) <= :unusedBefore AND notice_at <= :now
        AND (expires_at IS NULL OR expires_at > :now)
      LIMIT :limit)
    RETURNING id, workspace`)
  const mark = db.prepare('UPDATE api_keys SET notice_at = ? WHERE id = ? AND notice_at = ?')
  return {
    claimUnusedKeys: async ({ now, unusedBefore, leaseMs, limit }) => {
      const until = now + leaseMs
      const rows = db.writeOne(() => claim.all({ now, unusedBefore, until, limit }))
      return rows.map(({ id, workspace }) => ({ id: String(id), workspace: String(workspace), until }))
    },
    markReported: async ({ id, until }) => db.writeOne(() => mark.run(reported, id, until)).changes === 1,
  }
}
