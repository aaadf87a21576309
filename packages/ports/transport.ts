import type { MailRouteName } from '@postrider/domain/email/conversation.ts'
import type { Lane, Mode } from '@postrider/domain/email/email.ts'
import type { Transmission } from '@postrider/domain/email/transmission.ts'

export type { MailRouteName } from '@postrider/domain/email/conversation.ts'

/** Carries one message to one server. */
export type Transport = {
  readonly mailRoute: MailRouteName
  /** Whether it reads the message; without that, `raw` is empty and nothing is composed. */
  readonly readsMessage: boolean
  /** Sends a message. A failure of the server or the network is a result, not an error. */
  send(message: Outgoing): Promise<Transmission>
  /** Waits for running sends for a limited time, then ends them. */
  close(): Promise<void>
}

/** The transports of a dispatcher. */
export type MailTransports = {
  /** Transports for mail of live keys: the operator's mail route, one transport per lane. */
  live: Record<Lane, Transport>
  /** Transport for mail of test keys: captured or simulated, never sent over the network. */
  test: Transport
  /** Transport for magic recipients, with any key. */
  simulator: Transport
  close(): Promise<void>
}

/** A finished message: CRLF line ends, no bare CR or LF, not dot-stuffed. */
export type FinishedMessage = {
  /** Header fields that are sent before `raw`, each with its CRLF: its DKIM signatures. No line begins with a dot. */
  signatures?: Uint8Array
  /** Empty for a transport that does not read it. */
  raw: Uint8Array
}

/** An explicit envelope (RFC 5321 §2.3.1) and the finished message. */
export type Outgoing = FinishedMessage & {
  emailId: string
  attemptId: string
  workspace: string
  mode: Mode
  /** Return path; empty for the null sender. */
  from: string
  to: readonly string[]
  /**
   * Returns the message with its addresses in UTF-8 (RFC 6532), for a server that offers SMTPUTF8; absent: no address
   * needs that. A server without SMTPUTF8 gets `raw`, and recipients outside ASCII get 5.6.7.
   */
  utf8?: (() => Promise<FinishedMessage>) | undefined
  /** Whether the sender's address needs SMTPUTF8: without it, every recipient gets 5.6.7. */
  isUtf8Sender?: boolean
  /**
   * Called right before the final dot with the indexes (in `to`) of the recipients that the server accepted.
   * On false the dot must not be sent and the connection is dropped.
   */
  gate(accepted: readonly number[]): Promise<boolean>
}
