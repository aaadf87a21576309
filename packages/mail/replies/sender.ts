import { anyOf, pattern } from './pattern.ts'
import { databaseTrouble } from './policy.ts'
import type { ReplyRule } from './rule.ts'
import { sisimai, unitedInternet } from './sources.ts'

const senderName = /sender|return[ -]path|(?:return|reply|bounce|from) address|envelope (?:sender|from)|reverse[ -]path/
const refusedState = anyOf(
  /domain|does not (?:exist|resolve)|not found|unknown|invalid|rejected|syntax/,
  /not a valid|not listed|verif|denied|resolve|mx|blocked/,
)
const acceptsNothing = anyOf(
  /not accept(?:ing)? (?:any |this )?(?:incoming |inbound )?(?:e?mail|messages)(?! (?:from|containing|larger|with (?:attach|embed|html|image)))/,
  /\bmail (?:to|for) (?:\w{1,20} ){0,3}not accepted\b|\bmail is not (?:being )?accepted (?:at|for)\b/,
)

const senderVerification = anyOf(
  /sender (?:verification|verify|callout)|verify the sender|(?<!recipient )verification failed/,
  /verification of(?! (?:the |this )?recipient)|callback|callout verification fail/,
)

const senderState = anyOf(
  /sender address (?:is |was )?(?:rejected|denied|not allowed|invalid|has)/,
  /\bmail ?from[^.]{0,30}(?:does not exist|not found|unknown|invalid|rejected)/,
  pattern`${senderName}[^.;]{0,60}${refusedState}`,
  /(?:invalid|expired|bad|unknown|null|empty|fake|unroute?able) (?:(?:envelope )?sender|(?:return|reverse)[ -]path|bounce address)/,
  /domain of sender|from domain|sender is (?:rejected|unvalidated)|denies the sender/,
  /sender, but not from\b|\bfrom: (?:domain|address) is invalid/,
)

/** Our address is a bounce address that the server does not accept. */
const senderTag = /badmailfrom|\bbatv\b|backscatter|bogus mail from|legitimate bounces|emetteur invalide/

const senderUnknownToRecipient = anyOf(
  /not owned by user|requires? confirmation|not pre-approved|registered gateway user/,
  /does not accept mail from|has not passed validation|identical sender and recipient/,
  /same sender and recipient|\bsend (?:e?mails?|messages?) to yourself/,
)

