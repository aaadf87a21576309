import type { NewWorkspaceEvent, WorkspaceEventStore } from '@postrider/ports/workspaceEvents.ts'
import type { Collection, Db, Document, IndexDescription } from 'mongodb'

/** An event that waits in the document which it is about. `data` is JSON. */
type PendingEvent = Omit<NewWorkspaceEvent, 'data'> & { data: string }

/**
 * Fields of a document whose events are not in the feed yet. Records that are read from it do not contain this field.
 */
export type WithPending = { pendingEvents?: PendingEvent[] }

/** Finds documents with events that a crash left behind. For collections of few documents: it has an entry for each. */
export const pendingIndex: IndexDescription = { key: { 'pendingEvents.id': 1 } }

/** A filter that finds only documents without such events. */
export const notPending = { 'pendingEvents.0': { $exists: false } } as const

/** Returns the part of an update that stores events with a change. */
export const pendingPush = (events: readonly NewWorkspaceEvent[]): Document =>
  events.length === 0
    ? {}
    : {
        $push: {
          pendingEvents: { $each: events.map(({ data, ...rest }) => ({ ...rest, data: JSON.stringify(data) })) },
        },
      }

const eventOf = ({ data, ...rest }: PendingEvent): NewWorkspaceEvent => ({ ...rest, data: JSON.parse(data) })

type Stored = WithPending & { _id: string }

/** Moves events of a document into the feed: first the insert, by their ids, then the removal from the document. */
const movePending = async (
  documents: Collection<Stored>,
  events: Pick<WorkspaceEventStore, 'insert'>,
  { _id, pendingEvents = [] }: Stored,
): Promise<number> => {
  if (pendingEvents.length === 0) return 0
  const inserted = await events.insert(pendingEvents.map(eventOf))
  const ids = pendingEvents.map(({ id }) => id)
  await documents.updateOne({ _id }, { $pull: { pendingEvents: { id: { $in: ids } } } })
  return inserted.length
}

/** Moves the events of one document, if it has any. */
export const movePendingOf = async <Doc extends Document>(
  collection: Collection<Doc>,
  events: Pick<WorkspaceEventStore, 'insert'>,
  id: string,
): Promise<void> => {
  const documents = collection as unknown as Collection<Stored>
  const found = await documents.findOne({ _id: id }, { projection: { pendingEvents: 1 } })
  if (found) await movePending(documents, events, found)
}

/** Documents of one read. */
const batchSize = 100

/** Moves the events that crashes left behind in a collection with `pendingIndex`. @returns how many it moved */
export const sweepPending = async (
  db: Db,
  collection: string,
  events: Pick<WorkspaceEventStore, 'insert'>,
): Promise<number> => {
  const documents = db.collection<Stored>(collection)
  let moved = 0
  for (;;) {
    const left = documents.find({ 'pendingEvents.id': { $gt: '' } }, { projection: { pendingEvents: 1 } })
    const found = await left.limit(batchSize).toArray()
    for (const one of found) moved += await movePending(documents, events, one)
    if (found.length < batchSize) return moved
  }
}
