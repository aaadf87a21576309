import type { Email } from '@postrider/domain/email/email.ts'
import {
  type BucketKey,
  type Dimension,
  dimensions,
  groupsOfText,
  groupsText,
  type StatsBucket,
} from '@postrider/domain/stats/bucket.ts'
import type { BucketSize } from '@postrider/domain/stats/range.ts'
import { isoTime } from '@postrider/domain/time.ts'
import { makeSlices, nextSlice, type Slices } from '@postrider/kit/slices.ts'
import type { StatsOwner, StatsStore } from '@postrider/ports/stats.ts'
import type { Db, Filter, FindCursor } from 'mongodb'
import { insertEach, withoutRefusals } from '../client/bulkWrite.ts'
import type { Indexes } from '../client/connect.ts'
import { withMappedErrors } from '../client/errors.ts'
import { scalar } from '../client/scalar.ts'
import type { EmailDoc } from '../emails/document.ts'
import { pacedEmails } from '../emails/pacedEmails.ts'

/** `_id`: `<workspace> <mode>`. */
type PositionDoc = { _id: string; at: number }

/** `_id`: `<workspace> <mode> <size> <start>`, which sorts by time. The groups of each dimension are JSON. */
type BucketDoc = { _id: string; size: BucketSize; at: number; upTo: number } & Record<Dimension, string>

export const statsIndexes: Indexes = {
  // Removal by age.
  stats_buckets: [{ key: { size: 1, at: 1 } }],
}

const ownerId = ({ workspace, mode }: StatsOwner): string => `${scalar(workspace)} ${mode}`
const bucketId = (owner: StatsOwner, { size, at }: BucketKey): string => `${ownerId(owner)} ${size} ${isoTime(at)}`

/** Statistics in MongoDB. @param slices runs the reading of records and buckets */
export const mongoStats = (db: Db, slices: Slices = makeSlices()): StatsStore =>
  withMappedErrors({ ...mailReads(db, slices), ...positions(db), ...buckets(db, slices) } satisfies StatsStore)

/** The first time window that is searched for changed mail, and the factor of growing and shrinking windows. */
const [firstWindowMs, factor] = [60_000, 8]

const mailReads = (db: Db, slices: Slices): Pick<StatsStore, 'nextWorkspace' | 'changedEmails'> => {
  const emails = db.collection<EmailDoc>('emails')
  const firstTime = async (workspace: string): Promise<number> => {
    const order = { sort: { createdAt: 1, _id: 1 }, projection: { createdAt: 1 } } as const
    return (await emails.findOne({ workspace }, order))?.createdAt ?? 0
  }
  return {
    nextWorkspace: async (after) => {
      // Documents of void ids, and of batches that are not accepted, have no workspace.
      const next = { workspace: { $gt: scalar(after) } }
      const order = { sort: { workspace: 1, createdAt: -1, _id: -1 }, projection: { workspace: 1 } } as const
      return (await emails.findOne(next, order))?.workspace ?? null
    },
    // MongoDB cannot sort by the times of events, so mail is read in windows of time that grow until there is enough.
    changedEmails: async ({ workspace, mode, after, until, limit }) => {
      const found = new Map<string, Email>()
      const last = Math.floor(until)
      const changedIn = (from: number, to: number): Filter<EmailDoc> => ({
        workspace: scalar(workspace),
        mode,
        eventsAt: { $elemMatch: { $gt: from, $lte: to } },
      })
      // Most workspaces have nothing new.
      if ((await emails.findOne(changedIn(after, last), { projection: { _id: 1 } })) === null)
        return { emails: [], until: Math.max(last, after) }
      let end = after === 0 ? Math.min(last, (await firstTime(scalar(workspace))) - 1) : after
      let lengthMs = firstWindowMs
      while (end < last) {
        const to = Math.min(last, end + lengthMs)
        const window = changedIn(end, to)
        const room = limit - found.size
        const count = await emails.countDocuments(window, { limit: room + 1 })
        if (to - end > 1 && count > room) {
          if (found.size > 0) break
          lengthMs = Math.max(1, Math.floor((to - end) / factor))
          continue
        }
        if (count > 0)
          for await (const email of pacedEmails(emails.find(window, { projection: { doc: 1 } }), slices.of(workspace)))
            found.set(email.id, email)
        end = to
        lengthMs *= factor
        if (found.size >= limit) break
      }
      return { emails: [...found.values()], until: Math.max(end, after) }
    },
  }
}

