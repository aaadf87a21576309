import {
  acceptedBatch,
  acceptedBatchStates,
  type BatchChange,
  type BatchState,
  batchSweeps,
  clearedBatch,
  decideVoid,
  doneBatch,
  isBatchIncomplete,
  isBatchOpen,
  openBatch,
  openBatchStates,
  orphanedBatch,
  removedBatch,
  shownBatchState,
  statesSweptBy,
  voidedBatch,
} from '@postrider/domain/email/batch.ts'
import { withFreshEvents } from '@postrider/domain/email/changes.ts'
import { nextDueOf } from '@postrider/domain/email/due.ts'
import type { Email } from '@postrider/domain/email/email.ts'
import { neverMs } from '@postrider/domain/time.ts'
import { retryOnConflict } from '@postrider/kit/retryOnConflict.ts'
import type { Slices } from '@postrider/kit/slices.ts'
import type {
  BatchEmail,
  BatchHead,
  BatchItem,
  BatchItemKey,
  EmailBatches,
  StoredBatch,
} from '@postrider/ports/emailBatches.ts'
import type { Collection, Db } from 'mongodb'
import { insertEach, upsertEach, withoutRefusals, writeAll } from '../client/bulkWrite.ts'
import { ignoreDuplicateKey } from '../client/errors.ts'
import { scalar } from '../client/scalar.ts'
import { type Contents, emailContents } from './contents.ts'
import { contentKeyOf, type EmailDoc, emailDoc, emailFields } from './document.ts'
import { isLate, lateWriteFault } from './lateness.ts'

export type BatchDoc = BatchChange & {
  _id: string
  workspace: string
  at: number
  items: BatchItem[]
  results: string
}

/** How often a batch is read again because it changed in between. */
const maxTries = 5

/** Emails that are read and written together. */
const emailsPerWrite = 100

/**
 * Batches in MongoDB. The emails of a batch that is not accepted are stored like void ids, without a workspace: no
 * reader, list, count, feed or claim finds them, in this release and in the last one. One update of the batch accepts
 * it; then its emails get their workspace and are due. `slices` runs the changes of results.
 */
export const emailBatches = (db: Db, contents: Contents, slices: Slices): EmailBatches => {
  const stores = {
    batches: db.collection<BatchDoc>('batches'),
    emails: db.collection<EmailDoc>('emails'),
    contents,
  }
  const { batches } = stores

  return {
    stageBatch: async (head, added) => {
      // It may end between the two writes of `extend`; then its emails were removed before these were stored.
      if ((await extend(stores, head, added)) && isBatchOpen(await stateOf(stores, head.id))) return 'staged'
      await removeHidden(
        stores,
        added.map(({ item }) => item),
      )
      return 'void'
    },

    acceptBatch: (head, mails, ended) => accept(stores, head, mails, ended),

    batch: async (id) => {
      const found = await batches.findOne({ _id: scalar(id) })
      return found && batchOf(found)
    },

    batchEmails: (_, items) => readEmails(stores, items),

    voidBatch: (id, now) => voidOne(stores, scalar(id), now),

    voidOpenBatches: async () => {
      // The condition on the time lets the index of due batches find them.
      const found = await batches.updateMany({ dueAt: { $gte: 0 }, ...withOpenState }, { $set: orphanedBatch })
      return found.modifiedCount
    },

    completeBatch: async (id, now) => {
      const found = await batches.findOne({ _id: scalar(id) })
      if (found && isBatchIncomplete(found.state)) await complete(stores, found, now)
      return found && shownBatchState(found.state) === 'accepted' ? batchOf(found) : null
    },

    completeBatches: async (workspace, now) => {
      const since = performance.now()
      const accepted = { workspace: scalar(workspace), ...inState(statesSweptBy('complete')) }
      const found = await batches.find(accepted, { projection: { items: 1 } }).toArray()
      // Its time is that of the events.
      for (const one of found) await complete(stores, one, now + Math.floor(performance.now() - since))
    },

    changeResults: async (workspace, change) => {
      const ended = { workspace: scalar(workspace), state: { $in: acceptedBatchStates } }
      const owner = slices.of(workspace)
      const ids = await batches.find(ended, { projection: { _id: 1 } }).toArray()
      for (const { _id } of ids) {
        const attempt = async (): Promise<true | undefined> => {
          const found = await batches.findOne({ ...ended, _id }, { projection: { results: 1 } })
          if (found === null) return true
          const results = await owner.run(change(found.results))
          if (results === found.results) return true
          // Another change of the results must not be lost.
          const update = await batches.updateOne({ ...ended, _id, results: found.results }, { $set: { results } })
          return update.matchedCount === 1 || undefined
        }
        await retryOnConflict(attempt, { rounds: maxTries, onBusy: lateWriteFault })
      }
    },

    sweepBatches: async (now, limit) => {
      const due = await batches
        .find({ dueAt: { $lte: now } })
        .sort({ dueAt: 1 })
        .limit(limit)
        .toArray()
      for (const one of due) await sweepOne(stores, one, now)
      return due.length
    },
  }
}

