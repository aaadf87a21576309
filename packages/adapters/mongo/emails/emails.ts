import type { Lane } from '@postrider/domain/email/email.ts'
import type { EmailStore } from '@postrider/ports/emails.ts'
import type { Db } from 'mongodb'
import { type Indexes, reaching } from '../client/connect.ts'
import { scalar } from '../client/scalar.ts'
import { type EmailDoc, never, storedFields, storedOf } from './doc.ts'
import { emailInserts } from './inserts.ts'
import { emailLeases } from './leases.ts'
import { listEmails } from './list.ts'
import { emailWrites } from './writes.ts'

/** Each query and the index that covers it; inserts, writes, claims by id and contents ask by `_id` alone. */
export const emailIndexes: Indexes = {
  emails: [
    // The oldest due of a lane: claims, `nextDue`, and both counts of `backlog`.
    { key: { lane: 1, dueAt: 1, _id: 1 } },
    // The next workspace that has mail waiting, and the oldest due of one: claims where more is due than they may take.
    { key: { lane: 1, workspace: 1, dueAt: 1, _id: 1 } },
    // Lists.
    { key: { workspace: 1, createdAt: -1, _id: -1 } },
    { key: { owing: 1 } },
  ],
}

/**
 * The queue in MongoDB.
 * @param onParked told of an email that was set aside at a claim because its workers died over it again and again
 */
export const mongoEmails = (db: Db, onParked: (id: string) => void = () => {}): EmailStore => {
  const emails = db.collection<EmailDoc>('emails')
  return reaching({
    ...emailInserts(db),
    ...emailWrites(db),
    ...emailLeases(db, onParked),
    ...overview(db),
    get: async (id: string) => {
      const one = { _id: scalar(id), workspace: { $ne: '' } }
      const found = await emails.findOne(one, { projection: storedFields })
      return found && storedOf(found)
    },
    list: (query: Parameters<EmailStore['list']>[0]) => listEmails(emails, query),
  } satisfies EmailStore)
}

const overview = (db: Db): Pick<EmailStore, 'nextDue' | 'backlog' | 'pendingRefunds'> => {
  const emails = db.collection<EmailDoc>('emails')
  const nextDue = async (lane: Lane): Promise<number | null> => {
    const waiting = { lane, dueAt: { $lt: never } }
    const first = await emails.findOne(waiting, { projection: { _id: 0, dueAt: 1 }, sort: { dueAt: 1 } })
    return first?.dueAt ?? null
  }
  const backlog = async (lane: Lane, now: number) => {
    const [waiting, due, first] = await Promise.all([
      emails.countDocuments({ lane, dueAt: { $lt: never } }),
      emails.countDocuments({ lane, dueAt: { $lte: now } }),
      nextDue(lane),
    ])
    return { lane, waiting, due, oldestDueAt: first !== null && first <= now ? first : null }
  }
  return {
    nextDue,
    backlog: (now) => Promise.all([backlog('transactional', now), backlog('marketing', now)]),
    pendingRefunds: async (limit) =>
      (await emails.find({ owing: true }, { projection: storedFields }).limit(limit).toArray()).map(storedOf),
  }
}
