import type { StatementSync } from 'node:sqlite'
import { linkPurposes } from '@postrider/domain/accounts/links.ts'
import { neverMs } from '@postrider/domain/time.ts'
import type { WorkspaceErasure } from '@postrider/ports/workspaceErasure.ts'
import type { SqliteDatabase } from '../client/database.ts'
import { partsRemoval } from '../emails/contentParts.ts'
import { type Allowances, sqliteAllowances } from '../ledger/allowances.ts'
import { batchErasure } from './batchErasure.ts'

/** A table, the condition that selects the rows of workspace `?1`, and how many of them are removed in a call. */
type Part = { table: string; of: string; max: number }

const part = (table: string, of = 'workspace = ?1', max = Number.POSITIVE_INFINITY): Part => ({ table, of, max })

/**
 * Rows that may be long, and are removed in a call: about 5 MiB. A content without parts has up to 256 KiB; a version
 * has 2 MiB.
 */
const [maxEmails, maxVersions] = [20, 2]

const purposes = linkPurposes.map((purpose) => `'${purpose}'`).join(', ')
const linksAbout = (subjects: string): string => `purpose IN (${purposes}) AND subject ${subjects}`

/** Removes up to `limit` rows. @returns how many */
type Step = (workspace: string, limit: number) => number

const changesOf =
  (statement: StatementSync): Step =>
  (workspace, limit) =>
    Number(statement.run(workspace, limit).changes)

/** What gives access, and the events, in the order of removal. */
const firstParts: readonly Part[] = [
  part('api_keys'),
  part('sessions'),
  part('links', linksAbout(">= ?1 || '/' AND subject < ?1 || '0'")),
  part('invitations'),
  part('events'),
]

/** What follows the emails. Rows that refer to a removed row go with it. */
const parts: readonly Part[] = [
  part('queue_counts'),
  part('erasures'),
  part('captured_mail'),
  part('template_versions', 'template IN (SELECT id FROM templates WHERE workspace = ?1)', maxVersions),
  part('templates'),
  part('test_clocks'),
  part('domains'),
  part('workspace_events'),
  part('webhook_deliveries', 'endpoint IN (SELECT id FROM webhook_endpoints WHERE workspace = ?1)'),
  part('webhook_replays', 'endpoint IN (SELECT id FROM webhook_endpoints WHERE workspace = ?1)'),
  part('webhook_endpoints'),
  part('quota_marks'),
  part('notification_groups'),
  part('notification_preferences'),
  part('outcome_hours'),
  part('stats_positions'),
  part('stats_buckets'),
  part('reputations'),
  part('idempotency_keys', "scope >= ?1 || ' ' AND scope < ?1 || '!'"),
]

/**
 * Rows that are needed, with the lines of the ledger and the allowance, until the billing has ended, in the order of
 * removal.
 */
const billedParts: readonly Part[] = [part('ledger_totals'), part('payment_notices'), part('billing_accounts')]

/** Users whose only workspace is `?1`. */
const lonelyUsers = `
  SELECT user FROM memberships AS own WHERE workspace = ?1
  AND NOT EXISTS (SELECT 1 FROM memberships WHERE user = own.user AND workspace <> ?1)`

/** Rows that belong to these users, in the order of removal. */
const partsOfUsers: readonly Part[] = [
  part('sessions', `user IN (${lonelyUsers})`),
  part('known_devices', `user IN (${lonelyUsers})`),
]

/** Removes deleted workspaces from SQLite, some rows of one table in each call. */
export const sqliteWorkspaceErasure = (
  db: SqliteDatabase,
  allowances: Pick<Allowances, 'delete'> = sqliteAllowances(db),
): WorkspaceErasure => {
  const mark = db.prepare('UPDATE workspaces SET erasing = 1 WHERE id = ? AND erasing = 0')
  const stepOf = ({ table, of, max }: Part): Step => {
    // `rowid` does not exist in tables without it; their rows are few, or short.
    const key = withoutRowid[table] ?? 'rowid'
    const remove = changesOf(
      db.prepare(`DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM ${table} WHERE ${of} LIMIT ?2)`),
    )
    return (workspace, limit) => remove(workspace, Math.min(limit, max))
  }
  const billing = db.prepare('SELECT 1 FROM billing_accounts WHERE workspace = ? AND due_at < ?')
  const isBilled = (workspace: string): boolean => billing.get(workspace, neverMs) !== undefined
  const memberships = db.prepare('DELETE FROM memberships WHERE workspace = ?1 AND ?2 > 0')
  const lines = db.prepare(
    'DELETE FROM audit_log WHERE seq IN (SELECT seq FROM audit_log WHERE workspace = ?1 LIMIT ?2)',
  )
  const workspaceRow = db.prepare('DELETE FROM workspaces WHERE id = ?')
  const remember = db.prepare('INSERT INTO removed_workspaces VALUES (?, 0) ON CONFLICT DO NOTHING')
  const removed = db.prepare('SELECT id, next_at FROM removed_workspaces WHERE next_at <= ? ORDER BY next_at LIMIT ?')
  const postpone = db.prepare('UPDATE removed_workspaces SET next_at = ? WHERE id = ?')
  const forget = db.prepare('DELETE FROM removed_workspaces WHERE id = ?')

  const removeWorkspace = (workspace: string): number => {
    const { changes } = workspaceRow.run(workspace)
    if (changes === 1) remember.run(workspace)
    return Number(changes)
  }
  const steps: Step[] = [
    ...firstParts.map(stepOf),
    emailStep(db),
    ...parts.map(stepOf),
    batchErasure(db),
    ...[ledgerStep(db), ...billedParts.map(stepOf), allowances.delete].map(
      (step): Step =>
        (workspace, limit) =>
          isBilled(workspace) ? 0 : step(workspace, limit),
    ),
    ...textSteps(db),
    ...partsOfUsers.map(stepOf),
    userStep(db),
    ...[memberships, lines].map(changesOf),
    removeWorkspace,
  ]
  return {
    step: async (workspace, limit) => {
      // A commit writes the counts of the queue last, and the reservations that are not committed.
      await db.synced()
      db.complete()
      const removed = db.write(() => {
        mark.run(workspace)
        for (const remove of steps) {
          const count = remove(workspace, limit)
          if (count > 0) return count
        }
        return 0
      })
      if (removed === 0) db.emptyLog(true)
      return removed
    },
    removed: async (now, limit) =>
      db
        .read(() => removed.all(now, limit))
        .map((row) => ({ id: String(row['id']), isNew: Number(row['next_at']) === 0 })),
    scheduleRecheck: async (workspace, at) => void db.writeOne(() => postpone.run(at, workspace)),
    forget: async (workspace) =>
      db.write(() => {
        if (isBilled(workspace)) return false
        forget.run(workspace)
        return true
      }),
  }
}

