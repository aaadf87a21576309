import type {
  ClaimedDelivery,
  DeliveryStatus,
  StoredDelivery,
  WebhookDelivery,
} from '@postrider/domain/webhooks/delivery.ts'
import type { AuditEntry } from './audit.ts'

/** The fence of a lease, by which its holder is identified. */
export type DeliveryLease = { id: string; fence: number }

/**
 * An endpoint with deliveries that have not ended. `dueAt`: when the first is due, or the lease that delays it ends.
 */
export type WaitingEndpoint = { endpoint: string; workspace: string; dueAt: number }

export type DeliveryQuery = {
  endpoint: string
  /** A delivery id, excluded; null: from the newest. */
  before: string | null
  limit: number
  /** Null: any. */
  status: DeliveryStatus | null
}

/** Deliveries that follow a test clock. */
export type ClockQuery = { endpoints: readonly string[]; now: number }

/** A delivery to store. With `leaseUntil`, the caller holds its lease from the beginning. */
export type NewDelivery = { delivery: WebhookDelivery; leaseUntil: number | null }

/**
 * Deliveries of events to endpoints: the record is the queue. One document per delivery, changed only by guarded single
 * writes that carry the fence of its lease. No query reads the backlog of an endpoint to find the work of another.
 * Times are milliseconds since the epoch, by the store's clock.
 */
export type WebhookDeliveryStore = {
  /** Stores deliveries that do not exist yet. @returns the fences of those that this call stored, by id */
  insert(deliveries: readonly NewDelivery[]): Promise<Map<string, number>>
  /** Stores a delivery that a person requested, with the audit entry of the request. Repeatable. */
  insertRequested(delivery: WebhookDelivery, audit: AuditEntry): Promise<void>
  get(endpoint: string, id: string): Promise<StoredDelivery | null>
  /** Returns a page (domain/listPage.ts), newest event first by id. */
  list(query: DeliveryQuery): Promise<{ deliveries: WebhookDelivery[]; hasMore: boolean }>

  /**
   * Returns endpoints with deliveries that have not ended, by id, from the one after `after`: one lookup in an index
   * for each.
   */
  waiting(after: string, limit: number): Promise<WaitingEndpoint[]>
  /**
   * Leases due deliveries of each endpoint, the oldest first, and increments each fencing token. No two callers get the
   * same delivery.
   */
  claim(query: {
    now: number
    leaseMs: number
    parts: readonly { endpoint: string; limit: number }[]
  }): Promise<ClaimedDelivery[]>
  /**
   * Leases one delivery, even if it is not due or has ended, unless a live lease has it.
   * @returns null: leased, or gone
   */
  claimOne(endpoint: string, id: string, now: number, leaseMs: number): Promise<ClaimedDelivery | null>
  /**
   * Replaces a delivery that no live lease has, and increments its fencing token, with the audit entry of the request.
   * `change` may run again.
   * @returns the delivery as written; null: leased, or gone, and nothing is written
   */
  changeRequested(
    { endpoint, id, now }: { endpoint: string; id: string; now: number },
    change: (delivery: WebhookDelivery) => WebhookDelivery,
    audit: AuditEntry,
  ): Promise<WebhookDelivery | null>
  /**
   * Replaces a delivery under its lease and ends the lease.
   * @returns false: the fencing token has changed; nothing is written then
   */
  write(id: string, fence: number, delivery: WebhookDelivery): Promise<boolean>
  /** Ends leases without a change: the deliveries are due again at their `nextAt`. */
  release(leases: readonly DeliveryLease[]): Promise<void>
  /** Ends every lease. Only for a process that is alone on its store. */
  clearLeases(): Promise<void>
  /** Returns when the next delivery is due or its lease ends; null: none waits. */
  nextDue(): Promise<number | null>

  /**
   * Returns when the last delivery of its newest 100 that succeeded did so, without tests; null: none is stored.
   * @param withClock whether those on a test clock count, by that clock
   */
  lastSuccessAt(endpoint: string, withClock: boolean): Promise<number | null>
  /** Ends deliveries of a disabled endpoint that wait and are not leased. @returns how many; 0: none is left */
  cancel(endpoint: string, now: number, limit: number): Promise<number>
  /**
   * Removes deliveries of events that are older (`deliveryIdFrom`).
   * @returns how many; fewer than `limit`: none is left
   */
  removeBefore(eventAt: number, limit: number): Promise<number>
  /** Removes deliveries of an endpoint. @returns how many; 0: none is left */
  removeOf(endpoint: string, limit: number): Promise<number>
  /**
   * Removes the responses of receivers to these deliveries, where they exist, and increments the fencing tokens: an
   * attempt that runs does not store its response, and is made again when its lease ends.
   */
  forgetResponses(ids: readonly string[]): Promise<void>
  /** Returns the next endpoint by id that has deliveries; null: none has. */
  endpointAfter(endpoint: string): Promise<string | null>
  /**
   * Returns waiting deliveries of test mode to these endpoints that are not leased, and whose `clockOffset` is less
   * than `offset`; absent counts as 0.
   */
  behindClock(query: ClockQuery & { offset: number; limit: number }): Promise<ClaimedDelivery[]>
  /**
   * Replaces such a delivery and increments its fencing token.
   * @returns false: it was changed or leased since; nothing is written then
   */
  follow(id: string, fence: number, delivery: WebhookDelivery, now: number): Promise<boolean>
  /** Counts deliveries of test mode to these endpoints that are due or in flight, up to `max`. */
  dueTests(query: ClockQuery & { max: number }): Promise<number>
  /** Counts deliveries of an endpoint that have not ended, up to `max`. */
  countWaiting(endpoint: string, max: number): Promise<number>
  /**
   * Counts deliveries that have not ended, up to `max`, and returns the earliest time at which one is due or its lease
   * ends.
   */
  backlog(max: number): Promise<{ pending: number; oldestDueAt: number | null }>
}
