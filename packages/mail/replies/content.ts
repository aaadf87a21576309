import { anyOf, pattern } from './pattern.ts'
import type { ReplyRule } from './rule.ts'
import { gmail, sisimai, zoneMta } from './sources.ts'

const refused = anyOf(
  /not allowed|not accepted|not permitted|blocked|prohibited|denied|forbidden|banned|illegal/,
  /rejected|refused|disallowed/,
)
const refusedKind = anyOf(
  /banned|illegal|forbidden|blocked|restricted|prohibited|disallowed|unwanted|unsupported/,
  /dangerous|unsafe|malicious|suspicious|unacceptable/,
)

const listedLink = anyOf(
  /\b(?:link|url)s?\b[^.]{0,30}\b(?:black|block)?listed\b/,
  /uribl|surbl|\bdbl\b|sender address \[[^\]]*\] blocked using/,
  /(?:black|block)[ -]?listed (?:\w{1,8} )?(?:url|link)/,
  /url (?:blacklisted|in (?:this|the) (?:e?mail|message))/,
  /(?:black|block)[ -]?listed (?:url|link|domain in)|aup#urlbl/,
  /\b(?:link|url)s? [^.]{0,30}(?:block|black|deny) ?list|\bhvu:b\d|domain present in the spamhaus/,
)

const tooBig = anyOf(
  /\b(?:size|length) of (?:the )?(?:data|content|attach\w{0,5})\b[^.]{0,40}(?:threshold|limit|maximum|exceed)/,
  /(?:message|e?mail|body)(?: file)? (?:size|length)s?[^.]{0,40}(?:too (?:big|large|long)|exceed|larger|limit)/,
  /\b(?:declared )?size (?:of )?\d{3,12}\b[^.]{0,20}(?:exceed|larger|too (?:big|large)|permitted|allowed)/,
  /(?:message|e?mail\b)[^.]{0,30}(?:too (?:big|large|long)|larger than)/,
  /message exceed(?:s|ed)[^.]{0,40}size|\b(?:message|e?mail) (?:would|will|may) exceed (?:(?!mailbox|inbox|quota|storage|account|user|recipient)[^.]){0,40}size\b(?! of (?:the |this |your )?(?:mailbox|inbox|account))|\bexceeds (?:the )?byte limit/,
  /(?:message|e?mail)\b[^.]{0,60}\b(?:limit|maximum)[^.]{0,20}\d ?(?:[kmg]i?b|bytes)\b/,
  /(?:message|e?mail) rejected[^.]{0,10}\bsize\b/,
  /(?:size|length) of (?:your|the|this) (?:messages?|e?mails?)\b/,
  /attachments? (?:is |are )?too (?:big|large|long)|maximum (?:inbound )?(?:e?mail|message) size/,
  /\b(?:outbound|outgoing|inbound|incoming) size limit|\b(?:messages?|e?mails?) (?:of )?up to \d{1,12} ?(?:[kmg]i?b|bytes)\b/,
  /\b(?:no|not) (?:more|larger|bigger) than \d{1,12} ?(?:[kmg]i?b|bytes)\b/,
  /exe+ded the maximum size the user|taille limite/,
)

const header = anyOf(
  /\bheaders? (?:has|have) (?:an? )?(?:invalid|bad|wrong|illegal)\b/,
  /\bheaders? (?:syntax|(?:line )?is (?:\w{1,12} ){1,2}long)\b|\bbcc (?:recipients?|header|field)\b|\bmessage-id (?:host|domain)\b/,
  /headers? (?:lines? )?(?:are |is )?(?:too (?:large|long|many)|not rfc|missing)/,
  /from: (?:header|address|field)|duplicate header|\bmime error|header size/,
  /header [^.]{0,30}\bmissing|missing [\w -]{0,30}header/,
  /header (?:is )?(?:missing|malformed|error|failed syntax)|headers? fails?\b/,
  /\bno [\w-]{1,20} (?:header )?(?:field|header)\b/,
  /address(?:es)? in (?:the )?(?:e?mail |message )?(?:headers?|from:|to:|cc:)|message-id: header/,
  /disallowed header|in (?:the )?[\w-]{1,20} header\b|\bvalid message-id/,
  /\bheader [^.]{0,12}\bformat error|\bheader (?:from|reply-to|sender) (?:exists?|ha(?:s|ve))\b/,
  /invalid date/,
)

