import type { StoredEvent } from '@postrider/domain/events/event.ts'
import { changedPreferences, type Preferences } from '@postrider/domain/notifications/kinds.ts'
import type { AuditEntry } from '@postrider/ports/audit.ts'
import type { NotificationStore, StoredGroup } from '@postrider/ports/notifications.ts'
import type { WorkspaceEventStore } from '@postrider/ports/workspaceEvents.ts'

export type MemoryNotifications = NotificationStore &
  Pick<WorkspaceEventStore, 'insert'> & { events: StoredEvent[]; entries: AuditEntry[] }

/** Events and their notifications in memory for tests. The conformance suite of the port checks it. */
export const memoryNotifications = (now: () => number): MemoryNotifications => {
  const events: StoredEvent[] = []
  const entries: AuditEntry[] = []
  const noticed = new Set<string>()
  const groups = new Map<string, StoredGroup>()
  const preferences = new Map<string, Preferences>()
  const devices = new Map<string, { user: string; seenAt: number }>()
  return {
    events,
    entries,
    insert: async (fresh) => {
      const added = fresh.filter(({ id }) => !events.some((known) => known.id === id))
      events.push(...added.map((event) => ({ ...event, at: now() })))
      return added.map(({ id }) => id)
    },
    unnoticed: async (limit) => events.filter(({ id }) => !noticed.has(id)).slice(0, limit),
    markNoticed: async (ids) => {
      for (const id of ids) noticed.add(id)
    },
    group: async (key) => structuredClone(groups.get(key) ?? null),
    writeGroup: async (key, group, dueAt, version) => {
      if ((groups.get(key)?.version ?? null) !== version) return false
      groups.set(key, structuredClone({ group, dueAt, version: (version ?? 0) + 1 }))
      return true
    },
    removeGroup: async (key, version) => {
      if (groups.get(key)?.version === version) groups.delete(key)
    },
    dueGroups: async (at, limit) =>
      [...groups]
        .filter(([, { dueAt }]) => dueAt <= at)
        .toSorted(([, one], [, other]) => one.dueAt - other.dueAt)
        .slice(0, limit)
        .map(([key]) => key),
    preferences: async (workspace, users) =>
      new Map(
        users.flatMap((user) => {
          const chosen = preferences.get(`${workspace} ${user}`)
          return chosen ? [[user, chosen] as const] : []
        }),
      ),
    setPreferences: async (user, changes, entryOf) => {
      const known = (scope: string) => preferences.get(`${scope} ${user}`) ?? {}
      const { choices, before, after } = changedPreferences(known, changes)
      const entry = entryOf(before, after)
      if (entry === null) return
      for (const { scope, kinds } of choices) preferences.set(`${scope} ${user}`, kinds)
      entries.push(entry)
    },
    deviceOf: async (user, device) => {
      if (devices.has(`${user} ${device}`)) return 'known'
      return [...devices.values()].some((known) => known.user === user) ? 'new' : 'first'
    },
    rememberDevice: async (user, device, at) => {
      const seenAt = Math.max(at, devices.get(`${user} ${device}`)?.seenAt ?? 0)
      devices.set(`${user} ${device}`, { user, seenAt })
    },
    forgetDevices: async (before, limit) => {
      const old = [...devices].filter(([, { seenAt }]) => seenAt < before).slice(0, limit)
      for (const [key] of old) devices.delete(key)
      return old.length
    },
  }
}
