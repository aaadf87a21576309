import { anyOf } from './pattern.ts'
import type { ReplyRule } from './rule.ts'
import { rfc3463 } from './sources.ts'

/** A part of the server with the name of a recipient: “mailbox driver not found”, “user unknown lookup table error”. */
const partOfServer =
  /\b(?:table|map|lookup) (?:\w{1,12} )?(?:error|failure|missing)\b|\b(?:recipient|user|mailbox|account|address|alias) (?:table|map|driver|format|type|transport|server|service|parameter|backend|plugin|module|handler|store) (?:\w{1,12} )?(?:is |was )?(?:not found|unknown|invalid|missing|unavailable)|\b(?:recipient|user|mailbox) (?:database|index|store) (?:is |was )?(?:corrupt|damaged|broken)/
/** Errors of the server, with or without a name. They have words of recipients, and are no evidence about one. */
export const serverTrouble = anyOf(
  /\bunknown (?:(?:internal|lookup|processing|server|system) )?(?:error|failure|exception)\b/,
  partOfServer,
)

/** The server lacks a part of its own. */
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
]
