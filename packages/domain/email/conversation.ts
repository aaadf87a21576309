import type { ReplyClass, ReplyDecision, SmtpPhase } from '@postrider/mail/replies/replies.ts'

/* What an attempt records of its connection and conversation, for diagnosis. */

/** The mail route of a transport. */
export type MailRouteName = 'mailbox' | 'smtp' | 'simulator'

/** Reason why a transport carries recipients. */
export const mailRouteReasons = ['operator_route', 'test_mode', 'magic_recipient'] as const
export type MailRouteReason = (typeof mailRouteReasons)[number]

export type ChosenMailRoute = { name: MailRouteName; reason: MailRouteReason }

/** Notice of live mail that was captured: it counts as delivered, and no server received it. */
export const capturedNotice =
  'This message did not leave the service: the mail route is mailbox:, so it was captured in the mailbox instead of being sent.'

/** The connection that carried a transmission, or on which it failed. */
export type ConnectionFacts = {
  /** The IP address of the server; null: the connection was gone. */
  address: string | null
  /** Whether an earlier message opened it. */
  isReused: boolean
  /** Null: it was not encrypted. */
  tls: TlsFacts | null
  /** Why STARTTLS failed on a connection before this one; absent: it did not. */
  tlsFailure?: string
}

/** `problem`: why the certificate is not verified, as a code; null: it is. */
export type TlsFacts = { version: string; cipher: string; problem: string | null }

/**
 * Phases of a transmission, in their order. `wait`: for a free connection. `session`: greeting, EHLO and login.
 * `envelope`: MAIL to DATA. `gate`: the write before the final dot.
 */
export const sendPhases = ['wait', 'connect', 'tls', 'session', 'envelope', 'body', 'gate', 'final_dot'] as const
export type SendPhase = (typeof sendPhases)[number]

/** Milliseconds of the phases that happened; those of an earlier message on the same connection are absent. */
export type SendPhases = Partial<Record<SendPhase, number>>

/**
 * Refusal of recipients, with the rule that decided its class. `phase`: the step that the reply belongs to; null: there
 * was no reply.
 */
export type RefusalVerdict = ReplyDecision & { recipients: number[]; class: ReplyClass; phase: SmtpPhase | null }

/** Returns milliseconds with two decimals. */
export const roundedMs = (ms: number): number => Math.round(ms * 100) / 100
