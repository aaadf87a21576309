import type { EventData, StoredEvent, WorkspaceEvent } from '@postrider/domain/events/event.ts'
import type { Clock } from '@postrider/kit/clock.ts'
import type { NewWorkspaceEvent, WorkspaceEventStore } from '@postrider/ports/workspaceEvents.ts'
import type { Db } from 'mongodb'
import { insertEach, withoutRefusals } from '../client/bulkWrite.ts'
import type { Indexes } from '../client/connect.ts'
import { withMappedErrors } from '../client/errors.ts'
import { isLate } from '../emails/lateness.ts'

/** A stored event. `data` is JSON, so that names in it cannot clash with those of the store. */
export type WorkspaceEventDoc = Omit<StoredEvent, 'id' | 'data'> & {
  _id: string
  data: string
  /** Whether the notifications of the event are prepared; see `NotificationStore`. Absent: there are none. */
  noticed?: boolean
}

export const workspaceEventIndexes: Indexes = {
  workspace_events: [
    { key: { workspace: 1, mode: 1, at: 1, _id: 1 } },
    // The oldest of a workspace.
    { key: { workspace: 1, at: 1 } },
    // Removal by age.
    { key: { at: 1 } },
    // Those whose notifications are not prepared.
    { key: { noticed: 1, at: 1 } },
  ],
}

const docOf = ({ id, type, workspace, mode, data }: NewWorkspaceEvent, at: number): WorkspaceEventDoc => ({
  _id: id,
  type,
  at,
  workspace,
  mode,
  data: JSON.stringify(data),
  noticed: false,
})

export const storedEventOf = ({ _id: id, data, noticed: _, ...rest }: WorkspaceEventDoc): StoredEvent => ({
  id,
  ...rest,
  data: JSON.parse(data) as EventData,
})

/** Returns an event that was read by the mode of a feed, so it is not an internal one. */
export const workspaceEventOf = (doc: WorkspaceEventDoc): WorkspaceEvent => storedEventOf(doc) as WorkspaceEvent

/** Events without an email in MongoDB. */
export const mongoWorkspaceEvents = (db: Db, now: Clock): WorkspaceEventStore => {
  const events = db.collection<WorkspaceEventDoc>('workspace_events')
  return withMappedErrors({
    insert: async (fresh: readonly NewWorkspaceEvent[]) => {
      const at = now()
      const since = performance.now()
      const inserted = await insertEach(
        events,
        fresh.map((event) => docOf(event, at)),
      )
      const ids = fresh.filter((_, index) => withoutRefusals(inserted)[index]).map(({ id }) => id)
      // A reader may have passed their time.
      if (isLate(since)) await events.updateMany({ _id: { $in: ids } }, { $set: { at: now() } })
      return ids
    },
    removeUntil: async (at: number, limit: number) => {
      const old = events.find({ at: { $lte: at } }, { projection: { _id: 1 } }).sort({ at: 1 })
      const ids = (await old.limit(limit).toArray()).map(({ _id }) => _id)
      return ids.length === 0 ? 0 : (await events.deleteMany({ _id: { $in: ids } })).deletedCount
    },
  } satisfies WorkspaceEventStore)
}
