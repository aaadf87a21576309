import { aboutUs } from './ours.ts'
import { anyOf } from './pattern.ts'
import { readableText } from './readableText.ts'
import type { ReplyRule } from './rule.ts'
import { generalTrouble } from './server.ts'
import { gmail, microsoft, rfc3463 } from './sources.ts'

const fullServer = anyOf(
  /\b(?:mail|server) (?:system )?storage (?:is )?full|storage system (?:is )?full/,
  /quota of (?:the )?spool|spool quota|(?:disk|storage) space on (?:the |this )?server\b/,
)

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
    unless:
      /disabled recipient|recipient address rejected|\bmessage (?:header )?size\b|\bmessage\b[^.]{0,20}too (?:big|large)/,
    id: 'route_login_code',
    class: 'policy',
    outcome: 'deferred',
    source: 'RFC 4954 §6, RFC 3207 §4, RFC 5248 §2.4: between Postrider and the relay; an operator can correct them',
  },
  {
    enhanced: /^7\.(?:8|10|11|13|14|139)$/,
    unless: /disabled recipient|recipient address rejected/,
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
    unless: /mailbox|inbox|recipient|account|\buser|maildir|over ?quota/,
    id: 'system_full',
    class: 'transient',
    outcome: 'deferred',
    source: `${rfc3463}.4: the mail system is full, not the mailbox`,
  },
  {
    text: fullServer,
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
    enhanced: /^7\.(?:12|12[0-9]|13[0-8]|193|507)$/,
    code: /^5/,
    id: 'microsoft_restricted_recipient',
    class: 'policy',
    isPerRecipient: true,
    source: `${microsoft}: 5.7.12, 5.7.120 to 5.7.138, 5.7.193, 5.7.507: the recipient accepts mail only from some senders`,
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

/** Rules for texts that no other rule matches: general enhanced codes, then basic codes (RFC 5321 §4.2.3). */
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
    unless: [aboutUs, /\b(?:ip|host|helo|client|remote)\b/],
    id: 'domain_accepts_no_mail',
    class: 'invalid',
    source: 'RFC 7504 §4: this domain accepts no mail',
  },
  {
    code: /^551$/,
    enhanced: /^(?:$|1\.)/,
    unless: [aboutUs, /\brelay|\b(?:ip|host|helo|client|remote|status|abnormal)\b/],
    id: 'user_not_local',
    class: 'invalid',
    source: 'RFC 5321 §4.2.3',
  },
  {
    code: /^552$/,
    unless: aboutUs,
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
  {
    code: /^5/,
    enhanced: /^1\.1$/,
    phases: ['rcpt'],
    unless: [aboutUs, generalTrouble, readableText],
    id: 'recipient_code_unreadable_text',
    class: 'invalid',
    source: `${rfc3463}.2, X.1.1 at RCPT; a text that the rules cannot read is no evidence against the code`,
  },
  { code: /^4/, id: 'temporary_code', class: 'transient', source: 'RFC 5321 §4.2.1' },
]
