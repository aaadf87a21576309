import { accountRules, serviceRules } from './account.ts'
import { authenticationRules } from './authentication.ts'
import { blockListRules, unknownRecipientRules } from './blockLists.ts'
import { fallbackRules, firmCodeRules } from './codes.ts'
import { formRules, linkRules, sizeRules, spamRules } from './content.ts'
import { languageRules } from './languages.ts'
import { mailboxFullRules } from './mailboxFull.ts'
import { isRefusalOfOne, oneOfSeveral, ourSize, ratesOverTime, resourceOfServer } from './oneOfSeveral.ts'
import { ourLanguageRules } from './oursLanguages.ts'
import { policyRules, unansweredCheckRules } from './policy.ts'
import { greylistingRules, rateRules } from './rates.ts'
import { reasonRules } from './reasons.ts'
import { agreeingRules, recipientRules } from './recipient.ts'
import { reputationRules } from './reputation.ts'
import type { ReplyClass, ReplyRule, SmtpPhase } from './rule.ts'
import { refusingRecipientRules, senderAddressRules } from './sender.ts'
import { sendingLimitRules } from './sendingLimits.ts'
import { serverPartRules } from './server.ts'
import { namesAddress, namesDomain, readLength, readReply } from './text.ts'

export type { ReplyClass, SmtpPhase } from './rule.ts'

/*
 * Classifies SMTP replies. The map:
 *
 * - `text.ts` reads a reply: its codes, and its text without addresses, links and host names.
 * - `rule.ts`: what a rule is. `pattern.ts` composes patterns. `sources.ts`: documents that rules cite.
 * - `codes.ts`: rules for codes; what an unmatched text falls back to. `readableText.ts`: words that show
 *   that the rules can read a text.
 * - About us: `account.ts`, `sendingLimits.ts`, `rates.ts`, `blockLists.ts`, `reputation.ts`, `authentication.ts`,
 *   `sender.ts` and `policy.ts`.
 * - About the message: `content.ts`.
 * - About the recipient: `mailboxFull.ts`, and `recipient.ts`, which needs the words of `noSuchRecipient.ts` and none
 *   of `ours.ts`.
 * - `oneOfSeveral.ts`: refusals of a transaction that are about one of its recipients.
 * - `server.ts`: errors of the server, searches for a recipient without an answer, and mailboxes that are temporarily
 *   unavailable.
 * - `reasons.ts`: short reasons behind a general refusal.
 * - `languages.ts`: texts in languages other than English, `recipientLanguages.ts` those about a recipient,
 *   `oursLanguages.ts` those about us; `phrases.ts` composes their patterns.
 * - `words.ts`: frequent words of replies, for hiding login names.
 * - `corpus.txt`: known replies with their class; the test of these tables.
 *
 * docs/replies.md describes the precedence.
 */

/** A server's reply; `enhanced` null: the server sent no enhanced code. */
type SmtpReply = { code: number; enhanced: string | null; text: string }

/**
 * `isKnown`: a rule for this text or this precise code decided, not only a general code. `decision`: what decided the
 * class.
 */
export type Classified =
  | { class: null; outcome: 'delivered'; isKnown: true }
  | { class: ReplyClass; outcome: 'deferred' | 'bounced'; isKnown: boolean; decision: ReplyDecision }

/**
 * Rule that decided a class: a rule of the tables, or null where none matched and the first digit decided. `changed`:
 * why the class is not that of the rule. `about_us`: the reply answers a command before RCPT; `names_sender`: it names
 * our return path or its domain.
 */
export type ReplyDecision = { rule: string | null; changed?: 'about_us' | 'names_sender' }

/** Rules in order of precedence: the first rule that matches decides. */
const specificRules: readonly ReplyRule[] = [
  ...firmCodeRules,
  ...greylistingRules,
  ...unansweredCheckRules,
  ...unknownRecipientRules,
  ...accountRules,
  ...sendingLimitRules,
  ...serviceRules,
  ...ourLanguageRules,
  ...agreeingRules,
  ...linkRules,
  ...blockListRules,
  ...senderAddressRules,
  ...refusingRecipientRules,
  ...sizeRules,
  ...mailboxFullRules,
  ...rateRules,
  ...formRules,
  ...reputationRules,
  ...authenticationRules,
  ...spamRules,
  ...policyRules,
  ...languageRules,
  ...reasonRules,
  ...serverPartRules,
  ...recipientRules,
]

