import {
  acceptedBatch,
  acceptedBatchStates,
  type BatchState,
  batchSweeps,
  clearedBatch,
  decideVoid,
  isBatchIncomplete,
  isBatchOpen,
  openBatch,
  openBatchStates,
  orphanedBatch,
  removedBatch,
  revokedBatch,
  shownBatchState,
  statesSweptBy,
  voidedBatch,
} from '@postrider/domain/email/batch.ts'
import type { Email } from '@postrider/domain/email/email.ts'
import { retryOnConflict } from '@postrider/kit/retryOnConflict.ts'
import type { Slices } from '@postrider/kit/slices.ts'
import type { BatchEmail, BatchHead, BatchItemKey, EmailBatches } from '@postrider/ports/emailBatches.ts'
import type { Collection, Db } from 'mongodb'
import { insertEach, upsertEach, withoutRefusals } from '../client/bulkWrite.ts'
import { ignoreDuplicateKey } from '../client/errors.ts'
import { scalar } from '../client/scalar.ts'
import { complete, finish, publish } from './batchCompletion.ts'
import { type BatchDoc, batchOf, inState, type Stores } from './batchDoc.ts'
import { type Contents, emailContents } from './contents.ts'
import { contentKeyOf, type EmailDoc, emailDoc } from './document.ts'
import { isLate, lateWriteFault } from './lateness.ts'

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

    discardBatch: async (id, now) => {
      const _id = scalar(id)
      if ((await stateOf(stores, _id)) === null) return true
      if (!(await voidOne(stores, _id, now))) return false
      const found = await batches.findOne({ _id, state: voidedBatch(now).state }, { projection: { items: 1 } })
      if (found) await clear(stores, found, now)
      return true
    },

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

    changeResults: (workspace, page, change) => changeSome(batches, slices.of(workspace), [workspace, page, change]),

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

const withOpenState = inState(openBatchStates)

/** Changes the results of some accepted batches, one after the other. `owner` runs the changes. */
const changeSome = async (
  batches: Collection<BatchDoc>,
  owner: Slices,
  [workspace, { after, limit }, change]: Parameters<EmailBatches['changeResults']>,
): ReturnType<EmailBatches['changeResults']> => {
  const ended = { workspace: scalar(workspace), state: { $in: acceptedBatchStates } }
  const next = batches.find({ ...ended, _id: { $gt: scalar(after) } }, { projection: { _id: 1 } })
  const ids = await next.sort({ workspace: 1, _id: 1 }).limit(limit).toArray()
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
    await retryOnConflict(attempt, { rounds: 'plainRecord', onBusy: lateWriteFault })
  }
  return ids.length < limit ? null : (ids.at(-1)?._id ?? null)
}

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

/** Returns the document of an email whose batch is not accepted. */
const hiddenDoc = (email: Email, hasAttachments: boolean): EmailDoc => ({
  ...emailDoc(email, null, hasAttachments),
  workspace: '',
  status: '',
  owing: false,
})

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
  return retryOnConflict(attempt, { rounds: 'forwardState', onBusy: lateWriteFault })
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
    if (found !== null) await clear(stores, found, now)
  }
}

/** Removes the emails of a void batch. Repeatable. */
const clear = async (stores: Stores, { _id, items }: Pick<BatchDoc, '_id' | 'items'>, now: number): Promise<void> => {
  await removeHidden(stores, items)
  await stores.batches.updateOne({ _id, state: voidedBatch(now).state }, { $set: clearedBatch(now) })
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
    const ended = await batches.findOneAndUpdate({ _id }, { $set: revokedBatch })
    if (ended === null) continue
    await removeHidden(hidden, ended.items)
    await batches.updateOne({ _id }, { $set: { workspace: '', ...removedBatch(ended.at) } })
  }
  return found.length
}