const recipientRefuses = anyOf(
  /refused due to recipient preferences/,
  /(?:rejected|refused) by (?:the |this )?(?:recipient|user|destination)s?/,
  /recipient (?:\w{1,15} )?(?:doesn't|does not|refuses)[^.]{0,20}(?:want|accept)/,
  /(?:recipient|user) (?:has )?blocked you|blocked by (?:the )?recipient|refuse to receive/,
  /definitively does not want|\breceiver (?:has )?(?:denied|refused|rejected)/,
  /not accept(?:ing)? (?:any )?(?:e?mails?|messages) from (?:this|your|the) (?:sender|address|domain)/,
  /(?:user|recipient) (?:refuse[sd](?!: (?:client|host|ip)\b)|rejects?|does not accept)\b|do(?:es)?(?:n't|'nt| not) want your/,
  /not (?:allowed|permitted|authorized) to receive (?:any )?(?:e?mails?|messages) from/,
)

const recipientSettings = anyOf(
  /user rules|(?<!\bip (?:address )?)blacklisted by (?:the )?(?:recipient|user)|blocked by (?:the )?user|blocked senders/,
  /(?:user|recipient)'s (?:own )?(?:reject|block|black|deny|filter|spam)[ -]?(?:list|rule|setting|filter)?/,
  /mail is denied|\bunsubscribed\b/,
  /\bsender is (?:on (?:a|the) )?(?:block|black)[ -]?list(?:ed)?\b(?! (?:at|by|in|on))/,
  /envelope blocked|blocked by your organization/,
  // The recipient's list of its own, not a list of hosts.
  /\b(?:recipient|rcpt|user)\b(?: to)?(?: address)? (?:is |was |has been )?(?:(?:on|in) (?:the |a |our |my )?)?(?:black|block|deny)[ -]?list(?:ed)?\b(?! (?:your|the sender|our ip))/,
)

const listedSendersOnly = anyOf(
  /only accept(?:s|ing)? (?:e?mail|messages) from|accepts? (?:e?mails?|messages) only from|\bfrom (?:the )?outside\b/,
  /accepts? (?:e?mails?|messages) (?:from|of) (?:authenticated|internal|local|known|registered|verified)\b/,
  /(?:members?-only|closed mailing|this mailing) list|closed mailing list|\bnon[- ]?members?\b/,
  /\bunknown (?:poster|list member|author)|\bposter (?:is )?(?:unknown|not (?:known|allowed|subscribed|a member))|\brestricted to (?:\w{1,12} )?(?:members|subscribers|senders)\b/,
  /not subscribed to|(?:for|from) internal (?:use|senders|users)|no external (?:e?mail|senders)/,
  /(?:approved|whitelisted|trusted|permitted) senders|not (?:on|in) [^.]{0,30}white ?list/,
  /challenge[- ]response|not accept(?:ing)? (?:any )?(?:external|outside|internet)\b/,
)

/** Rules about our address. */
export const senderAddressRules: readonly ReplyRule[] = [
  {
    text: anyOf(
      /\bnull senders? temporarily (?:denied|rejected|refused)|could not complete sender verify|sender [^.]{0,20}verification in progress/,
      /temporar(?:y|ily) [^.]{0,20}(?:resolv|look ?up)[^.]{0,20}sender|sender[^.]{0,30}temporar(?:y|ily) [^.]{0,20}(?:resolv|look ?up)/,
    ),
    id: 'sender_verification_unanswered',
    class: 'transient',
    outcome: 'deferred',
    source: 'Exim, sender verification: the callout got no reply',
  },
  {
    text: anyOf(senderVerification, senderState, senderTag, senderUnknownToRecipient),
    unless: anyOf(/throttl|too many|\blimit|quota|server configuration/, databaseTrouble),
    id: 'sender_refused',
    class: 'policy',
    source: 'RFC 3463 §3.2, X.1.7 and X.1.8; Exim, sender verification; Postfix, reject_unverified_sender',
  },
]

/** Recipients and operators who refuse our address. */
export const refusingRecipientRules: readonly ReplyRule[] = [
  {
    text: anyOf(recipientRefuses, recipientSettings, listedSendersOnly),
    id: 'recipient_refuses_sender',
    class: 'policy',
    isPerRecipient: true,
    source: 'Facebook and Mimecast SMTP error codes: the recipient refuses this sender',
  },
  {
    text: acceptsNothing,
    phases: ['rcpt', 'data', 'dot'],
    enhanced: /^(?!2\.1$|1\.(?:1|2|10)$)/,
    unless: /disabled|unknown|domain|over ?quota|\bfull\b/,
    id: 'recipient_accepts_nothing',
    class: 'policy',
    isPerRecipient: true,
    source: `${sisimai}/filtered.rb; with X.2.1 the mailbox is disabled, with X.1.1 it does not exist (RFC 3463 §3.2)`,
  },
  {
    text: anyOf(
      /reject(?:ed)? due to policy|policy (?:restrictions|violations?)|violates[^.]{0,60}policy/,
      /mailbox unavailable\W{1,3}(?:blocked|reject(?:ed)? due to)|reject due to spf|sender (?:unauthenticated|address is not allowed)|invalid dns mx/,
    ),
    unless: /presumed spam|\bspam\b|virus/,
    id: 'policy_behind_mailbox_unavailable',
    class: 'policy',
    source: `${unitedInternet}: behind “mailbox unavailable”`,
  },
  {
    link: /mailbox unavailable\b.{0,60}postmaster\.[a-z\d-]{1,40}\.[a-z]{2,8}\/(?:[a-z]{2}\/)?case\?c=/,
    phases: ['data', 'dot'],
    id: 'case_behind_mailbox_unavailable',
    class: 'policy',
    source: `${unitedInternet}: after the content, a case is about our message, and the mailbox accepted RCPT`,
  },
]