/** Matches a batch in one of these states. */
const inState = (states: readonly BatchState[]) => ({ state: { $in: [...states] } })
const withOpenState = inState(openBatchStates)

type Stores = { batches: Collection<BatchDoc>; emails: Collection<EmailDoc>; contents: Contents }

/** Stores further emails of an open batch. @returns false: it is void */
const extend = async (
  { batches, emails, contents }: Stores,
  { id, workspace, at, until }: BatchHead,
  added: readonly BatchEmail[],
): Promise<boolean> => {
  const { state, dueAt } = openBatch(until)
  const update = {
    $push: { items: { $each: added.map(({ item }) => item) } },
    $set: { dueAt },
    $setOnInsert: { workspace, at, results: '' },
  }
  // As `decideStage`, by one guarded write: a batch in another state refuses the insert of its id.
  const [isStaged] = withoutRefusals(await upsertEach(batches, [{ filter: { _id: id, state }, update }]))
  if (!isStaged) return false
  await contents.put(added.map(({ email, content }) => ({ key: contentKeyOf(email), content }))).then(withoutRefusals)
  const docs = added.map(({ email, content }) => hiddenDoc(email, content.attachments.length > 0))
  withoutRefusals(await insertEach(emails, docs))
  return true
}

/** Emails of a batch that are read and parsed together: some milliseconds if they are long. */
const emailsPerRead = 10

/** Reads emails of an accepted batch, hidden or not. */
const readEmails = async ({ emails }: Stores, items: readonly BatchItemKey[]): Promise<Email[]> => {
  const found: Email[] = []
  for (let from = 0; from < items.length; from += emailsPerRead) {
    const ids = items.slice(from, from + emailsPerRead).map(({ id }) => id)
    const docs = await emails.find({ _id: { $in: ids }, doc: { $ne: '' } }, { projection: { doc: 1 } }).toArray()
    found.push(...docs.map(({ doc }) => JSON.parse(doc) as Email))
  }
  return found
}

const finish = async ({ batches }: Stores, id: string, now: number): Promise<void> => {
  await batches.updateOne({ _id: id, ...inState(statesSweptBy('complete')) }, { $set: doneBatch(now) })
}

