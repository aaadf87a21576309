import type { EmailQuery, StoredEmail } from '@postrider/ports/emails.ts'
import { statusAt } from '@postrider/ports/statusAt.ts'

/**
 * Whether an email is what a list asks for. The store narrows down by what its columns can tell; this decides.
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
 * Texts that the JSON of every email a query asks for contains, in small letters; SQLite looks for them without parsing.
 * Only what is ASCII: its `lower` knows no other letters.
 */
const needles = ({ keyId, templateId, tag, to, from, subject }: EmailQuery): string[] =>
  [keyId, templateId, tag?.value ?? null, to, from, subject]
    .map((text) => (text === null ? '' : asciiOf(text)))
    .filter((text) => text !== '')

export type Edge = { createdAt: number; seq: number }
type Condition = [condition: string, parameters: Record<string, string | number>]

const joined = (conditions: Condition[]) => ({
  condition: conditions.map(([condition]) => condition).join(' AND '),
  parameters: Object.assign({}, ...conditions.map(([, parameters]) => parameters)) as Record<string, string | number>,
})

/** What the index by workspace and time tells. `edge`: the email that the rows to look at come after. */
export const inIndex = (query: EmailQuery, edge: Edge | null) => {
  const conditions: Condition[] = [['workspace = :workspace', { workspace: query.workspace }]]
  if (edge) conditions.push(['(created_at, seq) < (:edgeAt, :edgeSeq)', { edgeAt: edge.createdAt, edgeSeq: edge.seq }])
  if (query.createdAfter !== null) conditions.push(['created_at > :after', { after: query.createdAfter }])
  if (query.createdBefore !== null) conditions.push(['created_at < :until', { until: query.createdBefore }])
  return joined(conditions)
}

/** What a row tells before its document is parsed; an empty condition: nothing is asked. */
export const inRow = (query: EmailQuery) => {
  const conditions: Condition[] = needles(query).map((needle, index) => [
    `instr(lower(doc), :needle${index}) > 0`,
    { [`needle${index}`]: needle },
  ])
  if (query.mode !== null) conditions.unshift(['mode = :mode', { mode: query.mode }])
  if (query.category !== null) conditions.unshift(['lane = :lane', { lane: query.category }])
  if (query.status !== null) {
    // What is held may be in another status than the column tells: `sending`.
    conditions.unshift(['(status = :status OR lease_until > :now)', { status: query.status, now: query.now }])
  }
  return joined(conditions)
}
