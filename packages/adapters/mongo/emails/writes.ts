import type { Email } from '@postrider/domain/email/email.ts'
import { gather } from '@postrider/kit/gather.ts'
import type { EmailStore } from '@postrider/ports/emails.ts'
import type { Collection } from 'mongodb'
import { batchLimits, updateEach } from '../client/bulkWrite.ts'
import { mapStoreErrors } from '../client/errors.ts'
import { scalar } from '../client/scalar.ts'
import { type EmailDoc, emailFields, held, never } from './document.ts'

type Write = { id: string; fence: number; change: { email: Email; nextAt: number | null; done: boolean } }
type EmailFields = ReturnType<typeof emailFields>

/** Replaces the document: by its holder (`write`), or while no worker holds it (`change`). */
export const emailWrites = (emails: Collection<EmailDoc>): Pick<EmailStore, 'write' | 'change'> => {
  const write = gather<Write, boolean>({
    ...batchLimits,
    run: (batch) => mapStoreErrors(() => writeAll(emails, batch)),
  })
  return {
    write: (id, fence, change) => write({ id, fence, change }),
    change: async (id, fence, now, { email, nextAt }) => {
      const one = { _id: scalar(id), fence: scalar(fence) }
      const $set = { ...emailFields(email, nextAt), leaseUntil: null, dueAt: nextAt ?? never }
      const unheld = await emails.updateOne({ ...one, leaseUntil: null }, { $set, $inc: { fence: 1 } })
      if (unheld.matchedCount === 1) return true
      // The holder died: its lease ended without an outcome.
      const expired = { ...one, leaseUntil: { $ne: null, $lte: now } }
      return (await emails.updateOne(expired, { $set, $inc: { fence: 1, deaths: 1 } })).matchedCount === 1
    },
  }
}

/** While the email is held, claims must not find it before the lease ends, even if no recipient waits. */
const updateOf = (fields: EmailFields, done: boolean) =>
  done
    ? { $set: { ...fields, leaseUntil: null, deaths: 0, dueAt: fields.nextAt ?? never } }
    : { $set: fields, $max: { dueAt: fields.nextAt ?? 0 } }

const writeAll = async (emails: Collection<EmailDoc>, batch: readonly Write[]): Promise<(boolean | Error)[]> => {
  const writes = batch.map((one) => ({ one, fields: emailFields(one.change.email, one.change.nextAt) }))
  const results = await updateEach(
    emails,
    writes.map(({ one: { id, fence, change }, fields }) => ({
      filter: { _id: id, fence, ...held },
      update: updateOf(fields, change.done),
    })),
  )
  if (results.every((result) => result === true || result instanceof Error)) return results
  const isWritten = await findWritten(emails, batch)
  return writes.map(({ one, fields }, index) => {
    const result = results[index]
    return result instanceof Error ? result : isWritten(one, fields)
  })
}

/**
 * Decides by what is stored which writes were done: those whose fence is current and whose document is as written. That
 * includes a write which is repeated because its answer was lost.
 */
const findWritten = async (emails: Collection<EmailDoc>, batch: readonly Write[]) => {
  const ids = batch.map(({ id }) => id)
  const projection = { fence: 1, doc: 1, nextAt: 1, leaseUntil: 1 } as const
  const found = await emails.find({ _id: { $in: ids } }, { projection }).toArray()
  const byId = new Map(found.map((one) => [one._id, one]))
  return ({ id, fence, change }: Write, { doc, nextAt }: EmailFields): boolean => {
    const stored = byId.get(id)
    const isAsWritten = stored?.doc === doc && stored.nextAt === nextAt && (stored.leaseUntil === null) === change.done
    return isAsWritten && stored.fence === fence
  }
}
