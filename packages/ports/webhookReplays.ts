import type { ClaimedReplay, WebhookReplay } from '@postrider/domain/webhooks/replay.ts'
import type { AuditEntry } from './audit.ts'

/** Replays of endpoints. Each is worked on by one process at a time, which holds its lease. Times are milliseconds. */
export type WebhookReplayStore = {
  /**
   * Stores a replay that is due immediately, with its audit entry. Idempotent by id. `running`: the endpoint has
   * another one.
   */
  insert(replay: WebhookReplay, audit: AuditEntry): Promise<'inserted' | 'running'>
  /** @param id null: the newest one of the endpoint */
  get(endpoint: string, id: string | null): Promise<WebhookReplay | null>
  /** Returns the newest replay of each endpoint of a page that has one, by endpoint. */
  newest(endpoints: readonly string[]): Promise<Map<string, WebhookReplay>>
  /**
   * Leases replays that run and are not leased, those that have waited longest first, and increments each
   * fencing token.
   * @param except workspaces whose replays wait
   */
  claim(query: { now: number; limit: number; leaseMs: number; except: readonly string[] }): Promise<ClaimedReplay[]>
  /**
   * Replaces a replay under its lease.
   * @param leaseUntil null: ends the lease
   * @returns false: the fencing token has changed, or the replay is gone
   */
  write(id: string, fence: number, replay: WebhookReplay, leaseUntil: number | null): Promise<boolean>
  /** Ends every lease. Only for a process that is alone on its store. */
  clearLeases(): Promise<void>
  /** Removes replays of an endpoint. @returns how many */
  removeOf(endpoint: string): Promise<number>
  /** Removes replays that ended earlier. @returns how many */
  removeBefore(at: number): Promise<number>
}
