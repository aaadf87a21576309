import { anyOf, pattern } from './pattern.ts'

// An address or a user with one of these words before it is not the recipient.
const notOurs =
  /(?<!\b(?:ip|dns|host|client|server|source|from|return|reverse|reply|contact|originating|smtp|auth\w{0,16}) )/

const subject = /user|recipient|receiver|mailbox|account|address|alias|local[ -]part|addressee|person|rcpt(?:to)?/
/** A database or a server that has a recipient's word in its name. */
const nameOfThing =
  /(?:database|book|server|service|agent|certificate|table|directory|lookup|driver|format|parameter|backend|module|plugin)\b/

const unknown = anyOf(
  /unknown|not (?:be )?found|invalid|(?:does(?: not|n't|nt)|dosn't|do(?: not|n't)) exist|no longer/,
  /not (?:exist|known|hosted|valid|local|active|activated|exists|listed|registered|available|present|recogni[sz]ed)/,
)
const closed = anyOf(
  /inactive|disabled|deactivated|suspended|terminated|closed|frozen/,
  /deceased|passed away|deleted|removed|retired|discontinued|cancell?ed|(?:has )?expired|is blocked/,
  /has been (?:disabled|suspended|deactivated|closed|discontinued|decommissioned)/,
  /has been (?:deleted|removed|terminated|retired|cancell?ed|archived)/,
)
const rejectedAs =
  /rejected: (?:user|address|account|(?:invalid|unknown)(?! (?:client|host|network|peer|relay|server|sender|helo|header|certificate|command))|inactive|not in recipient|undeliverable|acl recipient)/

const state = anyOf(unknown, closed, rejectedAs)
const isA = /(?:is |was |are |were )?(?:an? )?(?:currently |marked as )?/

/** “User unknown”, “mailbox has been deleted”. */
const subjectAndState = pattern`${notOurs}${subject}(?:e?s)? (?!${nameOfThing})(?:(?:for |named )?[\w-]{1,40} )?${isA}${state}`

const stateBefore = anyOf(
  /unknown|unknow|unkown|unrecogni[sz]ed|no such|invalid|non-?existent|nonexisting|wrong|improper|bad destination/,
  /inactive|disabled|deactivated|archived|unavailable/,
)
const subjectAfter =
  /(?:user|recipient|receiver|mailbox|account|address|person|alias|local[ -]part|mail user|rcpt ?to|id\b)(?! (?:agent|certificate|database)\b)/

/** “No such user”, “invalid mailbox address”. */
const stateAndSubject = pattern`${stateBefore} (?:or \w{1,20} )?(?:[\w-]{1,20} )?${notOurs}${subjectAfter}`

const noUser = anyOf(
  /no (?:valid )?mail[- ]?box|no (?:one|person|user|account)s? (?:here )?(?:by|with|at) (?:that|this)/,
  /does(?: not|n't) have an? .{0,40}account|nosuchuser|recip(?:ient)?notfound|address_not_found/,
  /not (?:a )?user of this|not a subscriber (?:of|here)|not a member of (?:the )?domain|not (?:one of )?our (?:own )?(?:customer|user|address)/,
  /(?:not|isn't) an? (?:valid|known|local|active|recogni[sz]ed) (?:[\w-]{1,20} )?(?:user|recipient|mailbox|address|account)/,
  /\b(?:user|recipient|address|mailbox|alias) (?:is |was )?not (?:listed |found )?in (?:the |our |this )?(?:\w{1,12} )?directory\b/,
  /(?<!\bfrom (?:an? |the )?)\bexpired (?:recipient |email |one-time |temporary )?(?:address|mailbox|alias)\b|\bdeliver(?:ed)? to an? (?:bogus|non-?existent)\b/,
  /unable to find (?:the |this )?(?:alias|user|recipient|mailbox)|(?<=not |n't )exists? (?:this|that|the|such(?: an?)?) (?:email )?(?:user|address|mailbox|recipient|account)|user hang(?:ed )?up/,
  /(?:don't|do not) have (?:this|that|such an?|any such) (?:user|mailbox|recipient|address|account)/,
  /recipient .{0,40}(?:does not exist|not known|unrecognized|not exist)|recipient no longer|illegal alias/,
  /not in (?:the |our |my )?(?:route|recipient|user|address|local) (?:list|table)\b|no redirect entry/,
  /in my list of (?:allowed|valid|known) recipients|not listed in (?:domino|public)|missing home directory/,
  /valid(?:rcpt|recipient)to|^(?:is )?not known (?:at|on|here)\b|cannot deliver mail for|(?:do not|don't) know any(?: ?one| user| person)\b/,
  /^<[\w.+-]{1,64}> (?:is |has been |was )(?:now )?(?:disabled|deactivated|closed|deleted|unknown|invalid)/,
)

const reached = /(?:are|have|were)? ?(?:trying|tried|entered|specified|provided|attempting|reached)\b/
const notFound = anyOf(
  /does(?: not|n't) exist|(?:couldn't|could not|can ?not|can't) be found|was not found|no longer/,
  /is (?:not (?:valid|found)|invalid|unknown|disabled|inactive|closed)/,
)
/** “The mailbox you tried to reach does not exist”. */
const subjectYouTried = anyOf(
  /that you tried to reach (?:does not exist|is (?:disabled|inactive))/,
  pattern`(?:mailbox|user|account|address|recipient|person)\b[^.]{0,12} you ${reached}[^.]{0,30} ${notFound}`,
)

const badAddress = anyOf(
  /\b(?:email(?: address)?|rcpt) (?:does not|doesn't|do not|not) exist|\bbad[ _](?:recipient|rcpt)\b/,
  /(?:recipient|subscriber) email (?:address )?is (?:invalid|unknown)|\bbad (?:e?mail )?address/,
  /unresolvable address|(?:un-?rout(?:e)?able|undeliverable) (?:address|mail domain)|address reserved by rfc/,
  /not valid rfc-?5321|is not a valid rfc|(?:bad )?(?:recipient )?address syntax|recipient address rejected: need fully-qualified address/,
  /(?:illegal|forbidden|invalid) characters? in (?:the )?(?:recipient |rcpt )?(?:address|local part)/,
  /recipient (?:address )?must be (?:fully[- ])?qualified/,
  /mailaddress is administrative|syntax error in mailbox name|invalid one[- ]time address/,
)

const noSuchDomain = anyOf(
  /(?:rcpt|recipient) [^.]{0,20}non-?exist[ae]nt domain|recipient(?:'s)? domain (?:does not exist|is invalid)/,
  /no such domain (?:at|on|in) this|no such domain here|domain (?:is )?not in use\b|recipient domain must exist/,
  /\bdomain (?:is )?(?:no longer (?:supported|hosted|served)|obsolete)\b|(?:recipient|domain).{0,20}domain not found/,
  /(?:doesn't|does not|don't) handle e?mail for (?:that|this) (?:user|recipient|address)|null ?mx/,
  /host or domain name not found|(?<!\b(?:client|your|sending|remote) )host unknown|user or domain is disabled/,
  /mx records point to non-?existent hosts|record indicated no smtp service|host address lookups failed permanently/,
)

const unusedMailbox = anyOf(
  /\b(?:user|recipient|employee|person|colleague|student) has left(?:\W*$| us\b)|^\W*(?:the |this )?(?:user|employee|person) left(?:\W*$| us\b)|(?<!\byour )\b(?:subscriber|user|recipient) (?:has )?(?:cancell?ed|closed|terminated|suspend(?:s|ed)?|discontinued) (?:the |his |her |their |this |its )?(?:service|account|mailbox)\b/,
  /\bleft (?:the|our|this) (?:company|organi[sz]ation|university|school|firm|team)\b|^:? ?not used\b(?! for)/,
  /(?:domain|address|account|mailbox) (?:is )?not used for (?:e?mail|messages)\b/,
  /\b(?:employee|person|colleague|recipient|user) (?:is |has been |does )?no(?:t| longer) (?:with|at|employed)\b|\bno longer works? (?:for|at|here|with)\b/,
  /(?:user|recipient|mailbox|account) (?:has )?never (?:logged|entered|signed|been used)/,
  /(?:user|recipient|mailbox|account) (?:hasn't|has not) (?:entered|been used)/,
  /(?:user|recipient|account|mailbox|address)\b[^.]{0,60}\binactivity\b|no recipient activity|extended inactivity/,
  /(?:user|recipient|account|mailbox) (?:[\w-]{1,40} )?(?:can ?not|can't) receive (?:e?mails?|messages)\b/,
  /enable receiving|receiving (?:is |has been )?disabled|^(?:is |has been )?(?:deactivated|disabled|closed) due to\b/,
  /abandoned (?:this|the|that) (?:mailbox|account|address)|(?:mailbox|account|address) (?:is |was )?abandoned/,
)

const otherLanguages = anyOf(
  /(?:benutzer|empfae?nger|mailadresse|postfach)\w{0,20}(?: ist)? (?:nicht bekannt|unbekannt)/,
  /(?:benutzer|empfae?nger|mailadresse|postfach)\w{0,20}(?: ist)? (?:existiert nicht|nicht vorhanden)/,
  /unbekannter (?:benutzer|empfae?nger)|hat keine mailbox|onbekende gebruiker/,
  /adresse inconnue|(?:utilisateur|destinataire) (?:inconnu|invalide|archive)/,
  /\bdestin\. sconosciut|destinatario (?:sconosciuto|errato|desconocido)|nessun utente/,
  /(?:usuario|destinatario) (?:desconocido|inexistente|no existe)|no existe/,
  /uzytkownik nieznany|nie ma takiego|brak takiego|nie istnieje|adresat neexistuje/,
)

/** The text names a recipient, and a state in which it gets no mail. */
export const noSuchRecipient = anyOf(
  subjectAndState,
  stateAndSubject,
  noUser,
  subjectYouTried,
  badAddress,
  noSuchDomain,
  unusedMailbox,
  otherLanguages,
)

const stateWords = anyOf(
  /(?:non[- ]?existent|archived|frozen|retired|terminated|discontinued|unroute?able|undeliverable|bogus|deceased|moved|migrated|used?)/,
  /(?:not|no|nope|never|longer|exists?|find|found|known|valid|active|gone|away|left|closed|disabled|inactive|deactivated)/,
  /(?:suspended|deleted|removed|blocked|locked|expired|rejected|refused|denied|failed|unknown|invalid|bad|permanently)/,
)
/** Words that are no subject: with these alone, the address that the server named or was given is the subject. */
const otherWords =
  /(?:is|was|are|has|been|do|does|did|could|can|cannot|there|as|at|by|in|the|an?|it|its|owner|any|such|thing|here|more|anymore|sorry|error)/

/** A state without a subject. */
export const stateAlone = pattern`^\W*(?:${anyOf(stateWords, otherWords)}\W+){0,8}(?:${stateWords}|thing as)(?: (?:at|in|on) (?:this |the |our )?(?:host|server|system))?\s*(?:$|[.;,!([])`

/** The letters of any script, and not only Latin ones. */
const noLetters = /^[^a-z\u00c0-\u1fff\u2c00-\uffff]*$/

/**
 * The text names a recipient, or a state without a subject, or has no words. The code of a recipient needs one of
 * these.
 */
export const recipientWords = anyOf(
  noLetters,
  /\b(?:recipients?|rcpt(?:to)?|mailbox(?:es)?|mbox|accounts?|address(?:es)?(?! family)|users?|alias(?:es)?|employee|student|customer|person|name)\b/,
  /\b(?:domain|destination|mailing list|nobody|no one|here|over|moved)\b|recip\w{0,10}notfound/,
  stateAlone,
)
