import { noSuchRecipient } from './noSuchRecipient.ts'
import { aboutUs } from './ours.ts'
import { anyOf, pattern } from './pattern.ts'
import type { ReplyRule } from './rule.ts'
import { rfc3463 } from './sources.ts'

const recipient = /(?:recipient|user|mailbox|account|address|alias)/
const missing = /(?:not found|unknown|invalid|missing|unavailable|offline|unreachable|down\b)/

/** A part of the server with the name of a recipient: “mailbox driver not found”, “user unknown lookup table error”. */
const partOfServer = anyOf(
  /\b(?:table|map|lookup) (?:\w{1,12} )?(?:error|failure|missing)\b/,
  pattern`\b${recipient} (?:table|map|driver|(?<!address )format|type|transport|server|service|parameter|backend|plugin|module|handler|store) (?:\w{1,12} )?(?:is |was )?${missing}`,
  pattern`\b${recipient} (?:verification|validation|lookup|directory|database) (?:server|service|backend|daemon|host|module) (?:is |was )?(?:currently )?${missing}`,
  /\b(?:recipient|user|mailbox) (?:database|index|store) (?:is |was )?(?:corrupt|damaged|broken)/,
)

/** A query that the database of recipients refuses: its schema is wrong, and no recipient was searched. */
const refusedQuery = anyOf(
  /\b(?:no such|unknown|missing|undefined) (?:table|column|relation|collection|attribute|function|procedure)\b/,
  /\b(?:table|column|relation|collection)(?<!\bin (?:the |our |this )?(?:\w{1,12} )?\w{5,10})(?: "?'?\w{0,30}"?'?)? (?:does not|doesn't) exist\b/,
  /\b(?:sql|mysql|ldap|odbc|postgresql|oracle) (?:syntax |server |query )?(?:error|exception|failure)\b|\berror in your sql\b|^\W*(?:database|backend|directory) (?:error|failure|exception)\b/,
)

const unable = /(?:unable to|can ?not|can't|could not|couldn't|failed to|failure to|error while trying to)/
/** A search for the recipient that failed. One that found nothing is evidence: “unable to find user”. */
const failedSearch = anyOf(
  pattern`\b${unable} (?:look ?up|query|search for|retrieve|load|fetch|check) (?:the |this |that )?${recipient}\b`,
  pattern`\b${unable} resolve (?:the |this |that )?(?:recipient|user|mailbox|account|alias)\b`,
  pattern`\b(?:error|failure|timeout|exception) (?:while |during |in |when )?(?:looking up|querying|searching(?: for)?|resolving|lookup of|retrieving|loading|fetching|checking|verifying) (?:the |this |that )?${recipient}\b`,
  pattern`\b${recipient} (?:lookup|query|search|verification|validation|resolution) (?:returned an? )?(?:error|exception|time(?:d )?out)\b`,
  pattern`\b(?:lookup|search|query) (?:of|for) (?:the |this )?${recipient} (?:failed|timed out)\b`,
)

const mailbox = pattern`\b(?:${recipient}|mailstore|mail store|maildir|mail spool)(?:'s)?(?: (?:mailbox|account|store|database|server|data))?`
const work =
  /(?:migrated|moved|restored|rebuilt|repaired|upgraded|recovered|reindexed|converted|relocated|synchronized|transferred|provisioned|created|set up)/
const stateOfWork = /(?:migration|maintenance|repair|recovery|restoration|restore|relocation|transition)/

/** States that end by themselves. */
const unavailableForNow = anyOf(
  pattern`(?:currently |still )?being ${work}\b`,
  pattern`(?:currently |still )?(?:in|under|undergoing|awaiting) (?:an? )?(?:\w{1,12} )?${stateOfWork}\b`,
  /(?:currently )?(?:offline|dismounted|not mounted|read[- ]only)\b/,
)

/** A mailbox that exists and is temporarily unavailable. */
const mailboxUnavailableForNow = anyOf(
  pattern`${mailbox} (?:(?:is|are|was|went) )?${unavailableForNow}`,
  pattern`\b(?:migration|maintenance|recovery|restoration|restore) of (?:the |this |that )?${recipient}\b[^.;]{0,20}\b(?:in progress|ongoing|running|underway)`,
)

