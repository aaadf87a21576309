import type { StoredEmail } from '@postrider/domain/email/email.ts'
import type { EmailQuery } from '@postrider/domain/email/filter.ts'
import { matches, prefilterTerms } from '@postrider/domain/email/filter.ts'
import type { Collection, Filter } from 'mongodb'
import { scalar } from '../client/scalar.ts'
import { type EmailDoc, storedFields, storedOf } from './document.ts'

/** Emails that one query examines, so that a filter with few matches does not block the server. */
const chunkEmails = 1_000

type Edge = Pick<EmailDoc, '_id' | 'createdAt'>
type Conditions = Filter<EmailDoc>[]

const newestFirst = { createdAt: -1, _id: -1 } as const
const edgeFields = { projection: { createdAt: 1 } } as const

/** The first condition of each is the one that the index uses. */
const after = ({ _id, createdAt }: Edge): Conditions => [
  { createdAt: { $lte: createdAt } },
  { $or: [{ createdAt: { $lt: createdAt } }, { _id: { $lt: _id } }] },
]
const downTo = ({ _id, createdAt }: Edge): Conditions => [
  { createdAt: { $gte: createdAt } },
  { $or: [{ createdAt: { $gt: createdAt } }, { _id: { $gte: _id } }] },
]

/** Returns the conditions that the index by workspace and time answers. */
const inIndex = ({ workspace, createdAfter, createdBefore }: EmailQuery): Conditions => [
  { workspace: scalar(workspace) },
  ...(createdAfter === null ? [] : [{ createdAt: { $gt: createdAfter } }]),
  ...(createdBefore === null ? [] : [{ createdAt: { $lt: createdBefore } }]),
]

/** Returns the conditions that need the document. They may match too much: `matches` decides. */
const inDocument = (query: EmailQuery): Conditions => {
  const { mode, category, status, now } = query
  return [
    ...(mode === null ? [] : [{ mode: scalar(mode) }]),
    ...(category === null ? [] : [{ lane: scalar(category) }]),
    // A held email may have another status than the field: `sending`.
    ...(status === null ? [] : [{ $or: [{ status: scalar(status) }, { leaseUntil: { $gt: now } }] }]),
    ...prefilterTerms(query).map((term) => ({ doc: { $regex: escapeRegex(term), $options: 'i' } })),
  ]
}

const escapeRegex = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')

/**
 * Lists the newest matching emails. Reads the workspace in chunks, each with one query of limited cost. Stops before the
 * next one when `signal` is aborted.
 */
export const listEmails = async (
  emails: Collection<EmailDoc>,
  query: EmailQuery,
  signal?: AbortSignal,
): Promise<{ emails: StoredEmail[]; hasMore: boolean }> => {
  const listed: StoredEmail[] = []
  const from = query.before === null ? null : await emails.findOne({ _id: scalar(query.before) }, edgeFields)
  if (query.before !== null && from === null) return { emails: listed, hasMore: false }
  for (let edge: Edge | null = from; ; ) {
    const limit = query.limit + 1 - listed.length
    const chunk = await readChunk(emails, query, edge, limit)
    listed.push(...chunk.found.map(storedOf).filter((stored) => matches(stored, query)))
    if (listed.length > query.limit) return { emails: listed.slice(0, query.limit), hasMore: true }
    // The query reached its limit and not all found emails match: continue after the last one, inside the chunk.
    edge = chunk.found.length === limit ? (chunk.found.at(-1) ?? null) : chunk.end
    if (edge === null || signal?.aborted) return { emails: listed, hasMore: false }
  }
}

/** Reads the next emails that match as far as the server decides. `end`: the chunk's last; null: no more follow. */
const readChunk = async (emails: Collection<EmailDoc>, query: EmailQuery, edge: Edge | null, limit: number) => {
  const range = [...inIndex(query), ...(edge ? after(edge) : [])]
  const conditions = inDocument(query)
  // The index alone answers this.
  const end =
    conditions.length === 0
      ? null
      : await emails.findOne({ $and: range }, { ...edgeFields, sort: newestFirst, skip: chunkEmails - 1 })
  const found = await emails
    .find(
      { $and: [...range, ...(end ? downTo(end) : []), ...conditions] },
      { projection: { ...storedFields, createdAt: 1 } },
    )
    .sort(newestFirst)
    .limit(limit)
    .toArray()
  return { found, end }
}
