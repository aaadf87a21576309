import type { Mode } from '@postrider/domain/email/email.ts'

/** Mail captured instead of sent, for people to look at. */
export type MailboxStore = {
  /** Keeps one transmission; idempotent by attempt. */
  put(entry: CapturedMail): Promise<void>
  /** Newest first, `before` (an attempt id) excluded; `workspace` null: every workspace's. */
  list(query: { workspace: string | null; before: string | null; limit: number }): Promise<CapturedMail[]>
  get(attemptId: string): Promise<CapturedMail | null>
}

/** The envelope as it would have left; the message itself is composed from the email's content. */
export type CapturedMail = {
  attemptId: string
  emailId: string
  workspace: string
  mode: Mode
  at: number
  from: string
  to: string[]
}
