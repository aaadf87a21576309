import { maxDeaths } from '@postrider/domain/email/leases.ts'
import { waitingStatuses } from '@postrider/domain/email/status.ts'
import { neverMs } from '@postrider/domain/time.ts'
import type { EmailParking } from '@postrider/ports/emailParking.ts'
import type { Collection, Filter } from 'mongodb'
import { scalar } from '../client/scalar.ts'
import { type EmailDoc, storedFields, storedOf } from './document.ts'

/** A process of version 0.1 leaves `parkedAt` when parked mail is canceled or moved, so the other fields decide. */
export const parkedFilter: Filter<EmailDoc> = {
  parkedAt: { $gte: 0 },
  nextAt: null,
  deaths: { $gte: maxDeaths },
  status: { $in: [...waitingStatuses] },
}

/** Parked mail, and what is due first. The index of parked mail has no other mail. */
export const emailParking = (emails: Collection<EmailDoc>): Omit<EmailParking, 'timeParked'> => ({
  parked: async ({ before, limit }) => {
    const position = before && { at: scalar(before.at), id: scalar(before.id) }
    const older: Filter<EmailDoc> = position
      ? { $or: [{ parkedAt: { $lt: position.at } }, { parkedAt: position.at, _id: { $lt: position.id } }] }
      : {}
    const projection = { ...storedFields, parkedAt: 1 } as const
    const found = emails
      .find({ ...parkedFilter, ...older }, { projection })
      .sort({ parkedAt: -1, _id: -1 })
      .limit(limit)
    return (await found.toArray()).map((one) => ({ stored: storedOf(one), parkedAt: one.parkedAt ?? 0 }))
  },
  countParked: (max) => emails.countDocuments(parkedFilter, { limit: max }),
  firstDue: async (lane, limit) => {
    const waiting = emails.find({ lane, dueAt: { $lt: neverMs } }, { projection: storedFields })
    return (await waiting.sort({ dueAt: 1, _id: 1 }).limit(limit).toArray()).map(storedOf)
  },
})
