import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Email } from '@postrider/domain/email/email.ts'
import { termsOf } from '@postrider/domain/email/terms.ts'
import type { EmailStore } from '@postrider/ports/emails.ts'
import type { SqliteDatabase } from './database.ts'
import { emailOf, type Row } from './emailRows.ts'

/**
 * The index of lists, a full-text index of the terms of emails. It is written in batches after the emails, which costs less than
 * half of a row for each. Until then lists read the emails themselves.
 */
export type EmailTerms = Pick<EmailStore, 'fillListIndex'> & {
  /** Replaces the terms of an email of which something was removed. Called inside of the write of its record. */
  replaceTerms(email: Email): void
}

/** Emails that one turn of the event loop adds: some milliseconds. */
const turnEmails = 100

/** Number of a row of `emails` in the index: sorts by time, then by `seq` as far as two emails of a millisecond differ. */
export const termsKey = (createdAt: string, seq: string): string => `((${createdAt} << 21) | (${seq} & 2097151))`

export const emailTerms = (db: SqliteDatabase): EmailTerms => {
  const columns = 'seq, created_at, workspace, doc'
  const range = db.prepare('SELECT after, upto FROM email_terms_range')
  const newer = db.prepare(`SELECT ${columns} FROM emails WHERE seq > ? ORDER BY seq LIMIT ?`)
  const older = db.prepare(`SELECT ${columns} FROM emails WHERE seq <= ? ORDER BY seq DESC LIMIT ?`)
  const setUpto = db.prepare('UPDATE email_terms_range SET upto = ?')
  const setAfter = db.prepare('UPDATE email_terms_range SET after = ?')
  const key = termsKey('?', '?')
  const insert = db.prepare(`INSERT INTO email_terms (rowid, terms) VALUES (${key}, ?)`)
  const replace = db.prepare(`
    UPDATE email_terms SET terms = ?
    WHERE rowid = (SELECT ${termsKey('created_at', 'seq')} FROM emails WHERE id = ?)`)

  /** The index is written in the order of its numbers: otherwise each email makes a segment of its own. */
  const add = (rows: readonly Row[]): void => {
    const sorted = rows
      .filter((row) => row['workspace'] !== '')
      .map((row) => ({ row, at: Number(row['created_at']), seq: Number(row['seq']) }))
      .sort((one, other) => one.at - other.at || one.seq - other.seq)
    for (const { row, at, seq } of sorted) insert.run(at, seq, termsOf(emailOf(row)).join(' '))
  }
  const fill = (limit: number): number =>
    db.write(() => {
      const { after, upto } = rangeOf(range.get())
      const fresh = newer.all(upto, limit)
      const newest = fresh.at(-1)
      if (newest) setUpto.run(Number(newest['seq']))
      const room = after === 0 ? 0 : limit - fresh.length
      const old = room === 0 ? [] : older.all(after, room)
      const oldest = old.length === room ? old.at(-1) : undefined
      if (room > 0) setAfter.run(oldest ? Number(oldest['seq']) - 1 : 0)
      add([...fresh, ...old])
      return fresh.length + old.length
    })
  const isComplete = (): boolean => {
    const { after, upto } = rangeOf(range.get())
    return after === 0 && newer.get(upto, 1) === undefined
  }
  return {
    fillListIndex: async (limit) => {
      // A transaction without a write would still be one with an fsync.
      if (db.read(isComplete)) return 0
      for (let count = 0; ; await nextTurn()) {
        const most = Math.min(turnEmails, limit - count)
        const added = fill(most)
        count += added
        if (added < most || count >= limit) return count
      }
    },
    replaceTerms: (email) => void replace.run(termsOf(email).join(' '), email.id),
  }
}

/** Emails with `after < seq <= upto` are in the index. */
export type TermsRange = { after: number; upto: number }

export const rangeOf = (row: Row | undefined): TermsRange => ({
  after: Number(row?.['after']),
  upto: Number(row?.['upto']),
})