export const replyRules: readonly ReplyRule[] = [...specificRules, ...fallbackRules]

const delivered: Classified = { class: null, outcome: 'delivered', isKnown: true }

/**
 * Returns what a reply means for its recipient. 2xx is delivered. For others the first matching rule decides; if it has
 * no outcome, 5xx is final and everything else is retried (RFC 5321 §4.2.1).
 * @param sender our return path: a reply that names it is about us
 */
export const classify = (reply: SmtpReply, phase: SmtpPhase = 'rcpt', sender = ''): Classified => {
  if (reply.code >= 200 && reply.code < 300) return delivered
  const found = ruleFor(reply, phase)
  const isFinal = isPermanent(reply)
  const rule = found.rule
  const verdict = {
    class: rule?.class ?? (isFinal ? 'unknown' : 'transient'),
    outcome: (isFinal && rule?.outcome) || (isFinal ? 'bounced' : 'deferred'),
    isKnown: found.isKnown,
    decision: { rule: rule?.id ?? null },
  } as const
  if (isAboutUs(phase)) return aboutUs(phase, reply, verdict, rule)
  if (!namesSender(reply, sender) || !isOfRecipient(verdict.class)) return verdict
  const outcome = pausedAccount.test(reply.text.toLowerCase()) ? 'deferred' : verdict.outcome
  return { ...verdict, class: 'policy', outcome, decision: { ...verdict.decision, changed: 'names_sender' } }
}

/** States of our account that an operator can correct. */
const pausedAccount = /\b(?:suspended|disabled|blocked|locked|paused|deactivated|inactive|expired)\b/

/** Returns the document that gives a rule its meaning; null: this version has no such rule. */
export const ruleSource = (id: string): string | null => replyRules.find((rule) => rule.id === id)?.source ?? null

/**
 * Returns whether a refusal of DATA or of the message is about one of its recipients or about their number, and not
 * about the message or about us; even when its code is temporary. A reply that names a recipient is about that
 * recipient. Less evidence is enough than for a class, because the recipients are only tried alone: the words are read
 * as if they answered RCPT.
 */
export const isAboutRecipient = (reply: SmtpReply, recipients: readonly string[]): boolean => {
  const text = reply.text.slice(0, readLength).toLowerCase()
  if (recipients.some((address) => namesAddress(text, address))) return true
  const asPermanent = { ...reply, code: 550, enhanced: reply.enhanced?.replace(/^4/, '5') ?? null }
  const { rule, isKnown } = ruleFor(asPermanent, 'rcpt')
  if (ratesOverTime.test(text) || resourceOfServer.test(text)) return false
  if (isRefusalOfOne(text, readReply(reply))) return true
  if (rule?.isPerRecipient === true || oneOfSeveral.test(text) || isSizeOfMailbox(asPermanent.enhanced, text))
    return true
  return isKnown && rule !== undefined && isOfRecipient(rule.class)
}

/** RFC 3463 §3.3: a limit of the mailbox, below that of the system. */
const isSizeOfMailbox = (enhanced: string | null, text: string): boolean => enhanced === '5.2.3' && !ourSize.test(text)

const isOfRecipient = (replyClass: ReplyClass): boolean => replyClass === 'invalid' || replyClass === 'full'

/**
 * An enhanced code of class 4 in a 5yz reply is a persistent transient failure (RFC 3463 §2), so the mail is retried.
 */