const mimeParts = anyOf(
  /\bmulti-?part\b[^.;]{0,30}\b(?:rejected|dangerous|not (?:allowed|accepted))|\battachments? (?:file ?)?names? (?:is |are )?(?:invalid|bad|not valid)/,
  /conversion (?:failure|failed)|\bmime type [^.]{0,40}not (?:accepted|allowed)/,
  /attachment (?:count|number)|invalid (?:mime )?structure|number of attachments|mime complexity/,
  /invalid mime|unnecessary base64/,
  /too many (?:mime |nested |equal |identical )?(?:parts|attachments|(?:x-)?headers?(?: lines)?)|\bmime container\b/,
  /\bbroken (?:mime|headers?)\b|\b(?:file ?name|boundary)(?: length)? too long/,
)

const emptyParts = anyOf(
  /\b(?:body|subject) (?:is |was )?(?:empty|missing)|empty (?:message|body|subject)/,
  /subject is mandatory|\bno subject\b|\bduplicate message/,
)

const lineForm = anyOf(
  /bare (?:cr|lf|newline)|bare ?line ?feeds?|lines? too long|improper use of 8-bit/,
  /\bnot (?:crlf|lf) terminated|\bbinary zero|\bnul(?:l)? (?:characters?|bytes?)\b/,
  /\bline (?:length|limit)\b|(?:lone|stray) (?:cr|lf|newline)\b|unicode e?mail/,
)

const wrongForm = anyOf(
  /(?<!\bclient is )not (?:rfc|compliant|conform)|not comply with [^.]{0,20}standards?|rfc ?(?:2822|5322)|malformed(?! dns)/,
  /invalid message content|(?:wrongly|badly) formatted/,
  /\b(?:message|mime|headers?) (?:parse|parsing|decod(?:e|ing)) (?:error|failed|failure)/,
  /(?:failed to|cannot|could not|unable to) parse (?:the |your )?(?:"?[\w-]{1,20}"? )?(?:message|header|mime|body|email)/,
  /invalid data in message|improperly[- ]formatted/,
)

