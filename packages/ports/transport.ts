/** Where mail leaves, as numbers tell it: kept to be looked at, over SMTP, or only made believe. */
export type RouteName = 'mailbox' | 'smtp' | 'simulator'

/** Carries one message to one server. */
export type Transport = {
  readonly route: RouteName
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

export type Transmission = {
  /** Where it went, `name:port` as we know it; empty where no connection came about. */
  host: string
  steps: SmtpStep[]
  /** By recipient, in the order of `to`. */
  results: RecipientResult[]
}

export type RecipientResult =
  /** The server answered for this recipient: at RCPT where it refused, else after the final dot. */
  | { kind: 'answered'; reply: SmtpReply }
  /** The final dot was never sent for this recipient; free to try again. */
  | { kind: 'lost_before_dot'; reason: string }
  /** The final dot was sent and no reply was seen: nobody can know (RFC 5321 §6.1). */
  | { kind: 'lost_after_dot'; reason: string }
  /** The server took enough recipients in this transaction; this one wants another (RFC 5321 §4.5.3.1.10). */
  | { kind: 'next_transaction' }
  /** The gate was closed: somebody else has the mail now. */
  | { kind: 'gate_closed' }

/** A server's reply (RFC 5321 §4.2), with the enhanced code (RFC 3463) where it gave one. */
export type SmtpReply = { code: number; enhanced: string | null; text: string }

/** One exchange of the conversation; credentials are replaced by `***`. */
export type SmtpStep = { name: string; command: string; reply: string; duration_ms: number }
