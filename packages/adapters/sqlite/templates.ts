import { pageRoom } from '@postrider/domain/listPage.ts'
import { Fault } from '@postrider/kit/fault.ts'
import type { StoredTemplate, TemplateStore, TemplateSummary } from '@postrider/ports/templates.ts'
import type { SqliteDatabase } from './database.ts'

const templateOf = (row: Record<string, unknown>): StoredTemplate => JSON.parse(String(row['doc'])) as StoredTemplate

/** Sorts after every id; ids are ASCII. */
const afterAllIds = '~'

/**
 * The version under which the newest one is stored without its bodies, so that lists do not read them. Earlier releases
 * read only versions from 1, and write no such row.
 */
const summaryVersion = 0

/** Templates in SQLite. */
export const sqliteTemplates = (db: SqliteDatabase): TemplateStore => ({ ...inserts(db), ...reads(db) })

const inserts = (db: SqliteDatabase): Pick<TemplateStore, 'insert'> => {
  const count = db.prepare('SELECT count(*) AS count FROM templates WHERE workspace = ?')
  const named = db.prepare('SELECT 1 FROM templates WHERE workspace = ? AND name = ?')
  const insert = db.prepare('INSERT INTO templates (id, workspace, name, newest) VALUES (?, ?, ?, ?)')
  const insertVersion = db.prepare('INSERT INTO template_versions (template, version, doc) VALUES (?, ?, ?)')
  return {
    insert: async (template, most) => {
      const { id, workspace, name, version } = template
      const { htmlBody: _, textBody: __, ...summary } = template
      return db.write(() => {
        if (named.get(workspace, name)) throw new Fault('conflict', 'A template with this name exists.')
        if (Number(count.get(workspace)?.['count']) >= most) return false
        insert.run(id, workspace, name, version)
        insertVersion.run(id, version, JSON.stringify(template))
        insertVersion.run(id, summaryVersion, JSON.stringify(summary satisfies TemplateSummary))
        return true
      })
    },
  }
}

const reads = (db: SqliteDatabase): Pick<TemplateStore, 'get' | 'list'> => {
  const select = db.prepare(`
    SELECT doc FROM templates JOIN template_versions ON template = id AND version = iif(? = 0, newest, ?)
    WHERE id = ? AND workspace = ?`)
  // The second argument of coalesce is only evaluated for templates that an earlier release stored.
  const selectPage = db.prepare(`
    SELECT coalesce(summary.doc, (
      SELECT json_remove(doc, '$.htmlBody', '$.textBody') FROM template_versions WHERE template = id AND version = newest
    )) AS doc
    FROM templates LEFT JOIN template_versions AS summary ON summary.template = id AND summary.version = ${summaryVersion}
    WHERE workspace = ? AND id < ? ORDER BY id DESC LIMIT ?`)
  return {
    get: async (workspace, id, version) => {
      const row = db.read(() => select.get(version, version, id, workspace))
      return row ? templateOf(row) : null
    },
    list: async (workspace, before, limit) => {
      const templates: TemplateSummary[] = []
      const fits = pageRoom()
      return db.read(() => {
        for (const { doc } of selectPage.iterate(workspace, before ?? afterAllIds, limit + 1)) {
          const text = String(doc)
          if (templates.length === limit || !fits(Buffer.byteLength(text))) return { templates, hasMore: true }
          templates.push(JSON.parse(text) as TemplateSummary)
        }
        return { templates, hasMore: false }
      })
    },
  }
}
