import type { FeedPosition } from '@postrider/domain/events/event.ts'
import { afterAllIds } from '@postrider/domain/ids.ts'
import { pageRoom } from '@postrider/domain/listPage.ts'
import type { StoredEndpoint, WebhookEndpoint } from '@postrider/domain/webhooks/endpoint.ts'
import type { WebhookEndpointStore } from '@postrider/ports/webhookEndpoints.ts'
import { auditEntries } from '../audit/audit.ts'
import type { Row, SqliteDatabase } from '../client/database.ts'
import { fenceIncrements } from '../client/groupCommit.ts'

/** Endpoints of workspaces in SQLite. */
export const sqliteWebhookEndpoints = (db: SqliteDatabase): WebhookEndpointStore => {
  const fenceIncrement = fenceIncrements(db)
  return { ...changes(db, fenceIncrement), ...reads(db), ...scans(db, fenceIncrement) }
}

/** Returns the columns that follow from the endpoint itself and change with it. */
const columnsOf = (endpoint: WebhookEndpoint) => ({
  id: endpoint.id,
  enabled: endpoint.enabled ? 1 : 0,
  failing: endpoint.enabled && endpoint.failingSince !== null ? 1 : 0,
  hasNotices: endpoint.notices.length > 0 ? 1 : 0,
  doc: JSON.stringify(endpoint),
})

const endpointOf = (row: Row): WebhookEndpoint => JSON.parse(String(row['doc'])) as WebhookEndpoint

const storedOf = (row: Row): StoredEndpoint => ({ endpoint: endpointOf(row), rev: Number(row['rev']) })

const changes = (
  db: SqliteDatabase,
  fenceIncrement: () => number,
): Pick<WebhookEndpointStore, 'insert' | 'write' | 'remove'> => {
  const addEntries = auditEntries(db)
  const known = db.prepare('SELECT 1 FROM webhook_endpoints WHERE id = ?')
  const count = db.prepare('SELECT count(*) AS count FROM webhook_endpoints WHERE workspace = ?')
  const insert = db.prepare(`
    INSERT INTO webhook_endpoints (id, workspace, enabled, failing, has_notices, scan_at, doc)
    VALUES (:id, :workspace, :enabled, :failing, :hasNotices, :scanAt, :doc)`)
  const set = 'rev = rev + :increment, enabled = :enabled, failing = :failing, has_notices = :hasNotices, doc = :doc'
  const where = 'WHERE id = :id AND rev = :rev'
  const replace = db.prepare(`UPDATE webhook_endpoints SET ${set} ${where}`)
  const restart = db.prepare(`
    UPDATE webhook_endpoints
    SET ${set}, cursor = NULL, scan_at = :scanAt, lease_until = 0, fence = fence + :increment ${where}`)
  const remove = db.prepare('DELETE FROM webhook_endpoints WHERE workspace = ? AND id = ? RETURNING doc')
  return {
    insert: async (endpoint, max, audit) =>
      db.write(() => {
        if (known.get(endpoint.id)) return 'inserted'
        if (Number(count.get(endpoint.workspace)?.['count']) >= max) return 'full'
        insert.run({ ...columnsOf(endpoint), workspace: endpoint.workspace, scanAt: endpoint.since })
        addEntries(audit)
        return 'inserted'
      }),
    write: async (_id, rev, { endpoint, restart: isRestart }, audit) =>
      db.write(() => {
        const values = { ...columnsOf(endpoint), rev, increment: fenceIncrement() }
        const { changes } = isRestart ? restart.run({ ...values, scanAt: endpoint.since }) : replace.run(values)
        if (changes === 0) return false
        addEntries(...audit)
        return true
      }),
    remove: async (workspace, id, entry) =>
      db.write(() => {
        const row = remove.get(workspace, id)
        if (!row) return null
        const removed = endpointOf(row)
        addEntries(entry(removed))
        return removed
      }),
  }
}

const reads = (
  db: SqliteDatabase,
): Omit<
  WebhookEndpointStore,
  'insert' | 'write' | 'remove' | 'claimScans' | 'moveScan' | 'scanSoon' | 'clearScans'
