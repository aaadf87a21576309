import { nextDueOf } from '@postrider/domain/email/due.ts'
import { lanes } from '@postrider/domain/email/email.ts'
import type { EmailStore } from '@postrider/ports/emails.ts'
import type { Row, SqliteDatabase } from '../client/database.ts'
import { type QueueTally, waitingOf } from './queueCounts.ts'
import { emailOf, storedColumns, storedOf } from './rows.ts'

/** Mail of suspended workspaces. Its `next_at` is later than its document states, and `suspended` marks it. */
export const suspendedEmails = (
  db: SqliteDatabase,
  { move }: Pick<QueueTally, 'move'>,
): Pick<EmailStore, 'dueOf' | 'suspend' | 'resume'> => {
  const due = db.prepare(`
    SELECT ${storedColumns} FROM emails WHERE lane = ? AND workspace IN (SELECT value FROM json_each(?)) AND due_at <= ? LIMIT ?`)
  const suspend = db.prepare(`
    UPDATE emails SET next_at = :until, suspended = 1, fence = fence + 1,
      deaths = deaths + (lease_until IS NOT NULL), lease_until = NULL
    WHERE id = :id AND fence = :fence AND next_at IS NOT NULL AND (lease_until IS NULL OR lease_until <= :now)`)
  const nextWorkspace = db.prepare(
    'SELECT workspace FROM emails WHERE suspended = 1 AND workspace > ? ORDER BY workspace LIMIT 1',
  )
  const suspended = db.prepare(
    'SELECT seq, next_at, status, doc FROM emails WHERE suspended = 1 AND workspace = ? LIMIT ?',
  )
  // A worker that holds the email writes its next time itself. A parked email stays parked.
  const resume = db.prepare('UPDATE emails SET suspended = 0, next_at = :nextAt WHERE seq = :seq')

  /** Returns mail that is to be resumed, workspace by workspace. */
  const resumable = (except: ReadonlySet<string>, limit: number): Row[] => {
    const found: Row[] = []
    for (let last = ''; found.length < limit; ) {
      const row = nextWorkspace.get(last)
      if (!row) break
      last = String(row['workspace'])
      if (!except.has(last)) found.push(...suspended.all(last, limit - found.length))
    }
    return found
  }

  return {
    dueOf: async (workspaces, now, limit) =>
      db
        .read(() => lanes.flatMap((lane) => due.all(lane, JSON.stringify(workspaces), now, limit)))
        .slice(0, limit)
        .map(storedOf),
    suspend: async (mail, now) =>
      db.write(
        () => mail.filter(({ id, fence, until }) => suspend.run({ id, fence, until, now }).changes === 1).length,
      ),
    resume: async ({ except, limit }) =>
      db.write(() => {
        const rows = resumable(except, limit)
        for (const row of rows) {
          const [email, waited] = [emailOf(row), waitingOf(row['status'], row['next_at'])]
          const nextAt = waited === null ? null : nextDueOf(email)
          resume.run({ seq: Number(row['seq']), nextAt })
          move(email, waited, waitingOf(row['status'], nextAt))
        }
        return rows.length
      }),
  }
}
