import { anyOf, type ReplyRule } from './repliesRule.ts'

const zoneMta = 'ZoneMTA, config/bounces.txt'
const gmail = 'Gmail SMTP errors and codes, support.google.com/a/answer/3726730'
const sisimai = 'Sisimai, lib/sisimai/reason'

/** The recipient's mailbox is full. A full mailbox is emptied, so the mail is retried. */
export const mailboxFullRules: readonly ReplyRule[] = [
  {
    link: /storedrv\.deliver[^;]{0,120}quotaexceeded/,
    id: 'microsoft_mailbox_full',
    class: 'full',
    outcome: 'deferred',
    source: 'Exchange Online non-delivery reports: STOREDRV.Deliver, QuotaExceededException',
  },
  {
    text: anyOf(
      /(?:mailbox|inbox|account|recipient|user|storage|skrzynka|mail ?box|mailfolder)(?:[^.]{0,60}(?: is|'s|))? (?:almost )?(?:full|przepelniona)\b/,
      /full mailbox|mailbox full|(?:over|exceed\w{0,4}|out of|exhausted)[^.]{0,40}(?:quota|storage|disk space)/,
      /over ?quota|quota (?:limit |usage )?(?:is )?exceed|storage limit/,
      /(?:quota|disk|mailbox size limit|storage)[^.]{0,20}exceeded/,
      /insufficient (?:mailbox )?(?:storage|space) for (?:this )?recipient|exceeds quota|zu ?viele mails/,
      /(?:mailbox|inbox) (?:size )?limit (?:is |was )?(?:exceeded|reached)/,
      /(?:user|mailbox|recipient|inbox)[^.]{0,40} reached (?:its|his|her|their|the) [\w ]{0,20}(?:quota|capacity|storage)/,
      /(?:user|mailbox|recipient|inbox) has too (?:many|much) (?:messages|e?mails?)\b/,
      /too many (?:messages|e?mails) (?:on|in) (?:the|this|his|her) (?:server|mailbox|inbox|account)|maximum (?:allowed )?(?:mailbox|storage) (?:size|space)|speichervolumen|boite du destinataire pleine|overquota/,
      /too much mail data|trouble in home directory|inbox is out of storage|casella piena|buzon lleno/,
      /quota (?:has been |was |is )?(?:reached|violation)|not enough (?:free |disk ?|mailbox |storage )?(?:space|storage|room)(?! on the disk)|postfach (?:ist )?voll/,
      /(?:mailbox|inbox|account)[^.]{0,30}(?:maximum size|no (?:more )?space|at capacity)|exceeding (?:receiving|their|its) [^.]{0,20}(?:limits|quota)/,
      /(?:mailbox|inbox|account) exceeds (?:its |the )?(?:allowed|maximum)|(?:larger|bigger) than the (?:\w{1,12} )?space|space (?:has |is )?(?:been )?used up|(?:mailbox|inbox|account|user|recipient)[^.]{0,20} out of space/,
      /disk ?(?:space )?quota|(?:enough|(?<!in)sufficient) (?:storage |disk )?space(?! on the disk)|no space left|mailbox (?:has )?exceeded|space (?:is )?not enough|quota is over|\bquota (?:of |for )?[\w ]{0,20}(?:exhausted|used up)|receive any ?more (?:e?mails?|messages)/,
    ),
    unless: /queue quota|throttl|might be/,
    id: 'mailbox_full',
    class: 'full',
    outcome: 'deferred',
    source: 'RFC 3463 §3.3, X.2.2: a persistent transient failure; Sisimai, mailboxfull',
  },
]

export const contentRules = {
  /** The size of the message, and loops. */
  size: [
    {
      code: /^5/,
      text: /\bhops?\b|hop count|mail ?loop|looping|loop (?:was )?(?:detected|found)/,
      id: 'mail_loop',
      class: 'unknown',
      source: 'RFC 5321 §6.3: loops',
    },
    {
      text: anyOf(
        /(?:message|e?mail)(?: file)? (?:size|length)s?[^.]{0,40}(?:too (?:big|large|long)|exceed|larger|limit)/,
        /(?:message|e?mail\b)[^.]{0,30}(?:too (?:big|large|long)|larger than)|message exceed(?:s|ed)[^.]{0,40}size/,
        /(?:message|e?mail)\b[^.]{0,60}\b(?:limit|maximum)[^.]{0,20}\d ?(?:[kmg]i?b|bytes)\b/,
        /(?:message|e?mail) rejected[^.]{0,10}\bsize\b/,
        /(?:size|length) of (?:your|the|this) (?:message|e?mail)|attachments? (?:is |are )?too (?:big|large|long)|maximum (?:inbound )?(?:e?mail|message) size|exe+ded the maximum size the user|taille limite/,
      ),
      unless: /quota|mailbox (?:is )?full|than the (?:\w{1,12} )?space/,
      id: 'message_too_big',
      class: 'content',
      outcome: 'bounced',
      isEnvelope: true,
      source: 'RFC 1870 §6.1 and §6.3',
    },
  ],
  /** The size, the form and the parts of the message. */
  form: [
    {
      text: anyOf(
        /not (?:rfc|compliant|conform)|not comply with [^.]{0,20}standards?|\bduplicate message|conversion (?:failure|failed)|\bmime type [^.]{0,40}not (?:accepted|allowed)|attachment (?:count|number)|unicode e?mail/,
        /rfc ?(?:2822|5322)|malformed|bare (?:cr|lf|newline)|bare ?line ?feeds?|\b(?:body|subject) (?:is |was )?(?:empty|missing)|empty (?:message|body|subject)|lines? too long/,
        /invalid message content|subject is mandatory|headers? (?:lines? )?(?:are |is )?(?:too (?:large|long|many)|not rfc|missing)|from: (?:header|address|field)|duplicate header|invalid date|(?:wrongly|badly) formatted|(?:failed to|cannot|could not|unable to) parse (?:the |your )?(?:message|header|mime|body|email)/,
        /invalid (?:mime )?structure|invalid data in message|\bmime error|number of attachments|mime complexity|header size|invalid mime|improperly[- ]formatted|unnecessary base64|too many (?:mime |nested )?(?:parts|attachments|headers?(?: lines)?)|header [^.]{0,30}\bmissing|missing [\w -]{0,30}header|improper use of 8-bit|header (?:is )?(?:missing|malformed|error|failed syntax)/,
        /headers? fails?\b|\bno [\w-]{1,20} (?:header )?field\b|address(?:es)? in (?:the )?(?:e?mail |message )?(?:headers?|from:|to:|cc:)/,
        /message-id: header|disallowed header|in (?:the )?[\w-]{1,20} header\b|\bline (?:length|limit)\b|(?:lone|stray) (?:cr|lf|newline)\b/,
        /\bmime container\b|\bbroken (?:mime|headers?)\b|\b(?:file ?name|boundary)(?: length)? too long|\bno subject\b|\bvalid message-id|\bheader [^.]{0,12}\bformat error|\bheader (?:from|reply-to|sender) (?:exists?|ha(?:s|ve))\b/,
      ),
      unless: /malformed (?:\w{1,20} )?address|name server|mail from/,
      id: 'message_form',
      class: 'content',
      source: `${gmail}; RFC 5322 §2.1.1 and §3.6`,
    },
    {
      text: /virus|\bviral\b|malware|clamav|infected|trojan|phish|mcspamsignature/,
      unless:
        /(?:scan(?:ner)?s?|engine|antivirus) (?:is |are )?(?:failed|error|unavailable|not (?:available|responding)|down|offline)|timed out/,
      id: 'virus',
      class: 'content',
      source: zoneMta,
    },
    { link: /mcspamsignature/, id: 'mimecast_signature', class: 'content', source: 'Mimecast SMTP error codes' },
    {
      text: anyOf(
        /potential(?:ly)? (?:security issue|executable)|\bfile extension\b|\battachment (?:filter\w{0,3}|policy)/,
        /\b(?:attachment|archive|document|(?<!to )file)[^;]{0,60}(?:not allowed|not accepted|blocked|prohibited|denied|forbidden|banned|illegal|rejected|refused|not permitted|disallowed)/,
        /\b(?:executable|macro[\w-]{0,10}|password[- ]protected|encrypted) (?:attachment|file|document|archive)|\bmalicious\b|\b(?:zip|rar|archive)\b[^.]{0,30}(?:executable|script)/,
        /(?:do not|don't|does not|never|no longer) accept(?:ing)? [^;]{0,40}(?:attachments?|archives?|files?|documents?)\b|not accepting (?:e?mail|messages) with\b|\b(?:links?|urls?)\b[^.]{0,40}(?:not (?:allowed|accepted|permitted)|forbidden|prohibited)|contains? (?:\w{1,10} )?(?:macros?|executables?|scripts?)\b/,
        /(?:banned|illegal|forbidden|blocked|restricted|dangerous|unsafe|malicious|suspicious|unacceptable|prohibited|disallowed|unwanted|unsupported) (?:content|file|attachment|link|url)|\b(?:bad|unwanted) (?:[\w-]{1,20} ){0,2}(?:file|attachment|mime|extension)|\b(?:fake|deceptive|misleading) (?:link|url)|\blink (?:is )?fake/,
      ),
      id: 'blocked_attachment',
      class: 'content',
      source: gmail,
    },
  ],
  /** A listed link or domain is part of the message, so waiting does not help. */
  links: [
    {
      link: anyOf(
        /uribl|surbl|\bdbl\b|sender address \[[^\]]*\] blocked using/,
        /url (?:blacklisted|in (?:this|the) (?:e?mail|message))|(?:black|block)[ -]?listed (?:url|link|domain in)|aup#urlbl|\b(?:link|url)s? [^.]{0,30}(?:block|black|deny) ?list|\bhvu:b\d|domain present in the spamhaus/,
      ),
      unless: /\bhelo (?:command|name|domain)/,
      id: 'listed_link',
      class: 'content',
      source: zoneMta,
    },
  ],
  spam: [
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
      text: anyOf(
        /\b(?:anti-?)?spam(?:s|med|ming|my|profiler|assassin)?\b|recurrent pattern|junk ?mail|bulk (?:e?mail|advertis)|considered bulk|mass[ -]?mail|(?<!sender )(?<!reputation )\bscored? [^.]{0,20}(?:limit|threshold|over|above|too high)|too many (?:links|urls)|\bbayes|\bhtml\b|\bjunk\b|(?:forbidden|banned|prohibited|offensive|profane) (?:key)?(?:words?|phrases?|language|terms?)|content scanner|gtube|spam points|(?:message|e?mail) (?:has )?scored|(?:message|e?mail) (?:is|was|has been) (?:banned|quarantined|unwanted)|classified as bulk|sensitive (?:words?|content|information)/,
        /(?:rejected|blocked|refused|stopped|denied) by (?:the |our |a )?(?:local |global |system )?filter|\b(?:url|phone number|subject|keyword) filter\b|by (?:dcc|razor|pyzor)\b|\bwords? in (?:the|your) (?:message|e?mail|subject|body)\b/,
        /(?:rejected|blocked|refused|stopped|denied) by (?:[\w-]{1,20} ){0,2}(?:message|content|mail|text|keyword) (?:filter|scanner|rule)|\bspam_|for one or more recipients \( ?: ?blocked/,
        /\bu[bc]e\b|due to (?:\w{1,20} )?fingerprint|\bscl\b|content (?:reject(?:ed)?\b|denied|filter|examination|inspection(?! in progress)|policy)|content-policy/,
        /(?:rejected|rejecting|unacceptable|banned) (?:mail )?content|(?:because of|due to) (?:its|the|unacceptable) content|content reasons|do not accept messages containing|message filtered|ofr_506|mail rejete/,
      ),
      unless:
        /(?:filter|scan\w{0,4}) (?:is |are )?(?:currently )?(?:failure|failed|error|unavailable|not available|timeout|down|offline|busy)/,
      id: 'spam_words',
      class: 'content',
      source: `${zoneMta}; ${sisimai}/spamdetected.rb`,
    },
  ],
} as const satisfies Record<string, readonly ReplyRule[]>
