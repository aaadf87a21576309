import { quotedByMessage } from './ours.ts'
import { anyOf, pattern } from './pattern.ts'
import type { ReplyRule } from './rule.ts'

const container = /mailbox|inbox|account|recipient|user|storage|skrzynka|mail ?box|mailfolder/

const fullMailbox = anyOf(
  pattern`${container}(?:[^.]{0,60}(?: is|'s|))? (?:almost )?(?:full|przepelniona)\b`,
  /full mailbox|mailbox full/,
  /(?:user|mailbox|recipient|inbox)[^.]{0,40} reached (?:its|his|her|their|the) [\w ]{0,20}(?:quota|capacity|storage)/,
  /(?:user|mailbox|recipient|inbox) has too (?:many|much) (?:messages|e?mails?)\b/,
  /too many (?:messages|e?mails) (?:on|in) (?:the|this|his|her) (?:server|mailbox|inbox|account)/,
  /(?:user|mailbox|recipient|inbox) exceeds (?:the |its )?(?:allowed|maximum) (?:message count|number of (?:messages|e?mails))(?! per\b)/,
  /inbox is out of storage|(?:mailbox|inbox|account) exceeds (?:its |the )?(?:allowed|maximum)/,
  /(?:mailbox|inbox|account|user|recipient)[^.]{0,20} out of space|mailbox (?:has )?exceeded/,
  /receive any ?more (?:e?mails?|messages)/,
  /maximum (?:allowed )?number of (?:messages|e?mails) (?:in|on|for) (?:this|the|his|her) (?:mailbox|inbox)/,
)

const mailboxLimit = anyOf(
  /over ?quota|quota (?:limit |usage )?(?:is )?exceed|storage limit/,
  /(?:quota|disk|mailbox size(?: limit)?|storage)[^.]{0,20}exceeded|exceeds quota/,
  /(?:mailbox|inbox) (?:size )?limit (?:is |was )?(?:exceeded|reached)|(?:mailbox|inbox) (?:is |was )?(?:over|at) (?:its |the )?(?:size )?limit/,
  /\bdomain size limit (?:has been |is |was )?exceeded/,
  /maximum (?:allowed )?(?:mailbox|storage) (?:size|space)|overquota/,
  /quota (?:limit )?(?:has been |was |is )?(?:reached|violation|hit\b)/,
  /exceeding (?:receiving|their|its) [^.]{0,20}(?:limits|quota)|quota is over/,
  /\bquota (?:of |for )?[\w ]{0,20}(?:exhausted|used up)/,
)

const noSpace = anyOf(
  /(?:over|exceed\w{0,4}|out of|exhausted)[^.]{0,40}(?:quota|storage|disk space)/,
  /insufficient (?:mailbox )?(?:storage|space) for (?:this )?recipient|too much mail data/,
  /trouble in home directory/,
  /not enough (?:free |disk ?|mailbox |storage )?(?:space|storage|room)(?! on the disk)/,
  /(?:mailbox|inbox|account)[^.]{0,30}(?:maximum size|no (?:more )?space|at capacity)/,
  /(?:user|recipient|mailbox) has no (?:more |free |disk |storage ){0,2}(?:space|room)\b|too (?:much|many) (?:e?mails?|messages) stored/,
  /(?:larger|bigger) than the (?:\w{1,12} )?space|space (?:has |is )?(?:been )?used up/,
  /disk ?(?:space )?quota|(?:enough|(?<!in)sufficient) (?:storage |disk )?space(?! on the disk)/,
  /no space left|space (?:is )?not enough|(?:storage|mailbox|inbox) (?:is |has been )?exhausted|disk allocation (?:is )?used up/,
)

/** A mailbox of the server, or a folder of ours: not the mailbox of the recipient. */
const otherMailbox =
  /\b(?:journal(?:ing)?|archiv(?:e|ing)|quarantine|spool|postmaster|audit|bounce|dead[- ]?letter|catch-?all|system|sending|submitting) (?:mailbox|inbox|account|folder|store)\b|\b(?:quarantine|journal|spool)\b|\b(?:outbox|sent (?:items|folder|mail|messages?)|drafts)\b/
const isFull = /\bfull\b|over ?quota|quota exceeded|exceeded|exhausted|out of (?:space|storage)|no (?:more )?space/

const otherLanguages = anyOf(
  /zu ?viele mails|speichervolumen|boite du destinataire pleine|casella piena|buzon lleno/,
  /postfach (?:ist )?voll/,
)

/** The recipient's mailbox is full. A full mailbox is emptied, so the mail is retried. */
export const mailboxFullRules: readonly ReplyRule[] = [
  {
    link: /storedrv\.deliver[^;]{0,120}quotaexceeded/,
    id: 'microsoft_mailbox_full',
    class: 'full',
    outcome: 'deferred',
    source: 'Exchange Online non-delivery reports: STOREDRV.Deliver, QuotaExceededException',
  },
  {
    link: /storedrv\.deliver[^;]{0,60}(?:conversionfailed|corruptdata|messageparse|invalidcontent)exception/,
    id: 'microsoft_message_not_converted',
    class: 'content',
    source: 'Exchange Online non-delivery reports: STOREDRV.Deliver, ConversionFailedException',
  },
  {
    link: /storedrv\.deliver[^;]{0,60}(?:mailboxunavailable|mailboxoffline|mailboxinfostale|wrongserver|connectionfailed(?:transient|permanent)?|storagetransient|mailboxintransit)exception/,
    id: 'microsoft_mailbox_temporarily_unavailable',
    class: 'transient',
    outcome: 'deferred',
    isPerRecipient: true,
    source:
      'Exchange Online non-delivery reports: STOREDRV.Deliver, MailboxUnavailableException: the mailbox is being moved',
  },
  {
    text: pattern`${otherMailbox}[^.;]{0,40}${isFull}`,
    unless: /\b(?:user|recipient)(?:'s)? (?:mailbox|inbox)\b/,
    id: 'other_mailbox_full',
    class: 'transient',
    outcome: 'deferred',
    source: 'RFC 3463 §3.4, X.3.1: a mailbox of the server or of the sender is full, not that of the recipient',
  },
  {
    text: anyOf(fullMailbox, mailboxLimit, noSpace, otherLanguages),
    enhanced: /^(?!2\.3$)/,
    unless: anyOf(/queue quota|throttl|might be|unauthenticated|phish|\bspam\b/, quotedByMessage),
    id: 'mailbox_full',
    class: 'full',
    outcome: 'deferred',
    source: 'RFC 3463 §3.3, X.2.2: a persistent transient failure; Sisimai, mailboxfull',
  },
]
