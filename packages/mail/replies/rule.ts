/** Classes of replies, each with one word. */
export const replyClasses = ['invalid', 'full', 'policy', 'reputation', 'content', 'transient', 'unknown'] as const

export type ReplyClass = (typeof replyClasses)[number]

/** Phases of SMTP that a reply belongs to. `ehlo` includes HELO and STARTTLS. */
export const smtpPhases = ['greeting', 'ehlo', 'auth', 'mail', 'rcpt', 'data', 'dot'] as const

export type SmtpPhase = (typeof smtpPhases)[number]

/**
 * One kind of reply. All given patterns must match. `enhanced` is written without its first digit, as RFC 3463 §3 lists
 * the codes. Without `outcome` the first digit of the reply decides.
 */
export type ReplyRule = {
  /** Names the rule in records of attempts, so it never changes. */
  id: string
  code?: RegExp
  enhanced?: RegExp
  /** Matched in lower case, without addresses, links, host names and IP addresses. */
  text?: RegExp
  /** Matched in the same, behind a phrase that any refusal may have, such as “mailbox unavailable:”. */
  reason?: RegExp
  /**
   * Patterns that all match wherever `text` does. They are tested first: they are shorter, or rules share them. A
   * shared pattern is tested once for a reply.
   */
  needs?: readonly RegExp[]
  /** Words that make the rule not apply: those of any pattern. Rules that share a long pattern have it in a list. */
  unless?: RegExp | readonly RegExp[]
  /** Matched in lower case, without addresses. */
  link?: RegExp
  /** The rule holds only for replies to these. */
  phases?: readonly SmtpPhase[]
  class: ReplyClass
  outcome?: 'deferred' | 'bounced'
  /** The reply is about the size or form of the message, which MAIL already declares. */
  isEnvelope?: true
  /** The reply is about one of several recipients or about their number, so the other recipients may be accepted. */
  isPerRecipient?: true
  /** The document that gives such a reply this meaning. */
  source: string
}
