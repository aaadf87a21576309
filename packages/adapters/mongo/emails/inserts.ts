import { nextDueOf } from '@postrider/domain/email/due.ts'
import type { Content, Email } from '@postrider/domain/email/email.ts'
import { batcher } from '@postrider/kit/batcher.ts'
import type { EmailStore } from '@postrider/ports/emails.ts'
import type { Collection, Db } from 'mongodb'
import { batchLimits, insertEach } from '../client/bulkWrite.ts'
import { ignoreDuplicateKey, mapStoreErrors } from '../client/errors.ts'
import { type Contents, emailContents, roughBytes } from './contents.ts'
import { contentKeyOf, type EmailDoc, emailDoc, signedContentKey, tombstoneDoc } from './document.ts'
import { isLate, lateWriteFault } from './lateness.ts'

/** `since`: when the call began, by a monotonic clock. */
type NewEmail = { email: Email; content: Content; since: number }
type InsertOutcome = Awaited<ReturnType<EmailStore['insert']>>
/** A record to insert, or an outcome that is known without that. */
type Prepared = { doc: EmailDoc } | { outcome: InsertOutcome | Error }
type Collections = { emails: Collection<EmailDoc>; contents: Contents }

/** A larger content is inserted alone, so that it does not delay small ones. */
const maxGatheredBytes = 256 * 1024

/**
 * New emails with their contents. Concurrent calls share commands: with 64 at a time an email's insert, content
 * and two writes cost this process about a fifth of what single calls cost.
 */
export const emailInserts = (db: Db): Pick<EmailStore, 'insert' | 'tombstone' | 'content'> => {
  const collections: Collections = { emails: db.collection('emails'), contents: emailContents(db) }
  const { emails, contents } = collections
  const run = (batch: readonly NewEmail[]) => mapStoreErrors(() => insertAll(collections, batch))
  const insert = batcher<NewEmail, InsertOutcome>({ ...batchLimits, run })
  const insertAlone = batcher<NewEmail, InsertOutcome>({ max: 1, maxInFlight: Number.POSITIVE_INFINITY, run })
  const contentKey = async (id: string): Promise<string> => {
    const found = await emails.findOne({ _id: id }, { projection: { content: 1 } })
    return found?.content ?? id
  }
  return {
    insert: (email, content) => {
      const put = roughBytes(content) > maxGatheredBytes ? insertAlone : insert
      return put({ email, content, since: performance.now() })
    },
    tombstone: async (id) => {
      const isNew = await ignoreDuplicateKey(() => emails.insertOne(tombstoneDoc(id)))
      if (!isNew) return (await existing(emails, id)) === 'void'
      await contents.remove(id)
      return true
    },
    content: batcher<string, Content | null>({
      ...batchLimits,
      run: (ids) => mapStoreErrors(() => contents.get(ids, contentKey)),
    }),
  }
}

/** Inserts contents, then records, so that every record has a content. */
const insertAll = async (collections: Collections, batch: readonly NewEmail[]): Promise<(InsertOutcome | Error)[]> => {
  const { emails, contents } = collections
  const stored = await contents.put(batch.map(({ email, content }) => ({ key: contentKeyOf(email), content })))
  const prepared = await Promise.all(batch.map((one, index) => prepare(collections, one, stored[index] ?? false)))
  const docs = prepared.flatMap((one) => ('doc' in one ? [one.doc] : []))
  const inserted = await insertEach(emails, docs)
  const results = new Map(docs.map((doc, index) => [doc, inserted[index] ?? false]))
  return Promise.all(
    prepared.map(async (one, index) => {
      if ('outcome' in one) return one.outcome
      const result = results.get(one.doc)
      if (result === true && isLate(batch[index]?.since ?? 0)) return lateWriteFault()
      return result === true ? 'inserted' : result instanceof Error ? result : duplicate(collections, one.doc)
    }),
  )
}

const prepare = async (
  { emails, contents }: Collections,
  { email, content }: Pick<NewEmail, 'email' | 'content'>,
  stored: boolean | Error,
): Promise<Prepared> => {
  if (stored instanceof Error) return { outcome: stored }
  const doc = emailDoc(email, nextDueOf(email), content.attachments.length > 0)
  if (stored) return { doc }
  // Another try stored a content: it inserted its record too, or died before that, or is still running.
  const outcome = await existing(emails, email.id)
  return outcome ? { outcome } : { doc: { ...doc, content: await contents.putSeparately(email, content) } }
}

/** Returns what already uses the id, after removing the content that no record refers to. */
const duplicate = async ({ emails, contents }: Collections, { _id, content }: EmailDoc): Promise<InsertOutcome> => {
  const found = await emails.findOne({ _id }, { projection: { workspace: 1, doc: 1 } })
  const isVoid = found?.workspace === ''
  if (isVoid || (found && isContentRemoved(found))) await contents.remove(_id)
  else if (content !== undefined && content !== signedContentKey(_id)) await contents.remove(content)
  return isVoid ? 'void' : 'exists'
}

/** Returns whether the content was removed because of its age, so that this try has stored another one. */
const isContentRemoved = ({ doc }: Pick<EmailDoc, 'doc'>): boolean =>
  (JSON.parse(doc) as Email).contentRemovedAt !== undefined

/** Returns what uses the id: an email or a tombstone (`void`); null: neither. */
const existing = async (emails: Collection<EmailDoc>, id: string): Promise<'exists' | 'void' | null> => {
  const found = await emails.findOne({ _id: id }, { projection: { workspace: 1 } })
  return found && (found.workspace === '' ? 'void' : 'exists')
}
