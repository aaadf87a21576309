import { lanes, modes } from '@postrider/domain/email/email.ts'
import { type EmailQuery, prefilterTerms } from '@postrider/domain/email/filter.ts'
import { termsOfQuery } from '@postrider/domain/email/terms.ts'
import type { Row, SqliteDatabase } from '../client/database.ts'
import { rangeOf, termsKey } from './terms.ts'

/** The place of a row in the list; the next chunk starts after it. */
export type Position = { createdAt: number; seq: number }

export const rowPosition = (row: Row): Position => ({ createdAt: Number(row['created_at']), seq: Number(row['seq']) })

/**
 * A part of a table that is read in the order of lists. Together the sources of a query have every matching row. `places`: what
 * its index orders by; `conditions` narrow it; `checks` are made on its rows.
 */
type Source = { from: string; places: 'rows' | 'terms'; conditions: Condition[]; checks: Condition[] }
type Condition = [condition: string, parameters: Record<string, string | number>]

/** Rows after which a short part of a subject is looked up in the index. The lookup of a frequent part would be expensive. */
const shortPartRows = 300

/** Up to this number of emails, a status is looked up before the terms of a query. Of more, some of the newest are likely to match. */
const fewOfStatus = 20_000

/** Returns a function that returns the sources of a query by the number of rows that were examined. */
export const sourcesOf = (db: SqliteDatabase, query: EmailQuery): ((examined: number) => Source[]) => {
  const { all, start } = termsOfQuery(query)
  if (query.status !== null && !hasTerms(query)) return () => statusSources(query)
  const isRareStatus = query.status !== null && isRare(db, query)
  // Read once: mail that is added to the index after that is found twice, and mail that is stored after that is not listed.
  let indexed: Indexed | null = null
  return (examined) => {
    const terms = start === null || examined < shortPartRows ? all : [...all, `${start}*`]
    if (terms.length > 0) {
      indexed ??= readIndexed(db)
      return termsSources(query, { terms, isRareStatus, ...indexed })
    }
    return query.status === null ? [ofWorkspace(query)] : statusSources(query)
  }
}

/** Whether a query has a filter besides those that the index by status answers too. */
const hasTerms = ({ keyId, to, from, subject, templateId, tag }: EmailQuery): boolean =>
  [keyId, to, from, subject, templateId, tag].some((filter) => filter !== null)

const isRare = (db: SqliteDatabase, { workspace, status }: EmailQuery): boolean => {
  const count = db.prepare(`
    SELECT count(*) AS count FROM (
      SELECT 1 FROM emails INDEXED BY emails_by_status WHERE workspace = ? AND status = ? LIMIT ${fewOfStatus})`)
  return Number(db.read(() => count.get(workspace, status))?.['count']) < fewOfStatus
}

const ofWorkspace = (query: EmailQuery): Source => ({
  from: 'emails INDEXED BY emails_by_workspace',
  places: 'rows',
  conditions: [['workspace = :workspace', { workspace: query.workspace }]],
  checks: [...columnChecks(query), ...textChecks(query)],
})

/** Emails with after < seq <= upto are in the index. `newerSince`: no email with a larger `seq` was accepted earlier. */
type Indexed = ReturnType<typeof rangeOf> & { newerSince: number }

const readIndexed = (db: SqliteDatabase): Indexed => {
  const range = rangeOf(db.read(() => db.prepare('SELECT after, upto FROM email_terms_range').get()))
  const newer = db.read(() => db.prepare('SELECT min(created_at) AS at FROM emails WHERE seq > ?').get(range.upto))
  return { ...range, newerSince: Number(newer?.['at'] ?? Number.MAX_SAFE_INTEGER) }
}

type Terms = Indexed & { terms: readonly string[]; isRareStatus: boolean }

const termsSources = (query: EmailQuery, { terms, isRareStatus, after, upto, newerSince }: Terms): Source[] => {
  const { workspace } = query
  const checks = [...columnChecks(query), ...textChecks(query)]
  const indexed: Source = {
    from: `email_terms CROSS JOIN emails INDEXED BY emails_by_workspace ON workspace = :workspace
      AND created_at = email_terms.rowid >> 21 AND seq & 2097151 = email_terms.rowid & 2097151`,
    places: 'terms',
    conditions: [
      ['email_terms MATCH :terms', { terms: terms.join(' '), workspace }],
      // Read once for a statement. Without the sign SQLite would search the terms for each of them.
      ...(isRareStatus
        ? [[`+email_terms.rowid IN (${keysOfStatus})`, { status: query.status ?? '' }] satisfies Condition]
        : []),
    ],
    checks: isRareStatus ? [] : columnChecks(query),
  }
  /** The newest mail. Without its earliest time the index by workspace would be read to its end for it. */
  const newer: Source = {
    from: 'emails INDEXED BY emails_by_workspace',
    places: 'rows',
    conditions: [
      ['workspace = :workspace AND created_at >= :newerSince AND seq > :upto', { workspace, newerSince, upto }],
    ],
    checks,
  }
  const older: Source = {
    from: 'emails INDEXED BY emails_by_workspace',
    places: 'rows',
    conditions: [['workspace = :workspace AND seq <= :after', { workspace, after }]],
    checks,
  }
  return [indexed, newer, ...(after === 0 ? [] : [older]), ...(isRareStatus ? [held(query)] : [])]
}

