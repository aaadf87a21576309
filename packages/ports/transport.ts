import type { Transmission } from '@postrider/domain/email/transmission.ts'

/** Where mail leaves, as numbers tell it: kept to be looked at, over SMTP, or only made believe. */
export type MailRouteName = 'mailbox' | 'smtp' | 'simulator'

/** Carries one message to one server. */
export type Transport = {
  readonly route: MailRouteName
  /** Never throws for what a server or the network does: that is an outcome. */
  send(message: Outgoing): Promise<Transmission>
  close(): Promise<void>
}

/** What leaves: an explicit envelope (RFC 5321 §2.3.1) and the finished bytes. */
export type Outgoing = {
  emailId: string
  attemptId: string
  workspace: string
  mode: 'live' | 'test'
  /** Return path; empty: the null sender. */
  from: string
  to: readonly string[]
  /** CRLF line ends, no bare CR or LF, not dot-stuffed. */
  raw: Uint8Array
  /**
   * Asked right before the final dot, with the numbers (in `to`) of the recipients the server took.
   * False: the dot must not be sent and the connection is dropped.
   */
  gate(accepted: readonly number[]): Promise<boolean>
}
