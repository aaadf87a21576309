import type { AuditEntry, AuditPosition, TextMatch } from '@postrider/domain/audit/entry.ts'
import {
  type AuditSource,
  auditIndexOf,
  fewAuditEntries,
  kindIndexesOf,
  withKinds,
} from '@postrider/domain/audit/select.ts'
import type { AuditQuery } from '@postrider/ports/audit.ts'
import { type Collection, type Filter, ObjectId } from 'mongodb'
import { allOf } from '../client/allOf.ts'
import { scalar } from '../client/scalar.ts'
import { entryOf, keyOf, type StoredEntryDoc } from './document.ts'

type Conditions = readonly Filter<StoredEntryDoc>[]
type Source = AuditSource<Filter<StoredEntryDoc>>

const newestFirst = { at: -1, _id: -1 } as const

/**
 * Returns the newest entries that match. Reads in chunks, each with one query of limited cost, and stops between two of
 * them when `signal` is aborted.
 * @param chunkEntries entries that one query examines
 */
export const listAuditEntries = async (
  log: Collection<StoredEntryDoc>,
  query: AuditQuery,
  { chunkEntries, signal }: { chunkEntries: number; signal: AbortSignal | undefined },
): Promise<AuditEntry[]> => {
  const read = async ({ found, checks }: Source, limit: number): Promise<AuditEntry[]> => {
    const entries = log.find(allOf([...found, ...checks])).sort(newestFirst)
    return (await entries.limit(limit).toArray()).map((entry) => entryOf(entry as StoredEntryDoc))
  }
  const few = await fewOf(log, query)
  if (few) return read(few, query.limit)
  const { found, checks } = sourceOf(query)
  const entries: AuditEntry[] = []
  for (let after = pageOf(query); !signal?.aborted; ) {
    const end = checks.length === 0 ? null : await endOfChunk(log, [...found, ...after], chunkEntries)
    const chunk = [...found, ...after, ...(end === null ? [] : notOlderThan(end))]
    entries.push(...(await read({ found: chunk, checks }, query.limit - entries.length)))
    if (end === null || entries.length === query.limit) break
    after = olderThan(end)
  }
  return entries
}

/** A position as it is stored. */
type Edge = Pick<StoredEntryDoc, '_id' | 'at'>

/** Returns the last entry of the next chunk; null: no more follow it. */
const endOfChunk = (log: Collection<StoredEntryDoc>, found: Conditions, chunkEntries: number): Promise<Edge | null> =>
  log.findOne<Edge>(allOf(found), { projection: { at: 1 }, sort: newestFirst, skip: chunkEntries - 1 })

const sourceOf = (query: AuditQuery): Source =>
  withKinds(auditIndexOf(query), { found: [...ofWorkspace(query), ...timesOf(query)], checks: [] }, kindsOf(query))

/** Returns the entries of a kind of actors or of actions if there are few. */
const fewOf = async (log: Collection<StoredEntryDoc>, query: AuditQuery): Promise<Source | null> => {
  const checks = [...timesOf(query), ...pageOf(query)]
  for (const index of kindIndexesOf(query)) {
    const kind = withKinds(index, { found: ofWorkspace(query), checks }, kindsOf(query))
    if ((await log.countDocuments(allOf(kind.found), { limit: fewAuditEntries + 1 })) <= fewAuditEntries) return kind
  }
  return null
}

const kindsOf = (query: AuditQuery) => ({ ofActor: actorOf(query), ofAction: actionOf(query) })

const ofWorkspace = ({ workspace }: AuditQuery): Conditions =>
  workspace === null ? [] : [{ workspace: scalar(workspace) }]

const timesOf = ({ createdAfter, createdBefore }: AuditQuery): Conditions => [
  ...(createdAfter === null ? [] : [{ at: { $gt: scalar(createdAfter) } }]),
  ...(createdBefore === null ? [] : [{ at: { $lt: scalar(createdBefore) } }]),
]

const actionOf = ({ action }: AuditQuery): Conditions => (action === null ? [] : [{ action: matching(action) }])

const actorOf = ({ actor, orOperator }: AuditQuery): Conditions => {
  if (actor === null) return []
  const match = { actor: matching(actor) }
  return [orOperator === undefined ? match : { $or: [match, { operator: scalar(orOperator) }] }]
}

/** The end of the range sorts after every text that begins so; ids and actions are ASCII. */
const matching = (match: TextMatch) =>
  'is' in match ? scalar(match.is) : { $gte: scalar(match.startsWith), $lt: `${match.startsWith}~` }

const pageOf = ({ before }: AuditQuery): Conditions => (before === null ? [] : olderThan(edgeOf(before)))

const edgeOf = ({ at, id }: AuditPosition): Edge => ({ at: scalar(at), _id: keyOf(id) }) as Edge

/*
 * A comparison finds values of its own type only, and texts sort before the ObjectIds of former entries. The bound of
 * the time is a condition of its own, which an index can use.
 */

const olderThan = ({ at, _id }: Edge): Conditions => {
  const sameTime = [{ at, _id: { $lt: _id } }, ...(typeof _id === 'string' ? [] : [{ at, _id: { $gte: '' } }])]
  return [{ at: { $lte: at } }, { $or: [{ at: { $lt: at } }, ...sameTime] }] as Filter<StoredEntryDoc>[]
}

const notOlderThan = ({ at, _id }: Edge): Conditions => {
  const sameTime = [{ at, _id: { $gte: _id } }, ...(typeof _id === 'string' ? [{ at, _id: { $gte: lowestKey } }] : [])]
  return [{ at: { $gte: at } }, { $or: [{ at: { $gt: at } }, ...sameTime] }] as Filter<StoredEntryDoc>[]
}

const lowestKey = new ObjectId('0'.repeat(24))