/** Makes the emails of an accepted batch due. Repeatable. */
const complete = async (
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

/** @returns null: there is no such batch */
const stateOf = async ({ batches }: Stores, id: string): Promise<BatchState | null> =>
  (await batches.findOne({ _id: id }, { projection: { state: 1 } }))?.state ?? null

type Accept = EmailBatches['acceptBatch']

const accept = async (
  stores: Stores,
  head: BatchHead,
  mails: Parameters<Accept>[1],
  { results, now }: Parameters<Accept>[2],
): ReturnType<Accept> => {
  const { batches, emails } = stores
  const since = performance.now()
  // A batch whose emails were staged before has emails to read.
  const { id } = head
  const items = mails.map(({ item }) => item)
  if (!(await extend(stores, head, mails))) {
    await removeHidden(stores, items)
    return 'void'
  }
  // As `decideAccept`, by one guarded write. The time stays that of the open batch, so that no sweep repeats what
  // follows.
  const { state } = acceptedBatch(now)
  const accepted = await batches.findOneAndUpdate(
    { _id: id, ...withOpenState },
    { $set: { state, results } },
    { projection: { items: 1 }, returnDocument: 'after' },
  )
  if (accepted === null) {
    await removeHidden(stores, items)
    return 'void'
  }
  const known = new Set(items.map((item) => item.id))
  await publish(
    emails,
    mails.map(({ email }) => email),
    now,
  )
  const staged = accepted.items.filter((item) => !known.has(item.id))
  if (staged.length > 0) await complete(stores, { _id: id, items: staged }, now)
  else {
    if (isLate(since)) throw lateWriteFault()
    await finish(stores, id, now)
  }
  return 'accepted'
}

/** @returns whether the batch is void now; false: it was accepted */
const voidOne = (stores: Stores, _id: string, now: number): Promise<boolean> => {
  const { batches } = stores
  const attempt = async (): Promise<boolean | undefined> => {
    const decision = decideVoid(await stateOf(stores, _id), now)
    if (decision.write === null) return decision.isVoid
    const { write, change } = decision
    const isWritten =
      write === 'create'
        ? await ignoreDuplicateKey(() =>
            batches.insertOne({ _id, workspace: '', at: now, ...change, items: [], results: '' }),
          )
        : (await batches.updateOne({ _id, ...withOpenState }, { $set: change })).matchedCount === 1
    return isWritten || undefined
  }
  return retryOnConflict(attempt, { rounds: maxTries, onBusy: lateWriteFault })
}

/** Continues what ended in the middle, and removes the records of batches that ended long ago. */
const sweepOne = async (stores: Stores, one: BatchDoc, now: number): Promise<void> => {
  const { batches } = stores
  const { _id, state, dueAt } = one
  const step = batchSweeps[state]
  if (step === 'complete') await complete(stores, one, now)
  else if (step === 'forget') await batches.deleteOne({ _id, state, dueAt })
  else if (step === 'clear_and_forget') {
    await removeHidden(stores, one.items)
    await batches.deleteOne({ _id, state, dueAt })
  } else {
    const { state: voided } = voidedBatch(now)
    const found = await batches.findOneAndUpdate({ _id, state, dueAt }, { $set: { state: voided } })
    if (found === null) return
    await removeHidden(stores, found.items)
    await batches.updateOne({ _id, state: voided }, { $set: clearedBatch(now) })
  }
}

type Hidden = { emails: Collection<EmailDoc>; contents: Contents }

/** Removes emails that are not published, with their contents. */
const removeHidden = async ({ emails, contents }: Hidden, items: readonly { id: string }[]): Promise<void> => {
  const ids = items.map(({ id }) => id)
  if (ids.length === 0) return
  await contents.removeAll(ids)
  await emails.deleteMany({ _id: { $in: ids }, workspace: '' })
}

/**
 * Removes batches of a removed workspace. Their ids stay for a while as those of void ones, so that a request that is
 * still running stores nothing more. Repeatable.
 * @returns how many
 */
export const removeBatches = async (db: Db, workspace: string, limit: number): Promise<number> => {
  const batches = db.collection<BatchDoc>('batches')
  const hidden = { emails: db.collection<EmailDoc>('emails'), contents: emailContents(db) }
  const found = await batches.find({ workspace }).limit(limit).toArray()
  for (const { _id } of found) {
    // First, so that no more emails are added. Those of an accepted batch are not published any more.
    const ended = await batches.findOneAndUpdate({ _id }, { $set: { state: 'void', results: '' } })
    if (ended === null) continue
    await removeHidden(hidden, ended.items)
    await batches.updateOne({ _id }, { $set: { workspace: '', ...removedBatch(ended.at) } })
  }
  return found.length
}

/** Returns the document of an email whose batch is not accepted. */
const hiddenDoc = (email: Email, hasAttachments: boolean): EmailDoc => ({
  ...emailDoc(email, null, hasAttachments),
  workspace: '',
  status: '',
  owing: false,
})

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
const publish = async (emails: Collection<EmailDoc>, stored: readonly Email[], now: number): Promise<void> => {
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

const batchOf = ({ _id: id, workspace, at, state, items, results }: BatchDoc): StoredBatch => ({
  id,
  workspace,
  at,
  state: shownBatchState(state),
  items,
  results,
})
