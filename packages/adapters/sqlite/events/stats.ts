import { setImmediate as nextIteration } from 'node:timers/promises'
import type { Email } from '@postrider/domain/email/email.ts'
import { type Dimension, groupsOfText, groupsText, type StatsBucket } from '@postrider/domain/stats/bucket.ts'
import type { BucketSize } from '@postrider/domain/stats/range.ts'
import { makeSlices, nextSlice, type Slices } from '@postrider/kit/slices.ts'
import type { StatsOwner, StatsStore } from '@postrider/ports/stats.ts'
import type { Row, SqliteDatabase } from '../client/database.ts'
import { firstItems, recordScheduler } from '../client/recordScheduler.ts'
import { emailOf } from '../emails/rows.ts'

/** Events of one email in most mail, and emails that are read in one event loop iteration: about 1 ms. */
const [usualEvents, stepEmails] = [4, 10]

const columns = { status: 'total', category: 'category', tag: 'tag', destination: 'destination' } as const

const bucketOf = (
  row: Row,
  owner: StatsOwner,
  { size, wanted }: { size: BucketSize; wanted: readonly Dimension[] },
) => ({
  ...owner,
  size,
  at: Number(row['at']),
  upTo: Number(row['up_to']),
  groups: Object.fromEntries(
    wanted.map((dimension) => [dimension, groupsOfText(String(row[columns[dimension]]))]),
  ) as StatsBucket['groups'],
})

const charactersOf = (row: Row, wanted: readonly Dimension[]): number =>
  wanted.reduce((sum, dimension) => sum + String(row[columns[dimension]]).length, 0)

const all: readonly Dimension[] = ['status', 'category', 'tag', 'destination']

/** Statistics in SQLite. @param slices runs the reading of long records */
export const sqliteStats = (db: SqliteDatabase, slices: Slices = makeSlices()): StatsStore => ({
  ...mailReads(db, slices),
  ...positions(db),
  ...buckets(db, slices),
})

const mailReads = (db: SqliteDatabase, slices: Slices): Pick<StatsStore, 'nextWorkspace' | 'changedEmails'> => {
  const schedule = recordScheduler(slices)
  const next = db.prepare('SELECT workspace FROM events WHERE workspace > ? ORDER BY workspace LIMIT 1')
  const range = 'FROM events WHERE workspace = :workspace AND mode = :mode AND at > :after AND at <= :until'
  const beyond = db.prepare(`SELECT at ${range} ORDER BY at, id LIMIT 1 OFFSET :skipped`)
  const changed = db.prepare(`SELECT DISTINCT email ${range}`)
  const docs = db.prepare("SELECT doc FROM emails WHERE id IN (SELECT value FROM json_each(?)) AND workspace <> ''")
  return {
    nextWorkspace: async (after) => {
      db.complete()
      const row = db.read(() => next.get(after))
      return row ? String(row['workspace']) : null
    },
    changedEmails: async ({ workspace, mode, after, until, limit }) => {
      db.complete()
      const wanted = { workspace, mode, after, until: Math.floor(until) }
      const row = db.read(() => beyond.get({ ...wanted, skipped: limit * usualEvents }))
      const read = row ? Math.max(after + 1, Number(row['at']) - 1) : wanted.until
      const ids = db.read(() => changed.all({ ...wanted, until: read })).map(({ email }) => String(email))
      const emails: Email[] = []
      for (let from = 0; from < ids.length; from += stepEmails) {
        if (from > 0) await nextIteration()
        const batch = JSON.stringify(ids.slice(from, from + stepEmails))
        for (const doc of db.read(() => docs.all(batch))) {
          const turn = schedule(workspace, String(doc['doc']).length)
          if (turn) await turn
          emails.push(emailOf(doc))
        }
      }
      return { emails, until: read }
    },
  }
}

