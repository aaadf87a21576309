import { accountOfHost, serviceAccount } from './ours.ts'
import { anyOf, pattern } from './pattern.ts'
import type { ReplyRule } from './rule.ts'
import { gmail, microsoft, ses } from './sources.ts'

const stopped = /paused|suspended|disabled|blocked|locked/
const loginState = /disabled|suspended|blocked|locked|expired|not (?:yet )?(?:enabled|active|activated)/
const refusedLogin = anyOf(
  /\blog-?in (?:is |was |has been )?(?:disabled|invalid|blocked|locked|suspended|incorrect|denied|failed|required)/,
  /(?:invalid|wrong|incorrect|disabled) log-?in\b|\blog ?in first\b/,
)

const blockedAccount = anyOf(
  /bad outbound sender|(?:mail )?sending denied|sending account(?! has (?:exceeded|reached))/,
  pattern`\b(?:sender|sending|outgoing|outbound|your)\b[^.]{0,20}(?:account|mailbox)[^.]{0,30}${anyOf(stopped, /deactivated|not activ/)}`,
  /account[^.]{0,60}\b(?:outbound|outgoing|sending)(?! (?:limit|quota|rate|cap|(?:\w{1,8} )?to\b))/,
  /\bsender is (?:disabled|suspended|locked|paused)/,
  /(?:sending|outgoing)[^.]{0,30}(?:for|from) this account is (?:disabled|blocked|paused|stopped|suspended)/,
  /(?<!recipient address rejected: )user account disabled|(?:disabled|blocked|suspended|paused|stopped) for your account/,
  /account (?:has been|is|was|may be) (?:compromised|hacked)|\b(?:mailbox|address|account) you (?:are )?send(?:ing)? from\b/,
  /\byour account\b[^.]{0,30}(?:under review|pending|restricted|frozen|expired|terminated)/,
  /(?<!\b(?:recipient|recipient's|user's|this|email) )\baccount (?:is )?(?:currently )?(?:under|in) review\b/,
  /\byour account\b[^.]{0,30}not (?:yet )?(?:active|activated|approved|verified)/,
)

