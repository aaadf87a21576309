import type { Email, Lane, Mode } from '@postrider/domain/email/email.ts'
import type { EmailStatus } from '@postrider/domain/email/status.ts'
import { queuedBytes } from '@postrider/domain/email/storedBytes.ts'
import { countsAsScheduled, isWaiting, queueKindOf } from '@postrider/domain/fairness/admission.ts'
import type { EmailStore, QueueCount } from '@postrider/ports/emails.ts'
import type { SqliteDatabase } from '../client/database.ts'

/** State of an email that waits; null: it does not wait. */
export type Waiting = 'due' | 'scheduled' | null

/** Returns what the row of an email counts as. */
export const waitingOf = (status: unknown, nextAt: unknown): Waiting => {
  if (!isWaiting({ nextAt: nextAt as number | null })) return null
  return countsAsScheduled(status as EmailStatus) ? 'scheduled' : 'due'
}

/** Counts of waiting mail in the table `queue_counts`. */
export type QueueTally = Pick<EmailStore, 'queueCounts'> & {
  /**
   * Moves an email from one count to another. Each write that may change `next_at` or `status` calls it as its last
   * step in the same event loop iteration, so that the counts are committed with the write.
   */
  move(email: Email, from: Waiting, to: Waiting): void
}

/** A row of the table; in `changed`, what is to be added to it. */
type CountRow = { workspace: string; lane: Lane; mode: Mode; scheduled: 0 | 1; emails: number; bytes: number }

/** Rows of workspaces whose mail has left stay until a count finds more than this. */
const maxEmptyRows = 1_000

/**
 * The changes of a transaction are added to the table once, at its end: a write per email would cost as much as an
 * index.
 */
export const queueTally = (db: SqliteDatabase): QueueTally => {
  const select = db.prepare('SELECT workspace, lane, mode, scheduled, emails, bytes FROM queue_counts')
  const removeEmpty = db.prepare('DELETE FROM queue_counts WHERE emails = 0')
  const add = db.prepare(`
    INSERT INTO queue_counts (workspace, lane, mode, scheduled, emails, bytes) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET emails = emails + excluded.emails, bytes = bytes + excluded.bytes`)
  const changed = new Map<string, CountRow>()

  /** Mail of one workspace comes in a row, and to build a key costs more than to compare. */
  let last: CountRow | null = null
  const rowOf = (workspace: string, lane: Lane, mode: Mode, scheduled: 0 | 1): CountRow => {
    if (last?.workspace === workspace && last.lane === lane && last.mode === mode && last.scheduled === scheduled)
      return last
    const key = `${workspace} ${lane} ${mode} ${scheduled}`
    last = changed.get(key) ?? { workspace, lane, mode, scheduled, emails: 0, bytes: 0 }
    changed.set(key, last)
    return last
  }
  const forget = (): void => {
    changed.clear()
    last = null
  }
  const change = (email: Email, waiting: Waiting, by: 1 | -1): void => {
    if (waiting === null) return
    const { workspace, category: lane, mode } = email
    const row = rowOf(workspace, lane, mode, waiting === 'scheduled' ? 1 : 0)
    row.emails += by
    row.bytes += by * queuedBytes(email)
  }
  const writeChanged = (): void => {
    for (const { workspace, lane, mode, scheduled, emails, bytes } of changed.values())
      if (emails !== 0 || bytes !== 0) add.run(workspace, lane, mode, scheduled, emails, bytes)
    forget()
  }
  db.beforeCommit(writeChanged)
  db.onFailedCommit(forget)

  return {
    move: (email, from, to) => {
      if (from === to) return
      change(email, from, -1)
      change(email, to, 1)
    },
    queueCounts: async () => {
      db.complete()
      const rows = db.read(() => select.all()) as CountRow[]
      const waiting = rows.filter(({ emails }) => emails > 0)
      if (rows.length - waiting.length > maxEmptyRows) db.writeOne(() => removeEmpty.run())
      return ofKinds(waiting)
    },
  }
}

/** Test mail of a workspace and lane may be in two rows. */
const ofKinds = (rows: readonly CountRow[]): QueueCount[] => {
  const counts = new Map<string, QueueCount>()
  for (const { workspace, lane, mode, scheduled, emails, bytes } of rows) {
    const kind = queueKindOf({ mode, isScheduled: scheduled === 1 })
    const key = `${workspace} ${lane} ${kind}`
    const sum = counts.get(key) ?? { workspace, lane, kind, emails: 0, bytes: 0 }
    counts.set(key, { ...sum, emails: sum.emails + emails, bytes: sum.bytes + bytes })
  }
  return [...counts.values()]
}
