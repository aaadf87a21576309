import type { SqliteDatabase } from '../client/database.ts'
import { termsKey } from './terms.ts'

/*
 * FTS5 intersects terms up to the next email that has all of them, which may be none of 500,000, and a statement cannot
 * pause. So each step reads a range of the index: that of a few entries of the term with the fewest. Other terms narrow
 * it if they have few entries in the range, and the emails that are left are checked.
 */

/** Parts of a WHERE clause with their parameters. */
export type Condition = [condition: string, parameters: Record<string, string | number>]

export const joined = (conditions: readonly Condition[]) => ({
  condition: conditions.map(([condition]) => condition).join(' AND '),
  parameters: Object.assign({}, ...conditions.map(([, parameters]) => parameters)) as Record<string, string | number>,
})

/** Number of entries from which the terms of a query are compared; a term with fewer entries is rare enough. */
const comparedEntries = 100

/** Returns the terms of a query by the number of their newest entries, and whether the first has few. */
export const rankTerms = (
  db: SqliteDatabase,
  terms: readonly string[],
  times: readonly Condition[],
): { terms: string[]; hasFew: boolean } => {
  const { condition, parameters } = joined([['email_terms MATCH :term', {}], ...times])
  const compared = db.prepare(`
    SELECT email_terms.rowid >> 21 AS at FROM email_terms WHERE ${condition}
    ORDER BY email_terms.rowid DESC LIMIT 1 OFFSET ${comparedEntries}`)
  const reached = terms.map((term) => {
    const row = db.read(() => compared.get({ ...parameters, term }))
    return { term, at: Number(row?.['at'] ?? Number.NEGATIVE_INFINITY) }
  })
  const ranked = reached.sort((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0))
  return { terms: ranked.map(({ term }) => term), hasFew: ranked[0]?.at === Number.NEGATIVE_INFINITY }
}

/** Maximum number of entries for a lookup of the start of a term. A statement reads all of them. */
const maxOfBeginning = 2_000

/** Returns whether few entries of the index begin so. */
export const isRareBeginning = (db: SqliteDatabase, start: string): boolean => {
  const count = db.prepare(`
    SELECT count(*) AS count FROM (
      SELECT 1 FROM email_term_entries WHERE term >= :start AND term < :start || '~' LIMIT ${maxOfBeginning})`)
  return Number(db.read(() => count.get({ start }))?.['count']) < maxOfBeginning
}

/** Terms in addition to the first that narrow a range, and their entries for each of the first. */
const [maxNarrowing, narrowingEntries] = [2, 2]

type TermRangeOptions = {
  workspace: string
  /** Sorted by `rankTerms`. */
  terms: readonly string[]
  /** Where the range begins, and the times of the query. */
  within: readonly Condition[]
  /** Entries of the first term. */
  entries: number
}

/** A range, and the position of its last email; null: it reaches the end. */
export type TermRange = { conditions: Condition[]; end: { createdAt: number; seq: number } | null }

/** Returns the range of the next entries of the first term. */
export const termRange = (db: SqliteDatabase, options: TermRangeOptions): TermRange => {
  const { workspace, terms, within, entries } = options
  const [term = '', ...others] = terms
  const first: Condition = ['email_terms MATCH :term', { term, workspace }]
  const ofFirst = joined([['email_terms MATCH :term', { term }], ...within])
  const last = db.prepare(`
    SELECT count(*) AS count, min(key) >> 21 AS at, min(key) & 2097151 AS seq
    FROM (SELECT email_terms.rowid AS key FROM email_terms WHERE ${ofFirst.condition} ORDER BY email_terms.rowid DESC LIMIT :entries)`)
  const found = db.read(() => last.get({ ...ofFirst.parameters, entries }))
  if (Number(found?.['count']) < entries) return { conditions: [first, ...within], end: null }
  const lowest = { lowAt: Number(found?.['at']), lowSeq: Number(found?.['seq']) }
  const email = db.prepare(`
    SELECT seq FROM emails INDEXED BY emails_by_workspace
    WHERE workspace = :workspace AND created_at = :lowAt AND seq & 2097151 = :lowSeq`)
  const seq = db.read(() => email.get({ workspace, ...lowest }))?.['seq']
  // The email of another workspace, with the same hash is no position in this list.
  if (seq === undefined) return termRange(db, { ...options, entries: 2 * entries })
  const range: Condition[] = [...within, [`email_terms.rowid >= ${termsKey(':lowAt', ':lowSeq')}`, lowest]]
  const narrowing = others
    .slice(0, maxNarrowing)
    .filter((other) => hasAtMost(db, other, range, narrowingEntries * entries))
    .map((other, index) => inTerm(other, index, range))
  return { conditions: [first, ...range, ...narrowing], end: { createdAt: lowest.lowAt, seq: Number(seq) } }
}

const hasAtMost = (db: SqliteDatabase, term: string, range: readonly Condition[], max: number): boolean => {
  const { condition, parameters } = joined([['email_terms MATCH :term', { term }], ...range])
  const beyond = db.prepare(`SELECT 1 FROM email_terms WHERE ${condition} LIMIT 1 OFFSET :max`)
  return db.read(() => beyond.get({ ...parameters, max })) === undefined
}

/** Entries of the range that another term has too: read once for a statement. */
const inTerm = (term: string, index: number, range: readonly Condition[]): Condition => {
  const name = `narrowing${index}`
  const { condition, parameters } = joined([[`email_terms MATCH :${name}`, { [name]: term }], ...range])
  // Without the sign SQLite would search the terms for each of them.
  return [`+email_terms.rowid IN (SELECT email_terms.rowid FROM email_terms WHERE ${condition})`, parameters]
}
