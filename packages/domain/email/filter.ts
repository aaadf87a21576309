import type { Lane, Mode, StoredEmail } from './email.ts'
import { type EmailStatus, statusAt } from './status.ts'

export type EmailQuery = {
  workspace: string
  mode: Mode | null
  /** Only mail this key sent; null: whoever's. */
  keyId: string | null
  before: string | null
  limit: number
  now: number
  status: EmailStatus | null
  to: string | null
  from: string | null
  /** A part of the subject, letter case aside. */
  subject: string | null
  templateId: string | null
  tag: { name: string; value: string } | null
  category: Lane | null
  createdAfter: number | null
  createdBefore: number | null
}

/**
 * Whether an email is what a list asks for. A store narrows down by what its columns and indexes can tell; this decides.
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

/** The longest run of ASCII in a text, as JSON has it, in small letters. */
const asciiOf = (text: string): string =>
  (
    JSON.stringify(text)
      .slice(1, -1)
      .match(/[\x20-\x7e]+/g) ?? []
  )
    .reduce((longest, run) => (run.length > longest.length ? run : longest), '')
    .toLowerCase()

/**
 * Texts that the JSON of every email a query asks for contains, letter case aside; a store looks for them without
 * parsing. Only what is ASCII: of other letters stores don't know which are the same.
 */
export const prefilterTerms = ({ keyId, templateId, tag, to, from, subject }: EmailQuery): string[] =>
  [keyId, templateId, tag?.value ?? null, to, from, subject]
    .map((text) => (text === null ? '' : asciiOf(text)))
    .filter((text) => text !== '')
