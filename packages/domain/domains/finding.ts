import type { RecordStatus } from './domain.ts'
import type { DnsRecord, LookupResult, Question, UnknownWhy } from './lookup.ts'

/** Result of a check for one record. */
export type RecordFinding = {
  status: RecordStatus
  found: string[]
  problem: string | null
  /** A better value than the general one, for the owner of this domain. */
  advised?: string
}

/** Returns the result of a lookup; null: it is not known yet, and the check is made again when it is. */
export type QueryRecord = (question: Question) => LookupResult | null

/** One TXT record: its strings, and the content that they form together (RFC 7208 §3.3, RFC 6376 §3.6.2.2). */
export type Text = { strings: string[]; text: string }

export const textsOf = (records: readonly DnsRecord[]): Text[] =>
  records.flatMap((record) =>
    record.type === 'TXT' ? [{ strings: record.strings, text: record.strings.join('') }] : [],
  )

/** Returns the TXT records at a name; none while the answer is not known. For diagnosis only. */
export const textsAt = (query: QueryRecord, name: string): Text[] => {
  const result = query({ name, type: 'TXT' })
  return result?.kind === 'answer' ? textsOf(result.records) : []
}

/** Maximum length of a content that a finding stores, in characters. */
export const maxFoundLength = 1_000
/** Maximum number of contents that a finding stores. */
const maxFound = 10

/** Control characters, which could add lines or move a cursor, and those that change the direction of text. */
const unsafe = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/** Returns the start of a content for people. Characters that would change the text around it become U+FFFD. */
export const quoted = (text: string, longest: number): string =>
  text.slice(0, longest).toWellFormed().replaceAll(unsafe, '\ufffd')

/** Returns contents for people: bounded, so that a hostile zone cannot fill the store. */
export const boundedTexts = (contents: readonly string[]): string[] =>
  contents
    .slice(0, maxFound)
    .map((text) => (text.length > maxFoundLength ? `${quoted(text, maxFoundLength)}…` : quoted(text, maxFoundLength)))

/** A finding while a lookup is not known yet. It is never stored. */
export const undecided: RecordFinding = { status: 'unknown', found: [], problem: null }

const reasons: Record<UnknownWhy, string> = {
  servfail: 'answered SERVFAIL',
  timeout: 'did not answer in time',
  refused: 'refused to answer',
  lame: 'do not answer for this domain',
  loop: 'have a chain of CNAMEs that is a loop or too long',
  malformed: 'sent an answer that cannot be read',
  failed: 'could not be reached',
}

const fixes: Partial<Record<UnknownWhy, string>> = {
  lame: ' Compare the name servers that your registrar lists with those of your DNS provider.',
  loop: ' Delete the CNAME, and add the record shown.',
}

export const unknownFinding = (name: string, why: UnknownWhy): RecordFinding => ({
  status: 'unknown',
  found: [],
  problem: `The DNS servers for ${name} ${reasons[why]}, so the record could not be checked; it is checked again soon.${fixes[why] ?? ''}`,
})
