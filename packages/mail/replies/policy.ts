import { anyOf, pattern } from './pattern.ts'
import type { ReplyRule } from './rule.ts'
import { gmail, zoneMta } from './sources.ts'

const operator = /(?:an? |the |our )?(?:\w{1,12} )?(?:administrator|admin|postmaster)/

const policy =
  /\bpolicy\b(?! page)|policies|prohibit|\brestricted\b|organi[sz]ational settings|rule imposed|blocked by (?:an? )?rule/

const notWelcome = anyOf(
  /not (?:allowed|permitted) (?:for (?:\w{1,12} ){1,2})?to send\b|\bnot welcome\b/,
  pattern`(?:e?mail|message) (?:was |is |has been )?(?:blocked|rejected|refused) by ${operator}`,
  /manually blocked|not (?:in|on) [\w -]{0,20}allowed|allowed-senders/,
  /envelope recipient has been denied|banned (?:sender|recipient)|network,? not allowed/,
  /your country|\bgeo-?(?:block|ip\b|fenc)|permission to (?:send|post) (?:\w{1,10} ){0,3}to\b/,
)

const wrongDomain = anyOf(
  /\bbad(?:rcpt|recipient)to|(?<!recipient address rejected: need |recipient (?:address )?must be )fully[- ]qualified|domain is not allowed|domain name required/,
  /^domain must resolve|mx only\b|denied domain|must (?:come|be sent|be delivered) (?:through|via)/,
  /(?:host|system) does not accept mail/,
  /\bdomain (?:is |has been )?(?:deliberately )?(?:banned|rejected)\b/,
)

const tryAgain = anyOf(
  /\b(?:at the moment|right now)\b/,
  /\b(?:send|submit) (?:it |this |(?:the|your) (?:message|e?mail) )?again (?:in|after|later)\b/,
  /try (?:it |your )?(?:\w{1,20} )?(?:again|later)|(?:re)?try (?:again )?(?:later|after|in)/,
  /temporar(?:y|ily)(?! (?:email )?(?:address|mailbox|alias|inbox) (?:\w{1,8} ){0,2}(?:expired|deleted|closed|gone))|plus tard|come back (?:later|in|after)|please resend\b/,
  /\bwait \d{1,5} (?:seconds|minutes|hours)|try reconnecting|\bdeferred\b|[;,.] retry\b/,
  /\bretry[.!]?$/,
)

/** The server's database of recipients or users did not respond. */
export const databaseTrouble = anyOf(
  /\bconnection to (?:the |our )?(?:\w{1,12} )?(?:database|ldap|sql|mysql|directory|backend)\b[^.]{0,20}(?:refused|failed|lost|timed out|reset)/,
  /\b(?:can ?not|can't|could not|unable to|failed to) (?:connect to|reach|query|contact|access|open|read) (?:the |our |its )?(?:\w{1,12} ){0,2}(?:database|ldap|sql|mysql|directory|backend)\b/,
  /\b(?:database|ldap|sql|mysql) (?:connection|query|access) (?:was )?(?:error|failed|failure|refused|timed out|timeout)\b/,
)

const serverTrouble = anyOf(
  /\bdue to (?:an? )?(?:ongoing )?migration\b/,
  /internal (?:server )?error|\bconfiguration (?:error|problem)\b|\b(?:system|local) error\b|currently unavailable|\btime(?:d )?out\b/,
  /connection (?:was )?(?:dropped|reset|refused)|closing transmission|not accepting connections/,
  /internal resources|busy|lost connection|\bmaintenance\b|\b(?:database|directory|table) cannot be read\b/,
  /\b(?:database|backend|directory|daemon|scanner|cluster)\b[^.]{0,20}(?:unavailable|not available|failed|\bdown\b)/,
  databaseTrouble,
  /\b(?:ldap|sql|mysql|server) (?:server )?(?:is |are )?(?:currently |temporarily )?(?:down|unavailable)\b/,
  /\b(?:server|service|database|backend|directory|daemon|scanner|(?:recipient|destination|target|the) (?:domain|host))\b[^.]{0,20}(?:not (?:reachable|responding)|unreachable|overloaded)/,
)

const check =
  /(?:lookup|policy|rate limiting|verification|scanner|content filter|reputation service|resolver|dmarc|spf|dkim)/

/** A check of the server that had no result: its name, such as “policy service”, is no reason for the refusal. */
export const unansweredCheckRules: readonly ReplyRule[] = [
  {
    code: /^4/,
    text: anyOf(
      pattern`\b${check}(?: service)? (?:is )?(?:currently |temporarily )?(?:unavailable|not available|not responding)`,
      pattern`\b${check}(?: service)? temporary (?:failure|error|problem)`,
      /\bunable to quarantine\b|\btoo busy\b|\brecipient address rejected: malformed dns/,
    ),
    id: 'check_unanswered',
    class: 'transient',
    source: 'Postfix, SMTPD_POLICY_README; RFC 7489 §6.6.2 and RFC 7208 §8.6: temporary errors of a check',
  },
]

export const policyRules: readonly ReplyRule[] = [
  {
    text: /marked as inactive|\bsending to an inactive recipient\b|(?:on|in) (?:the|your|our|its|a)(?: \w{1,12})? suppression list|\b(?:suppressed|suppression)\b/,
    id: 'suppressed_by_relay',
    class: 'policy',
    isPerRecipient: true,
    source:
      'Postmark, SMTP errors: inactive recipients; SES, account suppression list: the relay refuses this recipient',
  },
  {
    text: anyOf(policy, notWelcome, wrongDomain),
    unless: /\btemporary error\b|conversion required|policy (?:daemon|server|service|check)\b/,
    id: 'policy_words',
    class: 'policy',
    source: 'iCloud and Yahoo postmaster pages; Mimecast SMTP error codes',
  },
  {
    text: anyOf(tryAgain, serverTrouble),
    unless:
      /(?<!(?:not|n't|unable to) )\b(?:check|verify|correct) (?:the|your) (?:\w{1,12} )?(?:address|recipient|spelling|settings)/,
    id: 'try_later',
    class: 'transient',
    outcome: 'deferred',
    source: `${gmail}; ${zoneMta}; RFC 5321 §4.2.1: temporary by the text, even with a permanent code`,
  },
]
