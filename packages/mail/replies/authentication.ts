import { anyOf } from './pattern.ts'
import type { ReplyRule } from './rule.ts'

const routeNeedsLogin = anyOf(
  /\bauthenticate (?:yourself )?(?:first|before (?:send|relay|you))|\b(?:must|need to|have to) (?:first )?authenticate\b(?! (?:with|by|via|using|your|their|its|the|all|mail|e?mails|messages|domains?)\b)/,
  /must issue a? ?starttls|client (?:was |is )?not authenticated|submitter failed/,
  /turn on smtp authentication|requires? (?:encryption|tls|starttls|high-strength)\b|tls required/,
  /tls is (?:required|mandatory|compulsory)|unauthenticated senders|authentication (?:failed|failure|credentials)/,
  /authentication (?:is )?required for relay|not logged in|^:? ?(?:smtp )?authentication (?:is )?required\b(?! (?:for|to|by)\b)/,
)

const signedMail = anyOf(
  /\bdmarc\b|\bspf\b|\bdkim\b|\bmi:(?:spf|dma)\b|\brp:rdn\b|\bdt:sum\b|required authentication level/,
  /\b(?:not|un)[ -]?aligned|\bspoof(?:ed|ing)\b|\bforg(?:ed|ery)\b|\bmismatch(?:ed|es)?\b/,
  /\bdns:[a-z][a-z\d]\b|\bunauthenticated\b/,
  /authentication (?:information|required|checks|is required)|unverif\w{2,6} sending/,
  /\bunsigned (?:e?mail|messages?)\b|\bcsa (?:status|check)\b|\bfrom and auth\b/,
)

const hostName = anyOf(
  /\bhost ?name (?:does not|doesn't|not) match|reverse (?:dns|name|hostname|lookup|entry|record)|\bptr\b|\brdns\b|cannot find your (?:reverse )?hostname/,
  /name lookup failed|\b(?:helo|ehlo)(?!\)\W*$)|pregreet|\byou are (?:not )?me\b|\bno dns\b/,
  /(?:client|\bip)(?: host| address)? (?:is )?(?:unknown|not found)|host ?name for your|forward dns/,
  /dns check failed|unresolvable(?! address)|does not exist in dns|domain name resolves improperly/,
  /\bhost ?name\b[^.]{0,40}\bgeneric\b/,
  /\binvalid ip\b[^.]{0,20}\b(?:for|of) (?:sending|domain|sender)/,
)

const notAuthorized = /not authorized|\bunauthori[sz]ed\b/

const relayingDenied = anyOf(
  /relay(?:ing)? (?:access )?(?:denied|disallowed|not (?:permitted|allowed))|not permitted to relay/,
  /\brelay(?:ing)? (?:e?mail )?(?:to|for|from)\b[^.]{0,20}\b(?:denied|refused|rejected|prohibited)\b/,
  /unable to relay|(?:do|does|will|can)(?: ?not|n't) relay/,
  /relay(?:ing)? (?:operation |request |attempt )?(?:check|disabled|prohibited|rejected|refused|forbidden|blocked)/,
  /no relaying|not relaying|relaying\b[^.]{0,20}(?:denied|not (?:allowed|permitted))/,
  /(?:allowed to|authori[sz]ed (?:for|to)) relay|insecure mail relay|denies relay|open relay/,
  /as a relay|configured to relay|allowed rcpthosts|\brelay(?:ing)? for\b[^.]{0,30}not (?:configured|enabled)/,
)

const notServed = anyOf(
  /not a gateway|(?:rejected|refused|denied) relay|not configured to use this (?:mx|host|server)/,
  /(?:don't|do not|does not|doesn't) handle e?mail for(?! (?:that|this) (?:user|recipient|address))/,
  /not local host|delivery is not allowed|\bnot (?:hosted|handled) (?:here|by|on)\b/,
)

const notVerified = /requires authentication|email address is not verified|domain not verified|\bnot verified\b/

/** Authentication of the mail, of our host and of our login, and who may send to whom. */
export const authenticationRules: readonly ReplyRule[] = [
  {
    text: routeNeedsLogin,
    unless: /temporary authentication/,
    id: 'route_needs_login',
    class: 'policy',
    outcome: 'deferred',
    source: 'RFC 4954 §6, RFC 3207 §4: the settings of the mail route are wrong; an operator can correct them',
  },
  {
    text: anyOf(signedMail, hostName, notAuthorized),
    unless: /\bdeliver to an? bogus\b|\btime(?:d )?out\b|\btemporary error\b|\btemp ?error\b/,
    id: 'mail_authentication',
    class: 'policy',
    source: 'RFC 7372 §3; Postfix, reject_unknown_client_hostname',
  },
  {
    text: anyOf(
      /\bauthori[sz]ation (?:failed|failure|required)\b|\banonymous (?:connections?|clients?|senders?)\b/,
      /\bconexiones anonimas\b/,
    ),
    phases: ['greeting', 'ehlo', 'mail'],
    id: 'client_not_authorized',
    class: 'policy',
    outcome: 'deferred',
    source: 'RFC 5321 §3.1: the server refuses clients that it does not know; an operator can correct it',
  },
  {
    text: /\bdon't use my (?:own )?(?:ip|host ?name|name|domain)\b|\byour client is not rfc\b/,
    id: 'helo_refused',
    class: 'policy',
    outcome: 'deferred',
    source: 'Postfix, check_helo_access: maps of administrators; an operator can correct the name that we send',
  },
  {
    link: /aup#cxsndr/,
    id: 'cox_sender',
    class: 'policy',
    source:
      'Cox, email error codes: CXSNDR, the sender’s domain fails SPF or DKIM, or has neither an MX nor an A record',
  },
  {
    text: anyOf(relayingDenied, notServed, notVerified),
    id: 'relaying_denied',
    class: 'policy',
    source: 'Postfix, postconf(5): reject codes and texts',
  },
]