const blockedSending = anyOf(
  /sending(?! (?:\w{1,8} )?to\b)\b[^.]{0,30}(?:paused|suspended|disabled|blocked)/,
  /(?:outgoing|outbound) (?:e?mail|message)[^.]{0,40}(?:suspended|disabled|blocked)/,
  /\b(?:user|account|sender|domain|you)\b[^.]{0,40}\b(?:blocked|banned|suspended|disabled|restricted) from sending/,
  /\b(?:account|user|login|client) (?:cannot|can't|can not|may not|(?:is )?not (?:allowed|permitted|enabled) to) send(?! (?:or|and) receive| (?:\w{1,8} )?to\b)/,
  /not allowed to send: |not allowed to send as|user has no permission|unusual sending activity/,
  /e?mail outgoing (?:is )?blocked|\boutgoing mail hold\b/,
)

const blockedLogin = anyOf(
  pattern`\bsmtp (?:account|access|service|user)\b[^.]{0,25}${loginState}`,
  pattern`\b(?:api|relay|submission|authenticated) (?:account|user|key)\b[^.]{0,25}${anyOf(loginState, /inactive|unknown|not found/)}`,
  /account (?:is )?not subscribed|(?<!dkim |public )\bkey (?:is |was |has been )?(?:revoked|expired|disabled)/,
)

const endedPlan = anyOf(
  /this account (?:has been|is) paused/,
  /(?:subscription|trial|licen[cs]e)\b[^.]{0,40}(?:expired|ended|inactive|over\b|sending)/,
  /activate your|tenant has exceeded|\bbounce rate\b/,
  /(?:\byour (?:[\w-]{1,20} )?|^(?:the |this )?)(?:organi[sz]ation|workspace|project) (?:is |was |has been )(?:deactivated|disabled|suspended|blocked|locked)\b(?! by)/,
)

const unregisteredSender = anyOf(
  /weren't recognized as a valid sender|is not authorized to perform|configuration set/,
  /\bunregistered (?:sending )?domains?\b|\bto your own (?:email )?address|\btest(?:ing)? mode\b/,
  /\b(?:check|review|approval|verification) (?:is )?pending\b|\bpending (?:review|approval|verification)\b/,
  /invalid credentials for relay|\baccept (?:the |our )?(?:eula|(?:end[- ]user |user )?licen[cs]e agreement)\b/,
  /relay(?:ing)? denied[^.]{0,10}(?:\[ ?\]|account|invalid credentials)|verified sender identity/,
  /sender identity\b[^.]{0,20}not (?:confirmed|verified)/,
)

/** Rules about our account at the relay and our credentials. An operator can correct or release them. */
export const accountRules: readonly ReplyRule[] = [
  {
    text: anyOf(blockedAccount, blockedSending, blockedLogin, endedPlan, unregisteredSender),
    unless: /\breputation\b/,
    id: 'sending_account_blocked',
    class: 'policy',
    outcome: 'deferred',
    source: `${gmail}; ${ses}; ${microsoft}: 5.1.8; SendGrid and Mailgun, SMTP errors: an operator can release the account`,
  },
  {
    enhanced: /^(?![12]\.)/,
    link: /^(?:your |the |this |sender )?account (?:is |was |has been )?(?:suspended|disabled|deactivated|locked|blocked)(?: (?:for|due to|because of) (?:spam\w{0,4}|sending|abuse))?[.!]?$/,
    phases: ['data', 'dot'],
    id: 'account_without_name',
    class: 'policy',
    outcome: 'deferred',
    source:
      'RFC 5321 §3.3: RCPT accepted the recipient, and the text names no address, so it means the account that sends',
  },
  {
    link: /sendasdenied|outboundspamexception/,
    id: 'send_as_denied',
    class: 'policy',
    outcome: 'deferred',
    source: `${microsoft}: SendAsDeniedException and OutboundSpamException: our login has no right to send so; its administrator can give it`,
  },
  {
    text: refusedLogin,
    id: 'login_refused',
    class: 'policy',
    outcome: 'deferred',
    source: 'RFC 4954 §6; nodemailer, public issues: only our side logs in, so an operator can correct it',
  },
  {
    text: /\bdomain is (?:disabled|suspended)/,
    phases: ['mail', 'data', 'dot'],
    id: 'sending_domain_blocked',
    class: 'policy',
    outcome: 'deferred',
    source: 'Mailgun, SMTP errors: our domain; an operator can release it',
  },
]

const refusedState = anyOf(
  stopped,
  /closed|deleted|inactive|deactivated|expired|\bended\b|unpaid|outstanding|overdue|terminated|failed|invalid|unknown/,
  /not (?:found|active|activated|valid|verified|enabled|allowed|configured|known)|does not exist|test purposes|violat|may only send|unavail?able|not available|frozen|abnormal|in arrears/,
)

const contactList = /(?:contacts?|contact (?:list|book)|audience|verified|confirmed|authori[sz]ed|approved)/
/** A mail service sends only to recipients whom its customer added and who confirmed. */
const unconfirmedRecipient = anyOf(
  pattern`\b(?:recipient|address|email|contact)s? (?:is |are |was )?not (?:yet )?(?:in|on|part of|among) (?:your |any of your )(?:\w{1,12} )?${contactList}\b`,
  /\b(?:recipient|contact|subscriber|email)s?(?: (?:email )?address(?:es)?)? (?:is |are |was |has |have )?(?:not (?:yet )?(?:been )?|un)(?:confirmed|opted[- ]in|approved)\b/,
  /\b(?:recipient|contact|subscriber) (?:has not|hasn't|did not|didn't) (?:yet )?(?:confirm(?:ed)?|opt(?:ed)?[- ]in|subscribed?)\b/,
  /\bnot in the (?:approved|confirmed|verified|contact)s? list\b|\bopt-?in (?:is )?(?:missing|required|not)\b/,
)

/** An account at a mail service, and its state. These stand after limits, which have the same words. */
export const serviceRules: readonly ReplyRule[] = [
  {
    text: unconfirmedRecipient,
    unless: /not exist|no such|unknown|not found|\bsender\b/,
    id: 'recipient_not_confirmed',
    class: 'policy',
    outcome: 'deferred',
    isPerRecipient: true,
    source: 'Brevo, Mailjet and SES, help pages: recipients that the relay has to know first; an operator can add them',
  },
  {
    text: anyOf(
      pattern`${serviceAccount}[^;]{0,80}${refusedState}`,
      pattern`${refusedState}[^;]{0,60}${serviceAccount}`,
      pattern`${accountOfHost}[^;]{0,60}${refusedState}`,
      pattern`\b(?:no|${refusedState}) ${accountOfHost}`,
      /(?:authori[sz]ed|verified) recipients/,
    ),
    unless: /\brecipient's\b|\bcustomer request\b/,
    id: 'service_account',
    class: 'policy',
    outcome: 'deferred',
    source:
      'Mailgun, SendGrid and SES, help pages: an account, a plan or a key of the relay; an operator can correct it',
  },
]
