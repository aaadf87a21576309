import { setImmediate as nextTurn } from 'node:timers/promises'
import type { StoredEmail } from '@postrider/domain/email/email.ts'
import { type EmailQuery, matches, prefilterTerms } from '@postrider/domain/email/filter.ts'
import type { SqliteDatabase } from './database.ts'
import { type Row, storedOf } from './emailRows.ts'

/** Rows read in the first turn of the event loop, and the most in any: rows differ in size by a factor of a hundred. */
const [firstRows, mostRows] = [32, 1_000]

/** How long one turn should take, so that a filter with few matches does not block the process. */
const turnMs = 2

/**
 * Returns the emails that match, newest first. The index narrows by workspace and time, SQL conditions drop rows that
 * cannot match, and `matches` decides. Reads on in later turns, and stops when `signal` is aborted.
 */
export const listEmails = async (
  db: SqliteDatabase,
  query: EmailQuery,
  signal?: AbortSignal,
): Promise<{ emails: StoredEmail[]; hasMore: boolean }> => {
  const wanted = query.limit + 1
  let rows = firstRows
  const emails: StoredEmail[] = []
  let position = query.before === null ? null : positionOf(db, query.before)
  if (query.before !== null && position === null) return { emails, hasMore: false }
  for (;;) {
    const startedAt = performance.now()
    const chunk = readChunk(db, query, position, rows)
    for (const row of chunk) {
      if (row['doc'] === null) continue
      const stored = storedOf(row)
      if (matches(stored, query)) emails.push(stored)
      if (emails.length === wanted) return { emails: emails.slice(0, query.limit), hasMore: true }
    }
    const last = chunk.at(-1)
    if (chunk.length < rows || !last) return { emails, hasMore: false }
    position = rowPosition(last)
    rows = nextRows(rows, performance.now() - startedAt)
    await nextTurn()
    if (signal?.aborted) return { emails, hasMore: false }
  }
}

/** Returns how many rows the next turn reads, from the time that this one took. */
const nextRows = (rows: number, tookMs: number): number =>
  tookMs < turnMs ? Math.min(rows * 2, mostRows) : Math.max(1, Math.floor((rows * turnMs) / tookMs))

/** The place of a row in the list; the next chunk starts after it. */
type Position = { createdAt: number; seq: number }

const rowPosition = (row: Row): Position => ({ createdAt: Number(row['created_at']), seq: Number(row['seq']) })

/** @returns null: the email no longer exists, and the list ends there */
const positionOf = (db: SqliteDatabase, id: string): Position | null => {
  const row = db.read(() => db.prepare('SELECT created_at, seq FROM emails WHERE id = ?').get(id))
  return row ? rowPosition(row) : null
}

/** Reads the next rows of the index. `doc` is null in rows that cannot match, so that they count in the limit. */
const readChunk = (db: SqliteDatabase, query: EmailQuery, position: Position | null, rows: number): Row[] => {
  const [index, row] = [indexConditions(query, position), rowConditions(query)]
  const statement = db.prepare(`
    SELECT seq, created_at, next_at, lease_until, fence, deaths, ${row.condition ? `iif(${row.condition}, doc, NULL) AS doc` : 'doc'}
    FROM emails WHERE ${index.condition} ORDER BY created_at DESC, seq DESC LIMIT :rows`)
  return db.read(() => statement.all({ ...index.parameters, ...row.parameters, rows }))
}

type Condition = [condition: string, parameters: Record<string, string | number>]

const joined = (conditions: Condition[]) => ({
  condition: conditions.map(([condition]) => condition).join(' AND '),
  parameters: Object.assign({}, ...conditions.map(([, parameters]) => parameters)) as Record<string, string | number>,
})

/** Conditions that the index by workspace and time answers. */
const indexConditions = (query: EmailQuery, position: Position | null) => {
  const conditions: Condition[] = [['workspace = :workspace', { workspace: query.workspace }]]
  if (position)
    conditions.push(['(created_at, seq) < (:edgeAt, :edgeSeq)', { edgeAt: position.createdAt, edgeSeq: position.seq }])
  if (query.createdAfter !== null) conditions.push(['created_at > :after', { after: query.createdAfter }])
  if (query.createdBefore !== null) conditions.push(['created_at < :until', { until: query.createdBefore }])
  return joined(conditions)
}

/** Conditions on a row that need no parsed document; empty: every row may match. SQLite's `lower` changes only ASCII. */
const rowConditions = (query: EmailQuery) => {
  const conditions: Condition[] = prefilterTerms(query).map((term, index) => [
    `instr(lower(doc), :term${index}) > 0`,
    { [`term${index}`]: term },
  ])
  if (query.mode !== null) conditions.unshift(['mode = :mode', { mode: query.mode }])
  if (query.category !== null) conditions.unshift(['lane = :lane', { lane: query.category }])
  if (query.status !== null) {
    // While a lease is live the status is `sending`, not that of the column.
    conditions.unshift(['(status = :status OR lease_until > :now)', { status: query.status, now: query.now }])
  }
  return joined(conditions)
}
