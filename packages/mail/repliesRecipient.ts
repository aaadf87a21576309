import { noSuchRecipient } from './repliesNoSuchRecipient.ts'
import { aboutUs, ourAddress } from './repliesOurs.ts'
import { anyOf, pattern } from './repliesPattern.ts'
import type { ReplyRule } from './repliesRule.ts'
import { gmail, microsoft, rfc3463, yahoo } from './repliesSources.ts'

const noSuchState = anyOf(
  /unknown|not (?:be )?(?:found|verified)|(?:not|n't) (?:exist|resolve)|no such|invalid|unavailable/,
  /disabled|suspended|inactive|(?:unable to|can ?not|can't|could not) (?:verify|validate)|unroute?able/,
)

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
    text: anyOf(pattern`${ourAddress}[^.;]{0,60}${noSuchState}`, pattern`${noSuchState}[^.;]{0,40}${ourAddress}`),
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
    text: anyOf(
      /recipient (?:can ?not be verified|verification failed|verify [^.]{0,30}failed)/,
      /(?:unable to|can ?not|can't) (?:verify|validate) (?:the |this )?recipient/,
    ),
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
