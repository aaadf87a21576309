import { containsText, isSameText, plainRunOf } from '../letterCase.ts'
import type { Email, Lane, Mode, StoredEmail } from './email.ts'
import { type EmailStatus, statusAt } from './status.ts'
import type { Tag } from './tag.ts'

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
  tag: Tag | null
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

/** Returns whether a query has a filter in addition to those of an index by status. */
export const hasOtherFilters = ({ keyId, to, from, subject, templateId, tag }: EmailQuery): boolean =>
  [keyId, to, from, subject, templateId, tag].some((filter) => filter !== null)

/**
 * Returns whether an email matches a query. A store narrows the candidates by its columns and indexes; this decides.
 * Addresses and subjects are compared without regard to letter case.
 */
export const matches = (stored: StoredEmail, query: EmailQuery): boolean => {
  const { email } = stored
  return (
    email.workspace === query.workspace &&
    (query.mode === null || email.mode === query.mode) &&
    (query.category === null || email.category === query.category) &&
    (query.createdAfter === null || email.createdAt > query.createdAfter) &&
    (query.createdBefore === null || email.createdAt < query.createdBefore) &&
    (query.keyId === null || email.keyId === query.keyId) &&
    (query.status === null || statusAt(stored, query.now) === query.status) &&
    (query.templateId === null || email.templateId === query.templateId) &&
    (query.tag === null || email.tags[query.tag.name] === query.tag.value) &&
    (query.to === null || hasRecipient(email, query.to)) &&
    (query.from === null || isSameText(email.from.address, query.from)) &&
    (query.subject === null || containsText(email.subject, query.subject))
  )
}

const hasRecipient = ({ recipients }: Pick<Email, 'recipients'>, wanted: string): boolean =>
  recipients.some(({ address }) => isSameText(address, wanted))

/**
 * Returns texts that occur in the JSON of every matching email; letter case is ignored. A store searches for them
 * without parsing. Of letters with a case they have only those of ASCII, because stores do not fold others.
 */
export const prefilterTerms = ({ keyId, templateId, tag, to, from, subject }: EmailQuery): string[] =>
  [keyId, templateId, tag?.value ?? null, to, from, subject]
    .map((text) => (text === null ? '' : plainRunOf(JSON.stringify(text).slice(1, -1))))
    .filter((text) => text !== '')
