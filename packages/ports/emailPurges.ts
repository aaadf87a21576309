import type { Email, StoredEmail } from '@postrider/domain/email/email.ts'
import type { Purge } from '@postrider/domain/retention/purge.ts'

/** An email whose step is due, with that step. `email` is null: the id is void. */
export type DuePurge = Pick<StoredEmail, 'fence' | 'leaseUntil'> & { id: string; email: Email | null; purge: Purge }

/** The document after a removal; it is written only if `fence` is current and the email is not leased. */
export type PurgeChange = {
  email: Email
  fence: number
  /** The next step. */
  purge: Purge
  remove: 'attachments' | 'content'
}

/** Due mail of one step. `oldest` is its earliest start; null: none is due. */
export type PurgeBacklog = { step: string; due: number; oldest: number | null }

/**
 * Removes data whose retention is over. Each email has one next step and its start time (domain/retention/purge.ts); an
 * index finds it by these. `dueFrom` returns the latest start of mail whose step is due.
 */
export type EmailPurges = {
  /** Returns mail and void ids whose step is due, each step oldest first. */
  duePurges(dueFrom: (step: string) => number, limit: number): Promise<DuePurge[]>
  /** Counts due mail by step, up to `max` of each. */
  purgeBacklog(dueFrom: (step: string) => number, max: number): Promise<PurgeBacklog[]>
  /**
   * Removes attachments or the whole content, and then replaces the documents. Increments each fencing token. After a
   * failure the step is due again. An insert that is repeated at the same time leaves no content.
   * @returns how many
   */
  purge(changes: readonly PurgeChange[]): Promise<number>
  /** Replaces the steps of mail that is not due yet, where they are as they were read. */
  setPurges(purges: readonly { id: string; was: Purge; purge: Purge }[]): Promise<void>
  /**
   * Removes records with their contents, and void ids, if the fences are current and they are not leased.
   * @returns how many
   */
  removeEmails(emails: readonly { id: string; fence: number }[]): Promise<number>
  /**
   * Gives mail that an earlier release stored its step, and void ids theirs.
   * @returns how many; fewer than `limit`: none is left
   */
  adoptPurges(now: number, limit: number): Promise<number>
  /**
   * Overwrites soon what the store's files still have of removed data, where the store can do that.
   * @param isWanted false: only continues what earlier calls, or an earlier process, did not reach
   */
  scrub(isWanted: boolean): Promise<void>
}
