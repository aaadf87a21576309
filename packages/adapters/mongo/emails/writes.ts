import type { Email } from '@postrider/domain/email/email.ts'
import { gather } from '@postrider/kit/gather.ts'
import type { EmailStore } from '@postrider/ports/emails.ts'
import type { Collection, Db } from 'mongodb'
import { reach } from '../client/connect.ts'
import { scalar } from '../client/scalar.ts'
import { unorderedBulk } from '../client/unorderedBulk.ts'
import { changing, type EmailDoc, never } from './doc.ts'
import { gathered } from './gathered.ts'

type Write = { id: string; fence: number; change: { email: Email; nextAt: number | null; done: boolean } }

/** Replacing the document: under a claim, or where nobody holds it. */
export const emailWrites = (db: Db): Pick<EmailStore, 'write' | 'change'> => {
  const emails = db.collection<EmailDoc>('emails')
  const write = gather<Write, boolean>({ ...gathered, run: (batch) => reach(() => writeAll(emails, batch)) })
  return {
    write: (id, fence, change) => write({ id, fence, change }),
    change: async (id, fence, now, { email, nextAt }) => {
      const one = { _id: scalar(id), fence: scalar(fence) }
      const $set = { ...changing(email, nextAt), leaseUntil: null, dueAt: nextAt ?? never }
      const free = await emails.updateOne({ ...one, leaseUntil: null }, { $set, $inc: { fence: 1 } })
      if (free.matchedCount === 1) return true
      // A lease that ends here without an outcome is a death.
      const over = { leaseUntil: { $ne: null, $lte: now } }
      return (await emails.updateOne({ ...one, ...over }, { $set, $inc: { fence: 1, deaths: 1 } })).matchedCount === 1
    },
  }
}

const held = { leaseUntil: { $ne: null } } as const

/** While the email is held it stays out of reach of claims until the lease ends, even where nobody waits any more. */
const updateOf = (changed: ReturnType<typeof changing>, done: boolean) =>
  done
    ? { $set: { ...changed, leaseUntil: null, deaths: 0, dueAt: changed.nextAt ?? never } }
    : { $set: changed, $max: { dueAt: changed.nextAt ?? 0 } }

const writeAll = async (emails: Collection<EmailDoc>, batch: readonly Write[]): Promise<(boolean | Error)[]> => {
  const changes = batch.map((one) => ({ one, changed: changing(one.change.email, one.change.nextAt) }))
  const operations = changes.map(({ one: { id, fence, change }, changed }) => ({
    updateOne: { filter: { _id: id, fence, ...held }, update: updateOf(changed, change.done) },
  }))
  const { matched, refused } = await unorderedBulk(() => emails.bulkWrite(operations, { ordered: false }))
  const isWritten = matched + refused.size === batch.length ? () => true : await writtenIn(emails, batch)
  return changes.map(({ one, changed }, index) => refused.get(index) ?? isWritten(one, changed))
}

const writtenFields = { fence: 1, doc: 1, nextAt: 1, leaseUntil: 1 } as const

/**
 * A bulk write tells how many documents it found, not which. Where some leases were lost, what is in the store tells:
 * a write was done where its fence still stands and the document is as it wants it.
 */
const writtenIn = async (emails: Collection<EmailDoc>, batch: readonly Write[]) => {
  const ids = batch.map(({ id }) => id)
  const found = await emails.find({ _id: { $in: ids } }, { projection: writtenFields }).toArray()
  const byId = new Map(found.map((one) => [one._id, one]))
  return ({ id, fence, change }: Write, { doc, nextAt }: ReturnType<typeof changing>): boolean => {
    const stored = byId.get(id)
    const isAsWanted = stored?.doc === doc && stored.nextAt === nextAt && (stored.leaseUntil === null) === change.done
    return isAsWanted && stored.fence === fence
  }
}
