import { setImmediate as nextTurn } from 'node:timers/promises'
import { lanes, type Mode } from '@postrider/domain/email/email.ts'
import { queueKindOf } from '@postrider/domain/fairness/admission.ts'
import type { EmailStore, QueueCount } from '@postrider/ports/emails.ts'
import type { SqliteDatabase } from './database.ts'

/** Emails of one step of a count: a few milliseconds of the event loop. */
const stepEmails = 2_000

type Group = { workspace: string; mode: Mode; scheduled: number; emails: number; bytes: number; last: number }

/** Counts waiting mail in steps, from an index alone. Mail that changes while the count runs may count or not. */
export const queueCounts = (db: SqliteDatabase): EmailStore['queueCounts'] => {
  const step = db.prepare(`
    SELECT workspace, mode, scheduled, count(*) AS emails, sum(bytes) AS bytes, max(seq) AS last FROM (
      SELECT seq, workspace, mode, status = 'scheduled' AS scheduled, bytes FROM emails INDEXED BY emails_waiting
      WHERE lane = ? AND seq > ? AND next_at IS NOT NULL ORDER BY seq LIMIT ${stepEmails})
    GROUP BY workspace, mode, scheduled`)
  return async () => {
    const counts = new Map<string, QueueCount>()
    for (const lane of lanes) {
      for (let [last, found] = [0, stepEmails]; found === stepEmails; ) {
        const groups = db.read(() => step.all(lane, last)) as Group[]
        found = 0
        for (const { workspace, mode, scheduled, emails, bytes, last: seq } of groups) {
          const kind = queueKindOf({ mode, status: scheduled === 1 ? 'scheduled' : 'queued' })
          const key = `${workspace} ${lane} ${kind}`
          const sum = counts.get(key) ?? { workspace, lane, kind, emails: 0, bytes: 0 }
          counts.set(key, { ...sum, emails: sum.emails + emails, bytes: sum.bytes + bytes })
          found += emails
          last = Math.max(last, seq)
        }
        if (found > 0) await nextTurn()
      }
    }
    return [...counts.values()]
  }
}
