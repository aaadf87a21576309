import { nextDueOf } from '@postrider/domain/email/due.ts'
import type { Content, Email, Lane, StoredEmail } from '@postrider/domain/email/email.ts'
import { unleasedStatus } from '@postrider/domain/email/status.ts'
import { queuedBytes } from '@postrider/domain/email/storedBytes.ts'
import { firstPurge } from '@postrider/domain/retention/purge.ts'
import { makeSlices, type Slices } from '@postrider/kit/slices.ts'
import type { EmailStore } from '@postrider/ports/emails.ts'
import { auditEntries } from '../audit/audit.ts'
import type { Row, SqliteDatabase } from '../client/database.ts'
import { firstRows, type RecordScheduler, recordScheduler } from '../client/recordScheduler.ts'
import { type EventIndex, eventIndex } from '../events/eventIndex.ts'
import type { BatchParts } from './batchCompletion.ts'
import { emailBatches } from './batches.ts'
import { emailClocks } from './clocks.ts'
import { type ContentParts, contentColumns, contentParts, isInParts, type PartsRow, partsOf } from './contentParts.ts'
import { dueCounter } from './dueCount.ts'
import { emailLeases } from './leases.ts'
import { listEmails } from './list.ts'
import { emailParking } from './parking.ts'
import { dueNow, emailPurges, purgeColumns } from './purges.ts'
import { type QueueTally, queueTally, type Waiting, waitingOf } from './queueCounts.ts'
import {
  aboutBytes,
  contentOf,
  deathsAfterLease,
  emailOf,
  numberOrNull,
  owingOf,
  storedColumns,
  storedOf,
} from './rows.ts'
import { suspendedEmails } from './suspended.ts'
import { emailTerms } from './terms.ts'

/*
 * The queue of mail in SQLite. This file inserts, reads and changes emails.
 *
 *   records   rows (columns of the record), contentParts (long content, in several commits)
 *   claims    leases; queueCounts (counts of waiting mail, committed with each write), dueCount
 *   batches   batches, batchRows (statements), batchCompletion (staged emails are moved to the queue, or removed)
 *   lists     list reads sources of rows: tables, and the index of terms, which termRange reads in steps
 *   others    suspended, parking, purges (expired mail), clocks (test mail), mailbox (captured mail)
 */

/**
 * The queue in SQLite.
 * @param onParked called when a claim parks an email because too many workers died while they had it
 * @param slices runs the work with long content and long records
 */
export const sqliteEmails = (
  db: SqliteDatabase,
  onParked: (id: string) => void = () => {},
  slices: Slices = makeSlices(),
): EmailStore => {
  const tally = queueTally(db)
  const events = eventIndex(db)
  const terms = emailTerms(db)
  const parts = contentParts(db, slices)
  const schedule = recordScheduler(slices)
  const content = readContent(db, parts)
  const insertRow = rowInserts(db, { ...tally, ...events })
  return {
    ...inserts(db, insertRow, parts),
    ...emailBatches(db, { parts, insertRow, slices }),
    content,
    ...records(db, { ...tally, ...events }, schedule),
    ...emailLeases(db, { ...tally, onParked, schedule }),
    ...overview(db),
    ...suspendedEmails(db, tally),
    ...emailClocks(db),
    ...emailParking(db),
    ...emailPurges(db, { parts, content, events, terms, schedule }),
    fillListIndex: terms.fillListIndex,
    queueCounts: tally.queueCounts,
    list: (query, signal) => listEmails(db, query, { signal, schedule, slices }),
  }
}

/** What each write of a record also changes. */
type Moves = Pick<QueueTally, 'move'> & Pick<EventIndex, 'addEvents'>

/** Returns a function that inserts an email with its content. It is called inside of a write. */
const rowInserts = (db: SqliteDatabase, { move, addEvents }: Moves): BatchParts['insertRow'] => {
  const insertEmail = db.prepare(`
    INSERT INTO emails (id, workspace, mode, lane, created_at, status, next_at, owing, bytes, purge_step, purge_from, doc)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`)
  const isVoid = voidIds(db)
  const insertContent = contentRows(db)
  return (email, content, stored) => {
    const { id, workspace, mode, category, createdAt } = email
    const [status, nextAt] = [unleasedStatus(email), nextDueOf(email)]
    const row = [
      id,
      workspace,
      mode,
      category,
      createdAt,
      status,
      nextAt,
      owingOf(email),
      queuedBytes(email),
      ...purgeColumns(firstPurge(email, content.attachments.length > 0)),
    ] as const
    const { changes, lastInsertRowid: seq } = insertEmail.run(...row, JSON.stringify(email))
    if (changes === 0) return isVoid(id) ? 'void' : 'exists'
    insertContent(seq, content, stored)
    addEvents(email, 0)
    move(email, null, waitingOf(status, nextAt))
    return 'inserted'
  }
}

