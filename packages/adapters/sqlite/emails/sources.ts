import { lanes, modes } from '@postrider/domain/email/email.ts'
import { type EmailQuery, hasOtherFilters, prefilterTerms } from '@postrider/domain/email/filter.ts'
import { termsOfQuery } from '@postrider/domain/email/terms.ts'
import type { Row, SqliteDatabase } from '../client/database.ts'
import { type Condition, isRareBeginning, joined, rankTerms, termRange } from './termRange.ts'
import { rangeOf, termsKey } from './terms.ts'

/** The position of a row in the list; the next chunk starts after it. */
export type RowPosition = { createdAt: number; seq: number }

export const rowPosition = (row: Row): RowPosition => ({
  createdAt: Number(row['created_at']),
  seq: Number(row['seq']),
})

/**
 * A part of a table that is read in the order of lists. Together the sources of a query have every matching row.
 * `terms`: what the rows of the index have, and otherwise its index orders by the columns; `conditions` narrow it;
 * `checks` are made on its rows.
 */
type Source = { from: string; terms?: readonly string[]; conditions: Condition[]; checks: Condition[] }

/**
 * Up to this number of emails, a status is looked up before the terms of a query. Of more, some of the newest are
 * likely to match.
 */
const fewOfStatus = 20_000

/** Returns a function that returns the sources of the first read of a query, or of later ones. */
export const sourcesOf = (db: SqliteDatabase, query: EmailQuery): ((isFirst: boolean) => Source[]) => {
  const { all, start } = termsOfQuery(query)
  if (query.status !== null && !hasOtherFilters(query)) return () => statusSources(query)
  const rank = (terms: readonly string[]) => rankTerms(db, terms, timeConditions('terms', query))
  let ranked = rank(all)
  if (query.status !== null && !ranked.hasFew && isRare(db, query)) return () => statusSources(query)
  // Read once: mail that is added to the index after that is found twice, and mail that is stored after that is not
  // listed.
  let indexed: Indexed | null = null
  // The newest emails may have a short part of a subject. Then the index is not needed.
  let mustLookUp = start !== null
  return (isFirst) => {
    if (mustLookUp && start !== null && !isFirst) {
      mustLookUp = false
      if (isRareBeginning(db, start)) ranked = rank([...all, `${start}*`])
    }
    if (ranked.terms.length > 0) {
      indexed ??= readIndexed(db)
      const isAnswered = ranked.terms.length === 1 && (start === null || all.length === 0)
      return termsSources(query, { ...indexed, terms: ranked.terms, isAnswered })
    }
    return query.status === null ? [ofWorkspace(query)] : statusSources(query)
  }
}

const isRare = (db: SqliteDatabase, { workspace, status }: EmailQuery): boolean => {
  const count = db.prepare(`
    SELECT count(*) AS count FROM (
      SELECT 1 FROM emails INDEXED BY emails_by_status WHERE workspace = ? AND status = ? LIMIT ${fewOfStatus})`)
  return Number(db.read(() => count.get(workspace, status))?.['count']) < fewOfStatus
}

const ofWorkspace = (query: EmailQuery): Source => ({
  from: 'emails INDEXED BY emails_by_workspace',
  conditions: [['workspace = :workspace', { workspace: query.workspace }]],
  checks: [...columnChecks(query), ...textChecks(query)],
})

/**
 * Emails with after < seq <= upto are in the index. `newerSince`: no email with a larger `seq` was accepted earlier.
 */
type Indexed = ReturnType<typeof rangeOf> & { newerSince: number }

const readIndexed = (db: SqliteDatabase): Indexed => {
  const range = rangeOf(db.read(() => db.prepare('SELECT after, upto FROM email_terms_range').get()))
  const newer = db.read(() => db.prepare('SELECT min(created_at) AS at FROM emails WHERE seq > ?').get(range.upto))
  return { ...range, newerSince: Number(newer?.['at'] ?? Number.MAX_SAFE_INTEGER) }
}