const keysOfStatus = `
  SELECT ${termsKey('created_at', 'seq')} FROM emails AS of_status INDEXED BY emails_by_status
  WHERE of_status.workspace = :workspace AND of_status.status = :status`

/** Mail whose column has the status, and mail that a worker holds: while the lease is live it may have another. */
const statusSources = (query: EmailQuery): Source[] => {
  const { workspace, status } = query
  const wanted = query.mode === null ? modes : [query.mode]
  const ofStatus = wanted.flatMap((mode) =>
    (query.category === null ? lanes : [query.category]).map((lane): Source => {
      const parameters = { workspace, status: status ?? '', mode, lane }
      const condition = 'workspace = :workspace AND status = :status AND mode = :mode AND lane = :lane'
      const from = 'emails INDEXED BY emails_by_status'
      return { from, places: 'rows', conditions: [[condition, parameters]], checks: textChecks(query) }
    }),
  )
  return [...ofStatus, held(query)]
}

const held = (query: EmailQuery): Source => ({
  from: 'emails INDEXED BY emails_held',
  places: 'rows',
  conditions: [
    [
      'workspace = :workspace AND lease_until IS NOT NULL AND lease_until > :now',
      { workspace: query.workspace, now: query.now },
    ],
  ],
  checks: textChecks(query),
})

type Chunk = { position: Position | null; rows: number }

/**
 * Reads the next rows of all sources in the order of lists; fewer than `rows`: no more follow. `doc` is null in rows that
 * cannot match, so that they count.
 */
export const readRows = (db: SqliteDatabase, sources: readonly Source[], query: EmailQuery, chunk: Chunk): Row[] => {
  const found = sources.map((source) => readSource(db, source, query, chunk))
  const [only] = found
  if (found.length === 1 && only) return only
  const places = new Map(found.flat().map((row) => [Number(row['seq']), row]))
  return [...places.values()].sort(newestFirst).slice(0, chunk.rows)
}

const newestFirst = (one: Row, other: Row): number => {
  const [a, b] = [rowPosition(one), rowPosition(other)]
  return b.createdAt - a.createdAt || b.seq - a.seq
}

const readSource = (db: SqliteDatabase, source: Source, query: EmailQuery, { position, rows }: Chunk): Row[] => {
  const index = joined([...source.conditions, ...rangeConditions(source.places, query, position)])
  const checks = joined(source.checks)
  const order = source.places === 'terms' ? 'email_terms.rowid DESC' : 'created_at DESC, seq DESC'
  const statement = db.prepare(`
    SELECT seq, created_at, next_at, lease_until, fence, deaths, ${checks.condition ? `iif(${checks.condition}, doc, NULL) AS doc` : 'doc'}
    FROM ${source.from} WHERE ${index.condition} ORDER BY ${order} LIMIT :rows`)
  return db.read(() => statement.all({ ...index.parameters, ...checks.parameters, rows }))
}

const joined = (conditions: readonly Condition[]) => ({
  condition: conditions.map(([condition]) => condition).join(' AND '),
  parameters: Object.assign({}, ...conditions.map(([, parameters]) => parameters)) as Record<string, string | number>,
})

/** The times of a query, and the place after which a page begins, as an index has them. */
const rangeConditions = (
  places: Source['places'],
  { createdAfter, createdBefore }: EmailQuery,
  position: Position | null,
): Condition[] => {
  const isTerms = places === 'terms'
  const conditions: Condition[] = []
  if (position) {
    const edge = { edgeAt: position.createdAt, edgeSeq: position.seq }
    const place = isTerms
      ? `email_terms.rowid < ${termsKey(':edgeAt', ':edgeSeq')}`
      : '(created_at, seq) < (:edgeAt, :edgeSeq)'
    conditions.push([place, edge])
  }
  if (createdAfter !== null) {
    const isAfter = isTerms
      ? `email_terms.rowid >= ${termsKey('(:createdAfter + 1)', '0')}`
      : 'created_at > :createdAfter'
    conditions.push([isAfter, { createdAfter }])
  }
  if (createdBefore !== null) {
    const isBefore = isTerms ? `email_terms.rowid < ${termsKey(':createdBefore', '0')}` : 'created_at < :createdBefore'
    conditions.push([isBefore, { createdBefore }])
  }
  return conditions
}

/** Conditions that the columns of a row answer. */
const columnChecks = ({ mode, category, status, now }: EmailQuery): Condition[] => [
  // While a lease is live the status is `sending`, not that of the column.
  ...(status === null ? [] : [['(status = :status OR lease_until > :now)', { status, now }] satisfies Condition]),
  ...(category === null ? [] : [['lane = :category', { category }] satisfies Condition]),
  ...(mode === null ? [] : [['mode = :mode', { mode }] satisfies Condition]),
]

/** Conditions that the text of the document answers without being parsed. SQLite's `lower` changes only ASCII. */
const textChecks = (query: EmailQuery): Condition[] =>
  prefilterTerms(query).map((term, index) => [`instr(lower(doc), :term${index}) > 0`, { [`term${index}`]: term }])
