import type { StoredKey } from './accounts.ts'

/** Store of the API keys that wait for the mail that reports them as unused. Each key is reported once. */
export type KeyNoticeStore = {
  /**
   * Claims keys that are valid at `now`, were last used or, if never, created at or before `unusedBefore`, and are not
   * reported. A claim is valid for `leaseMs`; no other caller gets the key until then.
   */
  claimUnusedKeys(query: UnusedKeyQuery): Promise<KeyClaim[]>
  /** Marks a key as reported. This is final. @returns false: the claim has ended, and another caller has the key */
  markReported(claim: KeyClaim): Promise<boolean>
}

export type UnusedKeyQuery = { now: number; unusedBefore: number; leaseMs: number; limit: number }

/** `until`: the end of the claim; also its name. */
export type KeyClaim = Pick<StoredKey, 'id' | 'workspace'> & { until: number }
