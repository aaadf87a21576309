import type { AuditEntry } from '../../api/auditLog.ts'

const head = ['created_at', 'actor_type', 'actor_id', 'actor', 'action', 'target', 'before', 'after', 'client_address']

/** A program for tables calculates a cell that begins so. Names and addresses come from other people. */
const isFormula = /^[=+\-@\t\r]/

const cell = (value: string): string => {
  const text = isFormula.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

const json = (value: unknown): string => (value === null ? '' : JSON.stringify(value))

/** Returns entries as CSV (RFC 4180), with the names of the API. An absent value is empty. */
export const auditCsv = (entries: readonly AuditEntry[]): string => {
  const rows = entries.map(({ created_at, actor, action, target, before, after, client_address }) => [
    created_at,
    actor.type,
    actor.id ?? '',
    actor.email ?? actor.name ?? '',
    action,
    target ?? '',
    json(before),
    json(after),
    client_address ?? '',
  ])
  return [head, ...rows].map((cells) => `${cells.map(cell).join(',')}\r\n`).join('')
}
