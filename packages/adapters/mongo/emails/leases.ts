import { type ClaimedEmail, lanes } from '@postrider/domain/email/email.ts'
import { claimOutcome } from '@postrider/domain/email/leases.ts'
import { type DueMail, fairChoice } from '@postrider/domain/fairness/fairClaim.ts'
import { neverMs } from '@postrider/domain/time.ts'
import type { ClaimQuery, EmailLease, EmailStore } from '@postrider/ports/emails.ts'
import type { Collection, Filter } from 'mongodb'
import { writeAll } from '../client/bulkWrite.ts'
import { chooseAndClaim, claimChosen } from '../client/claimChosen.ts'
import { claimedOf, deathIncrement, type EmailDoc, storedFields, withLease } from './document.ts'

/** Claims and how leases end. */
export const emailLeases = (
  emails: Collection<EmailDoc>,
  onParked: (id: string) => void,
): Pick<EmailStore, 'claim' | 'renew' | 'releaseLeases' | 'clearLeases'> => {
  const choose = dueChoice(emails)
  return {
    claim: async (query) => {
      if (query.limit < 1) return []
      const claim = (chosen: readonly string[]) => claimEmails(emails, chosen, query, onParked)
      return query.ids ? claim(await choose(query)) : chooseAndClaim(() => choose(query), claim)
    },
    renew: (leases, leaseUntil) => renew(emails, leases, leaseUntil),
    releaseLeases: (leases) => releaseLeases(emails, leases),
    clearLeases: () => clearLeases(emails),
  }
}

/** Returns the ids of emails that a claim may lease. Another claim may do so first. */
const dueChoice = (emails: Collection<EmailDoc>): ((query: ClaimQuery) => Promise<readonly string[]>) => {
  const find = (filter: object, fields: object, limit: number) =>
    emails.find(filter, { projection: fields }).sort({ dueAt: 1, _id: 1 }).limit(limit).toArray()
  const oldest = async (filter: object, limit: number): Promise<string[]> =>
    (await find(filter, { _id: 1 }, limit)).map(({ _id }) => _id)
  const dueMail = ({ lane, now, except }: ClaimQuery): DueMail<string> => {
    // The index has no workspace here: it is read only if it decides.
    const fields = except && except.size > 0 ? { workspace: 1 } : { _id: 1 }
    const due = { lane, dueAt: { $lte: now } }
    return {
      oldest: async (limit) =>
        (await find(due, fields, limit)).map(({ _id, workspace = '' }) => ({ key: _id, workspace })),
      oldestOf: (workspace, limit) => oldest({ ...due, workspace }, limit),
      workspaceAfter: async (after) => {
        const waiting = { lane, workspace: { $gt: after }, dueAt: { $lt: neverMs } }
        const projection = { _id: 0, workspace: 1, dueAt: 1 } as const
        return emails.findOne(waiting, { projection, sort: { workspace: 1, dueAt: 1 } })
      },
    }
  }
  const chooseFairly = fairChoice()
  return async (query) => {
    const { ids, lane, now, limit } = query
    if (ids === undefined) return chooseFairly(dueMail(query), query)
    const unique = [...new Set(ids)]
    return unique.length <= limit ? unique : oldest({ _id: { $in: unique }, lane, dueAt: { $lte: now } }, limit)
  }
}

/**
 * Leases the chosen emails that are still due. Emails whose worker died, now or before, are claimed one by one if the
 * first update did not match all.
 */
const claimEmails = async (
  emails: Collection<EmailDoc>,
  chosen: readonly string[],
  { lane, now, leaseMs }: ClaimQuery,
  onParked: (id: string) => void,
): Promise<ClaimedEmail[]> => {
  const found = await claimChosen(emails, chosen, {
    fields: storedFields,
    lease: async ({ which, claim }) => {
      const due = { _id: which, lane, dueAt: { $lte: now } }
      const lease = { leaseUntil: now + leaseMs, dueAt: now + leaseMs, claim }
      // Nearly every claim is of mail without a lease whose workers never died: one update for all of it.
      const fresh = { ...due, leaseUntil: null, deaths: 0 }
      const claimed = (await emails.updateMany(fresh, { $set: lease, $inc: { fence: 1 } })).modifiedCount
      return claimed < chosen.length ? claimed + (await claimAfterDeaths(emails, due, lease, now)) : claimed
    },
  })
  return found.sort(byAge).flatMap((one) => {
    if (one.leaseUntil !== null) return [claimedOf(one)]
    onParked(one._id)
    return []
  })
}