/** `isAnswered`: rows of the index have all terms of the query. */
type Terms = Indexed & { terms: readonly string[]; isAnswered: boolean }

const termsSources = (query: EmailQuery, { terms, isAnswered, after, upto, newerSince }: Terms): Source[] => {
  const { workspace } = query
  const checks = [...columnChecks(query), ...textChecks(query)]
  const indexed: Source = {
    from: `email_terms CROSS JOIN emails INDEXED BY emails_by_workspace ON workspace = :workspace
      AND created_at = email_terms.rowid >> 21 AND seq & 2097151 = email_terms.rowid & 2097151`,
    terms,
    conditions: [],
    checks: isAnswered ? columnChecks(query) : checks,
  }
  /** The newest mail. Without its earliest time the index by workspace would be read to its end for it. */
  const newer: Source = {
    from: 'emails INDEXED BY emails_by_workspace',
    conditions: [
      ['workspace = :workspace AND created_at >= :newerSince AND seq > :upto', { workspace, newerSince, upto }],
    ],
    checks,
  }
  const older: Source = {
    from: 'emails INDEXED BY emails_by_workspace',
    conditions: [['workspace = :workspace AND seq <= :after', { workspace, after }]],
    checks,
  }
  return [indexed, newer, ...(after === 0 ? [] : [older])]
}

/** Mail whose column has the status, and leased mail: while the lease is live it may have another. */
const statusSources = (query: EmailQuery): Source[] => {
  const { workspace, status } = query
  const wanted = query.mode === null ? modes : [query.mode]
  const ofStatus = wanted.flatMap((mode) =>
    (query.category === null ? lanes : [query.category]).map((lane): Source => {
      const parameters = { workspace, status: status ?? '', mode, lane }
      const condition = 'workspace = :workspace AND status = :status AND mode = :mode AND lane = :lane'
      const from = 'emails INDEXED BY emails_by_status'
      return { from, conditions: [[condition, parameters]], checks: textChecks(query) }
    }),
  )
  return [...ofStatus, leased(query)]
}

const leased = (query: EmailQuery): Source => ({
  from: 'emails INDEXED BY emails_held',
  conditions: [
    [
      'workspace = :workspace AND lease_until IS NOT NULL AND lease_until > :now',
      { workspace: query.workspace, now: query.now },
    ],
  ],
  checks: textChecks(query),
})

/** The position after which rows are read, how many rows, and the maximum duration. */
type Chunk = { position: RowPosition | null; rows: number; iterationMs: number }

/** Rows in the order of lists, and the position up to which they were searched; null: no more follow. */
type Found = { rows: Row[]; end: RowPosition | null }

/** Reads the next rows of all sources in the order of lists. `doc` is null in rows that cannot match. */
export const readRows = (db: SqliteDatabase, sources: readonly Source[], query: EmailQuery, chunk: Chunk): Found => {
  const ofEach = { ...chunk, iterationMs: chunk.iterationMs / sources.length }
  const found = sources.map((source) => readSource(db, source, query, ofEach))
  const [only] = found
  if (found.length === 1 && only) return only
  const ends = found.flatMap(({ end }) => end ?? [])
  const [end = null] = ends.sort(newestFirst)
  const bySeq = new Map(found.flatMap(({ rows }) => rows).map((row) => [Number(row['seq']), row]))
  const rows = [...bySeq.values()].sort((one, other) => newestFirst(rowPosition(one), rowPosition(other)))
  return { rows: end === null ? rows : rows.filter((row) => newestFirst(rowPosition(row), end) <= 0), end }
}

const newestFirst = (one: RowPosition, other: RowPosition): number =>
  other.createdAt - one.createdAt || other.seq - one.seq

/** Entries of a range. The statements that find its end cost as much as a few hundred. */
const rangeEntries = 1_000

