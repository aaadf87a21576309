import { setImmediate as nextTurn } from 'node:timers/promises'
import type { StoredEmail } from '@postrider/domain/email/email.ts'
import type { EmailQuery } from '@postrider/domain/email/filter.ts'
import { matches } from '@postrider/domain/email/filter.ts'
import type { SqliteDatabase } from './database.ts'
import { type Edge, inIndex, inRow } from './emailQuery.ts'
import { type Row, storedOf } from './storedEmail.ts'

/** Rows looked at in one go: about a millisecond, so that a filter which few emails pass holds nobody up. */
const chunkRows = 250

const edgeOf = (row: Row): Edge => ({ createdAt: Number(row['created_at']), seq: Number(row['seq']) })

/** @returns null: nothing to come after, or an email that is gone, and then the list is at its end */
const edgeAt = (db: SqliteDatabase, id: string): Edge | null => {
  const row = db.read(() => db.prepare('SELECT created_at, seq FROM emails WHERE id = ?').get(id))
  return row ? edgeOf(row) : null
}

/** The next rows by index; `doc` is null in those that don't fit, so that one chunk's work is bounded. */
const readChunk = (db: SqliteDatabase, query: EmailQuery, edge: Edge | null, rows: number): Row[] => {
  const [index, row] = [inIndex(query, edge), inRow(query)]
  const statement = db.prepare(`
    SELECT seq, created_at, next_at, lease_until, fence, deaths, ${row.condition ? `iif(${row.condition}, doc, NULL) AS doc` : 'doc'}
    FROM emails WHERE ${index.condition} ORDER BY created_at DESC, seq DESC LIMIT :rows`)
  return db.read(() => statement.all({ ...index.parameters, ...row.parameters, rows }))
}

/** Newest first. Looks through the workspace in chunks, and lets others go between them. */
export const listEmails = async (
  db: SqliteDatabase,
  query: EmailQuery,
): Promise<{ emails: StoredEmail[]; hasMore: boolean }> => {
  const wanted = query.limit + 1
  const rows = inRow(query).condition === '' ? wanted : Math.max(wanted, chunkRows)
  const emails: StoredEmail[] = []
  let edge = query.before === null ? null : edgeAt(db, query.before)
  if (query.before !== null && edge === null) return { emails, hasMore: false }
  for (;;) {
    const chunk = readChunk(db, query, edge, rows)
    for (const row of chunk) {
      if (row['doc'] === null) continue
      const stored = storedOf(row)
      if (matches(stored, query)) emails.push(stored)
      if (emails.length === wanted) return { emails: emails.slice(0, query.limit), hasMore: true }
    }
    const last = chunk.at(-1)
    if (chunk.length < rows || !last) return { emails, hasMore: false }
    edge = edgeOf(last)
    await nextTurn()
  }
}
