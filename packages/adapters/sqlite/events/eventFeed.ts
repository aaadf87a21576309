import { type Email, type Mode, modes } from '@postrider/domain/email/email.ts'
import {
  type EventData,
  type FeedPosition,
  type PublicEvent,
  publicEmailEvent,
  publicWorkspaceEvent,
  type WorkspaceEvent,
} from '@postrider/domain/events/event.ts'
import {
  endOf,
  hasEmailTypes,
  hasWorkspaceTypes,
  inOrder,
  isSelected,
  maxReadOfPage,
  startOf,
  typeTexts,
} from '@postrider/domain/events/select.ts'
import { makeSlices, nextSlice, type Slices } from '@postrider/kit/slices.ts'
import type { EventFeed, FeedQuery } from '@postrider/ports/eventFeed.ts'
import type { Row, SqliteDatabase } from '../client/database.ts'
import { type RecordScheduler, recordScheduler } from '../client/recordScheduler.ts'
import { emailOf } from '../emails/rows.ts'

/** A row of one of the two tables. `email`: its id; null: `event` is without an email. */
type Found = FeedPosition & ({ email: string; event: null } | { email: null; event: PublicEvent })

/** Rows of one slice: about 2 ms, if each is of another email. */
const chunkRows = 50

/** Bytes of records that a page stores for their next events. Those of 50 long records would be 20 MiB. */
const maxKnownBytes = 2 ** 20

/** Returns the event of a row of `workspace_events`. */
const workspaceEventOf = (row: Row): PublicEvent =>
  publicWorkspaceEvent({
    id: String(row['id']),
    type: String(row['type']) as WorkspaceEvent['type'],
    at: Number(row['at']),
    workspace: String(row['workspace']),
    mode: String(row['mode']) as Mode,
    data: JSON.parse(String(row['data'])) as EventData,
  })

/**
 * The feed of events in SQLite. Continues in slices, and stops when the signal is aborted.
 * @param maxRead rows of one page
 * @param slices runs the reading of long pages and records
 */
export const sqliteEventFeed = (
  db: SqliteDatabase,
  maxRead: number = maxReadOfPage,
  slices: Slices = makeSlices(),
): EventFeed => {
  const rowsAfter = feedRows(db)
  const eventsIn = emailEvents(db, recordScheduler(slices))
  return {
    readEvents: async (query, signal) => {
      const events: PublicEvent[] = []
      let position = startOf(query)
      const eventOf = eventsIn(query)
      for (let read = chunkRows; ; read += chunkRows) {
        const rows = rowsAfter(query, position)
        for (const row of rows) {
          const event = row.event ?? (await eventOf(row))
          if (event === null || !isSelected(query, event)) continue
          if (events.length === query.limit) return { events, position, hasMore: true }
          events.push(event)
          position = { at: row.at, id: row.id }
        }
        const last = rows.at(-1)
        if (rows.length < chunkRows || !last) return { events, position: endOf(query), hasMore: false }
        position = { at: last.at, id: last.id }
        if (events.length === query.limit || read >= maxRead || signal?.aborted)
          return { events, position, hasMore: true }
        await nextSlice(slices.of(query.workspace))
      }
    },
    readEvent: async (workspace, position) => {
      const query = { workspace, mode: null, order: 'asc' as const, after: null, until: position.at, limit: 1 }
      const [row] = rowsAfter(query, before(position)).filter(({ id }) => id === position.id)
      return row ? (row.event ?? (await eventsIn({ workspace })(row))) : null
    },
  }
}

/** Returns a position directly before another: no id ends so. */
const before = ({ at, id }: FeedPosition): FeedPosition => ({ at, id: id.slice(0, -1) })

/** Returns a function that reads the next rows of a feed, at most `chunkRows` in all. */
const feedRows = (db: SqliteDatabase): ((query: FeedQuery, position: FeedPosition) => Found[]) => {
  const ranges = {
    asc: '(at, id) > (:at, :id) AND at <= :until ORDER BY at, id',
    desc: '(at, id) < (:at, :id) ORDER BY at DESC, id DESC',
  }
  const statement = (columns: string, order: FeedQuery['order']) =>
    db.prepare(
      `SELECT ${columns} WHERE workspace = :workspace AND mode = :mode AND ${ranges[order]} LIMIT ${chunkRows}`,
    )
  const ofEmails = 'at, id, email FROM events'
  const without = '* FROM workspace_events INDEXED BY workspace_events_by_time'
  const statements = {
    asc: { emails: statement(ofEmails, 'asc'), others: statement(without, 'asc') },
    desc: { emails: statement(ofEmails, 'desc'), others: statement(without, 'desc') },
  }
  return (query, { at, id }) => {
    const { workspace, mode, order, until } = query
    const { emails, others } = statements[order]
    db.complete()
    const found: Found[] = []
    for (const byId of mode === null ? modes : [mode]) {
      const values = { workspace, mode: byId, at, id, ...(order === 'asc' && { until }) }
      if (hasEmailTypes(query))
        for (const row of db.read(() => emails.all(values)))
          found.push({ at: Number(row['at']), id: String(row['id']), email: String(row['email']), event: null })
      if (hasWorkspaceTypes(query))
        for (const row of db.read(() => others.all(values)))
          found.push({ at: Number(row['at']), id: String(row['id']), email: null, event: workspaceEventOf(row) })
    }
    return inOrder(order, found).slice(0, chunkRows)
  }
}

/**
 * Returns a function that reads the records of rows, and returns the event of each row; null: the query excludes it.
 */
const emailEvents = (db: SqliteDatabase, schedule: RecordScheduler) => {
  const size = db.prepare("SELECT octet_length(doc) AS bytes FROM emails WHERE id = ? AND workspace <> ''")
  const byId = db.prepare("SELECT doc FROM emails WHERE id = ? AND workspace <> ''")
  const withText = db.prepare(`
    SELECT doc FROM emails WHERE id = ? AND workspace <> ''
    AND EXISTS (SELECT 1 FROM json_each(?) AS text WHERE instr(doc, text.value) > 0)`)
  return (query: Pick<FeedQuery, 'types' | 'workspace'>) => {
    const texts = typeTexts(query)
    const wanted = texts === null ? null : JSON.stringify(texts)
    const known = new Map<string, Email | null>()
    let knownBytes = 0
    const keep = (of: string, email: Email | null, bytes: number): void => {
      const added = email === null ? of.length : bytes
      if (knownBytes + added > maxKnownBytes) {
        known.clear()
        knownBytes = 0
      }
      known.set(of, email)
      knownBytes += added
    }
    const read = async (of: string): Promise<Email | null> => {
      const bytes = Number(db.read(() => size.get(of))?.['bytes'] ?? 0)
      const turn = schedule(query.workspace, bytes)
      if (turn) await turn
      const row = db.read(() => (wanted === null ? byId.get(of) : withText.get(of, wanted)))
      const email = row ? emailOf(row) : null
      keep(of, email, bytes)
      return email
    }
    return async ({ email: of, id }: Found): Promise<PublicEvent | null> => {
      if (of === null) return null
      const stored = known.get(of)
      const email = stored === undefined ? await read(of) : stored
      const event = email?.events.find((other) => other.id === id)
      return email && event ? publicEmailEvent(email, event) : null
    }
  }
}
