import { anyOf, pattern } from './repliesPattern.ts'

/** A hint to the sender, such as “if you are the sender” or “contact your provider”, is no evidence about us. */
const notAsked = /(?<!\b(?:contact|ask|notify|inform|tell|consult|check|verify|correct|from|to) )/
const ourThing = anyOf(
  /account|address|domain|mailbox|user|login|ip|hosts?|server|network|system|relay|connection|session|helo|mx/,
  /plan|subscription|licen[cs]e|contract|quota|organi[sz]ation|company|tenant|credentials|workspace|project/,
)
const ourOperator = /(?:'s)? (?:\w{1,12} )?(?:administrator|admin|postmaster|provider|support|staff)|(?:es)? ?book/

/** Words of our address. */
export const ourAddress = anyOf(
  /(?<!\b(?:you are|contact|notify|inform) the )\bsender(?!'s (?:administrator|postmaster|provider)| (?:should|must|can|may|please)\b)/,
  /\boriginat(?:or|ing)|mail from|\bauthor\b|\b(?:return|reverse)[- ]path/,
  /\b(?:from|return|reply(?:-to)?|bounce) (?:email )?address|\byour (?:email |sending )?(?:address|domain|mailbox)\b(?! book)/,
)

/** “You are not a user”. */
const youAre =
  /(?:^|[.:;,!] ?)you (?:are|were|cannot|can't|reached|may(?! (?:have|want|wish|contact|try)))\b(?! (?:trying|attempting|sending))/

/** “Your server”. */
const yours = pattern`${notAsked}\byour (?:(?!recipient)[\w-]{1,20} ){0,2}${ourThing}\b(?!${ourOperator})`

/** Words of an account at a mail service. A recipient's mailbox has none of them. */
export const serviceAccount = anyOf(
  /\b(?:(?<!storage )plan|invoice|billing|bill|(?<!non-)payment|trial|sandbox|contract|(?<!mailbox )licen[cs]e|(?<!mail-enabled )subscription)s?\b/,
  /\b(?:sub-?account|workspace|reseller|credential|api|token|certificate|password(?!s?[- ]protected))s?\b/,
  /\btenants?\b(?! or domain)|\bproject (?:is|was|not|has)\b|\b(?:in|or|and|your) username\b/,
  /\bterms (?:of|and) \w{1,10}|\bcompliance team|\bupgrade (?:your|to|the)\b|\bplease (?:register|renew)\b/,
  /customer (?:account|(?:is |was |has been )?(?:suspended|inactive|disabled|blocked|not active))/,
  /\b(?:smtp|relay|api|login|submission|sending|merchant|partner) (?:account|user)|\blog-?in (?:user|account|name)|authori[sz]ation failed/,
)

const ourLogin =
  /(?<!\bof (?:this|the|our) )\bcustomer (?:is|was|has been|not)\b|authenticat|\b(?:auth|sasl|verp|srs)\b|\baccess for\b|\bunregistered\b/

/** Words of our account and our login: an operator can correct what is wrong with them. */
export const ourAccount = anyOf(
  serviceAccount,
  ourLogin,
  youAre,
  /\byour (?:[\w-]{1,20} )?(?:account|user|login|mailbox)\b/,
  /\byou (?:are )?send(?:ing)? from\b|\bmay (?:only )?send\b|\b(?:in|under) review\b/,
  /\b(?:for|no|configured for) sending\b|\b(?:cannot|can ?not|can't) send\b|\bsending domain\b/,
)

const ourSending = anyOf(
  /\bsubmission\b|\bsending(?! (?:\w{1,8} )?to\b)|outbound|outgoing|for relay|\bunauthori[sz]ed relay|\bsending mailbox|(?:of|in|for) (?:this|our) relay\b/,
  /(?<!\bincoming \w{1,12} due to )abuse|(?:allow|white|access) ?(?:list|table)|\bdns (?:record|entry)|\bfrom (?:the )?outside\b/,
  /\b(?:cannot|can ?not|can't|not allowed to|for) send(?:ing)?\b(?! (?:\w{1,8} )?to\b)/,
)

const ourHost = anyOf(
  /\b(?:ip|helo|ehlo|peer|client|connecting|remote|sending) (?:address|host|name|domain)|\b(?:connecting|sending) server|\b(?:ip|helo|ehlo|ipv6)\b(?= (?:address|host|is|not)|$)/,
  /\baddress literal\b|\bno such host\b|\breverse dns\b|\bservice unavailable\b/,
)

/** We are the subject. */
export const ourSubject = anyOf(ourAddress, yours, ourAccount, ourHost)

const otherAddress = anyOf(
  /envelope[- ]from|\bfrom (?:an )?unknown|\bpostmaster (?:address|mailbox|account)|\(in from\)/,
  /(?<!(?:please|recipient) )verif(?!\w{0,8} (?:of )?(?:the )?recipient|y (?:the |your )?(?:\w{1,12} )?(?:address|recipient|spelling))|callback|callout|\bbatv\b|backscatter|\btoo many\b|\bbounces? (?:of|rate|check)\b/,
)

/** The words stand in the message, or a header has them. */
export const quotedByMessage =
  /\b(?:message|e?mail|body|content|subject|attachment|link)s?\b[^.;,]{0,20}(?<!must )\b(?:refers? to|mentions?|contains?|says|with text|includes?)\b(?! (?:too|\d))/
const partOfMessage = anyOf(
  quotedByMessage,
  /\bheaders?\b|message-id address|subject contains|from: (?:address|header|field)|reply-to|list-[a-z]{4,11}\b|\bb?cc\b/,
)

/**
 * Words of our account, our address, our host and our message. With them, neither “disabled” or “unknown” nor the code of a
 * recipient means the recipient.
 */
export const aboutUs = anyOf(ourSubject, ourSending, otherAddress, partOfMessage)