const blockedFile = anyOf(
  /\battachment (?:filter\w{0,3}|policy)/,
  pattern`\b(?:attachment|archive|document|(?<!to )file)[^;]{0,60}${refused}`,
  /(?:do not|don't|does not|never|no longer) accept(?:ing)? [^;]{0,40}(?:attachments?|archives?|files?|documents?)\b/,
  /not accepting (?:e?mail|messages) with\b|not (?:allowed|permitted) to receive (?:e?mails?|messages) with\b/,
  pattern`${refusedKind} (?:content|file|attachment|link|url|macro|script)`,
  /\b(?:bad|unwanted) (?:[\w-]{1,20} ){0,2}(?:file|attachment|mime|extension)/,
)

const dangerousFile = anyOf(
  /\bwith (?:an? )?macros?\b/,
  /potential(?:ly)? (?:security issue|executable)|\bfile extension\b/,
  /\b(?:extensions?|attachments?|files?|macros?) are dangerous\b|\bmacros? (?:was |were )?(?:detected|found)\b/,
  /\b(?:executable|macro[\w-]{0,10}|password[- ]protected|encrypted) (?:attache?ment|file|document|archive)/,
  /\bmalicious\b|\b(?:zip|rar|archive)\b[^.]{0,30}(?:executable|script)/,
  /contains? (?:\w{1,10} )?(?:macros?|executables?|scripts?)\b/,
)

const blockedLink = anyOf(
  /\b(?:links?|urls?)\b[^.]{0,40}(?:not (?:allowed|accepted|permitted)|forbidden|prohibited)/,
  /\b(?:fake|deceptive|misleading) (?:link|url)|\blink (?:is )?fake/,
)

const spam = anyOf(
  /\b(?:anti-?)?spam(?:s|med|ming|my|profiler|assassin)?\b/,
  /(?<!sender )(?<!reputation )\bscored? [^.]{0,20}(?:limit|threshold|over|above|too high)|gtube/,
  /spam points|(?:message|e?mail) (?:has )?scored|\bspam_|for one or more recipients \( ?: ?blocked/,
  /\bscl\b/,
)

const bulk = anyOf(
  /\badvertis(?:ing|ements?)\b/,
  /recurrent pattern|junk ?mail|bulk (?:e?mail|advertis)|considered bulk|mass[ -]?mail|\bjunk\b/,
  /classified as (?:bulk|\w{0,4}spam)|\bu[bc]e\b/,
)

const words = anyOf(
  /\bsubject (?:is |was )?(?:not allowed|forbidden|blocked|rejected)/,
  /\bbayes|\bhtml\b/,
  /(?:forbidden|banned|prohibited|offensive|profane) (?:key)?(?:words?|phrases?|language|terms?)/,
  /sensitive (?:words?|content|information)|\b(?:url|phone number|subject|keyword) filter\b/,
  /\bwords? in (?:the|your) (?:message|e?mail|subject|body)\b|too many (?:links|urls)/,
)

const filters = anyOf(
  /content scanner/,
  /(?:rejected|blocked|refused|stopped|denied) by (?:the |our |a )?(?:local |global |system )?filter/,
  /by (?:dcc|razor|pyzor)\b/,
  /(?:rejected|blocked|refused|stopped|denied) by (?:[\w-]{1,20} ){0,2}(?:message|content|mail|text|keyword) (?:filter|scanner|rule)/,
  /due to (?:\w{1,20} )?fingerprint|message filtered|ofr_506|mail rejete|message filterd\b/,
)

const refusedContent = anyOf(
  /(?:message|e?mail) (?:(?:is|was|has been) )?(?:banned|quarantined|unwanted|held for (?:human |manual )?(?:verification|review|moderation))/,
  /content (?:reject(?:ed)?\b|denied|filter|examination|inspection(?! in progress)|policy)/,
  /content-policy|(?:rejected|rejecting|unacceptable|banned) (?:mail )?content/,
  /(?:because of|due to) (?:its|the|unacceptable) content|content reasons/,
  /do not accept messages containing|\bcontent violation\b/,
)

/** A listed link or domain is part of the message, so waiting does not help. */
export const linkRules: readonly ReplyRule[] = [
  {
    link: listedLink,
    unless: /\bhelo (?:command|name|domain)/,
    id: 'listed_link',
    class: 'content',
    source: zoneMta,
  },
]

/** The size of the message, and loops. */
export const sizeRules: readonly ReplyRule[] = [
  {
    code: /^5/,
    text: /\bhops\b|\b(?:hop (?:count|limit)|(?:maximum|too many|max|of) hop)\b|mail ?loop|looping|loop (?:was )?(?:detected|found)/,
    id: 'mail_loop',
    class: 'unknown',
    source: 'RFC 5321 §6.3: loops',
  },
  {
    text: tooBig,
    unless: /quota|mailbox (?:is )?full|than the (?:\w{1,12} )?space/,
    id: 'message_too_big',
    class: 'content',
    outcome: 'bounced',
    isEnvelope: true,
    source: 'RFC 1870 §6.1 and §6.3',
  },
]

/** The form and the parts of the message. */
export const formRules: readonly ReplyRule[] = [
  {
    text: anyOf(header, mimeParts, emptyParts, lineForm, wrongForm),
    unless: /malformed (?:\w{1,20} )?address|name server|mail from/,
    id: 'message_form',
    class: 'content',
    source: `${gmail}; RFC 5322 §2.1.1 and §3.6`,
  },
  {
    text: /virus|\bviral\b|malware|clamav|infected|trojan|phish|mcspamsignature/,
    unless:
      /\b(?:history|source) of phishing|(?:scan(?:ner)?s?|engine|antivirus) (?:is |are )?(?:failed|error|unavailable|not (?:available|responding)|down|offline)|timed out/,
    id: 'virus',
    class: 'content',
    source: zoneMta,
  },
  { link: /mcspamsignature/, id: 'mimecast_signature', class: 'content', source: 'Mimecast SMTP error codes' },
  {
    text: anyOf(blockedFile, dangerousFile, blockedLink),
    id: 'blocked_attachment',
    class: 'content',
    source: gmail,
  },
]

/** Spam. */
export const spamRules: readonly ReplyRule[] = [
  {
    text: anyOf(
      /likely (?:suspicious|unsolicited|spam)|(?:appears to be )?unsolicited|nature of the content/,
      /presumed spam|intent analysis/,
    ),
    id: 'likely_spam',
    class: 'content',
    source: gmail,
  },
  { link: /\bdt:spm\b/, id: 'netease_spam', class: 'content', source: 'NetEase, mail.163.com/help/help_spam_16.htm' },
  {
    text: anyOf(spam, bulk, words, filters, refusedContent),
    unless:
      /(?:filter|scan\w{0,4}) (?:is |are )?(?:currently )?(?:failure|failed|error|unavailable|not available|timeout|down|offline|busy)|lost connection/,
    id: 'spam_words',
    class: 'content',
    source: `${zoneMta}; ${sisimai}/spamdetected.rb`,
  },
]
