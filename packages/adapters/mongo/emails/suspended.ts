import { type Email, lanes } from '@postrider/domain/email/email.ts'
import { resumedAt } from '@postrider/domain/email/waiting.ts'
import { neverMs } from '@postrider/domain/time.ts'
import type { EmailStore } from '@postrider/ports/emails.ts'
import type { Collection } from 'mongodb'
import { writeAll } from '../client/bulkWrite.ts'
import { deathIncrement, type EmailDoc, storedFields, storedOf } from './document.ts'

type Resumable = Pick<EmailDoc, '_id' | 'fence' | 'nextAt' | 'doc'>
const resumableFields = { fence: 1, nextAt: 1, doc: 1 } as const

/** Mail of suspended workspaces. Its `nextAt` and `dueAt` are later than its document states. */
export const suspendedEmails = (emails: Collection<EmailDoc>): Pick<EmailStore, 'dueOf' | 'suspend' | 'resume'> => ({
  dueOf: async (workspaces, now, limit) => {
    const due = lanes.map((lane) =>
      emails
        .find({ lane, workspace: { $in: [...workspaces] }, dueAt: { $lte: now } }, { projection: storedFields })
        .limit(limit)
        .toArray(),
    )
    return (await Promise.all(due)).flat().slice(0, limit).map(storedOf)
  },
  suspend: async (mail, now) => {
    if (mail.length === 0) return 0
    const updates = mail.flatMap(({ id, workspace, fence, until }) => {
      const unchanged = { _id: id, fence, nextAt: { $ne: null } }
      const $set = { nextAt: until, dueAt: until, leaseUntil: null, suspended: workspace }
      return [
        { updateOne: { filter: { ...unchanged, leaseUntil: null }, update: { $set, $inc: { fence: 1 } } } },
        // The holder died: its lease ended without an outcome.
        {
          updateOne: {
            filter: { ...unchanged, leaseUntil: { $ne: null, $lte: now } },
            update: { $set, $inc: { fence: 1, ...deathIncrement } },
          },
        },
      ]
    })
    return (await writeAll(emails, updates)).modifiedCount
  },
  resume: async ({ except, limit }) => {
    const found = await resumable(emails, except, limit)
    if (found.length === 0) return 0
    await writeAll(emails, found.map(resumption))
    return found.length
  },
})

/**
 * Returns mail that is to be resumed, workspace by workspace. The worker of a leased email writes its next time itself;
 * without this condition, leased mail could fill each call.
 */
const resumable = async (
  emails: Collection<EmailDoc>,
  except: ReadonlySet<string>,
  limit: number,
): Promise<Resumable[]> => {
  const found: Resumable[] = []
  for (let last = ''; found.length < limit; ) {
    const first = await emails.findOne(
      { suspended: { $gt: last } },
      { projection: { _id: 0, suspended: 1 }, sort: { suspended: 1 } },
    )
    if (first?.suspended === undefined) break
    last = first.suspended
    if (except.has(last)) continue
    const free = emails.find({ suspended: last, leaseUntil: null }, { projection: resumableFields })
    found.push(...(await free.limit(limit - found.length).toArray()))
  }
  return found
}

const resumption = ({ _id, fence, nextAt, doc }: Resumable) => {
  const next = resumedAt(JSON.parse(doc) as Email, nextAt)
  const $set = { nextAt: next, dueAt: next ?? neverMs }
  const update = { $unset: { suspended: 1 }, $set, $inc: { fence: 1 } } as const
  return { updateOne: { filter: { _id, fence, leaseUntil: null }, update } }
}
