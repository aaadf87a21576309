import { Fault } from '@postrider/kit/fault.ts'
import type { StoredTemplate, TemplateStore } from '@postrider/ports/templates.ts'
import type { SqliteDatabase } from './database.ts'

const templateOf = (row: Record<string, unknown>): StoredTemplate => JSON.parse(String(row['doc'])) as StoredTemplate

/** Sorts after every id; ids are ASCII. */
const afterAllIds = '~'

/** Templates in SQLite. */
export const sqliteTemplates = (db: SqliteDatabase): TemplateStore => {
  const named = db.prepare('SELECT 1 FROM templates WHERE workspace = ? AND name = ?')
  const insert = db.prepare('INSERT INTO templates (id, workspace, name, newest) VALUES (?, ?, ?, ?)')
  const insertVersion = db.prepare('INSERT INTO template_versions (template, version, doc) VALUES (?, ?, ?)')
  const select = db.prepare(`
    SELECT doc FROM templates JOIN template_versions ON template = id AND version = iif(? = 0, newest, ?)
    WHERE id = ? AND workspace = ?`)
  const selectPage = db.prepare(`
    SELECT doc FROM templates JOIN template_versions ON template = id AND version = newest
    WHERE workspace = ? AND id < ? ORDER BY id DESC LIMIT ?`)
  return {
    insert: async (template) => {
      const { id, workspace, name, version } = template
      db.write(() => {
        if (named.get(workspace, name)) throw new Fault('conflict', 'A template with this name exists.')
        insert.run(id, workspace, name, version)
        insertVersion.run(id, version, JSON.stringify(template))
      })
    },
    get: async (workspace, id, version) => {
      const row = db.read(() => select.get(version, version, id, workspace))
      return row ? templateOf(row) : null
    },
    list: async (workspace, before, limit) => {
      const rows = db.read(() => selectPage.all(workspace, before ?? afterAllIds, limit + 1))
      return { templates: rows.slice(0, limit).map(templateOf), hasMore: rows.length > limit }
    },
  }
}
