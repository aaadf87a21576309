import { isDeepStrictEqual } from 'node:util'
import type { Email } from '@postrider/domain/email/email.ts'
import { neverMs } from '@postrider/domain/time.ts'
import { batcher } from '@postrider/kit/batcher.ts'
import type { EmailStore, LeasedChange } from '@postrider/ports/emails.ts'
import type { Collection, Db, Filter, UpdateFilter } from 'mongodb'
import { withAuditNotice } from '../audit/notices.ts'
import type { Outbox } from '../audit/outbox.ts'
import { batchLimits, updateEach } from '../client/bulkWrite.ts'
import { mapStoreErrors } from '../client/errors.ts'
import { scalar } from '../client/scalar.ts'
import { deathIncrement, type EmailDoc, emailFields, purgeFields, withLease } from './document.ts'
import { conflictFault, isLate, lateWriteFault, setWrittenAt } from './lateness.ts'

/** `since`: when the call began, by a monotonic clock. */
type Write = { id: string; fence: number; change: LeasedChange; since: number }
type EmailFields = ReturnType<typeof emailFields>

/** Replaces the document: by its holder (`write`), or while it is not leased (`change`). */
export const emailWrites = (
  db: Db,
  emails: Collection<EmailDoc>,
  outbox: Outbox,
): Pick<EmailStore, 'write' | 'lastWrite' | 'change'> => {
  const write = batcher<Write, boolean>({
    ...batchLimits,
    run: (batch) => mapStoreErrors(() => replaceLeased(emails, batch)),
  })
  return {
    write: (id, fence, change) => write({ id, fence, change, since: performance.now() }),
    lastWrite: async (id, fence) => {
      const found = await emails.findOne(
        // A void id has no document.
        { _id: scalar(id), fence: scalar(fence), doc: { $ne: '' } },
        { projection: { doc: 1, writtenAt: 1 } },
      )
      return found && { email: JSON.parse(found.doc) as Email, writtenAt: found.writtenAt?.getTime() ?? null }
    },
    change: async (id, fence, now, { email, nextAt, resetsDeaths }, audit) => {
      const unchanged = { _id: scalar(id), fence: scalar(fence) }
      const $set = { ...emailFields(email, nextAt), ...purgeFields(email), leaseUntil: null, dueAt: nextAt ?? neverMs }
      const update = async (filter: Filter<EmailDoc>, change: UpdateFilter<EmailDoc>): Promise<boolean> =>
        audit === undefined
          ? (await emails.updateOne(filter, change)).matchedCount === 1
          : (await outbox.update(emails, filter, change, [audit], { projection: { _id: 1 } })) !== null
      const change = async (): Promise<boolean> => {
        const replace = { $set: { ...$set, ...(resetsDeaths && { deaths: 0 }) }, $unset: { parkedAt: 1 } } as const
        if (await update({ ...unchanged, leaseUntil: null }, { ...replace, $inc: { fence: 1 } })) return true
        // The holder died: its lease ended without an outcome.
        const expired = { ...unchanged, leaseUntil: { $ne: null, $lte: now } }
        return update(expired, { ...replace, $inc: { fence: 1, ...(!resetsDeaths && deathIncrement) } })
      }
      const since = performance.now()
      const isChanged = await (audit === undefined
        ? change()
        : withAuditNotice(db, { collection: 'emails', document: id }, audit, change))
      if (isChanged && isLate(since)) throw lateWriteFault()
      return isChanged
    },
  }
}

/** While the email is leased, claims must not find it before the lease ends, even if no recipient waits. */
const updateOf = (email: Email, fields: EmailFields, done: boolean) =>
  done
    ? {
        $set: { ...fields, ...purgeFields(email), leaseUntil: null, deaths: 0, dueAt: fields.nextAt ?? neverMs },
        ...setWrittenAt,
      }
    : { $set: fields, $max: { dueAt: fields.nextAt ?? 0 }, ...setWrittenAt }

/**
 * A write whose response was lost may still be made, after a later one or before it. It must not replace events of
 * another one.
 */
const guardOf = ({ id, fence, change: { storedEvents } }: Write): Filter<EmailDoc> => ({
  _id: id,
  fence,
  ...withLease,
  ...(storedEvents !== undefined && { eventsAt: { $size: storedEvents } }),
})

/** Replaces documents that are still leased by the writer. @returns for each: whether it was replaced, or its error */
const replaceLeased = async (emails: Collection<EmailDoc>, batch: readonly Write[]): Promise<(boolean | Error)[]> => {
  const writes = batch.map((one) => ({ one, fields: emailFields(one.change.email, one.change.nextAt) }))
  const results = await updateEach(
    emails,
    writes.map(({ one, fields }) => ({
      filter: guardOf(one),
      update: updateOf(one.change.email, fields, one.change.done),
    })),
  )
  const isKnown = results.every((result) => result === true || result instanceof Error)
  const isWritten = isKnown ? null : await findWritten(emails, batch)
  return Promise.all(
    writes.map(async ({ one, fields }, index) => {
      const result = results[index]
      if (result instanceof Error) return result
      const outcome = isWritten === null ? true : await isWritten(one, fields)
      return outcome === true && isLate(one.since) ? lateWriteFault() : outcome
    }),
  )
}

/**
 * Decides by what is stored which writes were done: those whose fence is current and whose document is as written. That
 * includes a write which is repeated because its response was lost; if its events have other times now, they are
 * replaced.
 */
const findWritten = async (emails: Collection<EmailDoc>, batch: readonly Write[]) => {
  const ids = batch.map(({ id }) => id)
  const projection = { fence: 1, doc: 1, nextAt: 1, leaseUntil: 1 } as const
  const found = await emails.find({ _id: { $in: ids } }, { projection }).toArray()
  const byId = new Map(found.map((one) => [one._id, one]))
  return async ({ id, fence, change }: Write, fields: EmailFields): Promise<boolean | Error> => {
    const stored = byId.get(id)
    if (stored?.fence !== fence) return false
    const asRead = {
      _id: id,
      fence,
      ...(stored.leaseUntil === null ? { leaseUntil: null } : withLease),
      doc: stored.doc,
    }
    if ((stored.leaseUntil === null) === change.done && stored.nextAt === fields.nextAt) {
      if (stored.doc === fields.doc) return true
      const { doc, eventsAt } = fields
      if (isSameWrite(stored.doc, doc))
        return updateAsRead(emails, asRead, { $set: { doc, eventsAt }, ...setWrittenAt })
    }
    if (stored.leaseUntil === null) return false
    // Version 0.1 writes documents without the times of their events, so the guard did not match.
    const { events } = JSON.parse(stored.doc) as Email
    if (events.length !== (change.storedEvents ?? events.length)) return conflictFault()
    return updateAsRead(emails, asRead, updateOf(change.email, fields, change.done))
  }
}

/** Updates a document if it is as it was read. */
const updateAsRead = async (
  emails: Collection<EmailDoc>,
  filter: Filter<EmailDoc>,
  update: UpdateFilter<EmailDoc>,
): Promise<true | Error> => ((await emails.updateOne(filter, update)).matchedCount === 1 ? true : conflictFault())

/** Whether a document is the stored one except for the times of its events. */
const isSameWrite = (stored: string, doc: string): boolean => isDeepStrictEqual(withoutTimes(stored), withoutTimes(doc))

const withoutTimes = (doc: string): Email => {
  const email = JSON.parse(doc) as Email
  return { ...email, events: email.events.map((event) => ({ ...event, at: 0 })) }
}
