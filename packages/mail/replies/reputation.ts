import { anyOf } from './pattern.ts'
import type { ReplyRule } from './rule.ts'
import { outlook, sisimai, yahoo, zoneMta } from './sources.ts'

const complaints = anyOf(
  /unexpected volume or user complaints|due to user complaints|(?:because of|due to|after) (?:\w{1,8} )?complaints|complaints about your/,
  /\b(?:many|user|spam|high) complaints|(?:temporarily|permanently) deferred/,
  /\byour (?:e?mails?|messages)\b[^.]{0,30}\breported as (?:unwanted|unsolicited)/,
)

const namedList = anyOf(
  /blocked using|(?:block|black|deny) ?list(?!ed by (?:the )?(?:recipient|user))|\bblack ip\b/,
  /\b(?:ip|host|address|client)[^.]{0,40}(?<!not )\b(?:black|block|deny)?listed\b|spam list\b|\bsenderbase\b/,
)

const blockedHost = anyOf(
  /banned sending ip|spam ip|currently blocked|blocked for (?:spam|abuse)/,
  /\b(?:ip|host|network)[^.]{0,60}(?:is |are |has been |temporarily )?(?:blocked|banned|filtered)/,
  /access from ip|intrusion (?:prevention|detection)|block for spam|spam statistics/,
  /connection denied|blocked - see|\b(?:ip|host|client|(?:mail ?)?server)\b[^.]{0,30} is rejected|not allowed to connect|no access from/,
  /refused - see/,
)

/** Texts and codes of Outlook.com, Telekom, Spectrum, Orange. */
const providerTexts = anyOf(
  /part of their network is on our block|\bs(?:c-00[1-4]|3\d{3})\b|(?:ou|dy)-00\d/,
  /a problem occurred\. \(ask your postmaster|not authorized to send e?mail directly/,
  /messages from (?:weren't|were not) sent/,
  /access to (?:this mail system|submit messages)[^.]{0,80}rejected|abus detecte|bloquee? pour|adresse ip source incorrecte/,
  /too many unwanted|smtp server of your isp/,
)

const spamFromUs = anyOf(
  /client host rejected: \w{0,12}spam|unsolicited mail originating|unusual (?:rate|traffic)/,
  /spams? from your ip|\bsends (?:us )?spam/,
  /(?:connection|host|network|mail)[^.]{0,30} (?:due to|because of|for) (?:\w{1,12} )?abuse\b/,
  /\bspam (?:origin|source)\b/,
  /\b(?:ip|host|network|range|server)\b[^.]{0,30}(?:history of|source of|known for) (?:\w{1,12} )?(?:abuse|spam|phishing)/,
  /your (?:server|host|network|domain|provider|isp|ip)\b[^.]{0,30}\bspam|from your host|sending spam/,
  /\b(?:ip|host|network)\b[^.]{0,30}\b(?:flooding|attacking|abusive (?:requests?|traffic|connections?|activity|behaviou?r))\b|\b(?:ip|host|network)\b[^.]{0,30}excessive (?:\w{1,16} ){0,2}(?:failures|errors|attempts|log-?ins)\b/,
  /like (?:a )?spammer|\bspammer\b|(?:by|from) your (?:ip|netblock|subnet|provider)\b/,
  /\breported for (?:abuse|spam)\b|\bspam ?traps?\b|\bspam from your|from your (?:network|host|server|domain)[^.]{0,40}\babuse/,
)

const kindOfHost = anyOf(
  /(?:no|bad|poor|low)[\w /]{0,12} reputation|\breputation\b|failed log-?ins|dynamic[/ ]|dial-?up/,
  /\bkarma\b|connection rejected by policy|(?:open|unsecured|insecure|anonymous) proxy/,
)

/** The reputation of our host and our domain. Such lists change within hours, so the mail is retried. */
export const reputationRules: readonly ReplyRule[] = [
  {
    text: anyOf(namedList, blockedHost, providerTexts, spamFromUs, kindOfHost),
    unless: /spam (?:pattern|content)|as spam\b|not a spammer/,
    id: 'host_reputation',
    class: 'reputation',
    outcome: 'deferred',
    source: `${zoneMta}; ${outlook}; ${sisimai}; Telekom, postmaster.t-online.de`,
  },
  {
    text: /\bblocked\b|mail from not allowed|\bconnections?\b[^.]{0,40}not (?:allowed|permitted|accepted)/,
    phases: ['greeting', 'ehlo'],
    id: 'host_blocked',
    class: 'reputation',
    outcome: 'deferred',
    source: `Spectrum, understanding email error codes; ${zoneMta}: before MAIL, only our host can be blocked`,
  },
  {
    text: complaints,
    id: 'yahoo_complaints',
    class: 'reputation',
    outcome: 'deferred',
    source: yahoo,
  },
]