/** Leases or parks due emails with deaths, or with the lease of a worker that died. */
const claimAfterDeaths = async (
  emails: Collection<EmailDoc>,
  due: Filter<EmailDoc>,
  lease: Pick<EmailDoc, 'leaseUntil' | 'dueAt' | 'claim'>,
  now: number,
): Promise<number> => {
  const parked = { ...lease, nextAt: null, leaseUntil: null, dueAt: neverMs, parkedAt: now }
  const found = await emails.find(due, { projection: { fence: 1, leaseUntil: 1, deaths: 1 } }).toArray()
  if (found.length === 0) return 0
  const updates = found.map(({ _id, fence, leaseUntil, deaths }) => {
    const outcome = claimOutcome({ deaths, hasLease: leaseUntil !== null })
    const $set = { ...(outcome.kind === 'parked' ? parked : lease), deaths: outcome.deaths }
    const filter = { ...due, _id, fence, leaseUntil, deaths }
    return { updateOne: { filter, update: { $set, $inc: { fence: 1 } } } }
  })
  return (await writeAll(emails, updates)).modifiedCount
}

/** Oldest first. */
const byAge = (a: Pick<EmailDoc, '_id' | 'nextAt'>, b: Pick<EmailDoc, '_id' | 'nextAt'>): number =>
  (a.nextAt ?? 0) - (b.nextAt ?? 0) || (a._id < b._id ? -1 : 1)

/** Most emails are claimed once, so there are few different fences: one update extends all leases of a fence. */
const renew = async (emails: Collection<EmailDoc>, leases: readonly EmailLease[], leaseUntil: number) => {
  if (leases.length === 0) return new Set<string>()
  const updates = [...Map.groupBy(leases, ({ fence }) => fence)].map(([fence, ofFence]) => ({
    updateMany: {
      filter: { _id: { $in: ofFence.map(({ id }) => id) }, fence, ...withLease },
      update: { $set: { leaseUntil }, $max: { dueAt: leaseUntil } },
    },
  }))
  const { matchedCount } = await writeAll(emails, updates)
  const ids = leases.map(({ id }) => id)
  if (matchedCount === leases.length) return new Set(ids)
  const found = await emails.find({ _id: { $in: ids }, ...withLease }, { projection: { fence: 1 } }).toArray()
  const fences = new Map(found.map(({ _id, fence }) => [_id, fence]))
  return new Set(leases.filter(({ id, fence }) => fences.get(id) === fence).map(({ id }) => id))
}

/** An update cannot copy one field to another, so `nextAt` is read first and guards the update. */
type Ending = Pick<EmailDoc, '_id' | 'fence' | 'nextAt'>
const endingFields = { fence: 1, nextAt: 1 } as const

const endLease = ({ _id, fence, nextAt }: Ending, more: object = {}) => ({
  updateOne: {
    filter: { _id, fence, nextAt, ...withLease },
    update: { $set: { leaseUntil: null, dueAt: nextAt ?? neverMs }, ...more },
  },
})

const releaseLeases = async (emails: Collection<EmailDoc>, leases: readonly EmailLease[]): Promise<void> => {
  const fences = new Map(leases.map(({ id, fence }) => [id, fence]))
  const found = await emails
    .find({ _id: { $in: [...fences.keys()] }, ...withLease }, { projection: endingFields })
    .toArray()
  const ended = found.filter(({ _id, fence }) => fences.get(_id) === fence).map((one) => endLease(one))
  await writeAll(emails, ended)
}

const leasesPerCommand = 1_000

const clearLeases = async (emails: Collection<EmailDoc>): Promise<number> => {
  const leased = { lane: { $in: [...lanes] }, dueAt: { $lt: neverMs }, ...withLease }
  for (let cleared = 0; ; ) {
    const found = await emails.find(leased, { projection: endingFields }).limit(leasesPerCommand).toArray()
    if (found.length === 0) return cleared
    const ended = found.map((one) => endLease(one, { $inc: deathIncrement }))
    cleared += (await writeAll(emails, ended)).modifiedCount
  }
}
