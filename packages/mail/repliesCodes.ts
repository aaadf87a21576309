import { anyOf, type ReplyRule } from './repliesRule.ts'

const rfc3463 = 'RFC 3463 §3'
const microsoft = 'Exchange Online non-delivery reports, learn.microsoft.com/exchange'
const gmail = 'Gmail SMTP errors and codes, support.google.com/a/answer/3726730'
const yahoo = 'Yahoo Sender Hub, SMTP error codes'

/** Codes that decide alone, independent of the words around them. */
export const firmCodeRules: readonly ReplyRule[] = [
  {
    enhanced: /^7\.28$/,
    id: 'mail_flood',
    class: 'reputation',
    outcome: 'deferred',
    source: `IANA enhanced status codes, X.7.28: mail flood detected; ${gmail}: unusual rate`,
  },
  {
    enhanced: /^7\.2\d$/,
    id: 'authentication_code',
    class: 'policy',
    source: 'IANA enhanced status codes; RFC 7372 §3, RFC 7505 §4.2: authentication',
  },
  {
    enhanced: /^7\.(?:30|32|40)$/,
    id: 'gmail_authentication',
    class: 'policy',
    source: `${gmail}: DKIM, alignment, DMARC`,
  },
  {
    code: /^(?:525|530|534|535|538)$/,
    unless: /disabled recipient|\bmessage (?:header )?size\b|\bmessage\b[^.]{0,20}too (?:big|large)/,
    id: 'route_login_code',
    class: 'policy',
    outcome: 'deferred',
    source:
      'RFC 4954 §6, RFC 3207 §4, RFC 5248 §2.4: between Postrider and the mail route; an operator can correct them',
  },
  {
    enhanced: /^7\.(?:8|10|11|13|14|139)$/,
    unless: /disabled recipient/,
    id: 'login_code',
    class: 'policy',
    outcome: 'deferred',
    source: `RFC 4954 §6; RFC 5248; ${microsoft}`,
  },
  {
    enhanced: /^7\.1[78]$/,
    code: /^5/,
    id: 'owner_changed',
    class: 'invalid',
    source: 'RFC 7293 §5.1: the mailbox or domain has another owner',
  },
  {
    enhanced: /^3\.[01]$/,
    text: /disk|storage|space|\bfull\b/,
    unless: /mailbox|inbox|recipient|account|\buser/,
    id: 'system_full',
    class: 'transient',
    outcome: 'deferred',
    source: `${rfc3463}.4: the mail system is full, not the mailbox`,
  },
  {
    text: /\b(?:mail|server) (?:system )?storage (?:is )?full|storage system (?:is )?full|quota of (?:the )?spool|spool quota|(?:disk|storage) space on (?:the |this )?server\b/,
    unless: /mailbox|inbox|recipient|account|\buser|quota/,
    id: 'server_full',
    class: 'transient',
    outcome: 'deferred',
    source: 'RFC 5321 §4.2.3, 452: insufficient system storage',
  },
  {
    code: /^45[12]$/,
    enhanced: /^$/,
    text: /\b(?:out of|insufficient|not enough|no)(?: free| system){0,2} (?:disk|storage|space)\b|\bdisk (?:is )?(?:too )?full\b/,
    unless: /mailbox|inbox|recipient|account|\buser|quota/,
    id: 'server_out_of_space',
    class: 'transient',
    source: 'RFC 5321 §4.2.3, 452: insufficient system storage',
  },
  {
    enhanced: /^3\.4$/,
    id: 'too_big_for_system',
    class: 'content',
    isEnvelope: true,
    source: `${rfc3463}.4: too big for the system`,
  },
  {
    enhanced: /^6\.(?:7|8|9|10)$/,
    id: 'smtputf8_needed',
    class: 'content',
    isEnvelope: true,
    source: 'RFC 6531 §3.5: SMTPUTF8 is needed',
  },
  {
    enhanced: /^(?:1\.90|2\.12[12]|7\.508)$/,
    id: 'microsoft_limit',
    class: 'transient',
    outcome: 'deferred',
    isPerRecipient: true,
    source: `${microsoft}: limits`,
  },
  {
    enhanced: /^7\.(?:50[1-3]|70[0-5]|750)$/,
    text: /allow block list/,
    id: 'microsoft_allow_block_list',
    class: 'policy',
    source: `${microsoft}: 5.7.703`,
  },
  {
    enhanced: /^7\.(?:50[1-3]|70[0-57]|750)$/,
    code: /^5/,
    id: 'microsoft_account_blocked',
    class: 'policy',
    outcome: 'deferred',
    source: `${microsoft}: the sending account or tenant is blocked; its administrator can release it`,
  },
  {
    enhanced: /^7\.504$/,
    code: /^5/,
    id: 'microsoft_invalid_recipient',
    class: 'invalid',
    source: `${microsoft}: the recipient address is not valid`,
  },
  {
    enhanced: /^7\.(?:511|513|60[6-9]|6[1-4]\d|708)$/,
    id: 'microsoft_blocked_sender',
    class: 'reputation',
    outcome: 'deferred',
    source: `${microsoft}: 5.7.511, 5.7.513, 5.7.606–649, 5.7.708`,
  },
  {
    enhanced: /^7\.(?:12|12[0-9]|13[0-8]|507)$/,
    code: /^5/,
    id: 'microsoft_restricted_recipient',
    class: 'policy',
    isPerRecipient: true,
    source: `${microsoft}: 5.7.12, 5.7.120 to 5.7.138, 5.7.507: the recipient accepts mail only from some senders`,
  },
  {
    enhanced: /^7\.512$/,
    id: 'microsoft_not_compliant',
    class: 'content',
    source: `${microsoft}: the message is not compliant`,
  },
  {
    enhanced: /^7\.[5-8]\d\d$/,
    code: /^4/,
    id: 'microsoft_temporary_block',
    class: 'reputation',
    source: `${microsoft}: 4.7.500–899`,
  },
]

