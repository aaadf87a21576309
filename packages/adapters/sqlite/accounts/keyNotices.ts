import { afterAllIds } from '@postrider/domain/ids.ts'
import { neverMs } from '@postrider/domain/time.ts'
import type { KeyNoticeStore } from '@postrider/ports/keyNotices.ts'
import { tableScan } from '../../tableScan.ts'
import type { SqliteDatabase } from '../client/database.ts'

/** Notices about unused keys in SQLite. The time of use has no index, which each use of a key would have to write. */
export const sqliteKeyNotices = (db: SqliteDatabase): KeyNoticeStore => {
  const unused = `
    SELECT id FROM api_keys
    WHERE id > :after AND id <= :upto
      AND revoked_at IS NULL AND ifnull(last_used_at, created_at) <= :unusedBefore AND notice_at <= :now
      AND (expires_at IS NULL OR expires_at > :now)
    ORDER BY id LIMIT :limit`
  const end = db.prepare('SELECT id FROM api_keys WHERE id > ? ORDER BY id LIMIT 1 OFFSET ?')
  const find = db.prepare(unused)
  const claim = db.prepare(`UPDATE api_keys SET notice_at = :until WHERE id IN (${unused}) RETURNING id, workspace`)
  const mark = db.prepare('UPDATE api_keys SET notice_at = ? WHERE id = ? AND notice_at = ?')
  const pass = tableScan((after, rows) => {
    const row = db.read(() => end.get(after, rows - 1))
    return row ? String(row['id']) : null
  })
  return {
    claimUnusedKeys: async ({ now, unusedBefore, leaseMs, limit: max }) => {
      const until = now + leaseMs
      return pass(max, (after, upto, limit) => {
        const part = { now, unusedBefore, after, upto: upto ?? afterAllIds, limit }
        // A transaction without a write would still be one with an fsync.
        if (db.read(() => find.get(part)) === undefined) return []
        const claims = db
          .writeOne(() => claim.all({ ...part, until }))
          .map(({ id, workspace }) => ({
            id: String(id),
            workspace: String(workspace),
            until,
          }))
        return claims.sort((one, other) => (one.id < other.id ? -1 : 1))
      })
    },
    markReported: async ({ id, until }) => db.writeOne(() => mark.run(neverMs, id, until)).changes === 1,
  }
}
