import type { Email, Lane } from '@postrider/domain/email/email.ts'
import type { EmailStore } from '@postrider/ports/emails.ts'
import type { SqliteDatabase } from './database.ts'
import { emailContents } from './emailContents.ts'
import { emailLeases } from './emailLeases.ts'
import { listEmails } from './listEmails.ts'
import { numberOrNull, owes, statusOf, storedColumns, storedOf } from './storedEmail.ts'

/**
 * The queue in SQLite.
 * @param onParked told of an email that was set aside at a claim because its workers died over it again and again
 */
export const sqliteEmails = (db: SqliteDatabase, onParked: (id: string) => void = () => {}): EmailStore => ({
  ...emailContents(db),
  ...records(db),
  ...emailLeases(db, onParked),
  ...overview(db),
  list: (query) => listEmails(db, query),
})

const records = (db: SqliteDatabase): Pick<EmailStore, 'get' | 'write' | 'change'> => {
  const select = db.prepare(`SELECT ${storedColumns} FROM emails WHERE id = ? AND workspace <> ''`)
  const replacement = 'doc = ?, status = ?, owing = ?, next_at = ?'
  const held = 'WHERE id = ? AND fence = ? AND lease_until IS NOT NULL'
  const write = db.prepare(`UPDATE emails SET ${replacement} ${held}`)
  const finish = db.prepare(`UPDATE emails SET ${replacement}, lease_until = NULL, deaths = 0 ${held}`)
  const change = db.prepare(`
    UPDATE emails SET ${replacement}, fence = fence + 1, deaths = deaths + (lease_until IS NOT NULL), lease_until = NULL
    WHERE id = ? AND fence = ? AND (lease_until IS NULL OR lease_until <= ?)`)
  const columns = (email: Email, nextAt: number | null) =>
    [JSON.stringify(email), statusOf(email), owes(email), nextAt] as const
  return {
    get: async (id) => {
      const row = db.read(() => select.get(id))
      return row ? storedOf(row) : null
    },
    write: async (id, fence, { email, nextAt, done }) =>
      db.writeOne(() => (done ? finish : write).run(...columns(email, nextAt), id, fence)).changes === 1,
    change: async (id, fence, now, { email, nextAt }) =>
      db.writeOne(() => change.run(...columns(email, nextAt), id, fence, now)).changes === 1,
  }
}

const overview = (db: SqliteDatabase): Pick<EmailStore, 'nextDue' | 'backlog' | 'pendingRefunds'> => {
  const next = db.prepare('SELECT min(due_at) AS at FROM emails WHERE lane = ? AND due_at IS NOT NULL')
  const waiting = db.prepare('SELECT count(*) AS count FROM emails WHERE lane = ? AND due_at IS NOT NULL')
  const due = db.prepare('SELECT count(*) AS count FROM emails WHERE lane = ? AND due_at <= ?')
  const owing = db.prepare(`SELECT ${storedColumns} FROM emails WHERE owing = 1 LIMIT ?`)
  const nextDue = (lane: Lane): number | null => numberOrNull(next.get(lane)?.['at'])
  const backlog = (lane: Lane, now: number) => {
    const first = nextDue(lane)
    return {
      lane,
      waiting: Number(waiting.get(lane)?.['count']),
      due: Number(due.get(lane, now)?.['count']),
      oldestDueAt: first !== null && first <= now ? first : null,
    }
  }
  return {
    nextDue: async (lane) => db.read(() => nextDue(lane)),
    backlog: async (now) => db.read(() => [backlog('transactional', now), backlog('marketing', now)]),
    pendingRefunds: async (limit) => db.read(() => owing.all(limit)).map(storedOf),
  }
}
