import type { StoredEmail } from '@postrider/domain/email/email.ts'
import { type EmailQuery, matches } from '@postrider/domain/email/filter.ts'
import { makeSlices, nextSlice, type Slices } from '@postrider/kit/slices.ts'
import type { SqliteDatabase } from '../client/database.ts'
import type { RecordScheduler } from '../client/recordScheduler.ts'
import { storedOf } from './rows.ts'
import { type RowPosition, readRows, rowPosition, sourcesOf } from './sources.ts'

/** Rows read in the first event loop iteration at most, and in any. */
const [firstPageRows, maxRows] = [32, 1_000]

/** How long one iteration reads, so that a filter with few matches does not block the process. */
const iterationMs = 1

type ListOptions = { signal?: AbortSignal | undefined; schedule?: RecordScheduler; slices?: Slices }

/**
 * Returns the emails that match, newest first. Indexes narrow the rows (`sources.ts`), SQL conditions drop rows that
 * cannot match, and `matches` decides. Continues in slices of its workspace, and stops when `signal` is aborted.
 */
export const listEmails = async (
  db: SqliteDatabase,
  query: EmailQuery,
  { signal, schedule = () => null, slices = makeSlices() }: ListOptions = {},
): Promise<{ emails: StoredEmail[]; hasMore: boolean }> => {
  const wanted = query.limit + 1
  let isFirst = true
  const emails: StoredEmail[] = []
  let position = query.before === null ? null : positionOf(db, query.before)
  if (query.before !== null && position === null) return { emails, hasMore: false }
  const sources = sourcesOf(db, query)
  for (;;) {
    const rows = isFirst ? Math.min(firstPageRows, wanted) : maxRows
    const chunk = readRows(db, sources(isFirst), query, { position, rows, iterationMs })
    for (const row of chunk.rows) {
      if (row['doc'] === null) continue
      const turn = schedule(query.workspace, String(row['doc']).length)
      if (turn) await turn
      const stored = storedOf(row)
      if (matches(stored, query)) emails.push(stored)
      if (emails.length === wanted) return { emails: emails.slice(0, query.limit), hasMore: true }
    }
    if (chunk.end === null) return { emails, hasMore: false }
    position = chunk.end
    isFirst = false
    await nextSlice(slices.of(query.workspace))
    if (signal?.aborted) return { emails, hasMore: false }
  }
}

/** @returns null: the email no longer exists, and the list ends there */
const positionOf = (db: SqliteDatabase, id: string): RowPosition | null => {
  const row = db.read(() => db.prepare('SELECT created_at, seq FROM emails WHERE id = ?').get(id))
  return row ? rowPosition(row) : null
}
