import type { Email } from '@postrider/domain/email/email.ts'
import { adoptedPurge, urgentFirst } from '@postrider/domain/retention/purge.ts'
import type { EmailPurges, PurgeChange } from '@postrider/ports/emailPurges.ts'
import type { Collection, Filter } from 'mongodb'
import { writeAll } from '../client/bulkWrite.ts'
import type { Contents } from './contents.ts'
import { type EmailDoc, emailFields, termsField } from './document.ts'

/** Documents without the field; the index has null for them. */
const withoutStep: Filter<EmailDoc> = { purgeStep: { $eq: null as unknown as string } }

const dueFields = { doc: 1, fence: 1, leaseUntil: 1, purgeStep: 1, purgeFrom: 1 } as const

/** Removes what is stored long enough. Contents are removed first: a crash before the record's update repeats both. */
export const emailPurges = (emails: Collection<EmailDoc>, contents: Contents): EmailPurges => ({
  duePurges: async (dueFrom, limit) => {
    const found = []
    for (const step of await stepsOf(emails)) {
      if (found.length >= limit) break
      const due = emails.find({ purgeStep: step, purgeFrom: { $lte: dueFrom(step) } }, { projection: dueFields })
      found.push(
        ...(await due
          .sort({ purgeFrom: 1 })
          .limit(limit - found.length)
          .toArray()),
      )
    }
    return found.map(({ _id: id, doc, fence, leaseUntil, purgeStep = '', purgeFrom = 0 }) => ({
      id,
      email: emailOrVoid(doc),
      fence,
      leaseUntil,
      purge: { step: purgeStep, from: purgeFrom },
    }))
  },
  purgeBacklog: async (dueFrom, max) => {
    const backlog = []
    for (const step of await stepsOf(emails)) {
      const due = { purgeStep: step, purgeFrom: { $lte: dueFrom(step) } }
      const first = await emails.findOne(due, { projection: { _id: 0, purgeFrom: 1 }, sort: { purgeFrom: 1 } })
      backlog.push({ step, due: await emails.countDocuments(due, { limit: max }), oldest: first?.purgeFrom ?? null })
    }
    return backlog
  },
  purge: (requested) => removeParts(emails, contents, requested),
  setPurges: async (purges) => {
    const updates = purges.map(({ id, was, purge: { step, from } }) => ({
      updateOne: {
        filter: { _id: id, purgeStep: was.step, purgeFrom: was.from },
        update: { $set: { purgeStep: step, purgeFrom: from } },
      },
    }))
    await writeAll(emails, updates)
  },
  removeEmails: async (requested) => {
    const current = await unchanged(emails, requested)
    const gone = requested.filter(({ id }) => current.has(id))
    if (gone.length === 0) return 0
    await contents.removeAll(gone.map(({ id }) => id))
    const removals = gone.map(({ id, fence }) => ({
      deleteOne: { filter: { _id: id, fence, leaseUntil: null, 'outbox.0': { $exists: false } } },
    }))
    return (await writeAll(emails, removals)).deletedCount
  },
  adoptPurges: async (now, limit) => {
    const found = await emails
      .find(withoutStep, { projection: { doc: 1 } })
      .limit(limit)
      .toArray()
    if (found.length === 0) return 0
    const updates = found.map(({ _id, doc }) => {
      const email = emailOrVoid(doc)
      const { step, from } = adoptedPurge(email, now)
      const eventsAt = email?.events.map(({ at }) => at) ?? []
      const update = { $set: { purgeStep: step, purgeFrom: from, eventsAt } }
      // The document as it was read: a write in between may be of version 0.1, which does not write `eventsAt`.
      return { updateOne: { filter: { _id, doc, ...withoutStep }, update } }
    })
    await writeAll(emails, updates)
    return found.length
  },
  scrub: async () => {},
})

/**
 * Returns an email; null: the id is void and has no document. An email whose batch is not accepted has one, but no
 * workspace yet.
 */
const emailOrVoid = (doc: string): Email | null => (doc === '' ? null : (JSON.parse(doc) as Email))

/**
 * Returns the ids of emails that are as they were read, and that are not leased. Nothing but a refund changes final
 * mail after that, so its content is removed before the guarded update.
 */
const unchanged = async (
  emails: Collection<EmailDoc>,
  requested: readonly { id: string; fence: number }[],
): Promise<Set<string>> => {
  if (requested.length === 0) return new Set()
  const free = { _id: { $in: requested.map(({ id }) => id) }, leaseUntil: null }
  const found = await emails.find(free, { projection: { fence: 1 } }).toArray()
  const fences = new Map(found.map(({ _id, fence }) => [_id, fence]))
  return new Set(requested.filter(({ id, fence }) => fences.get(id) === fence).map(({ id }) => id))
}

/**
 * Removes contents or attachments, and then replaces the documents. An insert that is repeated in between finds no
 * removal in the record, and stores its content again, so contents are removed again after that. The next step is
 * written last: until then a crash repeats all of it.
 * @returns how many
 */
const removeParts = async (
  emails: Collection<EmailDoc>,
  contents: Contents,
  requested: readonly PurgeChange[],
): Promise<number> => {
  const removeContents = (of: readonly PurgeChange[]): Promise<void> =>
    contents.removeAll(of.filter(({ remove }) => remove === 'content').map(({ email }) => email.id))
  const read = requested.map(({ email: { id }, fence }) => ({ id, fence }))
  const current = await unchanged(emails, read)
  const changes = requested.filter(({ email: { id } }) => current.has(id))
  await removeContents(changes)
  for (const { email, remove } of changes) if (remove === 'attachments') await contents.removeAttachments(email)
  const { count, made } = await replaceDocuments(emails, changes)
  await removeContents(made)
  await writeAll(emails, made.map(nextStep))
  return count
}

/**
 * Replaces documents that are as they were read, without their steps.
 * @returns how many, and the changes that were made; another process may have made some of them
 */
const replaceDocuments = async (
  emails: Collection<EmailDoc>,
  changes: readonly PurgeChange[],
): Promise<{ count: number; made: readonly PurgeChange[] }> => {
  const { matchedCount: count } = await writeAll(emails, changes.map(replacement))
  if (count === changes.length) return { count, made: changes }
  const ids = changes.map(({ email }) => email.id)
  const found = await emails.find({ _id: { $in: ids } }, { projection: { doc: 1 } }).toArray()
  const docs = new Map(found.map(({ _id, doc }) => [_id, doc]))
  return { count, made: changes.filter(({ email }) => docs.get(email.id) === JSON.stringify(email)) }
}

const replacement = ({ email, fence }: PurgeChange) => ({
  updateOne: {
    filter: { _id: email.id, fence, leaseUntil: null },
    update: { $set: { ...emailFields(email, null), terms: termsField(email) }, $inc: { fence: 1 } },
  },
})

const nextStep = ({ email: { id }, fence, purge: { step, from } }: PurgeChange) => ({
  updateOne: { filter: { _id: id, fence: fence + 1 }, update: { $set: { purgeStep: step, purgeFrom: from } } },
})

/** Returns the steps that emails have, by one lookup in the index for each. */
const stepsOf = async (emails: Collection<EmailDoc>): Promise<string[]> => {
  const found: string[] = []
  for (let last = ''; ; ) {
    const next = { projection: { _id: 0, purgeStep: 1 }, sort: { purgeStep: 1 } } as const
    const first = await emails.findOne({ purgeStep: { $gt: last } }, next)
    if (first?.purgeStep === undefined) return urgentFirst(found)
    last = first.purgeStep
    found.push(last)
  }
}