/** Returns a function that reports whether an id has a tombstone. */
const voidIds = (db: SqliteDatabase): ((id: string) => boolean) => {
  const select = db.prepare("SELECT workspace = '' AS void FROM emails WHERE id = ?")
  return (id) => select.get(id)?.['void'] === 1
}

const inserts = (
  db: SqliteDatabase,
  insertRow: BatchParts['insertRow'],
  parts: ContentParts,
): Pick<EmailStore, 'insert' | 'tombstone'> => {
  const insertVoid = db.prepare(`
    INSERT INTO emails (id, workspace, mode, lane, created_at, status, owing, doc)
    VALUES (?, '', '', '', 0, '', 0, '') ON CONFLICT DO NOTHING`)
  const isVoid = voidIds(db)
  const insert = (email: Email, content: Content, stored: PartsRow | null) =>
    db.write(() => insertRow(email, content, stored))
  return {
    insert: async (email, content) => {
      if (!isInParts(content)) return insert(email, content, null)
      const stored = await parts.store(email.workspace, content)
      let result: ReturnType<typeof insert> | null = null
      try {
        result = insert(email, content, stored)
        return result
      } finally {
        if (result !== 'inserted') await parts.remove(stored)
        else db.synced().catch(() => parts.remove(stored))
      }
    },
    tombstone: async (id) => db.writeOne(() => insertVoid.run(id)).changes === 1 || db.read(() => isVoid(id)),
  }
}

/** Returns a function that inserts the rows of a content. Those of a content that is stored in parts are empty. */
const contentRows = (db: SqliteDatabase) => {
  const insert = db.prepare('INSERT INTO contents (seq, headers, html, text, parts, layout) VALUES (?, ?, ?, ?, ?, ?)')
  const insertAttachment = db.prepare('INSERT INTO attachments VALUES (?, ?, ?, ?, ?, ?)')
  const empty = new Uint8Array()
  return (seq: number | bigint, content: Content, stored: PartsRow | null): void => {
    insert.run(seq, JSON.stringify(content.headers), ...contentColumns(content, stored))
    for (const [number, { filename, contentType, contentId, content: bytes }] of content.attachments.entries()) {
      insertAttachment.run(seq, number, filename, contentType, contentId, stored === null ? bytes : empty)
    }
  }
}

const readContent = (db: SqliteDatabase, parts: ContentParts): EmailStore['content'] => {
  const selectContent = db.prepare(`
    SELECT seq, html, text, headers, parts, layout, workspace
    FROM emails JOIN contents USING (seq) WHERE id = ?`)
  const selectAttachments = db.prepare('SELECT * FROM attachments WHERE seq = ? ORDER BY number')
  return async (id) => {
    const row = db.read(() => selectContent.get(id))
    if (!row) return null
    const content = db.read(() => contentOf(row, selectAttachments.all(Number(row['seq']))))
    const stored = partsOf(row)
    return stored === null ? content : parts.read(String(row['workspace']), stored, content)
  }
}

const storedInTurn = async (row: Row, schedule: RecordScheduler): Promise<StoredEmail> => {
  const turn = schedule(String(row['workspace']), String(row['doc']).length)
  if (turn) await turn
  return storedOf(row)
}