/** Removes emails with their contents and attachments. A content in parts may be long, so its parts go first. */
const emailStep = (db: SqliteDatabase): Step => {
  const batch = `SELECT seq FROM emails WHERE workspace = ?1 LIMIT ${maxEmails}`
  const inParts = db.prepare(`SELECT seq, parts FROM contents WHERE seq IN (${batch}) AND parts IS NOT NULL LIMIT 1`)
  const removeParts = partsRemoval(db)
  const forgetParts = db.prepare('UPDATE contents SET parts = NULL WHERE seq = ?')
  const emails = db.prepare(`DELETE FROM emails WHERE seq IN (${batch})`)
  return (workspace) => {
    const content = inParts.get(workspace)
    if (content === undefined) return Number(emails.run(workspace).changes)
    const { seq = 0, parts = 0 } = content
    return removeParts(Number(parts)) || Number(forgetParts.run(seq).changes)
  }
}

/** Removes lines of the ledger, each with the mark of a reservation that is not committed. */
const ledgerStep = (db: SqliteDatabase): Step => {
  const lines = db.prepare(`
    DELETE FROM ledger_lines WHERE id IN (SELECT id FROM ledger_lines WHERE workspace = ?1 LIMIT ?2) RETURNING id`)
  const mark = db.prepare('DELETE FROM ledger_pending WHERE id = ?')
  return (workspace, limit) => {
    const removed = lines.all(workspace, limit)
    for (const { id = '' } of removed) mark.run(id)
    return removed.length
  }
}

/** Removes texts that people wrote on invoices and corrections. */
const textSteps = (db: SqliteDatabase): Step[] =>
  [
    db.prepare(`
      UPDATE invoices SET doc = json_set(doc, '$.reason', '')
      WHERE workspace = ?1 AND json_extract(doc, '$.reason') <> '' AND ?2 > 0`),
    db.prepare(`
      UPDATE billing_lines SET doc = json_set(doc, '$.description', 'Correction')
      WHERE workspace = ?1 AND json_extract(doc, '$.kind') = 'adjust'
      AND json_extract(doc, '$.description') <> 'Correction' AND ?2 > 0`),
  ].map(changesOf)

/** Removes the users whose only workspace this is, with what little belongs to them still. */
const userStep = (db: SqliteDatabase): Step => {
  const lonely = db.prepare(`${lonelyUsers} LIMIT ?2`)
  const sessionsOf = db.prepare('DELETE FROM sessions WHERE user = ?')
  const linksOf = db.prepare(`DELETE FROM links WHERE ${linksAbout('= ?')}`)
  const devicesOf = db.prepare('DELETE FROM known_devices WHERE user = ?')
  const preferencesOf = db.prepare('DELETE FROM notification_preferences WHERE user = ?')
  const membership = db.prepare('DELETE FROM memberships WHERE user = ? AND workspace = ?')
  const user = db.prepare('DELETE FROM users WHERE id = ?')
  return (workspace, limit) => {
    const ids = lonely.all(workspace, limit).map((row) => String(row['user']))
    for (const id of ids) {
      sessionsOf.run(id)
      linksOf.run(id)
      devicesOf.run(id)
      preferencesOf.run(id)
      membership.run(id, workspace)
      user.run(id)
    }
    return ids.length
  }
}

/** Keys of tables without a rowid. */
const withoutRowid: Readonly<Record<string, string>> = {
  api_keys: 'id',
  sessions: 'hash',
  links: 'hash',
  invitations: 'id',
  events: 'workspace, mode, at, id',
  workspace_events: 'id',
  quota_marks: 'workspace, month, mark',
  notification_preferences: 'workspace, user',
  known_devices: 'user, device',
  outcome_hours: 'workspace, hour',
  stats_positions: 'workspace, mode',
  reputations: 'workspace',
  queue_counts: 'workspace, lane, mode, scheduled',
  templates: 'id',
  test_clocks: 'workspace',
  erasures: 'id',
  ledger_totals: 'workspace, period',
  payment_notices: 'id',
  billing_accounts: 'workspace',
}
