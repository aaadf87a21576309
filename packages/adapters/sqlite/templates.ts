import { afterAllIds } from '@postrider/domain/ids.ts'
import { pageRoom } from '@postrider/domain/listPage.ts'
import { newestVersion } from '@postrider/domain/templates/template.ts'
import { makeSlices, nextSlice, type Slices } from '@postrider/kit/slices.ts'
import type { StoredTemplate, TakenName, TemplateStore, TemplateSummary } from '@postrider/ports/templates.ts'
import { auditEntries } from './audit/audit.ts'
import type { SqliteDatabase } from './client/database.ts'
import { templateRemoval } from './templateRemoval.ts'

const templateOf = (row: Record<string, unknown>): StoredTemplate => JSON.parse(String(row['doc'])) as StoredTemplate

/**
 * The version under which the newest one is stored without its bodies, so that lists do not read them. The summary of
 * version n is also stored under -n. Earlier releases read only versions from 1.
 */
const summaryVersion = 0

/** Bytes of summaries that are read per event loop iteration: about a millisecond. */
const iterationBytes = 2 ** 18

/** Characters of bodies that are written in an event loop iteration that may have other long work. */
const shortBodies = 32 * 1024

/** Templates in SQLite. @param slices runs the writing of long templates and the reading of lists */
export const sqliteTemplates = (db: SqliteDatabase, slices: Slices = makeSlices()): TemplateStore => ({
  ...writes(db, slices),
  ...reads(db),
  ...lists(db, slices),
})

const writes = (db: SqliteDatabase, slices: Slices): Pick<TemplateStore, 'insert' | 'update' | 'remove'> => {
  const addEntries = auditEntries(db)
  const count = db.prepare('SELECT count(*) AS count FROM templates WHERE workspace = ?')
  const named = db.prepare('SELECT 1 FROM templates WHERE workspace = ? AND name = ? AND id <> ?')
  const aliased = db.prepare('SELECT 1 FROM templates WHERE workspace = ? AND alias = ? AND id <> ?')
  const insert = db.prepare('INSERT INTO templates (id, workspace, name, alias, newest) VALUES (?, ?, ?, ?, ?)')
  const isNewest = db.prepare('SELECT 1 FROM templates WHERE id = ? AND workspace = ? AND newest = ?')
  const raise = db.prepare('UPDATE templates SET name = ?, alias = ?, newest = ? WHERE id = ?')
  const putVersion = db.prepare('INSERT OR REPLACE INTO template_versions (template, version, doc) VALUES (?, ?, ?)')
  const removal = templateRemoval(db, slices)

  const takenName = ({ id, workspace, name, alias }: StoredTemplate): TakenName | null => {
    if (named.get(workspace, name, id)) return 'name_taken'
    return alias !== undefined && aliased.get(workspace, alias, id) ? 'alias_taken' : null
  }
  /** A template of the largest size takes milliseconds to write. */
  const sliceFor = async ({ workspace, htmlBody, textBody }: StoredTemplate): Promise<void> => {
    if ((htmlBody?.length ?? 0) + (textBody?.length ?? 0) > shortBodies) await nextSlice(slices.of(workspace))
  }
  const putVersions = (template: StoredTemplate): void => {
    const { id, version, htmlBody: _, textBody: __, ...rest } = template
    const summary = JSON.stringify({ id, version, ...rest } satisfies TemplateSummary)
    putVersion.run(id, version, JSON.stringify(template))
    putVersion.run(id, -version, summary)
    putVersion.run(id, summaryVersion, summary)
  }
  return {
    insert: async (template, max, audit) => {
      const { id, workspace, name, alias, version } = template
      await sliceFor(template)
      return db.write(() => {
        const taken = takenName(template)
        if (taken !== null) return taken
        if (Number(count.get(workspace)?.['count']) >= max) return 'full'
        insert.run(id, workspace, name, alias ?? null, version)
        putVersions(template)
        addEntries(audit)
        return 'stored'
      })
    },
    update: async (template, audit) => {
      const { id, workspace, name, alias, version } = template
      await sliceFor(template)
      return db.write(() => {
        if (!isNewest.get(id, workspace, version - 1)) return 'changed'
        const taken = takenName(template)
        if (taken !== null) return taken
        raise.run(name, alias ?? null, version, id)
        putVersions(template)
        addEntries(audit)
        return 'stored'
      })
    },
    remove: async (workspace, id, version, audit) => {
      const isHidden = db.write(() => {
        if (!removal.hide(workspace, id, version)) return false
        addEntries(audit)
        return true
      })
      // What a failure leaves is deleted by the next removal, or by the next start.
      if (isHidden) await removal.forget().catch(() => undefined)
      return isHidden
    },
  }
}