/** Work of the server that failed or is not finished. A word such as “mailbox” next to it is no evidence. */
const unfinishedWork = anyOf(
  /\btime(?:d )?-?out\b|\bexception\b|\bdeadlock\b|\bi\/o\b|\berrno\b|\btraceback\b|\bsegfault\b|\bis null\b|\bundefined (?:method|function|variable|index|reference)\b|\bduplicate (?:key|entry)\b/,
  /\bin progress\b|\bmigrating\b|\bmigration\b|\bmoving\b|\bnot (?:yet )?(?:ready|mounted|synchronized|synced|initiali[sz]ed|loaded)\b|\bnot (?:yet )?(?:provisioned|created) yet\b|\bnot yet (?:provisioned|created)\b|\b(?:another|other) process\b/,
  pattern`\b${unable} (?:open|access|lock|read|write|connect|store|append|save|load)\b`,
  /\b(?:error|failure|failed) (?:in|while|when|during|on) (?:processing|accessing|opening|reading|writing|storing)\b|\bfailed to deliver to [^.;]{1,30}: \S|\b(?:processing|resolution|lookup|check|callout|query) (?:error|failed|failure|deferred|unavailable)\b/,
  /\b(?:service|server|api|backend|node|daemon|handler|worker|database|storage|cluster|store)\b[^.;]{0,30}\b(?:returned|responded|replied|failed|crashed|error|down|unavailable|unreachable|not responding)\b/,
  /\b(?:collection|database|schema|index) (?:is )?(?:missing|locked|corrupt\w{0,3})\b|\bmailbox format (?:is )?not supported\b/,
)

/** States that do not end by themselves, next to a recipient or apart from it. */
const finalState =
  /\b(?:(?:does|do|did)(?: not|n't) exist|never existed|no longer|not found|cannot be found|moved|undeliverable|archived|deleted|removed|closed|expired|terminated|suspended|retired|deactivated|disabled|inactive|not (?:active|known|listed|recogni[sz]ed|in our)|no such|rejected|(?<!lookup |service |server |database )unavailable)\b/

/** Errors of the server in general, and of its parts. They have words of recipients, and are no evidence about one. */
export const generalTrouble = anyOf(
  /\bunknown (?:(?:internal|lookup|processing|server|system) )?(?:error|failure|exception)\b/,
  pattern`\bunknown ${recipient} (?:verification|lookup|validation) (?:error|failure|exception)\b`,
  /\b(?:ldap|sql|mysql|dns|database|directory|lookup|query|backend) (?:server |connection )?time(?:d )?out\b/,
  partOfServer,
)

/** All errors of the server: also searches without an answer and mailboxes that are temporarily unavailable. */
export const serverTrouble = anyOf(generalTrouble, refusedQuery, failedSearch, mailboxUnavailableForNow)

/** The server lacks a part of its own, or its database of recipients did not respond. */
export const serverPartRules: readonly ReplyRule[] = [
  {
    code: /^5/,
    text: partOfServer,
    unless: /\bnot (?:found |listed )?in\b/,
    id: 'part_of_server_missing',
    class: 'transient',
    outcome: 'deferred',
    source: `${rfc3463}.4, X.3.5: the server is not configured correctly, and its operator can correct it`,
  },
  {
    code: /^5/,
    text: anyOf(refusedQuery, failedSearch),
    id: 'search_for_recipient_failed',
    class: 'transient',
    outcome: 'deferred',
    source: 'MySQL, PostgreSQL, OpenLDAP, errors of queries: the database of recipients did not respond',
  },
  {
    code: /^5/,
    enhanced: /^1\.1$/,
    text: unfinishedWork,
    unless: [noSuchRecipient, finalState, aboutUs],
    id: 'recipient_code_unfinished_work',
    class: 'transient',
    outcome: 'deferred',
    source: `${rfc3463}.4, X.3.0: the text names work of the server, which outweighs the code`,
  },
  {
    code: /^5/,
    text: mailboxUnavailableForNow,
    id: 'mailbox_temporarily_unavailable',
    class: 'transient',
    outcome: 'deferred',
    isPerRecipient: true,
    source: 'Exchange, mailbox migrations; Dovecot, Cyrus: the mailbox exists and is temporarily unavailable',
  },
]
