import { makeSlices, nextSlice, type Slices } from '@postrider/kit/slices.ts'
import type { SqliteDatabase } from './client/database.ts'

/** Rows that an event loop iteration removes. A version has two, which may be as long as 2 MiB together. */
const rowsPerIteration = 2

/**
 * Removes templates from SQLite. The versions of one may have 2 GiB, and to delete all in one statement would stop the
 * process for seconds. So `hide` takes a template out of its workspace, and `forget` deletes what is hidden some rows
 * at a time.
 */
export const templateRemoval = (db: SqliteDatabase, slices: Slices = makeSlices()) => {
  const hide = db.prepare(
    "UPDATE templates SET workspace = '', name = id, alias = NULL WHERE id = ? AND workspace = ? AND newest = ?",
  )
  const hidden = db.prepare("SELECT id FROM templates WHERE workspace = '' LIMIT 1")
  const removeVersions = db.prepare(`
    DELETE FROM template_versions WHERE rowid IN (
      SELECT rowid FROM template_versions WHERE template = ? LIMIT ${rowsPerIteration})`)
  const remove = db.prepare('DELETE FROM templates WHERE id = ?')
  const nextHidden = (): string | null => {
    const row = db.read(() => hidden.get())
    return row === undefined ? null : String(row['id'])
  }
  return {
    /** Takes a template out of its workspace. @returns false: there is none of this version */
    hide: (workspace: string, id: string, version: number): boolean => hide.run(id, workspace, version).changes === 1,
    /** Deletes hidden templates, also those that a crash left. */
    forget: async (): Promise<void> => {
      for (let id = nextHidden(); id !== null; id = nextHidden()) {
        await nextSlice(slices.of(''))
        const template = id
        db.write(() => {
          if (removeVersions.run(template).changes === 0) remove.run(template)
        })
      }
    },
  }
}
