import type { Mode } from '@postrider/domain/email/email.ts'
import type { FeedPosition } from '@postrider/domain/events/event.ts'
import type { StoredEndpoint, WebhookEndpoint } from '@postrider/domain/webhooks/endpoint.ts'
import type { AuditEntry } from './audit.ts'

/**
 * An endpoint whose events a process polls for: those after `cursor` in the feed, null: those since the endpoint began.
 */
export type ClaimedScan = { endpoint: WebhookEndpoint; cursor: FeedPosition | null; fence: number }

/** Numbers of endpoints. */
export type EndpointCounts = { enabled: number; disabled: number; failing: number }

/**
 * Endpoints of workspaces. One document per endpoint, changed only by guarded single writes: changes of the endpoint
 * carry its `rev`, moves of its cursor in the feed carry the fence of a lease, and neither delays the other. Times are
 * milliseconds since the epoch, by the store's clock.
 */
export type WebhookEndpointStore = {
  /**
   * Stores a new endpoint with `rev` 0, whose first scan is due immediately. Idempotent by id. `full`: the workspace
   * has `max` endpoints; exact even while others are inserted. Nothing is stored then.
   */
  insert(endpoint: WebhookEndpoint, max: number, audit: AuditEntry): Promise<'inserted' | 'full'>
  get(workspace: string, id: string): Promise<StoredEndpoint | null>
  /**
   * Returns a page, newest first by id, starting after the id `before`.
   * @param mode endpoints of this mode only; null: all
   */
  list(query: {
    workspace: string
    mode: Mode | null
    before: string | null
    limit: number
  }): Promise<{ endpoints: WebhookEndpoint[]; hasMore: boolean }>
  /**
   * Replaces the document and stores its audit entries if `rev` is current, and raises it. `restart`: its cursor in the
   * feed starts again at `since`, a scan that runs is fenced off, and the next one is due immediately.
   * @returns false: it was changed or removed; nothing is written then
   */
  write(
    id: string,
    rev: number,
    change: { endpoint: WebhookEndpoint; restart: boolean },
    audit: readonly AuditEntry[],
  ): Promise<boolean>
  /**
   * Removes an endpoint. Its deliveries stay until they are removed.
   * @returns null: the workspace has no such endpoint
   */
  remove(
    workspace: string,
    id: string,
    entry: (endpoint: WebhookEndpoint) => AuditEntry,
  ): Promise<WebhookEndpoint | null>

  /** Returns the endpoints of a workspace that are enabled, in any order. */
  enabledOf(workspace: string): Promise<WebhookEndpoint[]>
  /** Returns the endpoints that exist of these ids, in any order. */
  byIds(ids: readonly string[]): Promise<StoredEndpoint[]>
  /** Returns every workspace with an enabled endpoint. An index has all that it reads. */
  enabledWorkspaces(): Promise<Set<string>>
  /** Returns endpoints with something to report. */
  withNotices(limit: number): Promise<StoredEndpoint[]>
  /** Returns the ids of the secrets under which signing secrets are sealed, each once. It reads every endpoint. */
  secretIds(): Promise<string[]>
  /** Returns endpoints with a signing secret that another master key sealed. It reads every endpoint. */
  sealedByOthers(secretId: string, limit: number): Promise<StoredEndpoint[]>
  /** Counts all endpoints, for metrics. */
  counts(): Promise<EndpointCounts>

  /**
   * Leases enabled endpoints whose scan is due, and increments each fencing token. Oldest first. No two callers get the
   * same endpoint.
   */
  claimScans(query: { now: number; limit: number; leaseMs: number }): Promise<ClaimedScan[]>
  /** Moves the cursor in the feed under a lease and ends it. The next scan is due at `nextAt`.
   * @returns false: the fencing token has changed, or the endpoint is gone */
  moveScan(id: string, fence: number, move: { cursor: FeedPosition; nextAt: number }): Promise<boolean>
  /** Makes the scans of a workspace due at `at`, unless they are due earlier: a hint arrived that names no event. */
  scanSoon(workspace: string, at: number): Promise<void>
  /** Ends every lease. Only for a process that is alone on its store. */
  clearScans(): Promise<void>
}