// An address or a user with one of these words before it is not the recipient.
const noSuchRecipient = anyOf(
  /(?<!\b(?:ip|dns|host|client|server|source|from|return|reverse|reply|contact|originating|smtp|auth\w{0,16}) )(?:user|recipient|mailbox|account|address|alias|local[ -]part|addressee|person|rcpt)(?:e?s)? (?!(?:database|book|server|service|agent|certificate|table|directory|lookup)\b)(?:[\w-]{1,40} )?(?:is |was |are |were )?(?:an? )?(?:currently )?(?:unknown|not (?:be )?found|invalid|inactive|disabled|deactivated|suspended|terminated|closed|frozen|deleted|removed|retired|discontinued|cancell?ed|not (?:exist|known|hosted|valid|local|active|activated|exists|listed|available|present|recogni[sz]ed)|does(?: not|n't) exist|no longer|has been (?:disabled|suspended|deactivated|closed|discontinued|decommissioned|deleted|removed|terminated|retired|cancell?ed|archived)|(?:has )?expired|is blocked|rejected: (?:user|address|account|invalid|unknown|inactive|not in recipient|undeliverable|acl recipient))/,
  /(?:unknown|unknow|unrecogni[sz]ed|no such|invalid|non-?existent|inactive|disabled|deactivated|bad destination|archived|wrong|unavailable|nonexisting|improper) (?:or \w{1,20} )?(?:[\w-]{1,20} )?(?<!\b(?:ip|dns|host|client|server|source|from|return|reverse|reply|contact|originating|smtp|auth\w{0,16}) )(?:user|recipient|mailbox|account|address|person|alias|local[ -]part|mail user|id\b)(?! (?:agent|certificate|database)\b)/,
  /no mail[- ]?box|no (?:one|person|user|account)s? (?:here )?(?:by|with|at) (?:that|this)|does(?: not|n't) have an? .{0,40}account/,
  /not (?:a )?user of this|not a subscriber (?:of|here)|not a member of (?:the )?domain|not (?:our (?:customer|user)|an? (?:valid|known|local|active|recogni[sz]ed) (?:[\w-]{1,20} )?(?:user|recipient|mailbox|address|account))/,
  /recip(?:ient)?notfound|nosuchuser|unresolvable address|no redirect entry|(?:rcpt|recipient) [^.]{0,20}non-?exist[ae]nt domain|\bdestin\. sconosciut|recipient(?:'s)? domain (?:does not exist|is invalid)|(?:un-?rout(?:e)?able|undeliverable) (?:address|mail domain)|don't exists? that user/,
  /\b(?:email(?: address)?|rcpt) (?:does not|doesn't|do not|not) exist|\bbad[ _](?:recipient|rcpt)\b|no such domain (?:at|on|in) this|no such domain here|domain (?:is )?not in use\b/,
  /not in (?:the |our |my )?(?:route|recipient|user|address|local) (?:list|table)\b|(?:recipient|subscriber) email (?:address )?is (?:invalid|unknown)|\bleft (?:the|our|this) (?:company|organi[sz]ation|university|school|firm|team)\b|^:? ?not used\b(?! for)|(?:domain|address|account|mailbox) (?:is )?not used for (?:e?mail|messages)\b/,
  /(?:user|recipient|mailbox|account) (?:(?:has )?never (?:logged|entered|signed|been used)|(?:hasn't|has not) (?:entered|been used))|(?:user|recipient|account|mailbox|address)\b[^.]{0,60}\binactivity\b|no recipient activity|(?:user|recipient|account|mailbox) (?:[\w-]{1,40} )?(?:can ?not|can't) receive (?:e?mails?|messages)\b|enable receiving|extended inactivity|receiving (?:is |has been )?disabled|^(?:is |has been )?(?:deactivated|disabled|closed) due to\b|^(?:is )?not known (?:at|on|here)\b/,
  /unable to find (?:the |this )?(?:alias|user|recipient|mailbox)|(?:doesn't|does not|don't) handle e?mail for (?:that|this) (?:user|recipient|address)|in my list of (?:allowed|valid|known) recipients/,
  /(?:don't|do not) have (?:this|that|such an?|any such) (?:user|mailbox|recipient|address|account)/,
  /recipient .{0,40}(?:does not exist|not known|unrecognized|not exist)|address_not_found/,
  /that you tried to reach (?:does not exist|is (?:disabled|inactive))|recipient no longer/,
  /(?:mailbox|user|account|address|recipient|person)\b[^.]{0,12} you (?:are|have|were)? ?(?:trying|tried|entered|specified|provided|attempting)\b[^.]{0,30} (?:does(?: not|n't) exist|(?:couldn't|could not|can ?not|can't) be found|was not found|is (?:not (?:valid|found)|invalid|unknown|disabled|inactive|closed)|no longer)/,
  /abandoned (?:this|the|that) (?:mailbox|account|address)|(?:mailbox|account|address) (?:is |was )?abandoned/,
  /illegal alias|cannot deliver mail for|need fully-qualified address|null ?mx/,
  /(?:benutzer|empfae?nger|mailadresse|postfach)\w{0,20}(?: ist)? (?:nicht bekannt|unbekannt|existiert nicht|nicht vorhanden)|hat keine mailbox/,
  /unbekannter (?:benutzer|empfae?nger)|adresse inconnue|onbekende gebruiker|uzytkownik nieznany|adresat neexistuje/,
  /\bbad (?:e?mail )?address|user hang(?:ed )?up|user or domain is disabled|mailaddress is administrative|not listed in (?:domino|public)|missing home directory|recipient domain must exist/,
  /valid(?:rcpt|recipient)to|host or domain name not found|\bdomain (?:is )?(?:no longer (?:supported|hosted|served)|obsolete)\b|(?:illegal|forbidden|invalid) characters? in (?:the )?(?:recipient |rcpt )?(?:address|local part)/,
  /mx records point to non-?existent hosts|host address lookups failed permanently|address reserved by rfc/,
  /(?:utilisateur|destinataire) (?:inconnu|invalide|archive)/,
  /destinatario (?:sconosciuto|errato|desconocido)|nessun utente/,
  /(?:usuario|destinatario) (?:desconocido|inexistente|no existe)|nie ma takiego|brak takiego/,
  /nie istnieje|no existe|not valid rfc-?5321|is not a valid rfc|(?:bad )?(?:recipient )?address syntax/,
  /(?<!\b(?:client|your|sending|remote) )host unknown|(?:recipient|domain).{0,20}domain not found/,
)

/** Words of our address. A hint to the sender, such as “if you are the sender”, is none. */
const ourAddress =
  /(?<!\b(?:you are|contact|notify|inform) the )\bsender(?!'s (?:administrator|postmaster|provider)| (?:should|must|can|may)\b)|\boriginat(?:or|ing)|mail from|\bauthor\b|\b(?:return|reverse)[- ]path|\b(?:from|return|reply|bounce) (?:email )?address|\byour (?:email |sending )?(?:address|domain|mailbox)\b/

/** Words of our account and our address: with them, “disabled” or “unknown” does not mean a recipient. */
const aboutUs = anyOf(
  ourAddress,
  /envelope[- ]from|\bsubmission\b|\b(?:auth|verp|srs)\b|message-id address|subject contains|\btenant\b|customer account|\bbill(?:ing)?\b|\btrial\b|authenticate\b|(?:of|in) (?:this|our) relay\b|\baccess for\b|\bfrom (?:an )?unknown|\bpostmaster (?:address|mailbox|account)|\bsmtp (?:account|user)|\bupgrade your|\bsending(?! (?:\w{1,8} )?to\b)|\bapi user|\bbatv\b|backscatter|\bheaders?\b|(?<!please )verif|callback|callout|outbound|outgoing|\byour (?:email )?(?:account|address|mailbox|user|login)\b|\babuse|\bapi\b|\brelay (?:account|user)|for relay|from: (?:address|header|field)|authenticated|\bpassword|\bdns (?:record|entry)|reply-to|(?:allow|white|access) ?list|reseller|(?:connecting|remote) address/,
)

const noSuchState =
  /unknown|not (?:be )?(?:found|verified)|(?:not|n't) (?:exist|resolve)|no such|invalid|unavailable|disabled|suspended|inactive|(?:unable to|can ?not|can't|could not) (?:verify|validate)|unroute?able/

/** Both the code and the text name the recipient: the strongest evidence. */
export const agreeingRules: readonly ReplyRule[] = [
  {
    code: /^5/,
    enhanced: /^1\.(?:1|2|3|6|10)$/,
    text: anyOf(noSuchRecipient, /recipient rejected\b(?! -)/),
    unless: aboutUs,
    id: 'recipient_code_and_text',
    class: 'invalid',
    source: `${rfc3463}.2, with a text that names the recipient`,
  },
  {
    code: /^5/,
    text: /(?:email )?account that you tried to reach (?:does not exist|is (?:disabled|inactive))/,
    id: 'gmail_no_such_account',
    class: 'invalid',
    source: gmail,
  },
  {
    code: /^5/,
    text: /could not deliver mail to[^.]{0,40}\.? ?the account or domain may not exist/,
    unless: aboutUs,
    id: 'account_or_domain',
    class: 'invalid',
    source: 'KumoMTA, community bounces.toml: the rest of the text lists guesses',
  },
]

/** No such recipient. Only a permanent reply is final. */
export const recipientRules: readonly ReplyRule[] = [
  {
    code: /^5/,
    text: anyOf(
      new RegExp(`(?:${ourAddress.source})[^.;]{0,60}(?:${noSuchState.source})`),
      new RegExp(`(?:${noSuchState.source})[^.;]{0,40}(?:${ourAddress.source})`),
    ),
    id: 'our_address_text',
    class: 'policy',
    source: 'RFC 3463 §3.2, X.1.7 and X.1.8: the same words as for recipients, with our address as the subject',
  },
  {
    enhanced: /^2\.2$/,
    id: 'mailbox_full_code',
    class: 'full',
    outcome: 'deferred',
    source: `${rfc3463}.3: a persistent transient failure`,
  },
  {
    enhanced: /^2\.3$/,
    id: 'mailbox_size_code',
    class: 'content',
    isEnvelope: true,
    isPerRecipient: true,
    source: `${rfc3463}.3: too long for this mailbox`,
  },
  { enhanced: /^1\.(?:1|2|3|6)$/, code: /^5/, id: 'recipient_code', class: 'invalid', source: `${rfc3463}.2` },
  {
    code: /^5/,
    link: /resolver\.adr\.(?:(?:ex|sip)?recip\w{0,10}notfound|recipientnotfound|invalidin\w{1,20})/,
    id: 'microsoft_resolver',
    class: 'invalid',
    source: `${microsoft}: RESOLVER.ADR.RecipNotFound, ExRecipNotFound, InvalidInSmtpAddress`,
  },
  {
    enhanced: /^1\.(?:10|351)$/,
    code: /^5/,
    id: 'null_mx_code',
    class: 'invalid',
    source: `RFC 7505 §3: the domain accepts no mail; ${microsoft}`,
  },
  { enhanced: /^1\.[78]$/, id: 'sender_address_code', class: 'policy', source: `${rfc3463}.2: the sender's address` },
  {
    enhanced: /^4\.1$/,
    code: /^5/,
    text: /recipient address(?:es)? rejected ?: access denied/,
    id: 'microsoft_edge_blocking',
    class: 'invalid',
    source: `${microsoft}: 5.4.1, directory-based edge blocking`,
  },
  {
    enhanced: /^4\.(?:4|310)$/,
    code: /^5/,
    text: /domain (?:\S{1,80} )?does not exist|(?:invalid|non-?existent|no such|unknown) ?domain/,
    unless: aboutUs,
    id: 'no_such_domain',
    class: 'invalid',
    source: `${microsoft}: 5.4.4 and 5.4.310, the recipient's domain does not exist; ${rfc3463}.5`,
  },
  {
    code: /^553$/,
    phases: ['rcpt'],
    text: /mailbox name (?:is )?(?:not allowed|invalid)/,
    id: 'mailbox_name_not_allowed',
    class: 'invalid',
    source: 'RFC 5321 §4.2.3, 553: mailbox name not allowed',
  },
  {
    code: /^5/,
    phases: ['rcpt'],
    text: /recipient (?:can ?not be verified|verification failed|verify [^.]{0,30}failed)|(?:unable to|can ?not|can't) (?:verify|validate) (?:the |this )?recipient/,
    unless: /sender/,
    id: 'recipient_not_verified',
    class: 'invalid',
    source: 'cPanel, the Exim ACL “require verify = recipient”: no such recipient',
  },
  {
    enhanced: /^5\.0$/,
    code: /^5/,
    text: /mailbox unavailable/,
    id: 'microsoft_mailbox_unavailable',
    class: 'invalid',
    source: `${microsoft}: 5.5.0`,
  },
  {
    code: /^5/,
    text: noSuchRecipient,
    unless: aboutUs,
    id: 'recipient_text',
    class: 'invalid',
    source: 'RFC 5321 §4.2.3, 550; ZoneMTA, KumoMTA and Sisimai: wordings of servers',
  },
  {
    code: /^55[0-4]$/,
    text: /not a valid recipient|recipient rejected, unknown|delivery error: dd is no longer valid/,
    id: 'yahoo_invalid_recipient',
    class: 'invalid',
    source: yahoo,
  },
  {
    code: /^5/,
    phases: ['rcpt'],
    text: /(?:mailbox|recipient|account) (?:is |was )?(?:unavail?able|not available)/,
    unless: aboutUs,
    id: 'mailbox_unavailable_at_rcpt',
    class: 'invalid',
    source: 'RFC 5321 §4.2.3, 550: as the reply to RCPT; after the content it is the text of any refusal',
  },
  {
    enhanced: /^2\.1$/,
    code: /^5/,
    unless: /\b(?:this|your) (?:message|e?mail)\b/,
    id: 'mailbox_disabled_code',
    class: 'invalid',
    source: `${rfc3463}.3: mailbox disabled`,
  },
  {
    enhanced: /^1\.0$/,
    code: /^5/,
    text: /recipient|address|user|mailbox|account/,
    id: 'address_rejected_code',
    class: 'invalid',
    source: `${rfc3463}.2 and Cisco Email Security: #5.1.0 Address rejected`,
  },
  {
    code: /^5/,
    enhanced: /^(?:$|[07]\.)/,
    text: /access (?:is |was )?denied|permission denied|local users? only|client host rejected|delivery (?:is )?not allowed/,
    id: 'access_denied',
    class: 'policy',
    source: 'Coremail, sendmail access maps: who may send to whom; after texts and codes that name the recipient',
  },
]

/** For texts that no rule knows: general enhanced codes, then basic codes (RFC 5321 §4.2.3). */
export const fallbackRules: readonly ReplyRule[] = [
  { code: /^521$/, id: 'host_accepts_no_mail', class: 'policy', source: 'RFC 7504 §3: this host accepts no mail' },
  {
    enhanced: /^3\.[1256]$/,
    id: 'system_code',
    class: 'transient',
    outcome: 'deferred',
    source: `${rfc3463}.4: useful only as a persistent transient error`,
  },
  {
    enhanced: /^4\.[12357]$/,
    id: 'routing_code',
    class: 'transient',
    outcome: 'deferred',
    source: `${rfc3463}.5: useful only as persistent transient errors`,
  },
  {
    enhanced: /^5\.3$/,
    id: 'too_many_recipients_code',
    class: 'transient',
    outcome: 'deferred',
    isPerRecipient: true,
    source: `${rfc3463}.6: too many recipients; the rest may be sent again`,
  },
  { enhanced: /^6\./, id: 'content_code', class: 'content', source: `${rfc3463}.7` },
  { enhanced: /^7\./, id: 'policy_code', class: 'policy', source: `${rfc3463}.8` },
  {
    code: /^556$/,
    unless: /\b(?:ip|host|helo|client|remote|sender|mail from)\b/,
    id: 'domain_accepts_no_mail',
    class: 'invalid',
    source: 'RFC 7504 §4: this domain accepts no mail',
  },
  {
    code: /^551$/,
    enhanced: /^(?:$|1\.)/,
    unless: /\brelay|\b(?:ip|host|helo|client|remote|sender|mail from)\b/,
    id: 'user_not_local',
    class: 'invalid',
    source: 'RFC 5321 §4.2.3',
  },
  {
    code: /^552$/,
    id: 'storage_exceeded_code',
    class: 'full',
    outcome: 'deferred',
    source: 'RFC 5321 §4.2.3 and §4.5.3.1.10: storage, or recipients, exceeded',
  },
  {
    code: /^50[14]$/,
    phases: ['ehlo'],
    id: 'ehlo_argument_refused',
    class: 'policy',
    source: 'RFC 5321 §4.1.1.1 and §4.2.3: the argument of EHLO is the name of our host',
  },
  { code: /^4/, id: 'temporary_code', class: 'transient', source: 'RFC 5321 §4.2.1' },
]
