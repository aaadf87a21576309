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
