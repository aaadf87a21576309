import { anyOf, type ReplyRule } from './repliesRule.ts'

const zoneMta = 'ZoneMTA, config/bounces.txt'
const gmail = 'Gmail SMTP errors and codes, support.google.com/a/answer/3726730'
const outlook = 'Outlook.com postmaster, troubleshooting'
const microsoft = 'Exchange Online non-delivery reports, learn.microsoft.com/exchange'
const yahoo = 'Yahoo Sender Hub, SMTP error codes'
const sisimai = 'Sisimai, lib/sisimai/reason and rhost'
const ses = 'Amazon SES, docs.aws.amazon.com/ses/latest/dg/troubleshoot-error-messages.html'
const qq = 'Tencent, service.mail.qq.com, list of return messages'
const netEase = 'NetEase, mail.163.com/help/help_spam_16.htm'
const unitedInternet = 'GMX and WEB.DE, postmaster.gmx.net/error-messages; IONOS help'
const deferred = 'deferred' as const

export const senderRules = {
  /** Our account, our limits and our address. They stand before texts about recipients, whose words they share. */
  account: [
    {
      text: /gr[ae]y[ -]?list|\[gl\d\d\]/,
      id: 'greylisting',
      class: 'transient',
      outcome: deferred,
      source: 'RFC 6647 §2',
    },
    {
      text: anyOf(
        /too many (?:invalid|unknown|bad|nonexistent|wrong|failed|rejected) (?:recipients?|users?|addresses|commands|rcpts?)/,
        /(?:invalid|unknown|bad|failed) (?:recipient|user|mailbox)s? (?:limit|threshold|rate|from|allowed)|user unknown (?:rate|errors|responses)|to (?:nonexistent|unknown|invalid) (?:users|recipients)|number of (?:invalid|unknown|bad) (?:recipients|users|addresses)|harvest/,
        /\b(?:too many|number of|rate of|excessive)\b[^.]{0,30}\b(?:unknown|invalid|non-?exist\w{0,4}|undeliverable) (?:\w{1,12} )?(?:users|recipients|addresses|mailboxes|rcpts)\b|too many[^.]{0,12} user unknown|too many recipients (?:do not exist|were (?:invalid|unknown))/,
        /too many (?:errors|bad commands|spams) from|bounce attacks|dictionary attack|excessive (?:unknown|invalid|user)|\bdhap?\b/,
      ),
      id: 'too_many_unknown_recipients',
      class: 'reputation',
      outcome: deferred,
      source: 'Cox, email error codes; Cisco Email Security, directory harvest prevention; chkuser',
    },
    {
      text: anyOf(
        /bad outbound sender|tenant has exceeded|(?:mail )?sending denied/,
        /sending account(?! has (?:exceeded|reached))|this account (?:has been|is) paused|sending(?! (?:\w{1,8} )?to\b)\b[^.]{0,30}(?:paused|suspended|disabled|blocked)/,
        /\b(?:sender|sending|outgoing|outbound|your)\b[^.]{0,20}(?:account|mailbox)[^.]{0,30}(?:paused|suspended|disabled|blocked|locked|deactivated|not activ)/,
        /account[^.]{0,60}\b(?:outbound|outgoing|sending)(?! (?:limit|quota|rate|cap|(?:\w{1,8} )?to\b))/,
        /(?:outgoing|outbound) (?:e?mail|message)[^.]{0,40}(?:suspended|disabled|blocked)|\b(?:user|account|sender|you)\b[^.]{0,40}\b(?:blocked|banned|suspended|disabled|restricted) from sending|weren't recognized as a valid sender/,
        /\bsmtp (?:account|access|service|user)\b[^.]{0,25}(?:disabled|suspended|blocked|locked|expired|not (?:enabled|active))|\bsender is (?:disabled|suspended|locked|paused)/,
        /\b(?:api|relay|submission|authenticated) (?:account|user|key)\b[^.]{0,25}(?:disabled|suspended|blocked|locked|expired|inactive|unknown|not (?:enabled|active|found))/,
        /(?:sending|outgoing)[^.]{0,30}(?:for|from) this account is (?:disabled|blocked|paused|stopped|suspended)/,
        /user account disabled|account (?:is )?not subscribed|is not authorized to perform/,
        /account (?:cannot|can't|can not|may not|(?:is )?not (?:allowed|permitted|enabled) to) send(?! (?:\w{1,8} )?to\b)|(?:subscription|trial|licen[cs]e)\b[^.]{0,40}(?:expired|ended|inactive|over\b|sending)/,
        /not allowed to send: |activate your|not allowed to send as|configuration set/,
        /unregistered domains|user has no permission|invalid credentials for relay/,
        /relay(?:ing)? denied[^.]{0,10}(?:\[ ?\]|account|invalid credentials)|verified sender identity/,
        /(?:disabled|blocked|suspended|paused|stopped) for your account|\bbounce rate\b|unusual sending activity|e?mail outgoing (?:is )?blocked|account (?:has been|is|was|may be) (?:compromised|hacked)/,
        /\byour account\b[^.]{0,30}(?:under review|pending|not (?:yet )?(?:active|activated|approved|verified)|restricted|frozen|expired|terminated)/,
      ),
      unless: /\breputation\b/,
      id: 'sending_account_blocked',
      class: 'policy',
      outcome: deferred,
      source: `${gmail}; ${ses}; ${microsoft}: 5.1.8; SendGrid and Mailgun, SMTP errors: an operator can release the account`,
    },
    {
      link: /sendasdenied|outboundspamexception/,
      id: 'send_as_denied',
      class: 'policy',
      outcome: deferred,
      source: `${microsoft}: SendAsDeniedException and OutboundSpamException: our login has no right to send so; its administrator can give it`,
    },
    {
      text: /\blog-?in (?:is |was |has been )?(?:disabled|invalid|blocked|locked|suspended|incorrect|denied|failed|required)|(?:invalid|wrong|incorrect|disabled) log-?in\b|\blog ?in first\b/,
      id: 'login_refused',
      class: 'policy',
      outcome: deferred,
      source: 'RFC 4954 §6; nodemailer, public issues: only our side logs in, so an operator can correct it',
    },
    {
      text: /\bdomain is (?:disabled|suspended)/,
      phases: ['mail', 'data', 'dot'],
      id: 'sending_domain_blocked',
      class: 'policy',
      outcome: deferred,
      source: 'Mailgun, SMTP errors: our domain; an operator can release it',
    },
    {
      text: anyOf(
        /(?:daily|hourly|sending|relay|submission|outgoing|sender(?:'s)?|credits?|messaging|hour|day)[ \w']{0,40}(?:limit|quota|credits)s?[^.]{0,40}(?:exceeded|reached|is over)/,
        /sender(?:'s)? (?:mailbox |account )?(?:is )?over ?quota|exceeded (?:your|its|the) (?:daily |hourly )?(?:messaging|sending|hourly|daily|max|number of|configured|quota for)/,
        /you(?:'ve| have) (?:exceeded|reached)|(?:submission)? ?quota ?exceeded ?exception: ?sender/,
        /submission ?quota ?exceeded|submission quota|sender quota|maximum credits exceeded/,
        /(?<!mailbox )\b(?:email|message|outbound) quota\b[^.]{0,40}exceeded|over (?:its |your )?(?:daily|hourly|monthly|sending) (?:quota|limit)|quota of your plan/,
        /(?:messages|e?mails) per (?:minute|hour|day)|exceeded (?:\w{1,8} )?sending (?:limit|quota)|max (?:e?mails|defers)|message submission rate/,
        /\b(?:relay|smtp) quota\b|(?:sending|hourly|daily|message) (?:limit|quota)[^.]{0,20}(?:used up|exhausted)|(?:exceeded|reached) (?:the )?(?:hour|hourly|day|daily|minute|monthly) limit|max(?:imum)? (?:\w{1,12} ){0,3}(?:daily|hourly) limit/,
        /max(?:imum)? number of (?:e?mails|messages)\b[^.]{0,40}reached|more than \d{1,9} (?:e?mails|messages|recipients)\b[^.]{0,20}\b(?:hour|minute|day)/,
        /\bquota\b[^.]{0,30}\b(?:recipients |messages |e?mails |\d{1,9} )?per (?:minute|hour|day|month)|\b(?:monthly|plan|recipient) quota\b|(?:e?mail|message|account|recipient) limit (?:is |has been )?(?:exceeded|reached)|quota (?:for your (?:ip|host)|of (?:the )?sender)|\b(?:bandwidth|transfer|session|connection|traffic|mailing) (?:quota|limit)\b[^.]{0,20}exceeded/,
        /\bcredits? (?:are |is |have been )?(?:exhausted|used up)|\b(?:no|insufficient|not enough) (?:\w{1,10} )?(?:credits?|funds|balance)\b|\bbalance (?:is )?(?:exhausted|insufficient|too low)/,
        /(?:sending|outgoing|outbound) quota (?:is )?full|sender(?:'s)? (?:mailbox|account) (?:is )?full|exceeded (?:the )?(?:maximum )?number of (?:messages|e?mails)/,
        /number of (?:e?mails|messages) per|you(?:'ve| have) sent [\d,]{1,9} (?:e?mails|messages|recipients)/,
      ),
      id: 'sending_limit',
      class: 'transient',
      outcome: deferred,
      source: `${gmail}: 5.4.5; ${ses}: quotas; ${microsoft}; cPanel, mail limits: our own sending limits`,
    },
    {
      text: /(?:exceeded|reached) (?:your|the|its) [\w ]{0,30}(?:limit|quota|cap\b|allowance)/,
      unless: /recipient|mailbox|inbox|storage|disk/,
      id: 'sending_limit_other_words',
      class: 'transient',
      outcome: deferred,
      source: `${outlook}: RP-001 to RP-003; SendGrid, SMTP errors`,
    },
  ],
  /** Block lists and reputations by name. */
  lists: [
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
      outcome: deferred,
      source: yahoo,
    },
    {
      link: anyOf(
        /dnsbl|abusix|uceprotect|spamhaus|spamcop|sorbs|barracudacentral|barracuda reputation|abuseat|cloudmark\.com|mail-abuse/,
        /invaluement|\bivmsip\b|spamrats|\brats-(?:dyna|noptr|spam|all)\b|junkemailfilter|\brbl\b|ipcheck\.proofpoint|att\.net\/blocks|security\.rr\.com|rl00000\d/,
        /bl00000\d|aup#(?:cdrbl|cxbl|ipbl|i-|in-|out-)|\bhl:rep\b|\bdt:rbl\b|ofr006_10[23]|gu_eib/,
        /psbl\.surriel|manitu\.net|backscatterer|mailspike|s5h\.net|dronebl|wpbl\.info|lashback|hostkarma|gbudb|blocklist\.de|hostedemail\.com/,
        /messagelabs\.com\/support|lpn000_630|\b(?:rtr|rly|con|dyn):[a-z][a-z\d]\b/,
      ),
      id: 'block_list_by_name',
      class: 'reputation',
      outcome: deferred,
      source: `${zoneMta}; Comcast, Cox, Orange, NetEase, Proofpoint: their block lists and codes`,
    },
    {
      text: anyOf(
        /(?<!not )\blisted (?:on|at|in|by)\b|\bbad ip\b|identified as (?:a )?spammer|(?:poor|low) sender ?score|sender ?score (?:is |of )?[^.]{0,15}(?:below|too low|under)|(?:no|bad|poor|low)[\w /]{0,12} reputation|due to ip reputation|reputation is low|(?:blocked|rejected|refused) by sender ?score|\blisted as (?:an? )?(?:open|spam)/,
        /ip is rejected|sender ip (?:is |was |has been )?(?:rejected|blocked|denied|banned)|\bspam rate\b/,
      ),
      id: 'bad_reputation',
      class: 'reputation',
      outcome: deferred,
      source: `${gmail}; ${sisimai}/badreputation.rb`,
    },
    {
      link: /(?:^|[\s[(])(?:\d{1,3}\.){3}\d{1,3}[\])]{0,2} (?:(?:is|was|has been) )?(?:temporarily |permanently |currently )?(?:block|black|deny)?(?:blocked|banned|listed)\b/,
      enhanced: /^(?!1\.[78]$)/,
      id: 'address_blocked',
      class: 'reputation',
      outcome: deferred,
      source: `${zoneMta}: the subject of “blocked” is an IP address, which is ours`,
    },
  ],
  /** Our address, and recipients and operators who refuse it. */
  sender: [
    {
      text: /could not complete sender verify|sender [^.]{0,20}verification in progress/,
      id: 'sender_verification_unanswered',
      class: 'transient',
      outcome: deferred,
      source: 'Exim, sender verification: the callout got no answer',
    },
    {
      text: anyOf(
        /sender (?:verification|verify|callout)|verify the sender|(?<!recipient )verification failed|verification of|callback/,
        /sender address (?:is |was )?(?:rejected|denied|not allowed|invalid|has)/,
        /\bmail ?from[^.]{0,30}(?:does not exist|not found|unknown|invalid|rejected)/,
        /(?:sender|return[ -]path|(?:return|reply|bounce|from) address|envelope (?:sender|from)|reverse[ -]path)[^.;]{0,60}(?:domain|does not (?:exist|resolve)|not found|unknown|invalid|rejected|syntax|not a valid|verif|denied|resolve|mx|blocked)/,
        /(?:invalid|expired|bad|unknown|null|empty|fake|unroute?able) (?:(?:envelope )?sender|(?:return|reverse)[ -]path|bounce address)|emetteur invalide/,
        /domain of sender|badmailfrom|from domain|sender is (?:rejected|unvalidated)|denies the sender|\bbatv\b|backscatter|bogus mail from|not owned by user/,
        /requires? confirmation|not pre-approved|registered gateway user|does not accept mail from|has not passed validation/,
        /legitimate bounces|identical sender and recipient|same sender and recipient|\bsend (?:e?mails?|messages?) to yourself|sender, but not from\b/,
      ),
      unless: /throttl|too many|\blimit|quota|server configuration/,
      id: 'sender_refused',
      class: 'policy',
      source: 'RFC 3463 §3.2, X.1.7 and X.1.8; Exim, sender verification; Postfix, reject_unverified_sender',
    },
    {
      text: anyOf(
        /refused due to recipient preferences|(?:rejected|refused) by (?:the |this )?(?:recipient|user|destination)s?/,
        /recipient (?:\w{1,15} )?(?:doesn't|does not|refuses)[^.]{0,20}(?:want|accept)|(?:recipient|user) (?:has )?blocked you|blocked by (?:the )?recipient/,
        /only accept(?:s|ing)? (?:e?mail|messages) from|user rules|refuse to receive|not accept(?:ing)? (?:any )?(?:e?mails?|messages) from (?:this|your|the) (?:sender|address|domain)/,
        /(?:members?-only|closed mailing|this mailing) list|closed mailing list|non-member|not subscribed to/,
        /blacklisted by (?:the )?(?:recipient|user)|blocked by (?:the )?user|blocked senders/,
        /(?:user|recipient)'s (?:own )?(?:reject|block|black|deny|filter|spam)[ -]?(?:list|rule|setting|filter)?|mail is denied/,
        /(?:for|from) internal (?:use|senders|users)|no external (?:e?mail|senders)|(?:approved|whitelisted|trusted|permitted) senders|not (?:on|in) [^.]{0,30}white ?list|challenge[- ]response/,
        /\bsender is (?:on (?:a|the) )?(?:block|black)[ -]?list(?:ed)?\b(?! (?:at|by|in|on))/,
        /(?:user|recipient) (?:refuse[sd]|rejects?|does not accept)\b|envelope blocked|blocked by your organization|do(?:es)?(?:n't|'nt| not) want your/,
      ),
      id: 'recipient_refuses_sender',
      class: 'policy',
      isPerRecipient: true,
      source: 'Facebook and Mimecast SMTP error codes: the recipient refuses this sender',
    },
    {
      text: /not accept(?:ing)? (?:any |this )?(?:incoming |inbound )?(?:e?mail|messages)(?! (?:from|containing|larger|with (?:attach|embed|html|image)))|\bmail (?:to|for) (?:\w{1,20} ){0,3}not accepted\b|\bmail is not (?:being )?accepted (?:at|for)\b/,
      phases: ['rcpt', 'data', 'dot'],
      enhanced: /^(?!2\.1$|1\.(?:1|2|10)$)/,
      unless: /disabled|unknown|domain/,
      id: 'recipient_accepts_nothing',
      class: 'policy',
      isPerRecipient: true,
      source: `${sisimai}/filtered.rb; with X.2.1 the mailbox is disabled, with X.1.1 it does not exist (RFC 3463 §3.2)`,
    },
    {
      text: anyOf(
        /reject(?:ed)? due to policy|policy (?:restrictions|violations?)|violates[^.]{0,60}policy/,
        /reject due to spf|sender (?:unauthenticated|address is not allowed)|invalid dns mx/,
      ),
      unless: /presumed spam|\bspam\b|virus/,
      id: 'policy_behind_mailbox_unavailable',
      class: 'policy',
      source: `${unitedInternet}: behind “mailbox unavailable”`,
    },
  ],
  /** Rates and connections: waiting helps, also after a permanent code. */
  limits: [
    {
      text: /too many (?:recipients|rcpts|users in)|only (?:one|1|a single) recipient|separate transaction/,
      id: 'too_many_recipients',
      class: 'transient',
      outcome: deferred,
      isPerRecipient: true,
      source: 'RFC 5321 §4.5.3.1.10',
    },
    {
      code: /^4/,
      enhanced: /^5\.3$/,
      id: 'too_many_recipients_now',
      class: 'transient',
      isPerRecipient: true,
      source: 'RFC 3463 §3.6, X.5.3: the rest of the recipients may be sent again',
    },
    {
      text: /frequency (?:is )?(?:limited|exceed|too high)|too frequent|mailbox unavailable or access/,
      id: 'tencent_frequency',
      class: 'transient',
      outcome: deferred,
      source: `${qq}: the rate of our host, domain or sender, or of the recipient`,
    },
    {
      text: anyOf(
        /receiving (?:e?mail|messages) (?:too quickly|at a rate)|per hour message receive limit/,
        /sent (?:to )?too many (?:messages|recipients|to)/,
        /(?:rate|volume) (?:is )?too (?:high|fast)|(?:concurrent|simultaneous|parallel) (?:smtp |server )?(?:connections|sessions)|(?:connections|sessions|e?mails|messages) from your (?:ip|host|network)/,
        /too many (?:messages|e?mails|same size mails|concurrent|simultaneous|sessions?|open|connections|new tls|requests|mails|smtp|unauthenticated)/,
        /too much mail|too many errors\b(?! from)|rate ?limit(?:ed)?(?! because)|throttl/,
        /max(?:imum)? (?:number of )?(?:messages? per|(?:\w{1,12} )?(?:connections|sessions)\b)|message(?:s)? per (?:session|connection)|connection limit/,
        /connection rate|excessive volume|connections? limit|we have limits for|trop de connexions|slow down/,
        /(?:message|mail|sending|connection|recipient) rate\b[^.]{0,40}exceed|\brate exceeded|message threshold|(?:sending|is) too (?:fast|quickly)|server busy|(?:mailbox|maildrop) is (?:locked by|busy|in use)|thread limit|peak smtp|queue quota/,
      ),
      unless: /(?:not|n't) accept/,
      id: 'rate_limit',
      class: 'transient',
      outcome: deferred,
      source: `${gmail}; ${yahoo}; ${zoneMta}; RFC 4954 §4: limits of rate and connections`,
    },
    {
      link: /\b(?:hl:i[cft]c|mi:(?:dmc|ccl|cel|sfq)|rp:(?:drc|ccl|cel))\b|aup#cx(?:cnct|mxrt)/,
      id: 'netease_rate',
      class: 'transient',
      outcome: deferred,
      source: `${netEase}; Cox`,
    },
  ],
  /** Our host and our domain. Such lists change within hours, so the mail is retried. */
  reputation: [
    {
      text: anyOf(
        /blocked using|(?:block|black|deny) ?list(?!ed by (?:the )?(?:recipient|user))|\bblack ip\b/,
        /\b(?:ip|host|address|client)[^.]{0,40}(?<!not )\blisted\b|banned sending ip/,
        /part of their network is on our block|\bs(?:c-00[1-4]|3\d{3})\b|(?:ou|dy)-00\d/,
        /a problem occurred\. \(ask your postmaster|(?:no|bad|poor|low)[\w /]{0,12} reputation|\breputation\b|client host rejected: \w{0,12}spam|failed log-?ins/,
        /unsolicited mail originating|unusual (?:rate|traffic)|spam ip|spams? from your ip|dynamic[/ ]|dial-?up|\bkarma\b|\bsends (?:us )?spam/,
        /currently blocked|blocked for (?:spam|abuse)|(?:connection|host|network|mail)[^.]{0,30} (?:due to|because of|for) (?:\w{1,12} )?abuse\b|\bspam (?:origin|source)\b|\b(?:ip|host|network|range|server)\b[^.]{0,30}(?:history of|source of|known for) (?:\w{1,12} )?(?:abuse|spam)/,
        /\b(?:ip|host|network)[^.]{0,60}(?:is |are |has been |temporarily )?(?:blocked|banned|filtered)|access from ip|intrusion (?:prevention|detection)/,
        /block for spam|spam statistics|bloquee? pour|is rejected$|connection denied/,
        /not authorized to send e?mail directly|messages from (?:weren't|were not) sent|your (?:server|host|network|domain)[^.]{0,30}\bspam/,
        /access to (?:this mail system|submit messages)[^.]{0,80}rejected|blocked - see|abus detecte/,
        /from your host|connection rejected by policy|ip is rejected|sending spam|(?:open|unsecured|insecure|anonymous) proxy|like (?:a )?spammer|\bspammer\b/,
        /(?:by|from) your (?:ip|netblock|subnet|provider)\b|spam list\b|\bspam ?traps?\b|\bsenderbase\b|\bspam from your|from your (?:network|host|server|domain)[^.]{0,40}\babuse|too many unwanted|not allowed to connect|smtp server of your isp|no access from|refused - see/,
      ),
      unless: /spam (?:pattern|content)|as spam\b|not a spammer/,
      id: 'host_reputation',
      class: 'reputation',
      outcome: deferred,
      source: `${zoneMta}; ${outlook}; ${sisimai}; Telekom, postmaster.t-online.de`,
    },
    {
      text: /\bblocked\b|mail from not allowed/,
      phases: ['greeting', 'ehlo'],
      id: 'host_blocked',
      class: 'reputation',
      outcome: deferred,
      source: `Spectrum, understanding email error codes; ${zoneMta}: before MAIL, only our host can be blocked`,
    },
    {
      text: /unexpected volume or user complaints|due to user complaints|\b(?:many|user|spam|high) complaints|because of complaints|complaints about your|(?:temporarily|permanently) deferred/,
      id: 'yahoo_complaints',
      class: 'reputation',
      outcome: deferred,
      source: yahoo,
    },
  ],
  /** Authentication of the mail, of our host and of our login, and who may send to whom. */
  authentication: [
    {
      text: anyOf(
        /must issue a? ?starttls|client (?:was |is )?not authenticated|submitter failed/,
        /turn on smtp authentication|requires? (?:encryption|tls|starttls|high-strength)\b|tls required|tls is required/,
        /unauthenticated senders|authentication (?:failed|failure|credentials)|not logged in/,
        /^:? ?(?:smtp )?authentication (?:is )?required\b(?! (?:for|to|by)\b)/,
      ),
      unless: /temporary authentication/,
      id: 'route_needs_login',
      class: 'policy',
      outcome: deferred,
      source: 'RFC 4954 §6, RFC 3207 §4: the settings of the mail route are wrong; an operator can correct them',
    },
    {
      text: anyOf(
        /\bdmarc\b|\bspf\b|\bdkim\b|\bmi:(?:spf|dma)\b|\bdt:sum\b|required authentication level|\b(?:not|un)[ -]?aligned|\bspoof(?:ed|ing)\b|\bforg(?:ed|ery)\b|\bmismatch(?:ed|es)?\b|\bdns:[a-z][a-z\d]\b/,
        /\bunauthenticated\b|authentication (?:information|required|checks|is required)/,
        /reverse (?:dns|name|hostname|lookup)|\bptr\b|\brdns\b|cannot find your (?:reverse )?hostname|name lookup failed/,
        /\b(?:helo|ehlo)|pregreet|\byou are (?:not )?me\b|not authorized|\bunauthori[sz]ed\b/,
        /\bno dns\b|unverif\w{2,6} sending|(?:client|\bip)(?: host| address)? (?:is )?(?:unknown|not found)|host ?name for your|forward dns|dns check failed|unresolvable(?! address)|does not exist in dns|\bunsigned (?:e?mail|messages?)\b|domain name resolves improperly|\bhost ?name\b[^.]{0,40}\bgeneric\b|\binvalid ip\b[^.]{0,20}\b(?:for|of) (?:sending|domain|sender)/,
      ),
      id: 'mail_authentication',
      class: 'policy',
      source: 'RFC 7372 §3; Postfix, reject_unknown_client_hostname',
    },
    {
      text: anyOf(
        /relay(?:ing)? (?:access )?(?:denied|disallowed|not (?:permitted|allowed))|not permitted to relay/,
        /unable to relay|(?:do|does|will|can)(?: ?not|n't) relay|relay(?:ing)? (?:operation |request |attempt )?(?:check|disabled|prohibited|rejected|refused|forbidden|blocked)|not a gateway|no relaying|not relaying|relaying\b[^.]{0,20}(?:denied|not (?:allowed|permitted))|not configured to use this (?:mx|host|server)|(?:don't|do not|does not|doesn't) handle e?mail for(?! (?:that|this) (?:user|recipient|address))|(?:allowed to|authori[sz]ed (?:for|to)) relay|not local host|insecure mail relay|denies relay|open relay|as a relay|configured to relay|allowed rcpthosts/,
        /requires authentication|delivery is not allowed|email address is not verified|domain not verified/,
        /\bnot verified\b|\bnot (?:hosted|handled) (?:here|by|on)\b/,
      ),
      id: 'relaying_denied',
      class: 'policy',
      source: 'Postfix, postconf(5): reject codes and texts',
    },
  ],
  policy: [
    {
      text: /marked as inactive|(?:on|in) (?:the|your|our|its|a)(?: \w{1,12})? suppression list|\baddress (?:is |was |has been )?suppressed/,
      id: 'suppressed_by_relay',
      class: 'policy',
      isPerRecipient: true,
      source:
        'Postmark, SMTP errors: inactive recipients; SES, account suppression list: the mail route refuses this recipient',
    },
    {
      text: anyOf(
        /not (?:allowed|permitted) to send\b|\bnot welcome\b|(?:e?mail|message) (?:was |is |has been )?(?:blocked|rejected|refused) by (?:an? |the |our )?(?:\w{1,12} )?(?:administrator|admin|postmaster)/,
        /\bpolicy\b|policies|prohibit|manually blocked|not (?:in|on) [\w -]{0,20}allowed|allowed-senders|\brestricted\b/,
        /\bbad(?:rcpt|recipient)to|envelope recipient has been denied|organi[sz]ational settings|rule imposed|fully qualified|domain is not allowed|domain name required|^domain must resolve/,
        /banned (?:sender|recipient)|network,? not allowed|mx only\b|denied domain|your country|must (?:come|be sent|be delivered) (?:through|via)|\bgeo-?(?:block|ip\b|fenc)|(?:host|system) does not accept mail|\bdomain (?:is |has been )?(?:deliberately )?(?:banned|rejected)\b/,
      ),
      unless: /conversion required|policy (?:daemon|server|service|check)\b/,
      id: 'policy_words',
      class: 'policy',
      source: 'iCloud and Yahoo postmaster pages; Mimecast SMTP error codes',
    },
    {
      text: anyOf(
        /try (?:it |your )?(?:\w{1,20} )?(?:again|later)|(?:re)?try (?:again )?(?:later|after|in)/,
        /temporar(?:y|ily)|plus tard|come back (?:later|in|after)|internal (?:server )?error|please resend\b|\b(?:system|local) error\b|\bwait \d{1,5} (?:seconds|minutes|hours)|try reconnecting|currently unavailable|\btime(?:d )?out\b/,
        /connection (?:was )?(?:dropped|reset|refused)|closing transmission/,
        /not accepting connections|internal resources|busy|\bdeferred\b|[;,.] retry\b|\bretry[.!]?$/,
      ),
      unless: /(?:check|verify|correct) (?:the|your) (?:\w{1,12} )?(?:address|recipient|spelling|settings)/,
      id: 'try_later',
      class: 'transient',
      outcome: deferred,
      source: `${gmail}; ${zoneMta}; RFC 5321 §4.2.1: temporary by the text, even with a permanent code`,
    },
  ],
} as const satisfies Record<string, readonly ReplyRule[]>