const reads = (db: SqliteDatabase): Pick<TemplateStore, 'get' | 'getByAlias'> => {
  // A summary, under a version below 1, is no version.
  const wanted = `template = id AND version = iif(? = ${newestVersion}, newest, ?) AND version > 0`
  const select = db.prepare(
    `SELECT doc FROM templates JOIN template_versions ON ${wanted} WHERE id = ? AND workspace = ?`,
  )
  const selectAliased = db.prepare(
    `SELECT doc FROM templates JOIN template_versions ON ${wanted} WHERE workspace = ? AND alias = ?`,
  )
  return {
    get: async (workspace, id, version) => {
      const row = db.read(() => select.get(version, version, id, workspace))
      return row ? templateOf(row) : null
    },
    getByAlias: async (workspace, alias, version) => {
      const row = db.read(() => selectAliased.get(version, version, workspace, alias))
      return row ? templateOf(row) : null
    },
  }
}

const lists = (db: SqliteDatabase, slices: Slices): Pick<TemplateStore, 'list' | 'listVersions'> => {
  // The second argument of coalesce is only evaluated for templates that an earlier release stored.
  const selectPage = db.prepare(`
    SELECT coalesce(summary.doc, (
      SELECT json_remove(doc, '$.htmlBody', '$.textBody') FROM template_versions WHERE template = id AND version = newest
    )) AS doc
    FROM templates LEFT JOIN template_versions AS summary ON summary.template = id AND summary.version = ${summaryVersion}
    WHERE workspace = ? AND id < ? ORDER BY id DESC LIMIT ?`)
  const selectVersions = db.prepare(`
    SELECT coalesce(
      (SELECT doc FROM template_versions AS summary WHERE summary.template = id AND summary.version = -versions.version),
      json_remove(versions.doc, '$.htmlBody', '$.textBody')
    ) AS doc
    FROM templates JOIN template_versions AS versions ON versions.template = id AND versions.version > 0
    WHERE id = ? AND workspace = ? AND versions.version < ? ORDER BY versions.version DESC LIMIT ?`)
  /**
   * Reads a page in parts, each in a slice of the workspace: the longest subjects of a page would block for tens of
   * milliseconds.
   */
  const pageOf = async (
    workspace: string,
    limit: number,
    rowsAfter: (last: TemplateSummary | undefined, max: number) => Iterable<Record<string, unknown>>,
  ) => {
    const room = pageRoom<TemplateSummary>(limit)
    const { items } = room.page()
    /** @returns what ended the part: the last row, the page or the iteration */
    const readPart = (): 'end' | 'page' | 'iteration' => {
      let bytes = 0
      for (const { doc } of rowsAfter(items.at(-1), limit + 1 - items.length)) {
        const text = String(doc)
        const length = Buffer.byteLength(text)
        if (!room.add(JSON.parse(text) as TemplateSummary, length)) return 'page'
        bytes += length
        if (bytes >= iterationBytes) return 'iteration'
      }
      return 'end'
    }
    let part = db.read(readPart)
    while (part === 'iteration') {
      await nextSlice(slices.of(workspace))
      part = db.read(readPart)
    }
    return { templates: items, hasMore: part === 'page' }
  }
  return {
    list: (workspace, before, limit) =>
      pageOf(workspace, limit, (last, max) => selectPage.iterate(workspace, last?.id ?? before ?? afterAllIds, max)),
    listVersions: (workspace, id, before, limit) =>
      pageOf(workspace, limit, (last, max) =>
        selectVersions.iterate(id, workspace, last?.version ?? before ?? Number.MAX_SAFE_INTEGER, max),
      ),
  }
}
