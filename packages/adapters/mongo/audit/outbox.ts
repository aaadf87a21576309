import type { AuditEntry } from '@postrider/domain/audit/entry.ts'
import { Fault } from '@postrider/kit/fault.ts'
import { type ConflictLimit, retryOnConflict } from '@postrider/kit/retryOnConflict.ts'
import type { Collection, Db, Document, Filter, FindOneAndUpdateOptions, IndexDescription } from 'mongodb'
import { insertEach, withoutRefusals } from '../client/bulkWrite.ts'
import { docOf, type EntryDoc, type OutboxEntry, outboxEntryOf } from './document.ts'

/** Fields of a document whose entries are not moved yet. Records that are read from it do not contain these fields. */
export type WithOutbox = {
  outbox?: OutboxEntry[]
  /** Set: the document was removed, and exists only until its entry is moved. */
  gone?: true
  /** Set with `gone`: the workspace from which it was removed, for `Forget`. */
  goneFrom?: string
}

/** Removes what other collections have of a removed document. It can be repeated. */
export type Forget = (left: { _id: unknown; goneFrom?: string }) => Promise<void>

/**
 * Finds the documents with entries that a crash left behind. For collections of few documents: it has an entry for
 * each.
 */
export const outboxIndex: IndexDescription = { key: { 'outbox.at': 1 } }

/** A filter that finds no document that was removed. */
export const notRemoved = { gone: { $exists: false } } as const

/** Entries that wait in one document at most: more than one waits only while the log cannot be written. */
const maxWaiting = 20

type Stored = WithOutbox & { _id: string }
/** A document with entries that are to be moved. */
type Left = WithOutbox & { _id: unknown }

/** Returns a collection by the fields that all outboxes use. */
const documentsOf = <Doc extends Document>(collection: Collection<Doc>) => collection as unknown as Collection<Stored>

/**
 * Changes a document and stores the entries of the change in one write: they are pushed to the document's `outbox`.
 * Then they are moved to the log. If a crash prevents that, the sweep (sweep.ts) moves them: an entry has its id from
 * the beginning, so it is in the log once, however often it is moved.
 */
export type Outbox = ReturnType<typeof mongoOutbox>

const withEntry = <Doc extends object>(doc: Doc, entry: AuditEntry): Doc & { outbox: OutboxEntry[] } => ({
  ...doc,
  outbox: [outboxEntryOf(entry)],
})

/** Moves entries from their documents to the log. */
const entryMoves = (db: Db, forget: Forget) => {
  const log = db.collection<EntryDoc>('audit_log')

  /**
   * Writes the entries to the log, then removes them from their document, or removes the document with all that belongs
   * to it.
   */
  const move = async <Doc extends Document>(collection: Collection<Doc>, left: Left): Promise<void> => {
    const { outbox = [], gone } = left
    const documents = documentsOf(collection)
    const _id = left._id as string
    withoutRefusals(await insertEach(log, outbox.map(docOf)))
    const ids = outbox.map(({ id }) => id)
    if (gone) {
      await forget(left)
      await documents.deleteOne({ _id, gone })
    } else await documents.updateOne({ _id }, { $pull: { outbox: { id: { $in: ids } } } })
  }

  /** Moves the entries of a change that is stored. It does not fail: the sweep repeats it. */
  const moveNow = async <Doc extends Document>(
    collection: Collection<Doc>,
    _id: unknown,
    entries: readonly AuditEntry[],
    removed: Omit<WithOutbox, 'outbox'> = {},
  ): Promise<void> => {
    if (entries.length === 0) return
    await move(collection, { ...removed, _id, outbox: entries.map(outboxEntryOf) }).catch(() => {})
  }

  /**
   * Runs a write that adds audit entries to its document. First moves the entries of earlier changes if the document is
   * full.
   */
  const withRoom = <Doc extends Document, Result>(
    collection: Collection<Doc>,
    filter: object,
    waiting: number,
    write: (guarded: object) => Promise<Result | null>,
  ): Promise<Result | null> => {
    const documents = documentsOf(collection)
    const attempt = async (): Promise<Result | null | undefined> => {
      const done = await write({ ...filter, ...notRemoved, [`outbox.${waiting}`]: { $exists: false } })
      if (done !== null) return done
      const full = { ...filter, ...notRemoved, [`outbox.${waiting}`]: { $exists: true } }
      const found = await documents.findOne(full, { projection: { outbox: 1 } })
      if (found === null) return null
      await move(collection, found)
      return undefined
    }
    const onBusy = (): Fault =>
      new Fault('unavailable', 'The audit log cannot be written; try again in a few seconds.', { retryAfterMs: 2_000 })
    return retryOnConflict(attempt, { rounds: 'plainRecord', onBusy })
  }

  return { move, moveNow, withRoom }
}

