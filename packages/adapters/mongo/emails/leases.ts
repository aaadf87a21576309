import type { ClaimedEmail } from '@postrider/domain/email/email.ts'
import { mostDeaths } from '@postrider/domain/email/leases.ts'
import type { ClaimQuery, EmailStore } from '@postrider/ports/emails.ts'
import { type Collection, type Db, ObjectId } from 'mongodb'
import { claimedOf, type EmailDoc, never, storedFields } from './doc.ts'
import { emailDue } from './due.ts'

/** A claim that lost all it chose to others chooses again, so often at most. */
const mostChoices = 4

type Held = { id: string; fence: number }

const held = { leaseUntil: { $ne: null } } as const

/** Who works on what: claims, and how they end. */
export const emailLeases = (
  db: Db,
  onParked: (id: string) => void,
): Pick<EmailStore, 'claim' | 'renew' | 'releaseLeases' | 'clearLeases'> => {
  const emails = db.collection<EmailDoc>('emails')
  const choose = emailDue(emails)
  return {
    claim: async (query) => {
      if (query.limit < 1) return []
      for (let choices = 0; choices < mostChoices; choices++) {
        const chosen = await choose(query)
        const claimed = await take(emails, chosen, query, onParked)
        if (claimed.length > 0 || chosen.length === 0 || query.ids) return claimed
      }
      return []
    },
    renew: (asked, leaseUntil) => renew(emails, asked, leaseUntil),
    releaseLeases: (asked) => releaseLeases(emails, asked),
    clearLeases: () => clearLeases(emails),
  }
}

/**
 * Takes what is still due of the chosen, in one update for mail that nobody held, and another only where that didn't
 * take all. Which those are the claim's own mark tells: of two claims only one finds an email due.
 */
const take = async (
  emails: Collection<EmailDoc>,
  chosen: readonly string[],
  { lane, now, leaseMs }: ClaimQuery,
  onParked: (id: string) => void,
): Promise<ClaimedEmail[]> => {
  if (chosen.length === 0) return []
  const claim = new ObjectId()
  const due = { _id: { $in: [...chosen] }, lane, dueAt: { $lte: now } }
  const lease = { leaseUntil: now + leaseMs, dueAt: now + leaseMs, claim }
  const fresh = { ...due, leaseUntil: null, deaths: { $lt: mostDeaths } }
  let taken = (await emails.updateMany(fresh, { $set: lease, $inc: { fence: 1 } })).modifiedCount
  if (taken < chosen.length) taken += await takeOver(emails, due, lease)
  if (taken === 0) return []
  const mine = { _id: { $in: [...chosen] }, claim }
  const found = await emails.find(mine, { projection: storedFields }).toArray()
  return found.sort(byAge).flatMap((one) => {
    if (one.leaseUntil !== null) return [claimedOf(one)]
    onParked(one._id)
    return []
  })
}

/** Due mail with a lease is mail whose holder died; one death too many, and it waits for a person. */
const takeOver = async (
  emails: Collection<EmailDoc>,
  due: object,
  lease: Pick<EmailDoc, 'leaseUntil' | 'dueAt' | 'claim'>,
): Promise<number> => {
  const parked = { ...lease, nextAt: null, leaseUntil: null, dueAt: never }
  const died = { fence: 1, deaths: 1 }
  const updates = [
    // Not whatever nobody holds: of that some was let go since the first update.
    {
      filter: { ...due, leaseUntil: null, deaths: { $gte: mostDeaths } },
      update: { $set: parked, $inc: { fence: 1 } },
    },
    { filter: { ...due, ...held, deaths: { $gte: mostDeaths - 1 } }, update: { $set: parked, $inc: died } },
    { filter: { ...due, ...held }, update: { $set: lease, $inc: died } },
  ]
  return (await emails.bulkWrite(updates.map((updateMany) => ({ updateMany })))).modifiedCount
}

/** Oldest first. */
const byAge = (a: Pick<EmailDoc, '_id' | 'nextAt'>, b: Pick<EmailDoc, '_id' | 'nextAt'>): number =>
  (a.nextAt ?? 0) - (b.nextAt ?? 0) || (a._id < b._id ? -1 : 1)

/** Most mail is claimed once, so few fences differ: an update for each prolongs all that have it. */
const renew = async (emails: Collection<EmailDoc>, asked: readonly Held[], leaseUntil: number) => {
  if (asked.length === 0) return new Set<string>()
  const byFence = Map.groupBy(asked, ({ fence }) => fence)
  const updates = [...byFence].map(([fence, some]) => ({
    updateMany: {
      filter: { _id: { $in: some.map(({ id }) => id) }, fence, ...held },
      update: { $set: { leaseUntil }, $max: { dueAt: leaseUntil } },
    },
  }))
  const { matchedCount } = await emails.bulkWrite(updates, { ordered: false })
  if (matchedCount === asked.length) return new Set(asked.map(({ id }) => id))
  const found = await emails
    .find({ _id: { $in: asked.map(({ id }) => id) }, ...held }, { projection: { fence: 1 } })
    .toArray()
  const fences = new Map(found.map(({ _id, fence }) => [_id, fence]))
  return new Set(asked.filter(({ id, fence }) => fences.get(id) === fence).map(({ id }) => id))
}

/** An update can't set one field to another's value, so `nextAt` is read first, and the update guarded by it. */
type Ending = Pick<EmailDoc, '_id' | 'fence' | 'nextAt'>
const endingFields = { fence: 1, nextAt: 1 } as const

const endLease = ({ _id, fence, nextAt }: Ending, more: object = {}) => ({
  updateOne: {
    filter: { _id, fence, nextAt, ...held },
    update: { $set: { leaseUntil: null, dueAt: nextAt ?? never }, ...more },
  },
})

const releaseLeases = async (emails: Collection<EmailDoc>, asked: readonly Held[]): Promise<void> => {
  const fences = new Map(asked.map(({ id, fence }) => [id, fence]))
  const found = await emails.find({ _id: { $in: [...fences.keys()] }, ...held }, { projection: endingFields }).toArray()
  const ours = found.filter(({ _id, fence }) => fences.get(_id) === fence)
  if (ours.length > 0)
    await emails.bulkWrite(
      ours.map((one) => endLease(one)),
      { ordered: false },
    )
}

const clearedAtOnce = 1_000

const clearLeases = async (emails: Collection<EmailDoc>): Promise<number> => {
  const leased = { lane: { $in: ['transactional', 'marketing'] }, dueAt: { $lt: never }, ...held }
  for (let cleared = 0; ; ) {
    const found = await emails.find(leased, { projection: endingFields }).limit(clearedAtOnce).toArray()
    if (found.length === 0) return cleared
    const ended = found.map((one) => endLease(one, { $inc: { deaths: 1 } }))
    cleared += (await emails.bulkWrite(ended, { ordered: false })).modifiedCount
  }
}
