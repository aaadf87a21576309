import type { Mode } from '@postrider/domain/email/email.ts'

/** Stores mail that was captured instead of sent. */
export type MailboxStore = {
  /** Stores one transmission. Idempotent by attempt. */
  put(entry: CapturedMail): Promise<void>
  /**
   * Returns a page, newest first: by attempt id, which begins with the time. A page continues after the attempt id
   * `before`, even if its mail was removed. A null `workspace` means all workspaces.
   */
  list(query: { workspace: string | null; before: string | null; limit: number }): Promise<CapturedMail[]>
  get(attemptId: string): Promise<CapturedMail | null>
  /** Removes transmissions. Repeatable. */
  remove(attemptIds: readonly string[]): Promise<void>
}

/** The envelope as it would have been sent. The message is composed from the email's content. */
export type CapturedMail = {
  attemptId: string
  emailId: string
  workspace: string
  mode: Mode
  at: number
  from: string
  to: string[]
}
