import type { Lane, Mode } from '@postrider/domain/email/email.ts'
import { queueKindOf } from '@postrider/domain/fairness/admission.ts'
import type { EmailStore, QueueCount } from '@postrider/ports/emails.ts'
import type { SqliteDatabase } from './database.ts'

type Row = { workspace: string; lane: Lane; mode: Mode; scheduled: number; emails: number; bytes: number }

/** Reads the counts of waiting mail that triggers of the table `emails` update. Test mail may be in two rows. */
export const queueCounts = (db: SqliteDatabase): EmailStore['queueCounts'] => {
  const select = db.prepare('SELECT workspace, lane, mode, scheduled, emails, bytes FROM queue_counts')
  return async () => {
    const counts = new Map<string, QueueCount>()
    for (const { workspace, lane, mode, scheduled, emails, bytes } of db.read(() => select.all()) as Row[]) {
      const kind = queueKindOf({ mode, status: scheduled === 1 ? 'scheduled' : 'queued' })
      const key = `${workspace} ${lane} ${kind}`
      const sum = counts.get(key) ?? { workspace, lane, kind, emails: 0, bytes: 0 }
      counts.set(key, { ...sum, emails: sum.emails + emails, bytes: sum.bytes + bytes })
    }
    return [...counts.values()]
  }
}
