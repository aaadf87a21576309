/** What a server's reply means, in one word. */
export const replyClasses = ['invalid', 'full', 'policy', 'reputation', 'content', 'transient', 'unknown'] as const

export type ReplyClass = (typeof replyClasses)[number]

/** A server's reply; `enhanced` null: the server sent no enhanced code. */
type SmtpReply = { code: number; enhanced: string | null; text: string }

export type Classified = { class: null; outcome: 'delivered' } | { class: ReplyClass; outcome: 'deferred' | 'bounced' }

/** Only this much of a text is matched, so that no server can make matching slow. */
const readLength = 1_000

/** Some servers put the enhanced code into the text: `550 sorry, no mailbox here by that name (#5.1.1)`. */
const inText = /(?:^|[(#\s])[45]\.(\d{1,3}\.\d{1,3})(?:[)\s;:,-]|$)/

/**
 * Returns what a reply means for its recipient. 2xx is delivered. For others the first matching rule decides; if it has no
 * outcome, 5xx is final and everything else is retried (RFC 5321 §4.2.1).
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

/**
 * One kind of reply. All given patterns must match. `enhanced` is written without its first digit, as RFC 3463 §3 lists
 * the codes. Without `outcome` the first digit of the reply decides.
 */
type ReplyRule = {
  code?: RegExp
  enhanced?: RegExp
  text?: RegExp
  class: ReplyClass
  outcome?: 'deferred' | 'bounced'
  /** The document that gives such a reply this meaning. */
  source: string
}

const gmail = 'Gmail SMTP errors and codes, support.google.com/a/answer/3726730'
const microsoft = 'Exchange Online non-delivery reports, learn.microsoft.com/exchange'
const outlook = 'Outlook.com postmaster, troubleshooting'
const yahoo = 'Yahoo Sender Hub, SMTP error codes'
const zoneMta = 'ZoneMTA, config/bounces.txt'
const postfix = 'Postfix, postconf(5): reject codes and texts'

/** Texts that are more precise than their codes, or contradict them. Replies are lower-cased before they are matched. */
const textRules: readonly ReplyRule[] = [
  // Not about this recipient or message.
  { text: /gr[ae]y-?list/, class: 'transient', outcome: 'deferred', source: 'RFC 6647 §2' },
  { text: /too many (?:recipients|rcpts)/, class: 'transient', outcome: 'deferred', source: 'RFC 5321 §4.5.3.1.10' },
  {
    text: /must issue a? ?starttls|authentication required|client (?:was |is )?not authenticated/,
    class: 'policy',
    outcome: 'deferred',
    source: 'RFC 4954 §6, RFC 3207 §4: the settings of the mail route are wrong; an operator can correct them',
  },
  {
    code: /^(?:530|534|535|538)$/,
    class: 'policy',
    outcome: 'deferred',
    source: 'RFC 4954 §6, RFC 3207 §4: between Postrider and the mail route',
  },
  // Full mailboxes come before texts that only have “exceeded” or “try again”.
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
  // Content comes before lists: a listed link is part of the message, so waiting does not help.
  { text: /uribl|surbl|\bdbl\.|sender address \[[^\]]*\] blocked using/, class: 'content', source: zoneMta },
  { text: /virus|malware|infected|trojan|phish/, class: 'content', source: zoneMta },
  {
    text: /potential security issue|\b(?:attachment|file)[^;]{0,60}(?:not allowed|blocked|prohibited|denied|forbidden|banned)|banned (?:content|file)/,
    class: 'content',
    source: gmail,
  },
  // The sending host: such lists change within hours, so the mail is retried.
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
  // Authentication of the mail, and who may send to whom.
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
  // Temporary by the text, even with a permanent code.
  {
    text: /(?:receiving (?:e?mail|messages) (?:too quickly|at a rate))|sending limit exceeded|rate limit|throttl|too many (?:messages|connections|concurrent)|server busy|try (?:it )?again later|please (?:re)?try later|temporar(?:y|ily)/,
    class: 'transient',
    outcome: 'deferred',
    source: `${gmail}; ${zoneMta}`,
  },
  // No such recipient. Only a permanent reply is final.
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

/** Enhanced codes. X.7.1 and the like are the least specific, so they come last. */
const enhancedRules: readonly ReplyRule[] = [
  { enhanced: /^1\.(?:0|1|2|3|4|6)$/, code: /^5/, class: 'invalid', source: 'RFC 3463 §3.2' },
  { enhanced: /^1\.10$/, code: /^5/, class: 'invalid', source: 'RFC 7505 §3: the domain accepts no mail' },
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

/** Codes of replies without more information (RFC 5321 §4.2.3). */
const codeRules: readonly ReplyRule[] = [
  { code: /^521$/, class: 'policy', source: 'RFC 7504 §3: this host accepts no mail' },
  { code: /^556$/, class: 'invalid', source: 'RFC 7504 §4: this domain accepts no mail' },
  { code: /^551$/, class: 'invalid', source: 'RFC 5321 §4.2.3' },
  {
    code: /^552$/,
    class: 'full',
    outcome: 'deferred',
    source: 'RFC 5321 §4.2.3 and §4.5.3.1.10: storage, or recipients, exceeded',
  },
  { code: /^4/, class: 'transient', source: 'RFC 5321 §4.2.1' },
]

/** In order of precedence: the first rule that matches decides. */
export const replyRules: readonly ReplyRule[] = [...textRules, ...enhancedRules, ...codeRules]
