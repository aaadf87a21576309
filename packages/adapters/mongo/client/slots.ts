import type { Collection, Filter } from 'mongodb'

/*
 * A workspace has a maximum number of documents in a collection: each has a slot, and a unique index over workspace and
 * slot refuses the second of two inserts that choose the same slot. An insert that lost its slot to another one chooses
 * again.
 */

/** Returns a slot for a document with `id`; null: there are `max` documents that match `inWorkspace`. */
export const slotIn = async <Doc extends { slot: number }>(
  collection: Collection<Doc>,
  inWorkspace: Filter<Doc>,
  { max, id }: { max: number; id: string },
): Promise<number | null> => {
  const used = await collection.find(inWorkspace, { projection: { _id: 0, slot: 1 } }).toArray()
  return freeSlot(
    used.map(({ slot }) => slot),
    max,
    id,
  )
}

/**
 * Returns a slot that is not used; null: `max` are used. The candidates are the lowest free slots, as many as documents
 * may be added: concurrent inserts, which choose from the same ones, can then not exceed `max`, also after it was
 * lowered. The id selects one of them, so that concurrent inserts rarely choose the same.
 */
export const freeSlot = (used: readonly number[], max: number, id: string): number | null => {
  const room = max - used.length
  if (room < 1) return null
  let slot = [...id].reduce((hash, char) => (hash * 31 + char.charCodeAt(0)) >>> 0, 0) % room
  for (const other of used.toSorted((a, b) => a - b)) if (other <= slot) slot += 1
  return slot
}
