import type { Email, Mode } from '@postrider/domain/email/email.ts'
import type { BucketKey, Dimension, StatsBucket } from '@postrider/domain/stats/bucket.ts'
import type { BucketSize } from '@postrider/domain/stats/range.ts'

export type StatsOwner = { workspace: string; mode: Mode }

/**
 * The statistics of mail (domain/stats), and the reads of mail that they are counted from. Times are milliseconds since
 * the epoch, by the store's clock.
 */
export type StatsStore = {
  /** Returns the next workspace with mail, in the order of ids; null: there is none. @param after exclusive */
  nextWorkspace(after: string): Promise<string | null>
  /** Returns all emails that have an event after `after` and up to the returned `until`, in any order. */
  changedEmails(query: ChangedQuery): Promise<{ emails: Email[]; until: number }>
  /** Returns the time up to which all events are counted; 0: none are. */
  position(owner: StatsOwner): Promise<number>
  /** @returns false: it is not `from` any more, and nothing is written */
  movePosition(owner: StatsOwner, move: { from: number; to: number }): Promise<boolean>
  /** Returns those of these buckets that are stored, with all dimensions. */
  buckets(owner: StatsOwner, keys: readonly BucketKey[]): Promise<StatsBucket[]>
  /** Returns the buckets of a range that are stored, with one dimension. `to`: exclusive. */
  bucketsIn(
    owner: StatsOwner,
    range: { size: BucketSize; from: number; to: number; by: Dimension },
  ): Promise<StatsBucket[]>
  /**
   * Writes a bucket with all dimensions.
   * @param before `upTo` as it was read; null: it was not stored
   * @returns false: it has changed, and nothing is written
   */
  writeBucket(bucket: StatsBucket, before: number | null): Promise<boolean>
  /**
   * Removes buckets that begin before a time, of all workspaces.
   * @returns how many; fewer than `limit`: none is left
   */
  removeBuckets(size: BucketSize, before: number, limit: number): Promise<number>
}

/**
 * `until`: the latest time that is wanted. `limit`: about how many emails; the emails of one millisecond are not
 * divided.
 */
export type ChangedQuery = StatsOwner & { after: number; until: number; limit: number }