const records = (
  db: SqliteDatabase,
  { move, addEvents }: Moves,
  schedule: RecordScheduler,
): Pick<EmailStore, 'get' | 'write' | 'lastWrite' | 'change'> => {
  const addEntries = auditEntries(db)
  const purgeNow = dueNow(db)
  const select = db.prepare(`SELECT workspace, ${storedColumns} FROM emails WHERE id = ? AND workspace <> ''`)
  const document = 'doc = ?, status = ?, owing = ?'
  const replacement = `${document}, next_at = ?`
  const leased = 'WHERE id = ? AND fence = ? AND lease_until IS NOT NULL'
  const dueCondition = "next_at IS NOT NULL AND status <> 'scheduled'"
  // The usual writes of a delivery, whose entry in the counts is known. The first leaves the due time as it is, so that
  // no index has to be written.
  const writeDue = db.prepare(`UPDATE emails SET ${document} ${leased} AND ${dueCondition} AND next_at = ?`)
  const finishDue = db.prepare(
    `UPDATE emails SET ${replacement}, lease_until = NULL, deaths = 0 ${leased} AND ${dueCondition}`,
  )
  const write = db.prepare(`UPDATE emails SET ${replacement} ${leased}`)
  const finish = db.prepare(`UPDATE emails SET ${replacement}, lease_until = NULL, deaths = 0 ${leased}`)
  const change = db.prepare(`
    UPDATE emails SET ${replacement}, fence = fence + 1, deaths = iif(?, 0, ${deathsAfterLease}),
      lease_until = NULL, parked_at = NULL
    WHERE id = ? AND fence = ? AND (lease_until IS NULL OR lease_until <= ?)`)
  const selectWaiting = db.prepare('SELECT status, next_at FROM emails WHERE id = ?')
  const columns = (email: Email) => [JSON.stringify(email), unleasedStatus(email), owingOf(email)] as const
  const storedWaiting = (id: string): Waiting => {
    const row = selectWaiting.get(id)
    return row ? waitingOf(row['status'], row['next_at']) : null
  }
  return {
    get: async (id) => {
      const row = db.read(() => select.get(id))
      return row ? storedInTurn(row, schedule) : null
    },
    write: async (id, fence, { email, nextAt, done, storedEvents }) => {
      const turn = schedule(email.workspace, aboutBytes(email))
      if (turn) await turn
      return db.writeOne(() => {
        const row = columns(email)
        const after = waitingOf(row[1], nextAt)
        const isUsual = done
          ? finishDue.run(...row, nextAt, id, fence).changes === 1
          : after === 'due' && writeDue.run(...row, id, fence, nextAt).changes === 1
        if (isUsual) {
          purgeNow(email)
          addEvents(email, storedEvents)
          move(email, 'due', after)
          return true
        }
        const before = storedWaiting(id)
        const isWritten = (done ? finish : write).run(...row, nextAt, id, fence).changes === 1
        if (!isWritten) return false
        purgeNow(email)
        addEvents(email, storedEvents)
        move(email, before, after)
        return true
      })
    },
    lastWrite: async (id, fence) => {
      const row = db.read(() => select.get(id))
      return row && Number(row['fence']) === fence ? { email: emailOf(row), writtenAt: null } : null
    },
    change: async (id, fence, now, { email, nextAt, resetsDeaths }, audit) => {
      const turn = schedule(email.workspace, aboutBytes(email))
      if (turn) await turn
      return db[audit ? 'write' : 'writeOne'](() => {
        const before = storedWaiting(id)
        const row = columns(email)
        const isChanged = change.run(...row, nextAt, resetsDeaths ? 1 : 0, id, fence, now).changes === 1
        if (!isChanged) return false
        purgeNow(email)
        if (audit) addEntries(audit)
        addEvents(email)
        move(email, before, waitingOf(row[1], nextAt))
        return true
      })
    },
  }
}

const overview = (db: SqliteDatabase): Pick<EmailStore, 'nextDue' | 'backlog' | 'pendingRefunds'> => {
  const next = db.prepare('SELECT min(due_at) AS at FROM emails WHERE lane = ? AND due_at IS NOT NULL')
  const owing = db.prepare(`SELECT ${storedColumns} FROM emails WHERE owing = 1 LIMIT ?`)
  const dueCount = dueCounter(db)
  const nextDue = (lane: Lane): number | null => numberOrNull(next.get(lane)?.['at'])
  const backlog = async (lane: Lane, now: number) => {
    const first = db.read(() => nextDue(lane))
    return { lane, due: await dueCount(lane, now), oldestDueAt: first !== null && first <= now ? first : null }
  }
  return {
    nextDue: async (lane) => db.read(() => nextDue(lane)),
    backlog: async (now) => [await backlog('transactional', now), await backlog('marketing', now)],
    pendingRefunds: async (limit) => db.read(() => firstRows(owing.iterate(limit))).map(storedOf),
  }
}