> => {
  const byId = db.prepare('SELECT doc, rev FROM webhook_endpoints WHERE workspace = ? AND id = ?')
  const page = db.prepare('SELECT doc FROM webhook_endpoints WHERE workspace = ? AND id < ? ORDER BY id DESC')
  const enabled = db.prepare('SELECT doc FROM webhook_endpoints WHERE workspace = ? AND enabled = 1')
  const byIds = db.prepare('SELECT doc, rev FROM webhook_endpoints WHERE id IN (SELECT value FROM json_each(?))')
  const workspaces = db.prepare(
    'SELECT DISTINCT workspace FROM webhook_endpoints INDEXED BY webhook_endpoints_enabled WHERE enabled = 1',
  )
  const notices = db.prepare('SELECT doc, rev FROM webhook_endpoints WHERE has_notices = 1 ORDER BY id LIMIT ?')
  const secretIds = db.prepare(`
    SELECT DISTINCT json_extract(secret.value, '$.sealed.secretId') AS id
    FROM webhook_endpoints, json_each(doc, '$.secrets') AS secret`)
  const others = db.prepare(`
    SELECT doc, rev FROM webhook_endpoints
    WHERE EXISTS (SELECT 1 FROM json_each(doc, '$.secrets') AS secret WHERE json_extract(secret.value, '$.sealed.secretId') <> ?)
    LIMIT ?`)
  const counts = db.prepare(`
    SELECT count(*) AS "all", coalesce(sum(enabled), 0) AS enabled, coalesce(sum(failing), 0) AS failing
    FROM webhook_endpoints`)
  return {
    get: async (workspace, id) => {
      const row = db.read(() => byId.get(workspace, id))
      return row ? storedOf(row) : null
    },
    list: async ({ workspace, mode, before, limit }) => {
      const room = pageRoom<WebhookEndpoint>(limit)
      db.read(() => {
        for (const row of page.iterate(workspace, before ?? afterAllIds)) {
          const endpoint = endpointOf(row)
          if (mode !== null && endpoint.mode !== mode) continue
          if (!room.add(endpoint, Buffer.byteLength(String(row['doc'])))) return
        }
      })
      const { items: endpoints, hasMore } = room.page()
      return { endpoints, hasMore }
    },
    enabledOf: async (workspace) => db.read(() => enabled.all(workspace)).map(endpointOf),
    byIds: async (ids) => db.read(() => byIds.all(JSON.stringify(ids))).map(storedOf),
    enabledWorkspaces: async () => new Set(db.read(() => workspaces.all()).map((row) => String(row['workspace']))),
    withNotices: async (limit) => db.read(() => notices.all(limit)).map(storedOf),
    secretIds: async () => db.read(() => secretIds.all()).flatMap(({ id }) => (id === null ? [] : [String(id)])),
    sealedByOthers: async (secretId, limit) => db.read(() => others.all(secretId, limit)).map(storedOf),
    counts: async () => {
      const row = db.read(() => counts.get())
      const isEnabled = Number(row?.['enabled'])
      return { enabled: isEnabled, disabled: Number(row?.['all']) - isEnabled, failing: Number(row?.['failing']) }
    },
  }
}

const scans = (
  db: SqliteDatabase,
  fenceIncrement: () => number,
): Pick<WebhookEndpointStore, 'claimScans' | 'moveScan' | 'scanSoon' | 'clearScans'> => {
  const due = db.prepare(`
    SELECT seq FROM webhook_endpoints INDEXED BY webhook_endpoints_scans
    WHERE enabled = 1 AND scan_at <= :now AND lease_until <= :now ORDER BY scan_at LIMIT :limit`)
  const lease = db.prepare(`
    UPDATE webhook_endpoints SET lease_until = :until, fence = fence + :increment
    WHERE seq IN (SELECT value FROM json_each(:chosen)) RETURNING scan_at, cursor, fence, doc`)
  const move = db.prepare(`
    UPDATE webhook_endpoints SET cursor = :cursor, scan_at = :nextAt, lease_until = 0
    WHERE id = :id AND fence = :fence AND lease_until > 0`)
  const soon = db.prepare(`
    UPDATE webhook_endpoints SET scan_at = :at WHERE workspace = :workspace AND enabled = 1 AND scan_at > :at`)
  const clear = db.prepare('UPDATE webhook_endpoints SET lease_until = 0 WHERE lease_until > 0')
  return {
    claimScans: async ({ now, limit, leaseMs }) => {
      // SQLite reads a negative limit as none.
      if (limit < 1) return []
      const chosen = db.read(() => due.all({ now, limit })).map((row) => Number(row['seq']))
      if (chosen.length === 0) return []
      const values = { chosen: JSON.stringify(chosen), until: now + leaseMs, increment: fenceIncrement() }
      return db
        .writeOne(() => lease.all(values))
        .sort((a, b) => Number(a['scan_at']) - Number(b['scan_at']))
        .map((row) => ({
          endpoint: endpointOf(row),
          cursor: row['cursor'] === null ? null : (JSON.parse(String(row['cursor'])) as FeedPosition),
          fence: Number(row['fence']),
        }))
    },
    moveScan: async (id, fence, { cursor, nextAt }) =>
      db.writeOne(() => move.run({ id, fence, cursor: JSON.stringify(cursor), nextAt })).changes > 0,
    scanSoon: async (workspace, at) => {
      db.writeOne(() => soon.run({ workspace, at }))
    },
    clearScans: async () => {
      db.writeOne(() => clear.run())
    },
  }
}
