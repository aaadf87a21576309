import { noSuchRecipient } from './noSuchRecipient.ts'
import { anyOf } from './pattern.ts'
import type { ReplyRule } from './rule.ts'
import { gmail, netEase, qq, yahoo, zoneMta } from './sources.ts'

/** Texts about a recipient who receives too fast or whose mailbox is in use. */
const recipientRate = anyOf(
  /receiving (?:e?mail|messages) (?:too quickly|at a rate)|per hour message receive limit/,
  /(?:mailbox|maildrop) is (?:locked by(?! (?:the |an |its )?(?:admin|operator|owner|postmaster))|busy|in use)/,
)

const messageRate = anyOf(
  /\brate of (?:messages|e?mails?|connections)\b[^.]{0,20}(?:high|fast|limit)/,
  /sent (?:to )?too many (?:messages|recipients|to)|(?:rate|volume) (?:is )?too (?:high|fast)/,
  /too many (?:messages|e?mails|same size mails|mails|requests|unauthenticated)/,
  /too many (?:concurrent|simultaneous|sessions?|open|connections|new tls|smtp)/,
  /too many (?:mail )?transactions\b|too much mail|rate ?limit(?:ed)?(?! because)|throttl|excessive volume|we have limits for/,
  /slow down|(?:message|mail|sending|connection|recipient) rate\b[^.]{0,40}exceed|\brate exceeded/,
  /message threshold|\bsend(?:ing)? rate\b|\bsession limit\b|(?:sending|is) too (?:fast|quickly)/,
)

const connectionRate = anyOf(
  /(?:concurrent|simultaneous|parallel) (?:smtp |server )?(?:connections|sessions)/,
  /(?:connections|sessions|e?mails|messages) from your (?:ip|host|network)/,
  /too many (?:errors|erroneous)\b(?! from)/,
  /max(?:imum)? (?:number of )?(?:messages? per|(?:\w{1,12} )?(?:connections|sessions)\b)/,
  /message(?:s)? per (?:session|connection)|connection limit|connection rate|connections? limit/,
  /trop de connexions|thread limit|peak smtp|server busy|queue quota/,
)

export const greylistingRules: readonly ReplyRule[] = [
  {
    text: /gr[ae]y[ -]?list|\[gl\d\d\]/,
    id: 'greylisting',
    class: 'transient',
    outcome: 'deferred',
    source: 'RFC 6647 §2',
  },
]

/** Rates and connections: waiting helps, also after a permanent code. */
export const rateRules: readonly ReplyRule[] = [
  {
    text: anyOf(
      /too many (?:recipients|rcpts|users in)|only (?:one|1|a single) recipient|\b(?:no more than|at most) \d{1,5} (?:recipients|rcpts)|\bmax(?:imum)? (?:number of )?(?:rcpts?|recipients?) (?:limit )?(?:exceeded|reached)|separate transaction/,
      /\b(?:number|total) of (?:the )?(?:rcpts?|recipients)\b[^.]{0,40}(?:threshold|over size|\blimit|exceed)/,
    ),
    id: 'too_many_recipients',
    class: 'transient',
    outcome: 'deferred',
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
    text: anyOf(
      /frequency (?:of \w{1,20} )?(?:is )?(?:limit|exceed|too high)|too frequent\b|\bsend(?:ing|s)? (?:e?mails? |messages? )?too often\b|mailbox unavailable or access/,
      /\b(?:sending|access|connection|e?mail|maximum) frequency\b/,
    ),
    unless: anyOf(noSuchRecipient, /\bheader\b/),
    id: 'tencent_frequency',
    class: 'transient',
    outcome: 'deferred',
    source: `${qq}: the rate of our host, domain or sender, or of the recipient`,
  },
  {
    text: anyOf(recipientRate, messageRate, connectionRate),
    unless: /(?:not|n't) accept/,
    id: 'rate_limit',
    class: 'transient',
    outcome: 'deferred',
    source: `${gmail}; ${yahoo}; ${zoneMta}; RFC 4954 §4: limits of rate and connections`,
  },
  {
    link: /\b(?:hl:i[cft]c|mi:(?:dmc|ccl|cel|sfq)|rp:(?:drc|ccl|cel))\b|aup#cx(?:cnct|mxrt)/,
    id: 'netease_rate',
    class: 'transient',
    outcome: 'deferred',
    source: `${netEase}; Cox`,
  },
]
