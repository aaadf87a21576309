import { anyOf, notAfter, pattern } from './pattern.ts'
import type { ReplyRule } from './rule.ts'
import { gmail, sisimai, yahoo, zoneMta } from './sources.ts'

const unknownState = /unknown|dead|invalid|closed|inactive|disabled|non-?exist\w{0,4}|undeliverable/
const ipAddress = /(?:^|[\s[(])(?:\d{1,3}\.){3}\d{1,3}[\])]{0,2}/

const unknownRecipients = anyOf(
  /too many (?:invalid|unknown|bad|nonexistent|wrong|failed|rejected) (?:recipients?|users?|addresses|commands|rcpts?)/,
  /to (?:nonexistent|unknown|invalid) (?:users|recipients)/,
  /number of (?:invalid|unknown|bad) (?:recipients|users|addresses)/,
  pattern`\b(?:too many|number of|rate of|excessive)\b[^.]{0,30}\b(?:${unknownState}|rejected|refused) (?:\w{1,12} )?(?:users|recipients|addresses|mailboxes|accounts|rcpts)\b`,
  /(?:mail|messages|e?mails) to (?:inactive|closed|invalid|unknown|non-?existent) (?:mailboxes|addresses|accounts|users)/,
  /unknown attempts|limit of (?:invalid|unknown) (?:recipients|users|addresses)/,
  /too many[^.]{0,12} user unknown|too many (?:of (?:your|the) )?recipients (?:do not exist|were (?:invalid|unknown))/,
  /too many (?:users|recipients|addresses)\b[^.]{0,20}(?:do|did)(?: not|n't) exist/,
  /excessive (?:unknown|invalid|user)/,
  /\b(?:max(?:imum)?|too much|excess of|more than \d{1,5}) (?:invalid|unknown|bad) (?:recipients|users|addresses)/,
  /(?:invalid|unknown|bad) recipients(?: exceeded| reached|: blocked)|too many users unknown/,
  /(?:high|too many|above|over|excessive|maximum)[^.]{0,30}\b(?:percentage|ratio|proportion|share|rate) of (?:invalid|unknown|bad|failed|non-?existent)/,
  /\b(?:invalid|unknown|bad|non-?existent) (?:recipients?|users?|rcpts?|address(?:es)?) (?:ratio|percentage(?! sign)|proportion)/,
  /user unknown,? too many (?:attempts|errors)|too many mailboxes that (?:do|did) not exist/,
)

const limitOfUnknown = anyOf(
  /(?:invalid|unknown|bad|failed) (?:recipient|user|mailbox)s? (?:limit|threshold|rate|from|allowed)/,
  /users? unknown (?:rate|ratio|percentage|errors|responses|flood|(?:rejection )?(?:limit|quota))|rate of users? unknown|unknown user quota/,
)

const manyUnknown =
  /(?:unknown|invalid|bad|wrong|failed|rejected|refused|non-?exist[ae]nt|undeliverable|dead|inactive|closed) (?:\w{1,12} )?(?:users|recipients|rcpts|addresses|mailboxes|accounts)\b/
const measure =
  /\b(?:ratio|rate|share|percentage|percent|proportion|fraction|count|amount|volume|threshold|flood\w{0,3}|repeated(?:ly)?|excessive(?:ly)?|several|many|numerous|previous|earlier|frequent(?:ly)?|continu(?:ed|ous|ously)|persistent(?:ly)?|attempts?|consecutive|successive|series|sequence|mostly)\b/
const severity =
  /\bexceed|\b(?:above|over|beyond|more than) \d|\btoo (?:high|many|often|large)\b|\bthreshold|\blimit (?:reached|of)\b|\brepeatedly\b|\bagain and again\b|\bis abuse\b|\bflood|\bin (?:a row|succession)\b|\bconsecutively\b/
const unknownOne =
  /(?:unknown|invalid|bad|failed|rejected|refused|non-?exist[ae]nt) (?:recipient|user|rcpt|address|mailbox)/

/**
 * A count, a share or a session of recipients that do not exist is about the list that we send to, not about one of
 * them.
 */
const measuredUnknown = anyOf(
  pattern`${measure}[^.;]{0,40}\b${manyUnknown}`,
  pattern`\b${manyUnknown}[^.;]{0,40}${severity}`,
  pattern`(?:\bafter|flood:|blocked:) \d{1,6} ${manyUnknown}`,
  pattern`\b\d{1,6} ${manyUnknown} (?:in|within|during|per|already|so far|from)\b`,
  pattern`\b${unknownOne}s? (?:unknown )?(?:ratio|rate|count(?:er)?|percentage(?! sign)|proportion|share|threshold|flood)\b`,
  /\b\d{1,3} ?(?:%|percent) (?:of )?(?:your |the |all )?(?:recipients|users|addresses|mailboxes)\b[^.;]{0,20}\b(?:invalid|unknown|rejected|refused|(?:not|n't) exist|non-?existent)/,
  pattern`\b${notAfter(/(?:state|code|error|line) |\d/)}\d{2,6} ${manyUnknown}`,
  /\b(?:recipient|user|address) unknown (?:count|ratio|rate|threshold)/,
  /\b(?:most|many|half) of (?:your|the|these) (?:recipients|users|addresses) (?:do|did|are|were)\b/,
  /\b(?:previous|earlier|preceding) (?:recipients|users|addresses|rcpts)\b[^.]{0,40}\b(?:invalid|unknown|rejected|refused|exist)/,
  /\btoo many (?:unknown|invalid|non-?exist[ae]nt)\W*$/,
  pattern`\b\d{1,5}(?:st|nd|rd|th) ${unknownOne}|\b${unknownOne} number \d`,
)

const recipients = /(?:recipients|users|rcpts|addresses|mailboxes|accounts)/
const doNotExist =
  /\b(?:unknown|invalid|bad|dead|undeliverable|inactive|closed|rejected|refused|bounced|failed|non-?exist[ae]nt|(?:do|does|did)(?: not|n't) exist|not (?:found|valid|known|exist(?:ing)?))\b/
/** A part of several recipients: “half of the addresses”, “8 of your last 10 recipients”. One of them is no measure. */
const partOfSeveral = anyOf(
  /(?:percentage|ratio|share|proportion|fraction|rate|number|majority|part|thirds?|quarters?|percent|%) of (?:all )?(?:the |your |these |those |our )?/,
  /(?:most|many|half)(?: of)? (?:all )?(?:the |your |these |those |our )?/,
  /(?:[2-9]|[1-9]\d{1,5}|two|three|four|five|six|seven|eight|nine|ten) (?:out )?of (?:the |your |these |those )?(?:\d{1,6} )?/,
)
const last = /(?:last |latest |previous |recent |past )?(?:\d{1,6} )?/

const we = /\b(?:you|your (?:host|server|ip|network|system|client|domain|account|session|connection))\b/
const send =
  /\b(?:sen[dt]s?|sending|mail(?:ed|ing)?|e?mails|deliver(?:s|ed|ing)?|attempt(?:ed|ing|s)?|tried|trying|address(?:ed|ing)|hit(?:ting)?)\b/
/** What we do with recipients that do not exist; a single one is no habit. */
const ourHabit = anyOf(
  pattern`${we} [^.;]{0,30}${send} [^.;]{0,20}${manyUnknown}`,
  pattern`\b(?:stop|avoid|cease|quit|do not|don't|never|refrain from) (?:\w{1,12} )?${send} [^.;]{0,20}${manyUnknown}`,
  /\b(?:list|database|address|data) hygiene (?:is |was )?(?:poor|bad|low|insufficient)|\b(?:poor|bad|low|insufficient) (?:\w{1,12} )?(?:list|database|address|data) (?:hygiene|quality)|\bquality of (?:your|the) (?:list|recipients|addresses) (?:is |was )?(?:too )?(?:poor|bad|low|insufficient)|\b(?:purchased|bought|rented|scraped) (?:mailing |address |recipient )?(?:lists?|addresses)\b/,
  pattern`\bhygiene\b[^.;]{0,30}${manyUnknown}`,
  pattern`\b(?:your|this|the) (?:mailing |recipient |address |contact )?list (?:has|contains|is full of|includes|with) [^.;]{0,20}${manyUnknown}`,
)

/** Words about what we send as a whole. */
const measuredSending = anyOf(
  pattern`\b${partOfSeveral}${last}(?:\w{1,12} )?${recipients}\b[^.;]{0,40}${doNotExist}`,
  ourHabit,
)

const harvest =
  /harvest|\b(?:address|recipient|user) (?:probing|guessing|mining)\b|\b(?:probing|guessing) (?:for )?(?:addresses|recipients|users)\b|user enumeration|address scanning|too many (?:errors|bad commands|spams|bounces) from|bounce attacks|dictionary attack|\bdhap?\b/

const publicLists = anyOf(
  /dnsbl|abusix|uceprotect|spamhaus|spamcop|sorbs|barracudacentral|abuseat|cloudmark\.com/,
  /mail-abuse|invaluement|\bivmsip\b|spamrats|\brats-(?:dyna|noptr|spam|all)\b|\brbl\b/,
  /psbl\.surriel|manitu\.net|backscatterer|mailspike|s5h\.net|dronebl|wpbl\.info|lashback|hostkarma/,
  /0spam\.org|suomispam|spfbl\.net|nixspam|redhawk\.org|blacklist\.woody/,
  /gbudb|blocklist\.de|\b(?:cbl|sbl|xbl|pbl)\b/,
  /unsubscore|nosolicitado|spameatingmonkey|\bsenderscore\b|spamcannibal\.org|nszones|efnetrbl|anonmails/,
  /scientificspam|megarbl|\brbl\.jp\b|spamguard\.leadmon|surgate\.net|torexit\.dan|tornevall|rbl\.imp\.ch|v4bl\.org/,
  /cbl\.anti-spam\.org\.cn|drone\.abuse\.ch|aupads\.org|spamlookup|rbl2?\.triumf|rbl\.abuse\.ro|openresolvers|webiron/,
  /korea\.services|five-ten-sg|rfc-(?:ignorant|clueless)|njabl|ahbl\.org|dsbl\.org|ordb\.org|bogons\.cymru|countries\.nerd/,
)

/**
 * The zone of a list by its name: these labels are for lists of addresses. A host of another use would only be retried.
 */
const zoneOfList =
  /\b(?:bl|rbl|ubl|dnsbl|ipbl|blacklist|blackholes?|blocklist)\d?\.[a-z\d-]{1,63}(?:\.[a-z\d-]{1,63}){0,3}\.[a-z]{2,24}\b/

const vendorLists = anyOf(
  /check_ip_reputation|commtouch\.com\/site|ip-reputation-check|\bctiprep\b/,
  /barracuda reputation|junkemailfilter|ipcheck\.proofpoint|hostedemail\.com/,
  /messagelabs\.com\/support|fortiguard\.com|talosintelligence\.com|trend micro ers/,
)

/** Codes and pages of Comcast, Cox, Orange, La Poste, NetEase, AT&T, Spectrum. */
const providerCodes = anyOf(
  /att\.net\/blocks|security\.rr\.com|rl00000\d|bl00000\d|aup#(?:cdrbl|cxbl|ipbl|i-|in-|out-)/,
  /\bhl:rep\b|\bdt:rbl\b|ofr006_10[23]|gu_eib|lpn000_630|\b(?:rtr|rly|con|dyn):[a-z][a-z\d]\b/,
)

const listedAddress = anyOf(
  /(?<!not )\blisted (?:on|at|in|by)\b|\bbad ip\b|identified as (?:a )?spammer/,
  /\blisted as (?:an? )?(?:open|spam)|ip is rejected/,
  /\bip (?:address )?(?:is |was |has been )?(?:caught|flagged|listed|matched) (?:by|in|on)\b/,
  /sender ip (?:is |was |has been )?(?:rejected|blocked|denied|banned)/,
)

const lowScore = anyOf(
  /(?:poor|low) sender ?score|sender ?score (?:is |of )?[^.]{0,15}(?:below|too low|under)/,
  /(?:no|bad|poor|low)[\w /]{0,12} (?:reputation|history)|due to ip reputation|reputation is low/,
  /(?:blocked|rejected|refused) by sender ?score|\bspam rate\b/,
  /\bdynamically[- ]assigned\b|\bclient host rejected: (?!throttl)[^.]{0,60}\b(?:spam|phish|abuse|scam)/,
  /\buntrusted (?:network|host)\b|\b(?:suspicious|unusual) activity (?:from|of|on) (?:your|this|the) (?:ip|host|network|server|client)\b/,
)

/** Rules for too many unknown recipients. They precede rules for one recipient, whose words they share. */
export const unknownRecipientRules: readonly ReplyRule[] = [
  {
    text: anyOf(unknownRecipients, limitOfUnknown, measuredUnknown, measuredSending, harvest),
    id: 'too_many_unknown_recipients',
    class: 'reputation',
    outcome: 'deferred',
    source: 'Cox, email error codes; Cisco Email Security, directory harvest prevention; chkuser',
  },
]

/** Block lists and reputations by name. */
export const blockListRules: readonly ReplyRule[] = [
  {
    text: /\[(?:bl|tss|ts|ph)\d\d\]/,
    code: /^4/,
    id: 'yahoo_temporary_block_list',
    class: 'reputation',
    source: yahoo,
  },
  {
    text: /\[(?:bl2\d|tss?0[379]|tss11)\]/,
    id: 'yahoo_block_list',
    class: 'reputation',
    outcome: 'deferred',
    source: yahoo,
  },
  {
    link: anyOf(publicLists, zoneOfList, vendorLists, providerCodes),
    unless: /\bmessage filtered\b/,
    id: 'block_list_by_name',
    class: 'reputation',
    outcome: 'deferred',
    source: `${zoneMta}; Comcast, Cox, Orange, NetEase, Proofpoint: their block lists and codes`,
  },
  {
    text: anyOf(listedAddress, lowScore),
    id: 'bad_reputation',
    class: 'reputation',
    outcome: 'deferred',
    source: `${gmail}; ${sisimai}/badreputation.rb`,
  },
  {
    link: pattern`${ipAddress} (?:(?:is|was|has been) )?(?:temporarily |permanently |currently )?(?:(?:block|black|deny)?(?:blocked|banned|listed)|(?:on|in) (?:the|a|an|our|this) (?:\w{1,8} )?list)\b`,
    enhanced: /^(?!1\.[78]$)/,
    id: 'address_blocked',
    class: 'reputation',
    outcome: 'deferred',
    source: `${zoneMta}: the subject of “blocked” is an IP address, which is ours`,
  },
]
