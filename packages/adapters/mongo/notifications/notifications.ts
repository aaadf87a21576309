import type { NotificationGroup } from '@postrider/domain/notifications/group.ts'
import { changedPreferences, type Preferences } from '@postrider/domain/notifications/kinds.ts'
import type { NotificationStore } from '@postrider/ports/notifications.ts'
import type { Db } from 'mongodb'
import { mongoOutbox, outboxIndex, untilUnchanged, type WithOutbox } from '../audit/outbox.ts'
import { insertEach, upsertAll, withoutRefusals } from '../client/bulkWrite.ts'
import type { Indexes } from '../client/connect.ts'
import { ignoreDuplicateKey, withMappedErrors } from '../client/errors.ts'
import { scalar } from '../client/scalar.ts'
import { storedEventOf, type WorkspaceEventDoc } from '../events/workspaceEvents.ts'

/** `group` is JSON, so that names in the data of events cannot clash with those of the store. */
type GroupDoc = { _id: string; workspace: string; dueAt: number; version: number; group: string }
/** All that a user chose, so that a change is one write. `scope`: a workspace, or `''` for the account. */
type PreferencesDoc = WithOutbox & { _id: string; rev: number; choices: { scope: string; kinds: Preferences }[] }
/** `_id`: `<user> <device>`. */
type DeviceDoc = { _id: string; user: string; seenAt: number }

export const notificationIndexes: Indexes = {
  notification_groups: [{ key: { dueAt: 1 } }, { key: { workspace: 1 } }],
  notification_preferences: [{ key: { 'choices.scope': 1 } }, outboxIndex],
  known_devices: [{ key: { user: 1 } }, { key: { seenAt: 1 } }],
}

/** The collection with outboxes of this store. */
export const notificationOutboxes = { indexed: ['notification_preferences'] } as const

/** Notifications in MongoDB. Each change is one write of one document. */
export const mongoNotifications = (db: Db): NotificationStore =>
  withMappedErrors({
    ...events(db),
    ...groups(db),
    ...preferences(db),
    ...devices(db),
  } satisfies NotificationStore)

const events = (db: Db): Pick<NotificationStore, 'unnoticed' | 'markNoticed'> => {
  const stored = db.collection<WorkspaceEventDoc>('workspace_events')
  return {
    unnoticed: async (limit) =>
      (await stored.find({ noticed: false }).sort({ at: 1 }).limit(limit).toArray()).map(storedEventOf),
    markNoticed: async (ids) => {
      await stored.updateMany({ _id: { $in: [...ids] } }, { $set: { noticed: true } })
    },
  }
}

type Groups = Pick<NotificationStore, 'group' | 'writeGroup' | 'removeGroup' | 'dueGroups'>

const groups = (db: Db): Groups => {
  const stored = db.collection<GroupDoc>('notification_groups')
  return {
    group: async (key) => {
      const found = await stored.findOne({ _id: scalar(key) })
      if (found === null) return null
      const { dueAt, version, group } = found
      return { group: JSON.parse(group) as NotificationGroup, dueAt, version }
    },
    writeGroup: async (key, group, dueAt, version) => {
      const fields = { workspace: group.workspace, dueAt, group: JSON.stringify(group) }
      if (version === null) {
        const [inserted] = withoutRefusals(await insertEach(stored, [{ _id: scalar(key), version: 1, ...fields }]))
        return inserted === true
      }
      const same = { _id: scalar(key), version: scalar(version) }
      return (await stored.updateOne(same, { $set: fields, $inc: { version: 1 } })).matchedCount === 1
    },
    removeGroup: async (key, version) => {
      await stored.deleteOne({ _id: scalar(key), version: scalar(version) })
    },
    dueGroups: async (now, limit) => {
      const due = stored.find({ dueAt: { $lte: now } }, { projection: { _id: 1 } }).sort({ dueAt: 1 })
      return (await due.limit(limit).toArray()).map(({ _id }) => _id)
    },
  }
}

const preferences = (db: Db): Pick<NotificationStore, 'preferences' | 'setPreferences'> => {
  const stored = db.collection<PreferencesDoc>('notification_preferences')
  const outbox = mongoOutbox(db)
  return {
    preferences: async (workspace, users) => {
      const found = await stored.find({ _id: { $in: users.map(scalar) } }, { projection: { choices: 1 } }).toArray()
      return new Map(
        found.flatMap(({ _id, choices }) => {
          const chosen = choices.find(({ scope }) => scope === workspace)
          return chosen ? [[_id, chosen.kinds] as const] : []
        }),
      )
    },
    setPreferences: (user, changes, entryOf) =>
      untilUnchanged(async () => {
        const found = await stored.findOne({ _id: scalar(user) }, { projection: { rev: 1, choices: 1 } })
        const known = found?.choices ?? []
        const knownIn = (workspace: string) => known.find(({ scope }) => scope === workspace)?.kinds ?? {}
        const changed = changedPreferences(knownIn, changes)
        const entry = entryOf(changed.before, changed.after)
        if (entry === null) return null
        const choices = [...known.filter(({ scope }) => !changes.has(scope)), ...changed.choices]
        if (found === null) {
          const isNew = await ignoreDuplicateKey(() => outbox.insert(stored, { _id: user, rev: 1, choices }, entry))
          return isNew ? null : undefined
        }
        const same = { _id: scalar(user), rev: found.rev }
        const update = { $set: { choices }, $inc: { rev: 1 } }
        const written = await outbox.update(stored, same, update, [entry], { projection: { _id: 1 } })
        return written === null ? undefined : null
      }).then(() => {}),
  }
}

type Devices = Pick<NotificationStore, 'deviceOf' | 'rememberDevice' | 'forgetDevices'>

const devices = (db: Db): Devices => {
  const stored = db.collection<DeviceDoc>('known_devices')
  return {
    deviceOf: async (user, device) => {
      const projection = { _id: 1 }
      if ((await stored.findOne({ _id: `${user} ${device}` }, { projection })) !== null) return 'known'
      return (await stored.findOne({ user: scalar(user) }, { projection })) === null ? 'first' : 'new'
    },
    rememberDevice: async (user, device, at) => {
      const update = { $set: { user: scalar(user) }, $max: { seenAt: at } }
      await upsertAll(stored, [{ filter: { _id: `${user} ${device}` }, update }])
    },
    forgetDevices: async (before, limit) => {
      const old = stored.find({ seenAt: { $lt: before } }, { projection: { _id: 1 } })
      const ids = (await old.limit(limit).toArray()).map(({ _id }) => _id)
      return ids.length === 0 ? 0 : (await stored.deleteMany({ _id: { $in: ids } })).deletedCount
    },
  }
}
