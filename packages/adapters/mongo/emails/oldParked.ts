import type { Mode } from '@postrider/domain/email/email.ts'
import { maxDeaths } from '@postrider/domain/email/leases.ts'
import { waitingStatuses } from '@postrider/domain/email/status.ts'
import type { EmailParking } from '@postrider/ports/emailParking.ts'
import type { Collection, Filter } from 'mongodb'
import { allOf } from '../client/allOf.ts'
import type { EmailDoc } from './document.ts'
import { after as afterEdge, type Edge } from './list.ts'
import { newestFirst } from './sources.ts'

/** Mail that is adjacent in an index, in the order of lists. */
type Group = { status: string; workspace: string; mode: Mode; lane: string }

/** The remainder of a group: all of it, or the mail after an email. */
type Part = { group: Group; after: Edge | null }

/** Maximum number of groups of one call, so that it is short where the mail of many workspaces waits. */
const maxGroups = 20

/** Mail that version 0.1 parked. */
const untimed: Filter<EmailDoc> = {
  status: { $in: [...waitingStatuses] },
  nextAt: null,
  leaseUntil: null,
  deaths: { $gte: maxDeaths },
  parkedAt: { $exists: false },
}

/**
 * Finds mail that a process of version 0.1 parked. No index contains only this mail, so this reads all waiting mail in
 * parts, by the index of lists by status. The position is in memory only: a new process starts again.
 */
export const oldParked = (emails: Collection<EmailDoc>): Pick<EmailParking, 'timeParked'> => {
  let parts: readonly Part[] = []
  return {
    timeParked: async (now, limit) => {
      if (parts.length === 0) parts = await waitingParts(emails)
      const ids: string[] = []
      for (let [left, groups] = [limit, maxGroups]; left > 0 && groups > 0; groups -= 1) {
        const [part, ...others] = parts
        if (part === undefined) break
        const page = await readPart(emails, part, left)
        ids.push(...page.filter(isUntimed).map(({ _id }) => _id))
        const isEnd = page.length < left
        parts = isEnd ? others : [{ ...part, after: page.at(-1) ?? null }, ...others]
        left -= page.length
      }
      // The filter decides: a release or a cancel may have come first.
      if (ids.length > 0) await emails.updateMany({ _id: { $in: ids }, ...untimed }, { $set: { parkedAt: now } })
      return { more: parts.length > 0 }
    },
  }
}

const waitingParts = async (emails: Collection<EmailDoc>): Promise<Part[]> => {
  const _id = { status: '$status', workspace: '$workspace', mode: '$mode', lane: '$lane' }
  // Every server reads an equality from the index alone.
  const found = waitingStatuses.map((status) =>
    emails.aggregate<{ _id: Group }>([{ $match: { status } }, { $group: { _id } }]).toArray(),
  )
  return (await Promise.all(found)).flat().map(({ _id: group }) => ({ group, after: null }))
}

const readFields = { createdAt: 1, nextAt: 1, deaths: 1, parkedAt: 1 } as const

const readPart = (emails: Collection<EmailDoc>, { group, after }: Part, limit: number) =>
  emails
    .find(allOf([group, ...(after ? afterEdge(after) : [])]), { projection: readFields })
    .sort(newestFirst)
    .limit(limit)
    .toArray()

const isUntimed = ({ nextAt, deaths, parkedAt }: Pick<EmailDoc, 'nextAt' | 'deaths' | 'parkedAt'>): boolean =>
  nextAt === null && deaths >= maxDeaths && parkedAt === undefined
