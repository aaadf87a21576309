export type ReplyClass = 'invalid' | 'full' | 'policy' | 'reputation' | 'content' | 'transient' | 'unknown'

/**
 * One kind of reply. Everything given must match; the first rule of the table that does decides. `enhanced` is written
 * without its first figure, as RFC 3463 §3 lists them. A rule without `outcome` leaves it to the reply's first figure.
 */
export type ReplyRule = {
  code?: RegExp
  enhanced?: RegExp
  text?: RegExp
  class: ReplyClass
  outcome?: 'deferred' | 'bounced'
  /** Where it is written that such a reply means this. */
  source: string
}

const gmail = 'Gmail SMTP errors and codes, support.google.com/a/answer/3726730'
const microsoft = 'Exchange Online non-delivery reports, learn.microsoft.com/exchange'
const outlook = 'Outlook.com postmaster, troubleshooting'
const yahoo = 'Yahoo Sender Hub, SMTP error codes'
const zoneMta = 'ZoneMTA, config/bounces.txt'
const postfix = 'Postfix, postconf(5): reject codes and texts'

/** What a server says in words where its codes say less, or something else. Lower case; the text is folded before. */
const spoken: readonly ReplyRule[] = [
  // Not about this recipient or message at all.
  { text: /gr[ae]y-?list/, class: 'transient', outcome: 'deferred', source: 'RFC 6647 §2' },
  { text: /too many (?:recipients|rcpts)/, class: 'transient', outcome: 'deferred', source: 'RFC 5321 §4.5.3.1.10' },
  {
    text: /must issue a? ?starttls|authentication required|client (?:was |is )?not authenticated/,
    class: 'policy',
    outcome: 'deferred',
    source: 'RFC 4954 §6, RFC 3207 §4: the route’s settings are wrong; an operator can right them',
  },
  {
    code: /^(?:530|534|535|538)$/,
    class: 'policy',
    outcome: 'deferred',
    source: 'RFC 4954 §6, RFC 3207 §4: between us and the route',
  },
  // Mailboxes that are full, before texts that only say “exceeded” or “try again”.
  {
    text: /(?:mailbox|inbox|account|recipient|user|storage)[^.]{0,60}(?: is |'s | )(?:almost )?full\b|(?:over|exceed\w*|out of)[^.]{0,40}(?:quota|storage)|quota (?:is )?exceeded|insufficient (?:mailbox )?(?:storage|space) for (?:this )?recipient/,
    class: 'full',
    outcome: 'deferred',
    source: 'RFC 3463 §3.3, X.2.2: a persistent transient failure',
  },
  {
    text: /(?:message|mail)(?: file)? (?:size|length)?[^.]{0,30}(?:too (?:big|large|long)|exceeds|larger than)|message too (?:big|large)/,
    class: 'content',
    outcome: 'bounced',
    source: 'RFC 1870 §6.1 and §6.3',
  },
  // Content, before lists: a listed link is in the message, and waiting doesn't take it out.
  { text: /uribl|surbl|\bdbl\.|sender address \[[^\]]*\] blocked using/, class: 'content', source: zoneMta },
  { text: /virus|malware|infected|trojan|phish/, class: 'content', source: zoneMta },
  {
    text: /potential security issue|\b(?:attachment|file)[^;]{0,60}(?:not allowed|blocked|prohibited|denied|forbidden|banned)|banned (?:content|file)/,
    class: 'content',
    source: gmail,
  },
  // Who sends: lists of hosts change within hours, and the mail is as good as before.
  { text: /\[(?:bl|tss|ts|ph)\d\d\]/, code: /^4/, class: 'reputation', source: yahoo },
  { text: /\[(?:bl2\d|tss0[79])\]/, class: 'reputation', outcome: 'deferred', source: yahoo },
  {
    text: /blocked using|block ?list|black ?list(?!ed by recipient)|dnsbl|\brbl\b|spamhaus|spamcop|sorbs|barracudacentral|abuseat|cloudmark\.com|(?:ip|host|address|client)[^.]{0,40}\blisted\b/,
    class: 'reputation',
    outcome: 'deferred',
    source: zoneMta,
  },
  {
    text: /banned sending ip|part of their network is on our block|\bs(?:c-00[124]|3\d{3})\b|ou-001/,
    class: 'reputation',
    outcome: 'deferred',
    source: outlook,
  },
  {
    text: /ipcheck\.proofpoint|dnsbl-lookup/,
    class: 'reputation',
    outcome: 'deferred',
    source: 'Proofpoint Dynamic Reputation, ipcheck.proofpoint.com',
  },
  {
    text: /a problem occurred\. \(ask your postmaster/,
    class: 'reputation',
    outcome: 'deferred',
    source: 'Telekom postmaster, postmaster.t-online.de',
  },
  { text: /rl00000\d|bl00000\d/, class: 'reputation', outcome: 'deferred', source: 'Comcast postmaster, error codes' },
  {
    text: /unsolicited mail originating from your ip|unusual (?:rate|traffic)|\breputation\b/,
    class: 'reputation',
    outcome: 'deferred',
    source: gmail,
  },
  {
    text: /unexpected volume or user complaints|temporarily deferred|permanently deferred/,
    class: 'reputation',
    outcome: 'deferred',
    source: yahoo,
  },
  { text: /likely (?:suspicious|unsolicited|spam)|unsolicited mail/, class: 'content', source: gmail },
  { text: /\bspam\b|junk mail|bulk mail|gtube|spam points/, class: 'content', source: zoneMta },
  // How the mail is authenticated, and who may write to whom.
  {
    text: /\bdmarc\b|\bspf\b|\bdkim\b|required authentication level|\bunauthenticated\b|reverse (?:dns|hostname)|ptr record|cannot find your hostname/,
    class: 'policy',
    source: 'RFC 7372 §3',
  },
  {
    text: /relay(?:ing)? (?:access )?(?:denied|not (?:permitted|allowed))|not permitted to relay|unable to relay|allowed rcpthosts|email address is not verified/,
    class: 'policy',
    source: postfix,
  },
  {
    text: /sender (?:address )?(?:rejected|denied|not allowed|verify failed)|(?:sender|mail from|return path)[^.]{0,40}(?:domain|does not exist|not found|unknown|invalid)/,
    class: 'policy',
    source: 'RFC 3463 §3.2, X.1.7 and X.1.8',
  },
  {
    text: /local policy|policy reasons?|violates[^.]{0,60}policy|administrative(?:ly)? prohibit\w*|manually blocked|not accept(?:ed|ing)[^.]{0,20} policy/,
    class: 'policy',
    source: 'iCloud and Yahoo postmaster pages; Mimecast SMTP error codes',
  },
  // Said for the moment, whatever the code.
  {
    text: /(?:receiving (?:e?mail|messages) (?:too quickly|at a rate))|sending limit exceeded|rate limit|throttl|too many (?:messages|connections|concurrent)|server busy|try (?:it )?again later|please (?:re)?try later|temporar(?:y|ily)/,
    class: 'transient',
    outcome: 'deferred',
    source: `${gmail}; ${zoneMta}`,
  },
  // Nobody there. Only final replies say so for good.
  {
    code: /^5/,
    text: /recipient address rejected: access denied/,
    class: 'invalid',
    source: `${microsoft}: 5.4.1, directory-based edge blocking`,
  },
  {
    code: /^5/,
    text: /(?:user|recipient|mailbox|account|address|alias|local part|login)s? (?:is |was |are )?(?:unknown|not found|invalid|unavailable|inactive|disabled|not (?:exist|known|available|valid|local)|does(?: not|n't) exist|has been (?:disabled|suspended|deactivated|closed)|rejected: user unknown)/,
    class: 'invalid',
    source: 'RFC 5321 §4.2.3, 550; the wording of Postfix, Exim, Exchange and the large providers',
  },
  {
    code: /^5/,
    text: /(?:unknown|no such|invalid|non-?existent|inactive|disabled|bad destination) (?:\w+ )?(?:user|recipient|mailbox|account|address|person|alias|local part)|no mailbox here|does(?: not|n't) have an? [\w. ]*account|(?:email )?account that you tried to reach (?:does not exist|is (?:disabled|inactive))|not our customer|recipientnotfound|unrouteable address|mailbox (?:is )?(?:unavailable|disabled|not found)/,
    class: 'invalid',
    source: `RFC 5321 §4.2.3, 550; ${gmail}; ${yahoo}; Exim`,
  },
]

/** The enhanced codes, where a final reply has one. X.7.1 and the like are the widest, so they come last. */
const enhanced: readonly ReplyRule[] = [
  { enhanced: /^1\.(?:0|1|2|3|4|6)$/, code: /^5/, class: 'invalid', source: 'RFC 3463 §3.2' },
  { enhanced: /^1\.10$/, code: /^5/, class: 'invalid', source: 'RFC 7505 §3: the domain takes no mail' },
  { enhanced: /^1\.[78]$/, class: 'policy', source: 'RFC 3463 §3.2: the sender’s address' },
  { enhanced: /^2\.1$/, code: /^5/, class: 'invalid', source: 'RFC 3463 §3.3: mailbox disabled' },
  { enhanced: /^2\.2$/, class: 'full', outcome: 'deferred', source: 'RFC 3463 §3.3: a persistent transient failure' },
  { enhanced: /^2\.3$/, class: 'content', source: 'RFC 3463 §3.3: too long for this mailbox' },
  {
    enhanced: /^3\.1$/,
    class: 'transient',
    outcome: 'deferred',
    source: 'RFC 3463 §3.4: useful only as a persistent transient error',
  },
  { enhanced: /^3\.4$/, class: 'content', source: 'RFC 3463 §3.4: too big for the system' },
  {
    enhanced: /^4\.[1235]$/,
    class: 'transient',
    outcome: 'deferred',
    source: 'RFC 3463 §3.5: useful only as persistent transient errors',
  },
  {
    enhanced: /^5\.3$/,
    class: 'transient',
    outcome: 'deferred',
    source: 'RFC 3463 §3.6: too many recipients; the rest may be sent again',
  },
  { enhanced: /^6\./, class: 'content', source: 'RFC 3463 §3.7' },
  {
    enhanced: /^7\.1[78]$/,
    code: /^5/,
    class: 'invalid',
    source: 'RFC 7293 §5.1: the mailbox or domain has another owner',
  },
  {
    enhanced: /^7\.(?:28|60[6-9]|6[1-4]\d|708)$/,
    class: 'reputation',
    outcome: 'deferred',
    source: `${microsoft}: 5.7.606–649, 5.7.708; ${gmail}: 5.7.28`,
  },
  { enhanced: /^7\.(?:[5-6]\d\d)$/, code: /^4/, class: 'reputation', source: `${microsoft}: 4.7.500–699` },
  { enhanced: /^7\./, class: 'policy', source: 'RFC 3463 §3.8' },
]

/** The bare codes, where nothing else was said (RFC 5321 §4.2.3). */
const bare: readonly ReplyRule[] = [
  { code: /^521$/, class: 'policy', source: 'RFC 7504 §3: this host takes no mail' },
  { code: /^556$/, class: 'invalid', source: 'RFC 7504 §4: this domain takes no mail' },
  { code: /^551$/, class: 'invalid', source: 'RFC 5321 §4.2.3' },
  {
    code: /^552$/,
    class: 'full',
    outcome: 'deferred',
    source: 'RFC 5321 §4.2.3 and §4.5.3.1.10: storage, or recipients, exceeded',
  },
  { code: /^4/, class: 'transient', source: 'RFC 5321 §4.2.1' },
]

/** In the order of precedence. */
export const replyRules: readonly ReplyRule[] = [...spoken, ...enhanced, ...bare]