const readSource = (db: SqliteDatabase, source: Source, query: EmailQuery, chunk: Chunk): Found => {
  const { terms } = source
  const { workspace } = query
  const within = rangeConditions(terms ? 'terms' : 'rows', query, chunk.position)
  const range = isIntersection(terms) ? termRange(db, { workspace, terms, within, entries: rangeEntries }) : null
  const ofTerm: Condition[] = terms ? [['email_terms MATCH :term', { term: terms[0] ?? '', workspace }]] : []
  const index = joined([...source.conditions, ...(range?.conditions ?? [...ofTerm, ...within])])
  const checks = joined(source.checks)
  const order = terms ? 'email_terms.rowid DESC' : 'created_at DESC, seq DESC'
  const statement = db.prepare(`
    SELECT seq, created_at, next_at, lease_until, fence, deaths, ${checks.condition ? `iif(${checks.condition}, doc, NULL) AS doc` : 'doc'}
    FROM ${source.from} WHERE ${index.condition} ORDER BY ${order} LIMIT :rows`)
  const parameters = { ...index.parameters, ...checks.parameters, rows: chunk.rows }
  const { rows, isCut } = db.read(() => readFor(chunk.iterationMs, statement.iterate(parameters)))
  const last = rows.at(-1)
  if (last && (isCut || rows.length === chunk.rows)) return { rows, end: rowPosition(last) }
  return { rows, end: range?.end ?? null }
}

/** Reads rows for so long, one at least: documents differ in size by a factor of a thousand. */
const readFor = (iterationMs: number, rows: Iterable<Row>): { rows: Row[]; isCut: boolean } => {
  const found: Row[] = []
  let endsAt = Number.POSITIVE_INFINITY
  for (const row of rows) {
    found.push(row)
    // The first row has the costs of the statement, which a shorter read would have too.
    if (found.length === 1) endsAt = performance.now() + iterationMs
    else if (performance.now() > endsAt) return { rows: found, isCut: true }
  }
  return { rows: found, isCut: false }
}

const isIntersection = (terms: readonly string[] | undefined): terms is readonly string[] =>
  terms !== undefined && terms.length > 1

/** What orders the rows of a source. */
type RowSource = 'rows' | 'terms'

/** The times of a query, and the position after which a page begins, as an index stores them. */
const rangeConditions = (rowSource: RowSource, query: EmailQuery, position: RowPosition | null): Condition[] => {
  if (position === null) return timeConditions(rowSource, query)
  const edge = { edgeAt: position.createdAt, edgeSeq: position.seq }
  const after =
    rowSource === 'terms'
      ? `email_terms.rowid < ${termsKey(':edgeAt', ':edgeSeq')}`
      : '(created_at, seq) < (:edgeAt, :edgeSeq)'
  return [[after, edge], ...timeConditions(rowSource, query)]
}

const timeConditions = (rowSource: RowSource, { createdAfter, createdBefore }: EmailQuery): Condition[] => {
  const isTerms = rowSource === 'terms'
  const conditions: Condition[] = []
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

/** Conditions on the columns of a row. */
const columnChecks = ({ mode, category, status, now }: EmailQuery): Condition[] => [
  // While a lease is live the status is `sending`, not that of the column.
  ...(status === null ? [] : [['(status = :status OR lease_until > :now)', { status, now }] satisfies Condition]),
  ...(category === null ? [] : [['lane = :category', { category }] satisfies Condition]),
  ...(mode === null ? [] : [['mode = :mode', { mode }] satisfies Condition]),
]

/**
 * Conditions on the text of the document. Parsing it here would cost more. SQLite's `lower` changes only
 * ASCII. A short part of a subject occurs in most documents, so the subject is compared too.
 */
const textChecks = (query: EmailQuery): Condition[] => {
  const ofDocument = prefilterTerms(query).map((term, index) => containsTerm('doc', `term${index}`, term))
  const ofSubject = prefilterTerms({ ...query, keyId: null, templateId: null, tag: null, to: null, from: null })
  return [...ofDocument, ...ofSubject.map((term) => containsTerm("doc -> '$.subject'", 'subject', term))]
}

const containsTerm = (text: string, name: string, term: string): Condition => [
  `instr(lower(${text}), :${name}) > 0`,
  { [name]: term },
]
