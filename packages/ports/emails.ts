import type { EmailChange } from '@postrider/domain/email/changes.ts'
import type { ClaimedEmail, Content, Email, Lane, StoredEmail } from '@postrider/domain/email/email.ts'
import type { EmailQuery } from '@postrider/domain/email/filter.ts'
import type { QueueKind } from '@postrider/domain/fairness/admission.ts'
import type { AuditEntry } from './audit.ts'
import type { EmailBatches } from './emailBatches.ts'
import type { EmailParking } from './emailParking.ts'
import type { EmailPurges } from './emailPurges.ts'
import type { EmailClocks } from './testClocks.ts'

/** The fence of a lease, by which a holder is identified. */
export type EmailLease = { id: string; fence: number }

/**
 * Stores emails. The record is the queue: one document per email, changed only by guarded single updates. Every write
 * under a claim carries the claim's fence and is refused when the lease is lost. Times are milliseconds since the
 * epoch.
 */
export type EmailStore = EmailPurges &
  EmailBatches &
  EmailClocks &
  EmailParking & {
    /** Stores a new email with its content. Idempotent by id. `void`: the id was tombstoned, a new one is needed. */
    insert(email: Email, content: Content): Promise<'inserted' | 'exists' | 'void'>
    /** Reserves an id that no email has, so that no later insert can use it. @returns false when an email has it */
    tombstone(id: string): Promise<boolean>
    get(id: string): Promise<StoredEmail | null>
    /**
     * Returns the content of an email that the caller has read or claimed. What it returns for an email whose batch is
     * not accepted is left to each store: contents are read for each delivery, and a check would cost another read.
     */
    content(id: string): Promise<Content | null>
    /**
     * Returns a page, newest first by `createdAt`. Emails of one millisecond have an order that each store chooses. It
     * does not change, so that pages have each of them once. When `signal` is aborted, it stops reading and returns
     * what it has found.
     */
    list(query: EmailQuery, signal?: AbortSignal): Promise<{ emails: StoredEmail[]; hasMore: boolean }>
    /**
     * Adds mail to the index of lists: new mail where the store does not do that with its insert, and mail of earlier
     * releases. Lists also find mail that is not in it, but read all of that mail.
     * @returns how many; fewer than `limit`: none is left
     */
    fillListIndex(limit: number): Promise<number>

    /**
     * Leases due mail of a lane (`nextAt` is reached and no lease is live) for `leaseMs` and increments each fencing
     * token. Returns it oldest first. Workspaces with due mail share the limit; see domain/fairness/fairClaim.ts.
     */
    claim(query: ClaimQuery): Promise<ClaimedEmail[]>
    /** Extends every lease that is still held, in one update. @returns the ids still held */
    renew(leases: readonly EmailLease[], leaseUntil: number): Promise<Set<string>>
    /**
     * Replaces the document under a claim. `done` ends the lease and resets the deaths. Its new events are in the feed
     * with it.
     * @returns false when the fencing token has changed; nothing is written then
     * @throws Fault `unavailable`: the write may have been made, now or later; `lastWrite` returns what is stored
     */
    write(id: string, fence: number, change: LeasedChange): Promise<boolean>
    /**
     * Returns the record for its holder, after a write whose response was lost.
     * @returns null when the fencing token has changed
     */
    lastWrite(id: string, fence: number): Promise<WrittenEmail | null>
    /** Ends leases without a change: the emails are due again immediately. */
    releaseLeases(leases: readonly EmailLease[]): Promise<void>
    /**
     * Replaces the document of an email without a live lease if `fence` is still current, and increments the fencing
     * token by one (`changed` in domain/email/changes.ts).
     * @param audit the entry of a change by a person or a key, stored with it; absent: the service's own change
     * @returns false when another writer was faster or holds the email
     */
    change(id: string, fence: number, now: number, change: EmailChange, audit?: AuditEntry): Promise<boolean>

    /** Returns when the next email of a lane is due; null when none waits. */
    nextDue(lane: Lane): Promise<number | null>
    backlog(now: number): Promise<{ lane: Lane; due: number; oldestDueAt: number | null }[]>
    /**
     * Counts waiting mail. Combinations without mail are absent. The cost may grow with the number of waiting emails.
     */
    queueCounts(): Promise<QueueCount[]>
    /** Returns emails with sends to be returned to the ledger; see `Email.owed`. */
    pendingRefunds(limit: number): Promise<StoredEmail[]>

    /** Returns due mail of these workspaces that is not leased, of both lanes, in any order. */
    dueOf(workspaces: readonly string[], now: number, limit: number): Promise<StoredEmail[]>
    /**
     * Sets mail of a suspended workspace aside: it is due again at its `until` at the latest. The documents keep their
     * times. Each is one conditional update like `change`.
     * @returns how many were set aside
     */
    suspend(mail: readonly (EmailLease & { workspace: string; until: number })[], now: number): Promise<number>
    /**
     * Makes mail that was set aside due at its own times again, except that of the workspaces in `except`, and
     * increments its fencing tokens. Leased mail stays as it is and is not counted: its worker writes the next time,
     * and a later call resumes it.
     * @returns how many it found; fewer than `limit`: nothing but leased mail is left
     */
    resume(query: { except: ReadonlySet<string>; limit: number }): Promise<number>
    /** Ends every lease, each as a death of its worker. Only for a process that is alone on its store. */
    clearLeases(): Promise<number>
  }

/** `ids` restricts the claim to these emails; `except` excludes mail of these workspaces from a claim without ids. */
export type ClaimQuery = {
  lane: Lane
  now: number
  limit: number
  leaseMs: number
  ids?: readonly string[]
  except?: ReadonlySet<string>
}

/**
 * `storedEvents`: how many of its events the store has; absent: the store searches for them. Where writes of a holder
 * can overtake each other, the store refuses a write that expects another number, so that no event is replaced by an
 * older record.
 */
export type LeasedChange = { email: Email; nextAt: number | null; done: boolean; storedEvents?: number }

/**
 * `writtenAt`: when a holder's write was last made, by the clock of the store; null: each is made when it is requested.
 */
export type WrittenEmail = { email: Email; writtenAt: number | null }

/** Waiting mail of one workspace, lane and kind. `bytes`: what `queuedBytes` of its emails is together. */
export type QueueCount = { workspace: string; lane: Lane; kind: QueueKind; emails: number; bytes: number }
