import { ourSubject } from './ours.ts'
import { anyOf, pattern } from './pattern.ts'
import type { ReplyRule } from './rule.ts'
import { gmail, microsoft, outlook, ses } from './sources.ts'

const kindOfLimit =
  /(?<!prohibit )\bsend|daily|hourly|sending|relay|submission|outgoing(?! (?:message )?size)|sender(?:'s)?|credits?|messaging|hour|day/

/** The text names our quota. */
const namedQuota = anyOf(
  /sender(?:'s)? (?:mailbox |account )?(?:is )?over ?quota/,
  /(?:submission)? ?quota ?exceeded ?exception: ?sender|submission ?quota ?exceeded/,
  /submission quota|sender quota|quota of (?:messages|recipients|e?mails)\b|not enough (?:sending|mail) quota/,
  /\b(?:plan|organi[sz]ation|workspace|customer)(?:'s)? (?:[\w-]{1,20} ){0,4}(?:quota|limit|allowance)\b/,
  /over quota for (?:un)?authenticated|\ballowance of (?:messages|recipients|e?mails)\b/,
  /(?<!mailbox )\b(?:email|message|outbound) quota\b[^.]{0,40}exceeded/,
  /over (?:its |your )?(?:daily|hourly|monthly|sending) (?:quota|limit)|quota of your plan/,
  /\b(?:relay|smtp) quota\b/,
  /\bquota\b[^.]{0,30}\b(?:recipients |messages |e?mails |\d{1,9} )?per (?:minute|hour|day|month)/,
  /\b(?:monthly|plan|recipient) quota\b|quota of (?:the )?sender/,
  /(?<!(?:disk|mailbox|storage) )\bquota (?:limit )?(?:(?:has been |was |is )?exceeded )?(?:for|of) (?:your (?:ips?|host(?:name)?|client|network)|(?:this|the) (?:ip|client))\b/,
  /\b(?:outbound|outgoing)\b(?:(?!\bsize\b)[^.;]){0,40}\b(?:quota|storage|limit)\b[^.;]{0,30}(?:exceed|reached|used up|exhausted|\bfull\b)/,
  /\b(?:quota|storage|space|limit)\b[^.;]{0,20}\b(?:for|of) (?:\w{1,10} )?(?:outbound|outgoing|sent)\b/,
  /\b(?:in|for|of|by) (?:this|the same|a single|one) (?:session|connection|transaction)\b[^.;]{0,20}\b(?:quota|limit)|\b(?:session|connection|transaction) quota\b/,
  /(?<!(?:mailbox|storage|inbox|disk) )\b(?:send(?:ing)?|outgoing|outbound|message|daily|hourly|monthly|weekly) quota (?:is |was |has been )?full\b/,
  /(?<!(?:mailbox|storage|inbox|disk) )\bquota (?:of|for) (?:your|this|the) (?:smtp )?(?:session|connection|log-?in|client)\b|\bused all (?:of )?(?:the |your )?(?:messages|e?mails|recipients)\b/,
  /sender(?:'s)? (?:mailbox|account) (?:is )?full/,
)

const exceededLimit = anyOf(
  pattern`${kindOfLimit}[ \w']{0,40}(?:limit|quota|credit|allowance)s?[^.]{0,40}(?:exceeded|reached|is over|used up|exhausted|consumed)`,
  /exceeded (?:your|its|the) (?:daily |hourly )?(?:messaging|sending|hourly|daily|max|number of|configured|quota for)/,
  /\byou(?:'ve| have) (?:exceeded|reached)|\byou exceeded\b|exceeded (?:[\w-]{1,8} ){0,3}sending (?:limit|quota)/,
  /(?:sending|hourly|daily|message) (?:limit|quota)[^.]{0,40}(?:used up|exhausted)/,
  /(?:exceeded|reached) (?:the )?(?:hour|hourly|day|daily|minute|monthly) limit/,
  /max(?:imum)? (?:\w{1,12} ){0,3}(?:daily|hourly) limit/,
  /max(?:imum)? number of (?:e?mails|messages)\b[^.]{0,40}reached/,
  /(?:e?mail|message|account|recipient) limit (?:per \w{1,8} )?(?:is |has been )?(?:exceeded|reached)/,
  /\b(?:bandwidth|transfer|session|connection|traffic|mailing) (?:quota|limit)\b[^.]{0,20}exceeded/,
  /exceeded (?:the )?(?:maximum )?number of (?:messages|e?mails)/,
  /\breached (?:[\w-]{1,12} ){0,3}(?:outgoing|sending|message) limits?\b/,
)

const countedMessages = anyOf(
  /(?:messages|e?mails) per (?:minute|hour|day)|max (?:e?mails|defers)|message submission rate/,
  /more than \d{1,9} (?:e?mails|messages|recipients)\b[^.]{0,20}\b(?:hour|minute|day)/,
  /\b\d{1,9} (?:e?mails|messages|recipients) (?:an?|each|every) (?:minute|hour|day|month)\b/,
  /\blimit of \d{1,9} (?:e?mails|messages|recipients)\b|(?:number of (?:e?mails|messages)|message count) per|\byou may (?:only )?send \d/,
  /you(?:'ve| have)? sent (?:[\d,]{1,9}|too many) (?:e?mails|messages|recipients)/,
)

const usedCredits = anyOf(
  /maximum credits exceeded|\bcredits?\b[^.;]{0,20}\b(?:exhausted|used up)/,
  /\b(?:no|insufficient|not enough) (?:\w{1,10} )?(?:credits?|funds|balance)\b/,
  /\bbalance (?:is )?(?:exhausted|insufficient|too low)/,
  /(?<!mailbox )\b(?:daily|hourly|weekly|monthly|yearly) (?:\w{1,12} )?(?:volume|contingent|allotment|allowance|budget|credit|limit|quota)s? (?:is |was |are |has been |have been )?(?:consumed|used up|exhausted|spent|depleted|reached|exceeded)/,
)

/** Rules about our own sending limits. They stand before texts about full mailboxes, whose words they share. */
export const sendingLimitRules: readonly ReplyRule[] = [
  {
    text: anyOf(namedQuota, exceededLimit, countedMessages, usedCredits),
    id: 'sending_limit',
    class: 'transient',
    outcome: 'deferred',
    source: `${gmail}: 5.4.5; ${ses}: quotas; ${microsoft}; cPanel, mail limits: our own sending limits`,
  },
  {
    text: anyOf(
      /(?:exceeded|reached) (?:your|the|its) [\w ]{0,30}(?:limit|quota|cap\b|allowance)/,
      /\bquota (?:for|of) (?:outbound|outgoing|sent|sending|submitted)\b|\bclient quota\b/,
      /\b(?:daily|hourly|monthly) (?:message|e?mail|sending) quota\b/,
      /(?<!\bover )\bquota (?:for|of) (?:(?:this|the) )?(?:minute|hour|day|month|today)\b/,
      /\bquota (?:limit )?(?:(?:has been |was |is )?exceeded )?(?:for|of) your (?:server|account|domain)\b/,
    ),
    unless: /recipient|mailbox|inbox|storage|disk/,
    id: 'sending_limit_other_words',
    class: 'transient',
    outcome: 'deferred',
    source: `${outlook}: RP-001 to RP-003; SendGrid, SMTP errors`,
  },
  {
    needs: [/quota|full/],
    text: pattern`${ourSubject}[^.;:]{0,30}(?:over ?quota|\bquota|\bfull\b)`,
    id: 'our_quota',
    class: 'transient',
    outcome: 'deferred',
    source: 'RFC 3463 §3.3, X.2.2: the same words as for mailboxes, with our account, address or host as the subject',
  },
]
