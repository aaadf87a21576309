import type { EventData, StoredEvent } from '@postrider/domain/events/event.ts'
import type { NotificationGroup } from '@postrider/domain/notifications/group.ts'
import { changedPreferences, type Preferences } from '@postrider/domain/notifications/kinds.ts'
import type { NotificationStore } from '@postrider/ports/notifications.ts'
import { auditEntries } from '../audit/audit.ts'
import type { Row, SqliteDatabase } from '../client/database.ts'

const eventOf = (row: Row): StoredEvent => ({
  id: String(row['id']),
  type: String(row['type']) as StoredEvent['type'],
  at: Number(row['at']),
  workspace: String(row['workspace']),
  mode: String(row['mode']) as StoredEvent['mode'],
  data: JSON.parse(String(row['data'])) as EventData,
})

const preferencesOf = (row: Row | undefined): Preferences =>
  row === undefined ? {} : (JSON.parse(String(row['doc'])) as Preferences)

/** Notifications in SQLite. */
export const sqliteNotifications = (db: SqliteDatabase): NotificationStore => ({
  ...events(db),
  ...groups(db),
  ...preferences(db),
  ...devices(db),
})

const events = (db: SqliteDatabase): Pick<NotificationStore, 'unnoticed' | 'markNoticed'> => {
  const found = db.prepare(`
    SELECT * FROM workspace_events INDEXED BY workspace_events_unnoticed WHERE noticed = 0 ORDER BY at LIMIT ?`)
  const mark = db.prepare('UPDATE workspace_events SET noticed = 1 WHERE id IN (SELECT value FROM json_each(?))')
  return {
    unnoticed: async (limit) => db.read(() => found.all(limit)).map(eventOf),
    markNoticed: async (ids) => void db.writeOne(() => mark.run(JSON.stringify(ids))),
  }
}

type Groups = Pick<NotificationStore, 'group' | 'writeGroup' | 'removeGroup' | 'dueGroups'>

const groups = (db: SqliteDatabase): Groups => {
  const read = db.prepare('SELECT doc, due_at, version FROM notification_groups WHERE key = ?')
  const insert = db.prepare('INSERT INTO notification_groups VALUES (?, ?, ?, 1, ?) ON CONFLICT DO NOTHING')
  const update = db.prepare(`
    UPDATE notification_groups SET due_at = ?, version = version + 1, doc = ? WHERE key = ? AND version = ?`)
  const remove = db.prepare('DELETE FROM notification_groups WHERE key = ? AND version = ?')
  const due = db.prepare('SELECT key FROM notification_groups WHERE due_at <= ? ORDER BY due_at LIMIT ?')
  return {
    group: async (key) => {
      const row = db.read(() => read.get(key))
      if (!row) return null
      const group = JSON.parse(String(row['doc'])) as NotificationGroup
      return { group, dueAt: Number(row['due_at']), version: Number(row['version']) }
    },
    writeGroup: async (key, group, dueAt, version) => {
      const doc = JSON.stringify(group)
      const written = db.writeOne(() =>
        version === null ? insert.run(key, group.workspace, dueAt, doc) : update.run(dueAt, doc, key, version),
      )
      return written.changes === 1
    },
    removeGroup: async (key, version) => void db.writeOne(() => remove.run(key, version)),
    dueGroups: async (now, limit) => db.read(() => due.all(now, limit)).map((row) => String(row['key'])),
  }
}

const preferences = (db: SqliteDatabase): Pick<NotificationStore, 'preferences' | 'setPreferences'> => {
  const all = db.prepare(`
    SELECT user, doc FROM notification_preferences WHERE workspace = ? AND user IN (SELECT value FROM json_each(?))`)
  const byUser = db.prepare('SELECT doc FROM notification_preferences WHERE workspace = ? AND user = ?')
  const addEntry = auditEntries(db)
  const set = db.prepare(`
    INSERT INTO notification_preferences VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET doc = excluded.doc`)
  return {
    preferences: async (workspace, users) => {
      const rows = db.read(() => all.all(workspace, JSON.stringify(users)))
      return new Map(rows.map((row) => [String(row['user']), preferencesOf(row)]))
    },
    setPreferences: async (user, changes, entryOf) =>
      db.write(() => {
        const { choices, before, after } = changedPreferences(
          (scope) => preferencesOf(byUser.get(scope, user)),
          changes,
        )
        const entry = entryOf(before, after)
        if (entry === null) return
        for (const { scope, kinds } of choices) set.run(scope, user, JSON.stringify(kinds))
        addEntry(entry)
      }),
  }
}

type Devices = Pick<NotificationStore, 'deviceOf' | 'rememberDevice' | 'forgetDevices'>

const devices = (db: SqliteDatabase): Devices => {
  // Two lookups in the index: a user may have many devices.
  const known = db.prepare(`
    SELECT EXISTS (SELECT 1 FROM known_devices WHERE user = ?1) AS some,
      EXISTS (SELECT 1 FROM known_devices WHERE user = ?1 AND device = ?2) AS known`)
  const remember = db.prepare(`
    INSERT INTO known_devices VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET seen_at = max(seen_at, excluded.seen_at)`)
  const forget = db.prepare(`
    DELETE FROM known_devices WHERE (user, device) IN (
      SELECT user, device FROM known_devices INDEXED BY known_devices_seen WHERE seen_at < ? LIMIT ?)`)
  return {
    deviceOf: async (user, device) => {
      const found = db.read(() => known.get(user, device))
      if (found?.['some'] !== 1) return 'first'
      return found['known'] === 1 ? 'known' : 'new'
    },
    rememberDevice: async (user, device, at) => void db.writeOne(() => remember.run(user, device, at)),
    forgetDevices: async (before, limit) => Number(db.writeOne(() => forget.run(before, limit)).changes),
  }
}
