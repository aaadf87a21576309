import { ourAccountElsewhere, ourAddressElsewhere } from './oursLanguages.ts'
import { anyOf, notAfter, notBefore, pattern } from './pattern.ts'

/** A hint to the sender, such as “if you are the sender” or “contact your provider”, is no evidence about us. */
const hint = /\b(?:contact|ask|notify|inform|tell|consult|check|verify|correct|from|to) /
const ourThing = anyOf(
  /account|address|domain|mailbox|user|login|ip|hosts?|server|network|system|relay|connection|session|helo|mx/,
  /plan|subscription|licen[cs]e|contract|quota|organi[sz]ation|company|tenant|credentials|workspace|project/,
)
const ourOperator = /(?:'s)? (?:\w{1,12} )?(?:administrator|admin|postmaster|provider|support|staff)|(?:es)? ?book/

const hintToSender = /\b(?:you are|contact|notify|inform) the /
const operatorOfSender = /'s (?:administrator|postmaster|provider)/
const adviceToSender = / (?:should|must|can|may|please)\b/

const notice =
  /(?:dsns?|ndrs?|bounces?|bounced? (?:mail|messages)|bounce (?:handling|processing)|non-?delivery|delivery (?:status|reports?|failures?|notifications?)|complaints?|feedback|abuse)/
const receives = /(?:for|of|to receive|that receives|receiving|to which|where) (?:the |your |our |any )?/
const hintToPostmaster = /(?:contact|ask|notify|inform|email|mail|write|call|see|the|your|our|to|by|from|and|or) /
/** The address that receives our bounces, and our postmaster. Servers check them; the recipient is neither. */
const addressOfNotices = anyOf(
  pattern`\b(?:mailbox|address|account|user|alias|recipient) ${receives}${notice}\b`,
  pattern`\b${notice} (?:mailbox|address|recipient|alias)\b`,
  pattern`\b${notAfter(hintToPostmaster)}postmaster (?:at|of|for|in|on)\b`,
  pattern`\b${notAfter(hintToPostmaster)}your postmaster (?:is|was|does|address|mailbox|not|unknown)\b`,
  /\b(?:no|missing|without(?: an?)?) (?:valid |working )?postmaster\b/,
)

/** Words of our address. */
const ourAddress = anyOf(
  pattern`\b${notAfter(hintToSender)}sender${notBefore(operatorOfSender, adviceToSender)}`,
  /\boriginat(?:or|ing)|mail[- ]from\b|\bauthor\b|\b(?:return|reverse)[- ]path/,
  /\bsubmitter\b|\bsubmitting (?:account|address|client|domain|host|mailbox|system|user)|\bissuer of\b|\borigin (?:address|account|user|mailbox|domain|host|server)\b|\b(?:from|sender) (?:field|line)\b/,
  ourAddressElsewhere,
  addressOfNotices,
  /\benvelope (?:domain|address|host)\b|(?<!\bopen )\bsource (?:\w{1,10} )?(?:address|host|server|system|domain)\b|\bfrom: (?:user|mailbox|account|domain|name)\b|\breply-to (?:user|mailbox|account|domain)\b/,
  pattern`\b(?:from|return|reply(?:-to)?|bounce)[- ](?:email )?(?:address|mailbox|user|account)|\b(?:user|address|account|mailbox|domain) in (?:the )?(?:mail )?from\b(?! (?:our|the|this|your))|\byour (?:email |sending )?(?:address|domain|mailbox)\b${notBefore(/ book/)}`,
)

/** “You may want to” and “you are trying to” begin sentences about anything. */
const [advice, trial] = [/ (?:have|want|wish|contact|try)/, / (?:trying|attempting|sending)/]

/** “You are not a user”. */
const youAre = pattern`(?:^|[.:;,!] ?)you (?:are|were|cannot|can't|reached|may${notBefore(advice)})\b${notBefore(trial)}`

/** “Your server”. */
const yours = pattern`\b${notAfter(hint)}your (?:${notBefore(/recipient/)}[\w-]{1,20} ){0,2}${ourThing}\b${notBefore(ourOperator)}`

/** Words of a contract. A recipient may have a storage plan and a mailbox license, and a message a non-payment. */
const contractWord = anyOf(
  /invoice|billing|bill|trial|sandbox|contract/,
  pattern`${notAfter(/storage /)}plan`,
  pattern`${notAfter(/non-/)}payment`,
  pattern`${notAfter(/mailbox /)}licen[cs]e`,
  pattern`${notAfter(/mail-enabled /)}subscription`,
)

/** Words of an account at a mail service. A recipient's mailbox has none of them. */
export const serviceAccount = anyOf(
  pattern`\b(?:${contractWord})s?\b`,
  /\b(?:main|master|parent|root|sub|child|primary|secondary|admin|company|agency|smart[- ]?host|gateway)[- ](?:mail |email |smtp )?accounts?\b/,
  pattern`\b(?:sub-?account|workspace|reseller|credential|api|token|certificate|password${notBefore(/s?[- ]protected/)})s?\b`,
  pattern`\btenants?\b${notBefore(/ or domain/)}`,
  /\bproject (?:is|was|not|has)\b|\b(?:in|or|and|your) username\b/,
  /\bterms (?:of|and) \w{1,10}|\bcompliance team|\bupgrade (?:your|to|the)\b|\bplease (?:register|renew)\b/,
  /customer (?:account|(?:is |was |has been )?(?:suspended|inactive|disabled|blocked|not active))/,
  /\b(?:smtp|relay|api|login|submission|sending|posting|connector|service|merchant|partner) (?:account|user)|\blog-?in (?:user|account|name)|authori[sz]ation failed/,
)

/** The account that a mail service looks up for our host, our connection or our login. */
export const accountOfHost =
  /\b(?<!local )(?:account|user|customer|client)s? (?:(?:is |was )?(?:associated|linked|registered|assigned|matching|mapped|configured|known|found|exists?) )?(?:(?:with|to|for|behind|under|by) )?(?:this|your|the|that) (?:\w{1,12} )?(?:ip|connection|network|client|log-?in|key|credentials?)\b/

const ourLogin = anyOf(
  pattern`\b${notAfter(/\bof (?:this|the|our) /)}customer (?:is|was|has been|not)\b`,
  /\b(?:used|given|provided|supplied) (?:for|to|at|in|with|during) (?:the |this |your )?(?:\w{1,12} )?(?:log ?-?in|auth|session|submission)/,
  /\byou (?:are |were |have |had )?(?:logged|signed) in\b|\byou (?:are )?us(?:e|ing) (?:to|for) (?:auth|log|send|sign|submi)|\bfor (?:the |this |your )?log-?in\b/,
  /\b(?:account|user|login|identity) (?:in|of|for) (?:the |this |your )?(?:smtp )?session\b/,
  accountOfHost,
  /\b(?:connecting|connected) (?:user|account)\b|authenticat|\b(?:auth|sasl|verp|srs)\b|\baccess for\b|\bunregistered\b/,
)

/** Words of our account and our login: an operator can correct what is wrong with them. */
export const ourAccount = anyOf(
  serviceAccount,
  ourLogin,
  youAre,
  ourAccountElsewhere,
  /\byour (?:[\w-]{1,20} )?(?:account|user|login|mailbox)\b/,
  /\byou (?:are )?send(?:ing)? from\b|\bmay (?:only )?send\b|\b(?:in|under) review\b/,
  /\b(?:for|no|configured for) sending\b|\b(?:cannot|can ?not|can't) send\b|\bsending domain\b/,
)

/** “Sending to this recipient”: the recipient is the subject. */
const toRecipient = / (?:\w{1,8} )?to\b/

const ourSending = anyOf(
  pattern`\bsending${notBefore(toRecipient)}`,
  pattern`\b(?:cannot|can ?not|can't|not allowed to|for) send(?:ing)?\b${notBefore(toRecipient)}`,
  /\bsubmission\b|outbound|outgoing|for relay|\bunauthori[sz]ed relay|\bsending mailbox|(?:of|in|for) (?:this|our) relay\b/,
  pattern`${notAfter(/\bincoming \w{1,12} due to /)}abuse`,
  /(?:allow|white|access) ?(?:list|table)|\bdns (?:record|entry)|\bfrom (?:the )?outside\b/,
)

const ourHost = anyOf(
  /\b(?:ip|helo|ehlo|peer|client|connecting|remote|sending) (?:address|host|name|domain)|\b(?:connecting|sending) server|\b(?:ip|helo|ehlo|ipv6)\b(?= (?:address|host|is|not)|$)/,
  /\baddress literal\b|\bno such host\b|\breverse (?:dns|lookup|host ?name)\b|\brdns\b|\bptr\b|\bservice unavailable\b/,
)

/** Words that make us the subject. */
export const ourSubject = anyOf(ourAddress, yours, ourAccount, ourHost)

/** “Please verify the address” and “recipient verification”. */
const [beforeCheckOfRecipient, afterCheckOfRecipient] = [
  /(?:please|recipient) /,
  /\w{0,8} (?:of )?(?:the )?recipient|y (?:the |your )?(?:\w{1,12} )?(?:address|recipient|spelling)/,
]

const otherAddress = anyOf(
  /\bmail command\b|\b(?:requests?|connections?|e?mails?|messages?) from your (?:network|ip|host|server|domain) (?:are |is |were |was |have been )?(?:rejected|refused|blocked|denied)\b/,
  /envelope[- ]from|\bfrom (?:an )?unknown|\bpostmaster (?:address|mailbox|account)|\(in from\)/,
  pattern`${notAfter(beforeCheckOfRecipient)}verif${notBefore(afterCheckOfRecipient)}`,
  /callback|callout|\bbatv\b|backscatter|\btoo many\b|\bbounces? (?:of|rate|check)\b/,
)

const partsOfMessage = /\b(?:message|e?mail|body|content|subject|attachment|link)s?\b/
const quotes = /\b(?:refers? to|mentions?|contains?|says|with text|includes?)\b/

/** The words stand in the message, or a header has them. */
export const quotedByMessage = pattern`${partsOfMessage}[^.;,]{0,20}${notAfter(/must /)}${quotes}${notBefore(/ (?:too|\d)/)}`
const partOfMessage = anyOf(
  quotedByMessage,
  /\b(?:errors|receipt|notification|follow-?up|apparently|delivered|resent|original|in-reply|reply)-(?:to|from|cc|sender)\b/,
  pattern`\b${notAfter(/(?:check|verify|correct) (?:the )?/)}(?:to|b?cc|subject|date) (?:field|line)\b`,
  /\bheaders?\b|message-id (?:address|host|domain|is|was|unknown|invalid)\b|\battachment (?:file ?)?names?\b|^\W*attachments?\b|subject contains|from: (?:address|header|field)|reply-to|list-[a-z]{4,11}\b|\bb?cc\b/,
)

/**
 * Words of our account, our address, our host and our message. With them, neither “disabled” or “unknown” nor the code
 * of a recipient means the recipient.
 */
export const aboutUs = anyOf(ourSubject, ourSending, otherAddress, partOfMessage)