const positions = (db: SqliteDatabase): Pick<StatsStore, 'position' | 'movePosition'> => {
  const read = db.prepare('SELECT at FROM stats_positions WHERE workspace = ? AND mode = ?')
  const insert = db.prepare('INSERT INTO stats_positions VALUES (:workspace, :mode, :to) ON CONFLICT DO NOTHING')
  const update = db.prepare(
    'UPDATE stats_positions SET at = :to WHERE workspace = :workspace AND mode = :mode AND at = :from',
  )
  return {
    position: async ({ workspace, mode }) => Number(db.read(() => read.get(workspace, mode))?.['at'] ?? 0),
    movePosition: async ({ workspace, mode }, { from, to }) => {
      const owner = { workspace, mode, to }
      return db.writeOne(() => (from === 0 ? insert.run(owner) : update.run({ ...owner, from }))).changes === 1
    },
  }
}

/** Characters of buckets that are parsed before a pause, about 1 ms, and of a bucket that needs none before it. */
const [sliceCharacters, usualCharacters] = [32 * 1024, 2_048]

const buckets = (
  db: SqliteDatabase,
  slices: Slices,
): Pick<StatsStore, 'buckets' | 'bucketsIn' | 'writeBucket' | 'removeBuckets'> => {
  const bucketAt = db.prepare('SELECT * FROM stats_buckets WHERE workspace = ? AND mode = ? AND size = ? AND at = ?')
  const rangeOf = (column: string) =>
    db.prepare(`
      SELECT at, up_to, ${column} FROM stats_buckets WHERE workspace = ? AND mode = ? AND size = ? AND at >= ? AND at < ?
      ORDER BY at`)
  const ranges = Object.fromEntries(Object.values(columns).map((column) => [column, rangeOf(column)]))
  const insert = db.prepare(`
    INSERT INTO stats_buckets (workspace, mode, size, at, up_to, total, category, tag, destination)
    VALUES (:workspace, :mode, :size, :at, :upTo, :total, :category, :tag, :destination) ON CONFLICT DO NOTHING`)
  const update = db.prepare(`
    UPDATE stats_buckets SET up_to = :upTo, total = :total, category = :category, tag = :tag, destination = :destination
    WHERE workspace = :workspace AND mode = :mode AND size = :size AND at = :at AND up_to = :before`)
  const remove = db.prepare(`
    DELETE FROM stats_buckets WHERE rowid IN (
      SELECT rowid FROM stats_buckets INDEXED BY stats_buckets_at WHERE size = ? AND at < ? LIMIT ?)`)
  return {
    buckets: async ({ workspace, mode }, keys) => {
      const found: StatsBucket[] = []
      for (const { size, at } of keys) {
        const row = db.read(() => bucketAt.get(workspace, mode, size, at))
        if (!row) continue
        if (found.length > 0 && charactersOf(row, all) > usualCharacters) await nextSlice(slices.of(workspace))
        found.push(bucketOf(row, { workspace, mode }, { size, wanted: all }))
      }
      return found
    },
    bucketsIn: async ({ workspace, mode }, { size, from, to, by }) => {
      const found: StatsBucket[] = []
      const characters = (row: Row): number => charactersOf(row, [by])
      for (let begin = from; begin < to; ) {
        if (begin > from) await nextSlice(slices.of(workspace))
        const start = begin
        const rows = db.read(() => {
          const following = ranges[columns[by]]?.iterate(workspace, mode, size, start, to) ?? []
          return firstItems(following as Iterable<Row>, characters, sliceCharacters)
        })
        found.push(...rows.map((row) => bucketOf(row, { workspace, mode }, { size, wanted: [by] })))
        begin = rows.length === 0 ? to : (found.at(-1)?.at ?? to) + 1
      }
      return found
    },
    writeBucket: async ({ workspace, mode, size, at, upTo, groups }, before) => {
      const texts = Object.fromEntries(all.map((dimension) => [columns[dimension], groupsText(groups[dimension])]))
      const row = { workspace, mode, size, at, upTo, ...texts }
      return db.writeOne(() => (before === null ? insert.run(row) : update.run({ ...row, before }))).changes === 1
    },
    removeBuckets: async (size, before, limit) => Number(db.writeOne(() => remove.run(size, before, limit)).changes),
  }
}
