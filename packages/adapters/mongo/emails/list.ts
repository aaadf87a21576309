import type { StoredEmail } from '@postrider/domain/email/email.ts'
import { type EmailQuery, matches } from '@postrider/domain/email/filter.ts'
import type { Collection } from 'mongodb'
import { allOf } from '../client/allOf.ts'
import { scalar } from '../client/scalar.ts'
import { type EmailDoc, storedFields, storedOf } from './document.ts'
import { type Conditions, newestFirst, type Source, sourcesOf } from './sources.ts'

/** Emails that one query examines, so that a filter with few matches does not block the server. */
const chunkEmails = 1_000

export type Edge = Pick<EmailDoc, '_id' | 'createdAt'>

const edgeFields = { projection: { createdAt: 1 } } as const

/** Returns the conditions for what follows an email in lists. */
export const after = ({ _id, createdAt }: Edge): Conditions => [
  { createdAt: { $lte: createdAt } },
  { $or: [{ createdAt: { $lt: createdAt } }, { _id: { $lt: _id } }] },
]
const downTo = ({ _id, createdAt }: Edge): Conditions => [
  { createdAt: { $gte: createdAt } },
  { $or: [{ createdAt: { $gt: createdAt } }, { _id: { $gte: _id } }] },
]

/**
 * Lists the newest matching emails. Reads each source in chunks, each with one query of limited cost. Stops before the
 * next one when `signal` is aborted.
 */
export const listEmails = async (
  emails: Collection<EmailDoc>,
  query: EmailQuery,
  signal?: AbortSignal,
): Promise<{ emails: StoredEmail[]; hasMore: boolean }> => {
  const from = query.before === null ? null : await emails.findOne({ _id: scalar(query.before) }, edgeFields)
  if (query.before !== null && from === null) return { emails: [], hasMore: false }
  const sources = await sourcesOf(emails, query)
  const found = await Promise.all(sources.map((source) => readSource(emails, { source, query, from, signal })))
  const listed = [...new Map(found.flat().map((stored) => [stored.email.id, stored])).values()].sort(byListOrder)
  return { emails: listed.slice(0, query.limit), hasMore: listed.length > query.limit }
}

const byListOrder = ({ email: one }: StoredEmail, { email: other }: StoredEmail): number =>
  other.createdAt - one.createdAt || (one.id < other.id ? 1 : -1)

type Reading = { source: Source; query: EmailQuery; from: Edge | null; signal: AbortSignal | undefined }

/** Returns the newest matching emails of a source, up to one more than the query's limit. */
const readSource = async (
  emails: Collection<EmailDoc>,
  { source, query, from, signal }: Reading,
): Promise<StoredEmail[]> => {
  const listed: StoredEmail[] = []
  for (let [edge, chunks] = [from, 0]; ; chunks += 1) {
    const limit = query.limit + 1 - listed.length
    const chunk = await readChunk(emails, { conditions: source(chunks), query, edge, limit })
    listed.push(...chunk.found.map(storedOf).filter((stored) => matches(stored, query)))
    if (listed.length > query.limit) return listed
    // The query reached its limit and not all found emails match: continue after the last one, inside the chunk.
    edge = chunk.found.length === limit ? (chunk.found.at(-1) ?? null) : chunk.end
    if (edge === null || signal?.aborted) return listed
  }
}

type ChunkQuery = { conditions: ReturnType<Source>; query: EmailQuery; edge: Edge | null; limit: number }

/** Both bounds are one condition: not every server uses the second one of a field for an index. */
const inTime = ({ createdAfter, createdBefore }: EmailQuery): Conditions => {
  const range = {
    ...(createdAfter !== null && { $gt: createdAfter }),
    ...(createdBefore !== null && { $lt: createdBefore }),
  }
  return Object.keys(range).length === 0 ? [] : [{ createdAt: range }]
}

/** Reads the next emails that match as far as the server decides. `end`: the chunk's last; null: no more follow. */
const readChunk = async (
  emails: Collection<EmailDoc>,
  { conditions: { inIndex, inDocument }, query, edge, limit }: ChunkQuery,
) => {
  const range = [...inIndex, ...inTime(query), ...(edge ? after(edge) : [])]
  // This reads the index alone.
  const end =
    inDocument.length === 0
      ? null
      : await emails.findOne(allOf(range), { ...edgeFields, sort: newestFirst, skip: chunkEmails - 1 })
  const found = await emails
    .find(allOf([...range, ...(end ? downTo(end) : []), ...inDocument]), {
      projection: { ...storedFields, createdAt: 1 },
    })
    .sort(newestFirst)
    .limit(limit)
    .toArray()
  return { found, end }
}
