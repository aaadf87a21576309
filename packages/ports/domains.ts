import type {
  ClaimedDomain,
  DomainStatus,
  SenderDomain,
  SendingDomain,
  SigningDomain,
  StoredDomain,
} from '@postrider/domain/domains/domain.ts'
import type { LookupResult, Question } from '@postrider/domain/domains/lookup.ts'
import type { AuditEntry } from './audit.ts'
import type { NewWorkspaceEvent } from './workspaceEvents.ts'

/** The fence of a lease, by which its holder is identified. */
export type CheckLease = { id: string; fence: number }

/** `event`: of the change, for the feed of the workspace. */
export type DomainUpdate = { domain: SendingDomain; nextCheckAt: number; event?: NewWorkspaceEvent }

/**
 * Sending domains. One document per domain, changed only by guarded single writes that carry its fence. Times are
 * milliseconds since the epoch, by the store's clock.
 *
 * A unique index over `nameClaim` (domain/domains/domain.ts), which is written with the document, decides which
 * workspace has a name verified: the write that makes a second domain usable fails, and a domain that fails or is
 * removed releases the name in the same write.
 */
export type DomainStore = {
  /**
   * Stores a new domain without a lease and with fence 0, due at `nextCheckAt`. Idempotent by id. `exists`: the
   * workspace has another domain of this name. `full`: the workspace has `max` domains; exact even while others are
   * inserted. `taken`: the domain is usable, and another usable domain has its name. Nothing is stored then.
   */
  insert(
    domain: SendingDomain,
    nextCheckAt: number,
    max: number,
    audit: AuditEntry,
  ): Promise<'inserted' | 'exists' | 'full' | 'taken'>
  get(workspace: string, id: string): Promise<StoredDomain | null>
  /** Returns the domain of a workspace by its name. */
  byName(workspace: string, name: string): Promise<StoredDomain | null>
  /** Returns a page (domain/listPage.ts), newest first by id, starting after the id `before`. */
  list(workspace: string, before: string | null, limit: number): Promise<{ domains: SendingDomain[]; hasMore: boolean }>

  /**
   * Replaces the document and stores its audit entries and its new event if `fence` is current. Increments the fencing
   * token and ends any lease. Checks and changes by people use the same fence: the later one is refused and starts
   * again from a new read.
   * @returns `lost`: the fencing token has changed or the domain is gone. `taken`: the domain would be usable, and
   * another usable domain has its name. Nothing is written then
   */
  write(
    id: string,
    fence: number,
    change: DomainUpdate,
    audit: readonly AuditEntry[],
  ): Promise<'written' | 'lost' | 'taken'>
  /** Removes a domain, also under a lease. @returns the domain as it was; null: the workspace has no such domain */
  remove(workspace: string, id: string, entry: (domain: SendingDomain) => AuditEntry): Promise<SendingDomain | null>

  /**
   * Leases up to `limit` domains whose check is due at `now` (`nextCheckAt` is reached and no lease is live) until
   * `now + leaseMs`, and increments each fencing token. Oldest first. No two callers get the same domain.
   */
  claim(query: { now: number; limit: number; leaseMs: number }): Promise<ClaimedDomain[]>
  /** Leases one domain although its check is not due, unless a live lease has it. @returns null: leased, or gone */
  claimOne(id: string, now: number, leaseMs: number): Promise<ClaimedDomain | null>
  /** Ends leases without a change: the domains are due again at their `nextCheckAt`. */
  release(leases: readonly CheckLease[]): Promise<void>
  /** Ends every lease. Only for a process that is alone on its store. */
  clearLeases(): Promise<void>
  /** Returns when the next check is due, or when the lease that delays it ends; null: there is no domain. */
  nextDue(): Promise<number | null>
  /**
   * Counts domains by status, and those whose check was due before `now` and has not been made. MongoDB reads an index
   * entry for each domain, so a process counts when its metrics are read, not more often.
   */
  counts(now: number): Promise<{ byStatus: Record<DomainStatus, number>; overdue: number }>

  /**
   * Returns the ids of the secrets under which keys are sealed, each once. It reads every domain: for the start of a
   * process.
   */
  secretIds(): Promise<string[]>

  /** Returns the usable domains of a workspace (`isUsable`), in any order, without keys and checks. */
  senders(workspace: string): Promise<SenderDomain[]>
  /** Returns what signing needs, in any status and without regard to the workspace; null: there is no such domain. */
  signing(id: string): Promise<SigningDomain | null>
}

/** Queries the authoritative servers of a name, or the servers that the operator configured. Nothing is cached. */
export type DnsLookup = {
  /** Never rejects: a fault is `{ kind: 'unknown' }`. Ends early with `unknown`/`failed` when `signal` is aborted. */
  lookup(question: Question, signal?: AbortSignal): Promise<LookupResult>
}
