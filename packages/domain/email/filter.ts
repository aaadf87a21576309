import type { Lane, Mode, StoredEmail } from './email.ts'
import { type EmailStatus, statusAt } from './status.ts'

/** A page of a workspace's emails. A null field does not filter. */
export type EmailQuery = {
  workspace: string
  mode: Mode | null
  /** The key that sent the email. */
  keyId: string | null
  /** The page starts after this email id. */
  before: string | null
  limit: number
  now: number
  status: EmailStatus | null
  to: string | null
  from: string | null
  /** A part of the subject; letter case is ignored. */
  subject: string | null
  templateId: string | null
  tag: { name: string; value: string } | null
  category: Lane | null
  createdAfter: number | null
  createdBefore: number | null
}

/** A first page of all emails of a workspace, without `workspace`, `limit` and `now`. */
export const noFilter = {
  mode: null,
  keyId: null,
  before: null,
  status: null,
  to: null,
  from: null,
  subject: null,
  templateId: null,
  tag: null,
  category: null,
  createdAfter: null,
  createdBefore: null,
} as const satisfies Partial<EmailQuery>

/**
 * Whether an email matches a query. A store narrows the candidates by its columns and indexes; this decides.
 * Addresses and subjects are compared without regard to letter case.
 */
export const matches = (stored: StoredEmail, query: EmailQuery): boolean => {
  const { email } = stored
  return (
    (query.keyId === null || email.keyId === query.keyId) &&
    (query.status === null || statusAt(stored, query.now) === query.status) &&
    (query.templateId === null || email.templateId === query.templateId) &&
    (query.tag === null || email.tags[query.tag.name] === query.tag.value) &&
    (query.to === null || email.recipients.some(({ address }) => isSameText(address, query.to))) &&
    (query.from === null || isSameText(email.from.address, query.from)) &&
    (query.subject === null || email.subject.toLowerCase().includes(query.subject.toLowerCase()))
  )
}

const isSameText = (left: string, right: string | null): boolean => left.toLowerCase() === right?.toLowerCase()

/** Returns the longest run of ASCII in a text as it appears in JSON, in lower case. */
const asciiOf = (text: string): string =>
  (
    JSON.stringify(text)
      .slice(1, -1)
      .match(/[\x20-\x7e]+/g) ?? []
  )
    .reduce((longest, run) => (run.length > longest.length ? run : longest), '')
    .toLowerCase()

/**
 * Returns texts that occur in the JSON of every matching email; letter case is ignored. A store searches for them
 * without parsing. They are ASCII only, because stores do not fold the case of other letters.
 */
export const prefilterTerms = ({ keyId, templateId, tag, to, from, subject }: EmailQuery): string[] =>
  [keyId, templateId, tag?.value ?? null, to, from, subject]
    .map((text) => (text === null ? '' : asciiOf(text)))
    .filter((text) => text !== '')
