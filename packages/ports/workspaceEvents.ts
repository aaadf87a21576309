import type { StoredEvent } from '@postrider/domain/events/event.ts'

/** Events that are about no email, as `EventFeed` reads them, and internal ones, which it does not read. */
export type WorkspaceEventStore = {
  /**
   * Stores events, each once by its id. The store sets `at`, so that a reader in ascending order misses none that is
   * stored late.
   * @returns the ids that were not stored before
   */
  insert(events: readonly NewWorkspaceEvent[]): Promise<string[]>
  /**
   * Removes events of this time or earlier, of all workspaces, oldest first.
   * @returns how many; fewer than `limit`: none is left
   */
  removeUntil(at: number, limit: number): Promise<number>
}

export type NewWorkspaceEvent = Omit<StoredEvent, 'at'>
