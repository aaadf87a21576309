import type { Content, Email } from '@postrider/domain/email/email.ts'
import type { QueueKind } from '@postrider/domain/fairness/admission.ts'
import type { Steps } from '@postrider/mail/steps.ts'

/**
 * A batch: `at` is the time of acceptance of its emails. `until`: when it counts as abandoned if it is not accepted.
 */
export type BatchHead = { id: string; workspace: string; at: number; until: number }

/** One email of a batch; `sends`: how many the ledger counts. */
export type BatchEmail = { email: Email; content: Content; item: BatchItem }

/** `number`: its index in the request. */
export type BatchItem = { number: number; id: string; sends: number; kind: QueueKind; bytes: number }
export type BatchItemKey = Pick<BatchItem, 'number' | 'id'>

export type StoredBatch = Pick<BatchHead, 'id' | 'workspace' | 'at'> & {
  state: 'open' | 'accepted' | 'void'
  items: BatchItem[]
  /** What its caller stored with the acceptance; empty before. */
  results: string
}

/**
 * Emails that are accepted together or not at all. Until one write accepts the batch, no method shows or claims them.
 * That write competes with `voidBatch`: one of them wins. Times are milliseconds since the epoch.
 */
export type EmailBatches = {
  /** Stores emails of a batch that is not accepted yet, in addition to earlier ones. `void`: it was made void. */
  stageBatch(head: BatchHead, emails: readonly BatchEmail[]): Promise<'staged' | 'void'>
  /**
   * Accepts a batch with all its staged emails and the rest. Then its emails are due at their times. A batch with
   * staged emails is durable when this returns. If this throws, the batch may be accepted; `voidBatch` or
   * `completeBatch` decide.
   */
  acceptBatch(
    head: BatchHead,
    mails: readonly BatchEmail[],
    given: { results: string; now: number },
  ): Promise<'accepted' | 'void'>
  batch(id: string): Promise<StoredBatch | null>
  /**
   * Returns some emails of an accepted batch, even those that are not due yet. An email that was removed since is
   * absent.
   */
  batchEmails(batch: Pick<BatchHead, 'id' | 'workspace'>, items: readonly BatchItemKey[]): Promise<Email[]>
  /**
   * Prevents the acceptance of a batch, even of an unknown one.
   * @returns false: it is accepted. Even a store that cannot write returns this.
   */
  voidBatch(id: string, now: number): Promise<boolean>
  /**
   * Makes an open batch void and removes its staged emails, which the sweep does otherwise. It can be repeated. A batch
   * that is not known stays so: no request may be about to store its first email.
   * @returns false: it is accepted, and nothing was changed
   */
  discardBatch(id: string, now: number): Promise<boolean>
  /** Makes every open batch void: its process died. Only for a process that is alone on its store. @returns how many */
  voidOpenBatches(): Promise<number>
  /** Makes the emails of an accepted batch due, if that is not done. @returns null: it is not accepted */
  completeBatch(id: string, now: number): Promise<StoredBatch | null>
  /** Makes the emails of all accepted batches of a workspace due and visible, if that is not done. */
  completeBatches(workspace: string, now: number): Promise<void>
  /**
   * Replaces the results of some accepted batches of a workspace by what `change` returns, one after the other: the
   * next `limit` after an id, in the order of ids. The change runs in steps, and again if another change of the results
   * wins.
   * @returns the last id; null: no more follow
   */
  changeResults(
    workspace: string,
    page: { after: string; limit: number },
    change: (results: string) => Steps<string>,
  ): Promise<string | null>
  /** Completes accepted batches, makes abandoned ones void, removes the emails of void ones, and deletes old ones.
   * @returns how many; fewer than `limit`: nothing is left */
  sweepBatches(now: number, limit: number): Promise<number>
}
