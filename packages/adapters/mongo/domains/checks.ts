import { type ClaimedDomain, type DomainStatus, domainStatuses } from '@postrider/domain/domains/domain.ts'
import type { DomainStore } from '@postrider/ports/domains.ts'
import type { Collection } from 'mongodb'
import { updateEach, withoutRefusals } from '../client/bulkWrite.ts'
import { chooseAndClaim, claimChosen, noLease } from '../client/claimChosen.ts'
import { scalar } from '../client/scalar.ts'
import { claimedOf, type DomainDoc } from './document.ts'

type Domains = Collection<DomainDoc>
type Query = Parameters<DomainStore['claim']>[0]

/** The queue of checks. */
export const domainChecks = (
  domains: Domains,
): Pick<DomainStore, 'claim' | 'claimOne' | 'release' | 'clearLeases' | 'nextDue' | 'counts'> => ({
  claim: (query) => claim(domains, query),
  claimOne: async (id, now, leaseMs) => {
    const claimed = await domains.findOneAndUpdate(
      { _id: scalar(id), leaseUntil: { $lte: now } },
      // Without the id of an earlier claim, which would return this lease to its caller.
      { $set: { leaseUntil: now + leaseMs, claim: null }, $inc: { fence: 1 } },
      { returnDocument: 'after', projection: claimedFields },
    )
    return claimed && claimedOf(claimed)
  },
  release: async (leases) => {
    const updates = leases.map(({ id, fence }) => ({
      filter: { _id: scalar(id), fence: scalar(fence) },
      update: { $set: noLease },
    }))
    withoutRefusals(await updateEach(domains, updates))
  },
  clearLeases: async () => {
    await domains.updateMany(withLease, { $set: noLease })
  },
  nextDue: () => nextDue(domains),
  counts: (now) => counts(domains, now),
})

const claimedFields = { domain: 1, fence: 1 } as const
const withLease = { leaseUntil: { $gt: 0 } } as const

const claim = async (domains: Domains, query: Query): Promise<ClaimedDomain[]> => {
  // The server reads a limit of 0 as none.
  if (query.limit < 1) return []
  const { now, limit } = query
  const due = { nextCheckAt: { $lte: now }, leaseUntil: { $lte: now } }
  const oldest = async () => {
    const found = domains
      .find(due, { projection: { _id: 1 } })
      .sort({ nextCheckAt: 1 })
      .limit(limit)
    return (await found.toArray()).map(({ _id }) => _id)
  }
  const claimed = await chooseAndClaim(oldest, (chosen) =>
    claimChosen(domains, chosen, {
      fields: { ...claimedFields, nextCheckAt: 1 },
      lease: async ({ which, claim }) => {
        const lease = { $set: { leaseUntil: now + query.leaseMs, claim }, $inc: { fence: 1 } }
        return (await domains.updateMany({ _id: which, ...due }, lease)).modifiedCount
      },
    }),
  )
  return claimed.sort((a, b) => a.nextCheckAt - b.nextCheckAt).map(claimedOf)
}

/** Reads the first domain without a lease, and those with one: few, because a process checks few at a time. */
const nextDue = async (domains: Domains): Promise<number | null> => {
  const [first, leased] = await Promise.all([
    domains.findOne({ leaseUntil: 0 }, { projection: { _id: 0, nextCheckAt: 1 }, sort: { nextCheckAt: 1 } }),
    domains.find(withLease, { projection: { _id: 0, nextCheckAt: 1, leaseUntil: 1 } }).toArray(),
  ])
  const times = leased.map(({ nextCheckAt, leaseUntil }) => Math.max(nextCheckAt, leaseUntil))
  return [...(first ? [first.nextCheckAt] : []), ...times].reduce<number | null>(
    (least, time) => (least === null ? time : Math.min(least, time)),
    null,
  )
}

/** Counts each status separately: every server reads an equality from the index alone. */
const counts = async (domains: Domains, now: number): ReturnType<DomainStore['counts']> => {
  const ofStatus = async (status: DomainStatus) =>
    [status, await domains.countDocuments({ 'domain.status': status })] as const
  const [overdue, ...counted] = await Promise.all([
    domains.countDocuments({ nextCheckAt: { $lt: now } }),
    ...domainStatuses.map(ofStatus),
  ])
  return { byStatus: Object.fromEntries(counted) as Record<DomainStatus, number>, overdue }
}
