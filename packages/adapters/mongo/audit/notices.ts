import type { AuditEntry } from '@postrider/domain/audit/entry.ts'
import type { Collection, Db, Document } from 'mongodb'
import type { Indexes } from '../client/connect.ts'
import { scalar } from '../client/scalar.ts'
import { mongoOutbox, type WithOutbox } from './outbox.ts'

/**
 * A notice that a document may have an entry in its outbox, by the id of the entry. For collections with very many
 * documents, such as emails, where an index over outboxes would cost every insert. It is written before the change.
 */
type NoticeDoc = { _id: string; collection: string; document: string; at: number }

export const noticeIndexes: Indexes = { audit_notices: [{ key: { collection: 1, at: 1 } }] }

/** A document by its `_id`. */
export type DocumentKey = Pick<NoticeDoc, 'collection' | 'document'>

const noticesIn = (db: Db): Collection<NoticeDoc> => db.collection('audit_notices')

/**
 * Runs a change of a document with its entry, which `change` stores in the outbox and moves. Each collection has one
 * service that sweeps its notices.
 */
export const withAuditNotice = async (
  db: Db,
  { collection, document }: DocumentKey,
  { id: _id, at }: AuditEntry,
  change: () => Promise<boolean>,
): Promise<boolean> => {
  const notices = noticesIn(db)
  await notices.insertOne({ _id, collection, document: scalar(document), at })
  const isChanged = await change()
  // A notice without a change is removed by the sweep if it stays.
  if (!isChanged) await notices.deleteOne({ _id }).catch(() => {})
  return isChanged
}

/** Notices of one read. */
const noticesOfPage = 500

/** Returns the documents of all collections that have notices, in pages. Notices stay for seconds, so they are few. */
export async function* noticePages(db: Db): AsyncGenerator<DocumentKey[]> {
  for (let after = ''; ; ) {
    const next = noticesIn(db).find({ _id: { $gt: after } })
    const page = await next.sort({ _id: 1 }).limit(noticesOfPage).toArray()
    if (page.length > 0) yield page
    const last = page.at(-1)
    if (last === undefined || page.length < noticesOfPage) return
    after = last._id
  }
}

/** Minimum age of a notice without an entry to conclude that its change was not made: every write ends earlier. */
const forgottenMs = 600_000
/** Notices of one sweep. */
const maxNotices = 1_000

/**
 * Moves the entries of the documents in `collection` that have notices from `before` or earlier.
 * @returns how many entries it moved
 */
export const sweepNotices = async (db: Db, collection: string, before: number): Promise<number> => {
  const notices = noticesIn(db)
  const documents = db.collection<WithOutbox & Document & { _id: string }>(collection)
  const { move } = mongoOutbox(db)
  let moved = 0
  const old = notices
    .find({ collection, at: { $lte: before } })
    .sort({ at: 1 })
    .limit(maxNotices)
  for (const { _id, document, at } of await old.toArray()) {
    const found = await documents.findOne({ _id: document }, { projection: { outbox: 1 } })
    const outbox = found?.outbox ?? []
    if (found && outbox.length > 0) await move(documents, { _id: document, outbox })
    moved += outbox.length
    const isInLog = (await db.collection<{ _id: string }>('audit_log').findOne({ _id })) !== null
    if (isInLog || at <= before - forgottenMs) await notices.deleteOne({ _id })
  }
  return moved
}