const isPermanent = ({ code, text }: SmtpReply): boolean =>
  code >= 500 && code < 600 && !/^(?:.{0,200}\(#)?4\.\d{1,3}\.\d{1,3}\b(?!\.)/.test(text)

/** Returns a function that tests patterns on a text, each once. */
const testedOnce = (text: string): ((pattern: RegExp) => boolean) => {
  const tested = new Map<RegExp, boolean>()
  return (pattern) => {
    const known = tested.get(pattern)
    if (known !== undefined) return known
    const matches = pattern.test(text)
    tested.set(pattern, matches)
    return matches
  }
}

const ruleFor = (reply: SmtpReply, phase: SmtpPhase): { rule: ReplyRule | undefined; isKnown: boolean } => {
  const read = readReply(reply)
  const code = isPermanent(reply) || reply.code < 500 ? String(reply.code) : '450'
  const hasWords = testedOnce(read.words)
  const isExcluded = (unless: RegExp | readonly RegExp[]): boolean =>
    unless instanceof RegExp ? hasWords(unless) : unless.some(hasWords)
  const matches = (rule: ReplyRule): boolean =>
    (rule.phases?.includes(phase) ?? true) &&
    (rule.code?.test(code) ?? true) &&
    (rule.enhanced?.test(read.enhanced) ?? true) &&
    (rule.needs?.every(hasWords) ?? true) &&
    (rule.text?.test(read.words) ?? true) &&
    (rule.reason?.test(read.reason) ?? true) &&
    (rule.link?.test(read.text) ?? true) &&
    !(rule.unless !== undefined && isExcluded(rule.unless))
  const specific = specificRules.find(matches)
  return specific ? { rule: specific, isKnown: true } : { rule: fallbackRules.find(matches), isKnown: false }
}

/** Replies to these are about our host, account or sender. No recipient has been named yet. */
const isAboutUs = (phase: SmtpPhase): boolean =>
  phase === 'greeting' || phase === 'ehlo' || phase === 'auth' || phase === 'mail'

type Verdict = Exclude<Classified, { class: null }>

/**
 * Returns the verdict on a reply about us: never about a recipient, and final only if the message itself is refused.
 */
const aboutUs = (phase: SmtpPhase, { code }: SmtpReply, verdict: Verdict, rule: ReplyRule | undefined): Verdict => {
  if (phase === 'mail' && rule?.isEnvelope) return verdict
  // Before MAIL no message has a size, so such a code is about the server.
  const isOfServer = phase !== 'mail' && rule?.isEnvelope === true
  const found = isOfServer ? 'transient' : classAboutUs(phase, code >= 500, verdict.class)
  const decision = found === verdict.class ? verdict.decision : ({ ...verdict.decision, changed: 'about_us' } as const)
  return { ...verdict, class: found, outcome: 'deferred', decision }
}

const classAboutUs = (phase: SmtpPhase, isPermanent: boolean, found: ReplyClass): ReplyClass => {
  if (phase === 'auth' && isPermanent) return 'policy'
  switch (found) {
    case 'policy':
    case 'reputation':
    case 'transient':
      return found
    // No content was sent yet: a server that mentions spam means our host or our domain.
    case 'content':
      return 'reputation'
    case 'full':
      return 'transient'
    case 'invalid':
      return isPermanent ? 'policy' : 'transient'
    case 'unknown':
      return phase === 'mail' ? 'policy' : 'transient'
  }
}

/** Names of a domain's records, and of a mailbox in it. */
const [recordsOfDomain, mailboxInDomain] = [
  /\b(?:domains?|hosts?|dns|mx|resolv\w{1,6}|lookup)\b/,
  /\b(?:users?|mailbox(?:es)?|accounts?|alias(?:es)?|person)\b/,
]

/**
 * Whether a reply names our return path, or its domain with no mailbox in it:
 * `<bounces.example.org>: Domain not found`. A recipient may be in our domain, so its name next to a user is no
 * evidence.
 */
const namesSender = (reply: SmtpReply, sender: string): boolean => {
  if (sender === '') return false
  if (namesAddress(reply.text, sender)) return true
  if (!namesDomain(reply.text, sender.slice(sender.lastIndexOf('@') + 1).toLowerCase())) return false
  const { words } = readReply(reply)
  return recordsOfDomain.test(words) && !mailboxInDomain.test(words)
}