const positions = (db: Db): Pick<StatsStore, 'position' | 'movePosition'> => {
  const stored = db.collection<PositionDoc>('stats_positions')
  return {
    position: async (owner) => (await stored.findOne({ _id: ownerId(owner) }))?.at ?? 0,
    movePosition: async (owner, { from, to }) => {
      const _id = ownerId(owner)
      if (from === 0) return withoutRefusals(await insertEach(stored, [{ _id, at: to }]))[0] === true
      return (await stored.updateOne({ _id, at: scalar(from) }, { $set: { at: to } })).matchedCount === 1
    },
  }
}

/** Buckets of one batch of a cursor, and characters of a bucket that are parsed without a pause. */
const [batchBuckets, usualCharacters] = [32, 2_048]

const buckets = (
  db: Db,
  slices: Slices,
): Pick<StatsStore, 'buckets' | 'bucketsIn' | 'writeBucket' | 'removeBuckets'> => {
  const stored = db.collection<BucketDoc>('stats_buckets')
  const bucketOf = (owner: StatsOwner, doc: BucketDoc, wanted: readonly Dimension[]): StatsBucket => ({
    ...owner,
    size: doc.size,
    at: doc.at,
    upTo: doc.upTo,
    groups: Object.fromEntries(wanted.map((dimension) => [dimension, groupsOfText(doc[dimension])])),
  })
  const read = async (owner: StatsOwner, cursor: FindCursor<BucketDoc>, wanted: readonly Dimension[]) => {
    const found: StatsBucket[] = []
    for await (const doc of cursor.batchSize(batchBuckets)) {
      const characters = wanted.reduce((sum, dimension) => sum + doc[dimension].length, 0)
      if (found.length > 0 && characters > usualCharacters) await nextSlice(slices.of(owner.workspace))
      found.push(bucketOf(owner, doc, wanted))
    }
    return found
  }
  return {
    buckets: async ({ workspace, mode }, keys) => {
      const owner = { workspace, mode }
      return read(owner, stored.find({ _id: { $in: keys.map((key) => bucketId(owner, key)) } }), dimensions)
    },
    bucketsIn: async ({ workspace, mode }, { size, from, to, by }) => {
      const owner = { workspace, mode }
      const range = { $gte: bucketId(owner, { size, at: from }), $lt: bucketId(owner, { size, at: to }) }
      const projection = { size: 1, at: 1, upTo: 1, [by]: 1 }
      return read(owner, stored.find({ _id: range }, { projection }), [by])
    },
    writeBucket: async ({ workspace, mode, size, at, upTo, groups }, before) => {
      const _id = bucketId({ workspace, mode }, { size, at })
      const texts = Object.fromEntries(
        dimensions.map((dimension) => [dimension, groupsText(groups[dimension])]),
      ) as Record<Dimension, string>
      if (before === null)
        return withoutRefusals(await insertEach(stored, [{ _id, size, at, upTo, ...texts }]))[0] === true
      const update = { $set: { upTo, ...texts } }
      return (await stored.updateOne({ _id, upTo: scalar(before) }, update)).matchedCount === 1
    },
    removeBuckets: async (size, before, limit) => {
      const old = stored.find({ size: scalar(size), at: { $lt: before } }, { projection: { _id: 1 } })
      const ids = (await old.limit(limit).toArray()).map(({ _id }) => _id)
      return ids.length === 0 ? 0 : (await stored.deleteMany({ _id: { $in: ids } })).deletedCount
    },
  }
}
