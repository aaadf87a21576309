import type { Link, LinkPurpose } from '@postrider/domain/accounts/links.ts'

/** One-time links (domain/accounts/links.ts). Times are milliseconds since the epoch, of the store's clock. */
export type LinkStore = {
  insertLink(link: Link): Promise<void>
  /**
   * Returns a link that can be used at `now`, and leaves it; null: there is none, it has expired, or it is of another
   * purpose.
   */
  link(hash: Uint8Array, purpose: LinkPurpose, now: number): Promise<Link | null>
  /** Returns such a link and removes it in the same write, so that of several callers one gets it. */
  takeLink(hash: Uint8Array, purpose: LinkPurpose, now: number): Promise<Link | null>
  /** Removes every link of a purpose and subject: those that a new one replaces. */
  deleteLinks(purpose: LinkPurpose, subject: string): Promise<void>
  /** Removes links that expired at or before this time; of many, some are left to later calls. @returns how many */
  deleteExpiredLinks(now: number): Promise<number>
}
