import { lanes, type StoredEmail } from '@postrider/domain/email/email.ts'
import { resumedAt } from '@postrider/domain/email/waiting.ts'
import type { EmailStore } from '@postrider/ports/emails.ts'
import type { Row, SqliteDatabase } from '../client/database.ts'
import { inSlices } from '../client/recordScheduler.ts'
import { type QueueTally, waitingOf } from './queueCounts.ts'
import { deathsAfterLease, emailOf, numberOrNull, storedColumns, storedOf } from './rows.ts'

/** Mail of suspended workspaces. Its `next_at` is later than its document states, and `suspended` marks it. */
export const suspendedEmails = (
  db: SqliteDatabase,
  tally: Pick<QueueTally, 'move'>,
): Pick<EmailStore, 'dueOf' | 'suspend' | 'resume'> => ({ ...suspensions(db), ...resumptions(db, tally) })

const suspensions = (db: SqliteDatabase): Pick<EmailStore, 'dueOf' | 'suspend'> => {
  const due = db.prepare(`
    SELECT seq, octet_length(doc) AS bytes FROM emails
    WHERE lane = ? AND workspace IN (SELECT value FROM json_each(?)) AND due_at <= ? LIMIT ?`)
  const stillDue = db.prepare(`SELECT ${storedColumns} FROM emails WHERE seq = ? AND due_at <= ?`)
  const size = db.prepare('SELECT octet_length(doc) AS bytes FROM emails WHERE id = ?')
  const suspend = db.prepare(`
    UPDATE emails SET next_at = :until, suspended = 1, fence = fence + 1,
      deaths = ${deathsAfterLease}, lease_until = NULL
    WHERE id = :id AND fence = :fence AND next_at IS NOT NULL AND (lease_until IS NULL OR lease_until <= :now)`)
  return {
    dueOf: async (workspaces, now, limit) => {
      const rows = db.read(() => lanes.flatMap((lane) => due.all(lane, JSON.stringify(workspaces), now, limit)))
      const found: StoredEmail[] = []
      await inSlices(
        rows.slice(0, limit),
        (batch) => {
          const read = db.read(() => batch.flatMap(({ seq }) => stillDue.all(Number(seq), now)))
          found.push(...read.map(storedOf))
          return read.length
        },
        bytesOf,
      )
      return found
    },
    suspend: (mail, now) =>
      inSlices(
        mail,
        (batch) =>
          db.write(
            () => batch.filter(({ id, fence, until }) => suspend.run({ id, fence, until, now }).changes === 1).length,
          ),
        ({ id }) => bytesOf(db.read(() => size.get(id))),
      ),
  }
}

const resumptions = (db: SqliteDatabase, { move }: Pick<QueueTally, 'move'>): Pick<EmailStore, 'resume'> => {
  const nextWorkspace = db.prepare(
    'SELECT workspace FROM emails WHERE suspended = 1 AND workspace > ? ORDER BY workspace LIMIT 1',
  )
  // The worker of a leased email writes its next time itself. Without this condition, leased mail could fill each call.
  const suspended = db.prepare(`
    SELECT seq, octet_length(doc) AS bytes FROM emails INDEXED BY emails_suspended
    WHERE suspended = 1 AND workspace = ? AND lease_until IS NULL LIMIT ?`)
  const stillSuspended = db.prepare(
    'SELECT next_at, status, doc FROM emails WHERE seq = ? AND suspended = 1 AND lease_until IS NULL',
  )
  const resume = db.prepare('UPDATE emails SET suspended = 0, next_at = :nextAt, fence = fence + 1 WHERE seq = :seq')

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

  const resumeOne = (seq: number): void => {
    const row = stillSuspended.get(seq)
    if (!row) return
    const [email, waited] = [emailOf(row), waitingOf(row['status'], row['next_at'])]
    const nextAt = resumedAt(email, numberOrNull(row['next_at']))
    resume.run({ seq, nextAt })
    move(email, waited, waitingOf(row['status'], nextAt))
  }

  return {
    resume: async ({ except, limit }) => {
      const rows = db.read(() => resumable(except, limit))
      await inSlices(
        rows,
        (batch) =>
          db.write(() => {
            for (const { seq } of batch) resumeOne(Number(seq))
            return batch.length
          }),
        bytesOf,
      )
      return rows.length
    },
  }
}

const bytesOf = (row: Row | undefined): number => Number(row?.['bytes'] ?? 0)
