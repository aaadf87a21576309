import type { StoredEmail } from '@postrider/domain/email/email.ts'

/** What a move of a test clock asks of the store of emails. No query reads live mail. */
export type EmailClocks = {
  /**
   * Returns waiting mail of a workspace's test mode that no worker holds, and whose place on the test clock is before `offset`
   * (`Email.clock`; without a place it is 0). Any order. Mail that has followed a later move already is not behind.
   */
  behindClock(query: { workspace: string; offset: number; now: number; limit: number }): Promise<StoredEmail[]>
  /** Counts mail of a workspace's test mode that is due or in work, up to `most`. */
  dueTestMail(query: { workspace: string; now: number; most: number }): Promise<number>
}
