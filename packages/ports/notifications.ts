import type { StoredEvent } from '@postrider/domain/events/event.ts'
import type { NotificationGroup } from '@postrider/domain/notifications/group.ts'
import type { PreferenceChanges, Preferences } from '@postrider/domain/notifications/kinds.ts'
import type { EntryOf } from './audit.ts'

/**
 * Notifications of members by mail: new events, their groups, and what each member chose. Times are milliseconds since
 * the epoch.
 */
export type NotificationStore = {
  /** Returns events without an email that no group has yet, oldest first. */
  unnoticed(limit: number): Promise<StoredEvent[]>
  /** Marks events as part of their groups. Repeatable. */
  markNoticed(ids: readonly string[]): Promise<void>

  group(key: string): Promise<StoredGroup | null>
  /**
   * Writes a group if it is as it was read.
   * @param version as read; null: there was none
   * @returns false: it has changed, and nothing is written
   */
  writeGroup(key: string, group: NotificationGroup, dueAt: number, version: number | null): Promise<boolean>
  /** Removes a group if it is as it was read. */
  removeGroup(key: string, version: number): Promise<void>
  /** Returns the keys of groups that are due at `now`, the longest due first. */
  dueGroups(now: number, limit: number): Promise<string[]>

  /**
   * Returns what these users chose in a workspace; a user who chose nothing is absent. Workspace `''`: for the account.
   */
  preferences(workspace: string, users: readonly string[]): Promise<Map<string, Preferences>>
  /**
   * Changes the given kinds of a user in each of these workspaces, with the entry of the change, by one write. The
   * entry is made from what the user chose in all of them, before and after; without an entry nothing is written.
   */
  setPreferences(user: string, changes: PreferenceChanges, entryOf: EntryOf<Preferences>): Promise<void>

  /** Returns whether a device of a user is known; `first`: no device of the user is known. */
  deviceOf(user: string, device: string): Promise<'known' | 'new' | 'first'>
  /** Stores a device of a user. Repeatable. */
  rememberDevice(user: string, device: string, at: number): Promise<void>
  /** Deletes devices that were last used before a time. @returns how many; fewer than `limit`: none is left */
  forgetDevices(before: number, limit: number): Promise<number>
}

export type StoredGroup = { group: NotificationGroup; dueAt: number; version: number }
