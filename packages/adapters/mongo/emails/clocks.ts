import { waitingStatuses } from '@postrider/domain/email/status.ts'
import type { EmailClocks } from '@postrider/ports/testClocks.ts'
import type { Collection } from 'mongodb'
import { scalar } from '../client/scalar.ts'
import { type EmailDoc, storedFields, storedOf } from './document.ts'

/** Test mail for a move of its clock. The index of the counts of waiting mail has the mode, so no live mail is read. */
export const emailClocks = (emails: Collection<EmailDoc>): EmailClocks => {
  const waiting = (workspace: string) => ({
    status: { $in: [...waitingStatuses] },
    workspace: scalar(workspace),
    mode: 'test',
  })
  return {
    behindClock: async ({ workspace, offset, now, limit }) => {
      if (offset === 0) return []
      const behindOffset = { $not: { $gte: offset } }
      const query = { ...waiting(workspace), nextAt: { $ne: null }, clock: behindOffset }
      const free = { $or: [{ leaseUntil: null }, { leaseUntil: { $lte: now } }] }
      const found = emails.find({ ...query, ...free } as object, { projection: storedFields })
      return (await found.limit(limit).toArray()).map(storedOf)
    },
    dueTestMail: ({ workspace, now, max }) =>
      emails.countDocuments({ ...waiting(workspace), nextAt: { $ne: null, $lte: now } }, { limit: max }),
  }
}
