import { ourSubject } from './ours.ts'
import { anyOf, pattern } from './pattern.ts'
import type { ReadReply } from './text.ts'

/** Recipients are counted over a time, so each alone is refused too. */
export const ratesOverTime = /too many recipients[^.]{0,40}\b(?:hour|minute|day)/

/** The storage or the memory of the server: no recipient alone would be accepted either. */
export const resourceOfServer =
  /\b(?:insufficient|not enough|no|out of) (?:free )?(?:system|server|queue|spool) (?:storage|space|resources|memory)\b/

/** With X.2.3, words about an attachment or our account, not about the mailbox. */
export const ourSize = anyOf(/^\W*attachments?\b/, /\bsender(?:'s)? (?:account|mailbox)\b/)

const notOurs = /(?<!\b(?:sender(?:'s)?|sending|your|originating|bounce|from|return|reply) )/
/** A mailbox that takes no mail for now. */
const stateOfMailbox = anyOf(
  pattern`${notOurs}\b(?:mailbox|maildrop) (?:is |has been |was )?(?:currently )?(?:temporarily (?:disabled|locked|suspended)|busy|in use|locked)\b`,
  pattern`${notOurs}\b(?:user|recipient|mailbox|account|address)(?:'s (?:mailbox|account))? (?:is |are )?(?:currently )?(?:being (?:migrated|moved)|under migration)\b`,
  /\b(?:user|recipient|mailbox|account|address)\b[^.]{0,40} is receiving (?:e?mail|messages) (?:too (?:quickly|fast)|at a rate)/,
)
const [kindOfRecipient, namedRecipient] = [
  /recipient|user|mailbox|address|group|list|alias|distribution (?:list|group)/,
  /\b(?:this|that|the) /,
]
const closedToUs =
  /(?:is |are |was )?(?:restricted|closed|limited(?! to \d)|protected|moderated|(?:not allowed|not permitted)(?! to (?:send|relay|use|submit|mail|post))|not accepted|only for|reserved for)\b|(?:does(?: not|n't) accept|only accepts?|accepts? only)\b/
const restrictedRecipient = anyOf(
  pattern`${namedRecipient}${kindOfRecipient} ${closedToUs}`,
  pattern`\b(?:e?mails?|messages?|posts?|posting|delivery|sending) to (?:this|that|the) ${kindOfRecipient} ${closedToUs}`,
  pattern`\baccess to (?:this |the )?${kindOfRecipient} (?:is |was )?(?:denied|restricted)\b`,
)
/**
 * A mailbox, a group or a recipient that does not take this message, or none for now. Words about us outweigh these.
 */
const refusalOfOne = anyOf(
  /\brecipients? (?:address(?:es)? )?(?:is |are |was |were )?not (?:accepted|allowed|permitted)\b|\bmailbox name (?:is )?not allowed\b|\bbanned recipient\b|\bneed rcpt\b/,
  /\brecipient(?:'s|s') (?:own )?(?:polic(?:y|ies)|settings|preferences|rules?) (?:forbids?|prohibits?|blocks?|rejects?|(?:does|do)(?: not|n't) (?:allow|accept|permit))/,
  stateOfMailbox,
  restrictedRecipient,
)

/** The text names one or more of the recipients, without an address. */
export const oneOfSeveral = anyOf(
  /\b(?:this|that|the) (?:user|recipient|mailbox|group|list|address) (?:does(?: not|n't)|will not|won't) accept (?:any )?(?:e?mails?|messages?) from\b/,
  /\b(?:no|one|one or more|more than one|some|any|all|multiple|different|following|valid)(?: of the)?(?: valid)? recipients?\b(?! (?:header|field|line|in (?:the )?headers?))|\bone (?:or more )?of (?:your )?recipients\b|multiple destination domains/,
  /\brecipients? (?:address(?:es)? )?(?:(?:is |are |was |were )?(?:rejected|refused|denied)|(?:is |are )?over (?:his|her|its|their|the) (?:limit|quota)|(?:mailbox (?:is )?)?restricted|polic(?:y|ies)\b|separately|belong|have (?:different|conflicting)|do(?:es)? not accept)/,
  /\b(?:for|by|to|of) (?:this|that|the|one) recipients?\b(?!'| (?:domain|server|host|system|organi[sz]ation)\b)|\bto send (?:\w{1,10} )?to this (?:user|mailbox)\b|too (?:big|large) for (?:recipient|this (?:user|mailbox))/,
  /\bto (?:these|those|the following) recipients?\b|\b(?:by|to|of) (?:at least |more than )?one (?:addressee|address|destination|mailbox)\b|\bdestination mailbox\b|\b(?:different|conflicting) polic(?:y|ies) for\b/,
)

/** X.7.20 to X.7.29 and Gmail's codes: authentication, with any words. */
const authentication = /^7\.(?:2\d|30|32|40)$/
/** Exchange Online: a restriction of the recipient, except the size that the sender's organization permits. */
const resolverRestriction = /\bresolver\.rst\.(?!send(?:er)?size)/

/**
 * Returns whether a refusal of a transaction is about one mailbox, group or recipient that does not take this message,
 * or none for now. Words and codes about us outweigh that.
 */
export const isRefusalOfOne = (text: string, { enhanced, words }: ReadReply): boolean =>
  resolverRestriction.test(text) ||
  (refusalOfOne.test(text) && !authentication.test(enhanced) && !ourSubject.test(words))
