import { doneBatch, statesSweptBy } from '@postrider/domain/email/batch.ts'
import { withFreshEvents } from '@postrider/domain/email/changes.ts'
import { nextDueOf } from '@postrider/domain/email/due.ts'
import type { Email } from '@postrider/domain/email/email.ts'
import { neverMs } from '@postrider/domain/time.ts'
import type { Collection } from 'mongodb'
import { writeAll } from '../client/bulkWrite.ts'
import { type BatchDoc, inState, type Stores } from './batchDoc.ts'
import { type EmailDoc, emailFields } from './document.ts'
import { isLate, lateWriteFault } from './lateness.ts'

/* The last step of an accepted batch: its emails become visible and due. */

/** Emails that are read and written together. */
const emailsPerWrite = 100

/** Records that all emails of an accepted batch are due. */
export const finish = async ({ batches }: Stores, id: string, now: number): Promise<void> => {
  await batches.updateOne({ _id: id, ...inState(statesSweptBy('complete')) }, { $set: doneBatch(now) })
}

/** Makes the emails of an accepted batch due. Repeatable. */
export const complete = async (
  stores: Stores,
  { _id, items }: Pick<BatchDoc, '_id' | 'items'>,
  now: number,
): Promise<void> => {
  const { emails } = stores
  const since = performance.now()
  for (let from = 0; from < items.length; from += emailsPerWrite) {
    const ids = items.slice(from, from + emailsPerWrite).map(({ id }) => id)
    const hidden = await emails.find({ _id: { $in: ids }, workspace: '' }, { projection: { doc: 1 } }).toArray()
    await publish(
      emails,
      hidden.map(({ doc }) => JSON.parse(doc) as Email),
      now,
    )
  }
  if (isLate(since)) throw lateWriteFault()
  await finish(stores, _id, now)
}

/** Returns the fields by which an email is found and claimed. */
const queueFieldsOf = (email: Email) => {
  const nextAt = nextDueOf(email)
  const { status, owing } = emailFields(email, nextAt)
  return { workspace: email.workspace, status, owing, nextAt, dueAt: nextAt ?? neverMs }
}

/**
 * Makes emails visible and due. Most have the same clock offset, so one update is enough. If their events are old,
 * because the batch was accepted long after they were stored, they get new times.
 */
export const publish = async (emails: Collection<EmailDoc>, stored: readonly Email[], now: number): Promise<void> => {
  if (stored.length === 0) return
  const fresh = stored.map((email) => withFreshEvents(email, 0, now))
  const isOld = (email: Email): boolean => !stored.includes(email)
  const groups = Map.groupBy(
    fresh.filter((email) => !isOld(email)),
    (email) => JSON.stringify(queueFieldsOf(email)),
  )
  const hidden = { workspace: '' } as const
  const updates = [
    ...[...groups.values()].flatMap((group) => {
      const [first] = group
      if (first === undefined) return []
      return [
        {
          updateMany: {
            filter: { _id: { $in: group.map(({ id }) => id) }, ...hidden },
            update: { $set: queueFieldsOf(first) },
          },
        },
      ]
    }),
    ...fresh.filter(isOld).map((email) => {
      const { doc, eventsAt } = emailFields(email, null)
      const $set = { ...queueFieldsOf(email), doc, eventsAt }
      return { updateOne: { filter: { _id: email.id, ...hidden }, update: { $set } } }
    }),
  ]
  await writeAll(emails, updates)
}
