import type { ReplyRule } from './rule.ts'

/**
 * Short reasons, alone or behind a general refusal such as “mailbox unavailable:”. They match as a whole: in a longer
 * text the same words may be about a recipient or the content.
 */
export const reasonRules: readonly ReplyRule[] = [
  {
    reason:
      /^(?:(?:an? )?(?:backend|database|server|service|directory|daemon|cluster) (?:error|failure|down)|overload(?:ed)?|out of memory|load (?:is )?too high|resource limit(?: reached)?)\W*$/,
    id: 'server_trouble_alone',
    class: 'transient',
    outcome: 'deferred',
    source: 'RFC 5321 §4.2.1: temporary by the reason, even with a permanent code',
  },
  {
    reason: /^(?:suspicious|unusual) activity\W*$|^(?:low|bad|poor) (?:trust|score)\W*$/,
    id: 'low_trust_alone',
    class: 'reputation',
    outcome: 'deferred',
    source: 'GMX, WEB.DE and content filters: the score of our host',
  },
  {
    reason: /^encryption (?:is )?required\W*$|^tls version (?:is )?not supported\W*$/,
    id: 'encryption_required_alone',
    class: 'policy',
    outcome: 'deferred',
    source: 'RFC 3207 §4: the settings of the mail route; an operator can correct them',
  },
  {
    reason: /^country (?:is )?blocked\W*$/,
    id: 'country_blocked_alone',
    class: 'policy',
    source: 'firewalls of mail servers: where our host is',
  },
]
