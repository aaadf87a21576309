import type { AuditEntry, AuditState, TextMatch } from '@postrider/domain/audit/entry.ts'
import type { Audit, AuditQuery, Redaction } from '@postrider/ports/audit.ts'
import type { SqliteDatabase } from './database.ts'

type Row = Record<string, unknown>

/** Adds lines to the audit log. Call it inside of the write that makes the change, so that both are stored or neither. */
export const auditLines = (db: SqliteDatabase): ((...entries: readonly AuditEntry[]) => void) => {
  const insert = db.prepare(`
    INSERT INTO audit_log (id, workspace, at, actor, operator, client_address, action, target, state_before, state_after, detail)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, '{}') ON CONFLICT (id) DO NOTHING`)
  return (...entries) => {
    for (const entry of entries) {
      const { id, workspace, at, actor, operator = null, clientAddress, action, target, before, after } = entry
      insert.run(id, workspace, at, actor, operator, clientAddress, action, target, textOf(before), textOf(after))
    }
  }
}

const textOf = (state: AuditState | null): string | null => (state === null ? null : JSON.stringify(state))

const stateOf = (text: unknown): AuditState | null =>
  typeof text === 'string' ? (JSON.parse(text) as AuditState) : null

/** Returns the line of a row. */
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

/** The audit log in SQLite. */
export const sqliteAudit = (db: SqliteDatabase): Audit => {
  const addLines = auditLines(db)
  const users = db.prepare('SELECT id, email AS name FROM users WHERE id IN (SELECT value FROM json_each(?))')
  const keys = db.prepare('SELECT id, name FROM api_keys WHERE id IN (SELECT value FROM json_each(?))')
  // Lines of earlier releases have their change in `detail` too. A trigger refuses everything else.
  const redact = db.prepare(
    "UPDATE audit_log SET state_before = ?, state_after = ?, detail = '{}', redactions = ? WHERE id = ?",
  )
  return {
    record: async (entry) => db.write(() => addLines(entry)),
    redact: async ({ id, before, after, redactions }) => {
      db.writeOne(() => redact.run(textOf(before), textOf(after), JSON.stringify(redactions), id))
    },
    list: async (query) => {
      const { where, values } = conditionsOf(query)
      const select = db.prepare(`SELECT * FROM audit_log ${where} ORDER BY at DESC, id DESC LIMIT ?`)
      return db.read(() => select.all(...values, query.limit)).map(auditEntryOf)
    },
    actorNames: async (ids) => {
      const wanted = JSON.stringify(ids)
      const rows = db.read(() => [...users.all(wanted), ...keys.all(wanted)])
      return new Map(rows.map(({ id, name }) => [String(id), String(name)]))
    },
  }
}

type Condition = { sql: string; values: (string | number)[] }

/** Few combinations exist, so each statement is prepared once. */
const conditionsOf = (query: AuditQuery): { where: string; values: (string | number)[] } => {
  const { workspace, actor, orOperator, action, createdAfter, createdBefore, before } = query
  const conditions: Condition[] = [
    ...(workspace === null ? [] : [{ sql: 'workspace = ?', values: [workspace] }]),
    ...(actor === null ? [] : [actorCondition(actor, orOperator)]),
    ...(action === null ? [] : [matching('action', action)]),
    ...(createdAfter === null ? [] : [{ sql: 'at > ?', values: [createdAfter] }]),
    ...(createdBefore === null ? [] : [{ sql: 'at < ?', values: [createdBefore] }]),
    ...(before === null ? [] : [{ sql: '(at, id) < (?, ?)', values: [before.at, before.id] }]),
  ]
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.map(({ sql }) => sql).join(' AND ')}`
  return { where, values: conditions.flatMap(({ values }) => values) }
}

const actorCondition = (actor: TextMatch, orOperator: string | undefined): Condition => {
  const match = matching('actor', actor)
  if (orOperator === undefined) return match
  return { sql: `(${match.sql} OR operator = ?)`, values: [...match.values, orOperator] }
}

/** The end of the range sorts after every text that begins so; ids and actions are ASCII. */
const matching = (column: string, match: TextMatch): Condition =>
  'is' in match
    ? { sql: `${column} = ?`, values: [match.is] }
    : { sql: `${column} >= ? AND ${column} < ?`, values: [match.startsWith, `${match.startsWith}~`] }
