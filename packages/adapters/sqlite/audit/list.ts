import type { AuditEntry, AuditPosition, AuditState, TextMatch } from '@postrider/domain/audit/entry.ts'
import {
  type AuditIndex,
  type AuditSource,
  auditIndexOf,
  fewAuditEntries,
  kindIndexesOf,
  withKinds,
} from '@postrider/domain/audit/select.ts'
import { nextSlice, type Slices } from '@postrider/kit/slices.ts'
import type { AuditQuery, Redaction } from '@postrider/ports/audit.ts'
import type { Row, SqliteDatabase } from '../client/database.ts'

/** Entries of the audit log that one event loop iteration examines: about a millisecond. */
const iterationEntries = 2_000

type Condition = { sql: string; values: (string | number)[] }

type Source = AuditSource<Condition> & { index: string }

/**
 * Returns the newest entries of the audit log that match. A filter may match one entry of a million, so the entries are
 * read in slices. Reading stops when `signal` is aborted.
 */
export const listAuditEntries = async (
  db: SqliteDatabase,
  query: AuditQuery,
  slices: Slices,
  signal?: AbortSignal,
): Promise<AuditEntry[]> => {
  const { limit } = query
  const few = fewOf(db, query)
  if (few) return read(db, few, [], limit)
  const source = sourceOf(query)
  const entries: AuditEntry[] = []
  for (let after: readonly Condition[] = []; ; await nextSlice(slices.of(query.workspace ?? ''))) {
    if (signal?.aborted) return entries
    const last = lastOfIteration(db, source, after)
    const upTo = last === null ? [] : [{ sql: '(at, id) >= (?, ?)', values: [last.at, last.id] }]
    entries.push(...read(db, source, [...after, ...upTo], limit - entries.length))
    if (last === null || entries.length === limit) return entries
    after = [{ sql: '(at, id) < (?, ?)', values: [last.at, last.id] }]
  }
}

const fromWhere = ({ index, found }: Source, more: readonly Condition[]): Condition => {
  const all = [...found, ...more]
  const where = all.length === 0 ? '' : `WHERE ${all.map(({ sql }) => sql).join(' AND ')}`
  return { sql: `FROM audit_log INDEXED BY ${index} ${where}`, values: all.flatMap(({ values }) => values) }
}

const newestFirst = 'ORDER BY at DESC, id DESC'

/** Few combinations exist, so each statement is prepared once. */
const read = (db: SqliteDatabase, source: Source, more: readonly Condition[], limit: number): AuditEntry[] => {
  const { sql, values } = fromWhere(source, [...source.checks, ...more])
  const select = db.prepare(`SELECT * ${sql} ${newestFirst} LIMIT ?`)
  return db.read(() => select.all(...values, limit)).map(auditEntryOf)
}

/** Returns the last of the entries that one event loop iteration examines; null: they are the last of all. */
const lastOfIteration = (db: SqliteDatabase, source: Source, more: readonly Condition[]): AuditPosition | null => {
  const { sql, values } = fromWhere(source, more)
  const select = db.prepare(`SELECT at, id ${sql} ${newestFirst} LIMIT 1 OFFSET ${iterationEntries - 1}`)
  const row = db.read(() => select.get(...values))
  return row ? { at: Number(row['at']), id: String(row['id']) } : null
}

/** Returns what the query reads: entries in the order of lists. */
const sourceOf = (query: AuditQuery): Source =>
  sourceIn(auditIndexOf(query), query, { found: [...ofWorkspace(query), ...timesOf(query)], checks: [] })

const sourceIn = (index: AuditIndex, query: AuditQuery, source: AuditSource<Condition>): Source => ({
  index: `audit_log_by_${index}`,
  ...withKinds(index, source, { ofActor: actorOf(query), ofAction: actionOf(query) }),
})

/** Returns the entries of a kind of actors or of actions if there are few. */
const fewOf = (db: SqliteDatabase, query: AuditQuery): Source | null => {
  const kinds = kindIndexesOf(query).map((index) =>
    sourceIn(index, query, { found: ofWorkspace(query), checks: timesOf(query) }),
  )
  return kinds.find((source) => areFew(db, source)) ?? null
}

const areFew = (db: SqliteDatabase, source: Source): boolean => {
  const { sql, values } = fromWhere(source, [])
  const count = db.prepare(`SELECT count(*) AS count FROM (SELECT 1 ${sql} LIMIT ${fewAuditEntries + 1})`)
  return Number(db.read(() => count.get(...values))?.['count']) <= fewAuditEntries
}

const ofWorkspace = ({ workspace }: AuditQuery): Condition[] =>
  workspace === null ? [] : [{ sql: 'workspace = ?', values: [workspace] }]

const timesOf = ({ createdAfter, createdBefore, before }: AuditQuery): Condition[] => [
  ...(createdAfter === null ? [] : [{ sql: 'at > ?', values: [createdAfter] }]),
  ...(createdBefore === null ? [] : [{ sql: 'at < ?', values: [createdBefore] }]),
  ...(before === null ? [] : [{ sql: '(at, id) < (?, ?)', values: [before.at, before.id] }]),
]

const actionOf = ({ action }: AuditQuery): Condition[] => (action === null ? [] : [matching('action', action)])

const actorOf = ({ actor, orOperator }: AuditQuery): Condition[] => {
  if (actor === null) return []
  const match = matching('actor', actor)
  if (orOperator === undefined) return [match]
  return [{ sql: `(${match.sql} OR operator = ?)`, values: [...match.values, orOperator] }]
}

/** The end of the range sorts after every text that begins so; ids and actions are ASCII. */
const matching = (column: string, match: TextMatch): Condition =>
  'is' in match
    ? { sql: `${column} = ?`, values: [match.is] }
    : { sql: `${column} >= ? AND ${column} < ?`, values: [match.startsWith, `${match.startsWith}~`] }

const stateOf = (text: unknown): AuditState | null =>
  typeof text === 'string' ? (JSON.parse(text) as AuditState) : null

/** Returns the entry of a row. */
export const auditEntryOf = (row: Row): AuditEntry => ({
  id: String(row['id']),
  workspace: String(row['workspace']),
  at: Number(row['at']),
  actor: String(row['actor']),
  ...(typeof row['operator'] === 'string' && { operator: row['operator'] }),
  clientAddress: String(row['client_address']),
  action: String(row['action']),
  target: String(row['target']),
  before: stateOf(row['state_before']),
  after: stateOf(row['state_after']),
  ...(typeof row['redactions'] === 'string' && { redactions: JSON.parse(row['redactions']) as Redaction[] }),
})
