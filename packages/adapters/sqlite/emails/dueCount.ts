import type { StatementSync } from 'node:sqlite'
import { setImmediate as nextIteration } from 'node:timers/promises'
import type { Lane } from '@postrider/domain/email/email.ts'
import type { SqliteDatabase } from '../client/database.ts'
import { numberOrNull } from './rows.ts'

/** Due emails that one step of a count passes: about 1 ms of the event loop. */
const emailsPerStep = 10_000

/**
 * Returns a function that counts the due emails of a lane. A million may be due at one time, so these are counted in
 * steps too.
 */
export const dueCounter = (db: SqliteDatabase): ((lane: Lane, now: number) => Promise<number>) => {
  const from = 'FROM emails INDEXED BY emails_due WHERE lane = :lane'
  const range = `${from} AND due_at > :after AND due_at`
  const skipped = `LIMIT 1 OFFSET ${emailsPerStep}`
  const stepEnd = db.prepare(`SELECT due_at AS found ${range} <= :until ORDER BY due_at ${skipped}`)
  const last = db.prepare(`SELECT count(*) AS found ${range} <= :until`)
  const before = db.prepare(`SELECT count(*) AS found ${range} < :until`)
  const ofTime = `${from} AND due_at = :at AND lease_until IS NULL AND seq > :seq`
  const ofTimeEnd = db.prepare(`SELECT seq AS found ${ofTime} ORDER BY seq ${skipped}`)
  const ofTimeRest = db.prepare(`SELECT count(*) AS found ${ofTime}`)
  // There is no more leased mail than the workers process.
  const ofTimeLeased = db.prepare(`SELECT count(*) AS found ${from} AND due_at = :at AND lease_until IS NOT NULL`)
  const read = (statement: StatementSync, values: Record<string, string | number>): number | null =>
    numberOrNull(db.read(() => statement.get(values))?.['found'] ?? null)
  const countOfTime = async (lane: Lane, at: number): Promise<number> => {
    let count = read(ofTimeLeased, { lane, at }) ?? 0
    for (let seq: number | null = 0; seq !== null; await nextIteration()) {
      const after: number = seq
      seq = read(ofTimeEnd, { lane, at, seq: after })
      count += seq === null ? (read(ofTimeRest, { lane, at, seq: after }) ?? 0) : emailsPerStep + 1
    }
    return count
  }
  return async (lane, now) => {
    let count = 0
    for (let after = -1; ; ) {
      const until = read(stepEnd, { lane, after, until: now })
      if (until === null) return count + (read(last, { lane, after, until: now }) ?? 0)
      count += (read(before, { lane, after, until }) ?? 0) + (await countOfTime(lane, until))
      after = until
    }
  }
}
