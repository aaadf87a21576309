import { setImmediate as nextIteration } from 'node:timers/promises'
import type { Email } from '@postrider/domain/email/email.ts'
import { termsOf } from '@postrider/domain/email/terms.ts'
import type { EmailStore } from '@postrider/ports/emails.ts'
import type { Row, SqliteDatabase } from '../client/database.ts'
import { firstItems } from '../client/recordScheduler.ts'
import { emailOf } from './rows.ts'

/**
 * The index of lists, a full-text index of the terms of emails. It is written in batches after the emails, which costs
 * less than half of a row for each. Until then lists read the emails themselves.
 */
export type EmailTerms = Pick<EmailStore, 'fillListIndex'> & {
  /** Replaces the terms of an email after a removal. Called inside of the write of its record. */
  replaceTerms(email: Email): void
}

/** Emails that one event loop iteration adds, and what they may cost: some milliseconds. */
const [iterationEmails, iterationCost] = [100, 256 * 1024]

/** A long subject has hundreds of terms, and to add one costs as much as to parse this number of bytes of a record. */
const termCost = 25

/**
 * Number of a row of `emails` in the index: sorts by time, then by `seq` as far as two emails of a millisecond differ.
 */
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
  const add = (rows: readonly IndexedRow[]): void => {
    const sorted = rows
      .filter(({ terms }) => terms !== null)
      .sort((one, other) => one.at - other.at || one.seq - other.seq)
    for (const { at, seq, terms } of sorted) insert.run(at, seq, (terms ?? []).join(' '))
  }
  const fill = (limit: number): number =>
    db.write(() => {
      const { after, upto } = rangeOf(range.get())
      const fresh = firstItems(indexed(newer.iterate(upto, limit)), costOf, iterationCost)
      const newest = fresh.at(-1)
      if (newest) setUpto.run(newest.seq)
      const room = after === 0 || sumOf(fresh) >= iterationCost ? 0 : limit - fresh.length
      const old = room === 0 ? [] : firstItems(indexed(older.iterate(after, room)), costOf, iterationCost)
      const isLast = old.length < room && sumOf(old) < iterationCost
      if (room > 0) setAfter.run(isLast ? 0 : (old.at(-1)?.seq ?? 1) - 1)
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
      for (let count = 0; ; await nextIteration()) {
        count += fill(Math.min(iterationEmails, limit - count))
        if (count >= limit || db.read(isComplete)) return count
      }
    },
    replaceTerms: (email) => void replace.run(termsOf(email).join(' '), email.id),
  }
}

/** A row of `emails` with what the index gets. `terms` is null for a void id, which has no document. */
type IndexedRow = { at: number; seq: number; bytes: number; terms: string[] | null }

/** Reads rows one by one, so that a reader can stop before the next. */
function* indexed(rows: Iterable<Row>): Generator<IndexedRow> {
  for (const row of rows) {
    const terms = row['workspace'] === '' ? null : termsOf(emailOf(row))
    yield { at: Number(row['created_at']), seq: Number(row['seq']), bytes: String(row['doc']).length, terms }
  }
}

const costOf = ({ bytes, terms }: IndexedRow): number => bytes + termCost * (terms?.length ?? 0)
const sumOf = (rows: readonly IndexedRow[]): number => rows.reduce((sum, row) => sum + costOf(row), 0)

/** Emails with `after < seq <= upto` are in the index. */
export type TermsRange = { after: number; upto: number }

export const rangeOf = (row: Row | undefined): TermsRange => ({
  after: Number(row?.['after']),
  upto: Number(row?.['upto']),
})
