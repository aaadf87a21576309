import type { StoredEmail } from '@postrider/domain/email/email.ts'
import type { EmailQuery } from '@postrider/domain/email/filter.ts'
import { matches, prefilterTerms } from '@postrider/domain/email/filter.ts'
import type { Collection, Filter } from 'mongodb'
import { scalar } from '../client/scalar.ts'
import { type EmailDoc, storedFields, storedOf } from './doc.ts'

/** Emails the server looks through in one go, so that a filter which few pass holds nobody up. */
const chunkEmails = 1_000

type Edge = Pick<EmailDoc, '_id' | 'createdAt'>
type Conditions = Filter<EmailDoc>[]

const newestFirst = { createdAt: -1, _id: -1 } as const
const edgeFields = { projection: { createdAt: 1 } } as const

/** The first half of each is all the index needs to find its place. */
const after = ({ _id, createdAt }: Edge): Conditions => [
  { createdAt: { $lte: createdAt } },
  { $or: [{ createdAt: { $lt: createdAt } }, { _id: { $lt: _id } }] },
]
const downTo = ({ _id, createdAt }: Edge): Conditions => [
  { createdAt: { $gte: createdAt } },
  { $or: [{ createdAt: { $gt: createdAt } }, { _id: { $gte: _id } }] },
]

/** What the index by workspace and time tells. */
const inIndex = ({ workspace, createdAfter, createdBefore }: EmailQuery): Conditions => [
  { workspace: scalar(workspace) },
  ...(createdAfter === null ? [] : [{ createdAt: { $gt: createdAfter } }]),
  ...(createdBefore === null ? [] : [{ createdAt: { $lt: createdBefore } }]),
]

/** What a document tells the server. Empty: nothing is asked of it. */
const inDocument = (query: EmailQuery): Conditions => {
  const { mode, category, status, now } = query
  return [
    ...(mode === null ? [] : [{ mode: scalar(mode) }]),
    ...(category === null ? [] : [{ lane: scalar(category) }]),
    // What is held may be in another status than the field tells: `sending`.
    ...(status === null ? [] : [{ $or: [{ status: scalar(status) }, { leaseUntil: { $gt: now } }] }]),
    ...prefilterTerms(query).map((needle) => ({ doc: { $regex: literally(needle), $options: 'i' } })),
  ]
}

/** A pattern that means just this text. */
const literally = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')

/** Newest first. Looks through the workspace in chunks, each of them a query that is soon answered. */
export const listEmails = async (
  emails: Collection<EmailDoc>,
  query: EmailQuery,
): Promise<{ emails: StoredEmail[]; hasMore: boolean }> => {
  const listed: StoredEmail[] = []
  const from = query.before === null ? null : await emails.findOne({ _id: scalar(query.before) }, edgeFields)
  if (query.before !== null && from === null) return { emails: listed, hasMore: false }
  for (let edge: Edge | null = from; ; ) {
    const limit = query.limit + 1 - listed.length
    const chunk = await readChunk(emails, query, edge, limit)
    listed.push(...chunk.found.map(storedOf).filter((stored) => matches(stored, query)))
    if (listed.length > query.limit) return { emails: listed.slice(0, query.limit), hasMore: true }
    // As many as asked for were found, and not all of them fit: the rest of the chunk wasn't looked at.
    edge = chunk.found.length === limit ? (chunk.found.at(-1) ?? null) : chunk.end
    if (edge === null) return { emails: listed, hasMore: false }
  }
}

/** The next emails that fit as far as the server can tell. `end`: where the chunk ended; null: there is nothing after. */
const readChunk = async (emails: Collection<EmailDoc>, query: EmailQuery, edge: Edge | null, limit: number) => {
  const range = [...inIndex(query), ...(edge ? after(edge) : [])]
  const asked = inDocument(query)
  const end = asked.length === 0 ? null : await endOfChunk(emails, range)
  const found = await emails
    .find(
      { $and: [...range, ...(end ? downTo(end) : []), ...asked] },
      { projection: { ...storedFields, createdAt: 1 } },
    )
    .sort(newestFirst)
    .limit(limit)
    .toArray()
  return { found, end }
}

/** Found in the index alone. */
const endOfChunk = (emails: Collection<EmailDoc>, range: Conditions): Promise<Edge | null> =>
  emails.findOne({ $and: range }, { ...edgeFields, sort: newestFirst, skip: chunkEmails - 1 })