export const mongoOutbox = (db: Db, forget: Forget = async () => {}) => {
  const { move, moveNow, withRoom } = entryMoves(db, forget)
  return {
    move,
    moveNow,
    /** Returns a document with its entry, for an insert that other writes complete. Then call `moveNow`. */
    withEntry,
    /** Inserts a document and stores the entry with it. */
    insert: async <Doc extends Document & WithOutbox>(
      collection: Collection<Doc>,
      doc: Doc,
      entry: AuditEntry,
    ): Promise<void> => {
      await collection.insertOne(withEntry(doc, entry) as never)
      await moveNow(collection, doc['_id'], [entry])
    },
    /**
     * Updates one document and stores the entries with it.
     * @returns the document, by default as it is afterwards; null: no document matches
     */
    update: async <Doc extends Document & WithOutbox>(
      collection: Collection<Doc>,
      filter: Filter<Doc>,
      update: Document,
      entries: readonly AuditEntry[],
      options: Pick<FindOneAndUpdateOptions, 'projection' | 'returnDocument'> = {},
    ): Promise<Doc | null> => {
      const pushed = { outbox: { $each: entries.map(outboxEntryOf) } }
      const push = entries.length === 0 ? {} : { $push: { ...update['$push'], ...pushed } }
      const found = await withRoom(collection, filter, maxWaiting - entries.length, (guarded) =>
        collection.findOneAndUpdate(guarded as Filter<Doc>, { ...update, ...push } as Document, {
          returnDocument: 'after',
          ...options,
        }),
      )
      if (found !== null) await moveNow(collection, found['_id'], entries)
      return found as Doc | null
    },
    /**
     * Removes one document and stores the entry with the removal: the document is replaced by `otherFields`, which no
     * reader finds, and is deleted when the entry is moved.
     * @returns the document as it was; null: no document matches
     */
    remove: async <Doc extends Document & WithOutbox>(
      collection: Collection<Doc>,
      filter: Filter<Doc>,
      entry: AuditEntry,
      otherFields: Document & Pick<WithOutbox, 'goneFrom'> = {},
    ): Promise<Doc | null> => {
      const left = { ...otherFields, gone: true as const, outbox: [outboxEntryOf(entry)] }
      // Without an entry of an earlier change, which the replacement would lose.
      const found = await withRoom(collection, filter, 0, (guarded) =>
        collection.findOneAndReplace(guarded as Filter<Doc>, left as never, { returnDocument: 'before' }),
      )
      if (found !== null) await moveNow(collection, found['_id'], [entry], left)
      return found as Doc | null
    },
  }
}

/**
 * Changes a document by a write that is guarded by what was read, so that an entry shows what was before.
 * @param attempt reads, and writes if nothing was changed since; undefined: it was changed
 * @throws Fault `unavailable`: others kept changing it
 */
export const untilUnchanged = <Result>(
  attempt: () => Promise<Result | undefined>,
  rounds: ConflictLimit = 'plainRecord',
): Promise<Result> =>
  retryOnConflict(attempt, {
    rounds,
    onBusy: () =>
      new Fault('unavailable', 'Other requests are changing the record at the same time; try again in a second.', {
        retryAfterMs: 1_000,
      }),
  })

/** Returns a filter for the fields of `change` as they were read. */
export const asRead = (found: Document, change: object): Document =>
  Object.fromEntries(
    Object.keys(change).map((name) => [name, found[name] === undefined ? { $exists: false } : { $eq: found[name] }]),
  )
