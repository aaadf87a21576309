import { type ReplyClass, type ReplyRule, replyRules } from './replyRules.ts'

/** A server's reply as read off the wire: `enhanced` null where the server gave none. */
type SmtpReply = { code: number; enhanced: string | null; text: string }

export type Classified = { class: null; outcome: 'delivered' } | { class: ReplyClass; outcome: 'deferred' | 'bounced' }

/** Longer texts are read up to here, so that no server can make us think long. */
const readLength = 1_000

/** Some servers say the enhanced code within the text alone: `550 sorry, no mailbox here by that name (#5.1.1)`. */
const inText = /(?:^|[(#\s])[45]\.(\d{1,3}\.\d{1,3})(?:[)\s;:,-]|$)/

/**
 * What a reply means for its recipient. 2xx: delivered. Else by the first rule of the table that matches; where that
 * doesn't say, 5xx is final and all the rest is tried again (RFC 5321 §4.2.1).
 */
export const classify = (reply: SmtpReply): Classified => {
  if (reply.code >= 200 && reply.code < 300) return { class: null, outcome: 'delivered' }
  const final = reply.code >= 500 && reply.code < 600
  const rule = ruleFor(reply)
  const outcome = (final && rule?.outcome) || (final ? 'bounced' : 'deferred')
  return { class: rule?.class ?? (final ? 'unknown' : 'transient'), outcome }
}

const ruleFor = (reply: SmtpReply): ReplyRule | undefined => {
  const text = reply.text.slice(0, readLength).toLowerCase().replaceAll('’', "'")
  const enhanced = reply.enhanced?.replace(/^\d\./, '') ?? inText.exec(text)?.[1] ?? ''
  const code = String(reply.code)
  return replyRules.find(
    (rule) =>
      (rule.code?.test(code) ?? true) && (rule.enhanced?.test(enhanced) ?? true) && (rule.text?.test(text) ?? true),
  )
}
