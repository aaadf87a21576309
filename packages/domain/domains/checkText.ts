import {
  boundedTexts,
  type QueryRecord,
  type RecordFinding,
  type Text,
  textsAt,
  textsOf,
  undecided,
  unknownFinding,
} from './finding.ts'
import type { LookupResult } from './lookup.ts'
import { misplacedProblem, type WrongName } from './misplaced.ts'

/**
 * - `right`: the text serves the purpose; `advice` is a sentence about it.
 * - `wrong`: it was meant to; `problem` has the fix.
 * - `other`: it is about something else.
 */
export type TextVerdict = { kind: 'right'; advice?: string } | { kind: 'wrong'; problem: string } | { kind: 'other' }

/** Rule that checks a TXT record with a value of our own. */
export type TextRule = {
  /** The record is at `<prefix>.<domain>`. */
  prefix: string
  domain: string
  verdictOf: (text: Text) => TextVerdict
  /** Names where the record may be by mistake, in addition to those of `wrongNames`. */
  names?: readonly WrongName[]
  /** Returns the problem of several texts at the name, one of them correct; null: the others are harmless. */
  problemOfSeveral: (verdicts: readonly TextVerdict[]) => string | null
}

/** Checks a TXT record whose value the service chose. */
export const checkText = (query: QueryRecord, rule: TextRule): RecordFinding => {
  const name = `${rule.prefix}.${rule.domain}`
  const result = query({ name, type: 'TXT' })
  if (result === null) return undecided
  if (result.kind === 'unknown') return unknownFinding(name, result.why)
  if (result.kind === 'missing') return missing(query, rule, name, result.aliases)
  const texts = textsOf(result.records)
  const found = boundedTexts(texts.map(({ text }) => text))
  // A resolver does not follow the CNAME of a conflict, so it may not report the target.
  const alias = aliasAlongside(query, name, result) ?? (result.conflict ? (result.aliases[0] ?? 'another name') : null)
  if (alias !== null) {
    const problem = `There is a CNAME to ${alias} at ${name} next to the TXT record; a name with a CNAME must have no other record. Delete the CNAME.`
    return { status: 'wrong', found, problem }
  }
  return findingOf(query, rule, { name, texts, found })
}

/** Some servers answer a question for TXT with the TXT alone although a CNAME is at the name. */
const aliasAlongside = (query: QueryRecord, name: string, { aliases }: { aliases: string[] }): string | null => {
  if (aliases.length > 0) return null
  const result = query({ name, type: 'CNAME' })
  const record = result?.kind === 'answer' ? result.records[0] : undefined
  return record?.type === 'CNAME' ? record.host : null
}

type Answered = { name: string; texts: Text[]; found: string[] }

const findingOf = (query: QueryRecord, rule: TextRule, { name, texts, found }: Answered): RecordFinding => {
  const verdicts = texts.map(rule.verdictOf)
  const right = verdicts.find((verdict) => verdict.kind === 'right')
  if (right) {
    const problem = rule.problemOfSeveral(verdicts)
    return problem === null
      ? { status: 'found', found, problem: right.advice ?? null }
      : { status: 'wrong', found, problem }
  }
  const wrong = verdicts.find((verdict) => verdict.kind === 'wrong')
  const misplaced = wrong ? null : misplacedProblem(query, rule.prefix, rule.domain, isRight(rule), rule.names)
  if (misplaced !== null) return { status: 'missing', found, problem: misplaced }
  if (isWildcard(query, name, texts)) {
    const problem = `There is no record at ${name} itself: the answer comes from a wildcard record. Add the TXT record shown; it takes precedence over the wildcard.`
    return { status: 'missing', found, problem }
  }
  const problem =
    wrong?.problem ?? `The TXT record at ${name} has other content. Add a TXT record with the value shown.`
  return { status: 'wrong', found, problem }
}

const isRight = (rule: TextRule) => (text: string) => rule.verdictOf({ strings: [text], text }).kind === 'right'

/** A label that no zone has. A wildcard answers for it as for a record that is missing (RFC 4592 §2.2). */
const absentLabel = 'postrider-no-such-record'

const isWildcard = (query: QueryRecord, name: string, texts: readonly Text[]): boolean => {
  const other = textsAt(query, `${absentLabel}${name.slice(name.indexOf('.'))}`)
  const sorted = (list: readonly Text[]) => list.map(({ text }) => text).sort()
  return texts.length > 0 && JSON.stringify(sorted(other)) === JSON.stringify(sorted(texts))
}

const missing = (query: QueryRecord, rule: TextRule, name: string, aliases: readonly string[]): RecordFinding => {
  const status = 'missing'
  const misplaced = misplacedProblem(query, rule.prefix, rule.domain, isRight(rule), rule.names)
  if (misplaced !== null) return { status, found: [], problem: misplaced }
  if (aliases.length > 0) {
    const problem = `There is a CNAME at ${name} to ${aliases[0]}, where no TXT record is. Delete the CNAME, and add the TXT record shown.`
    return { status, found: [`CNAME ${aliases[0]}`], problem }
  }
  return { status, found: [], problem: absent(query({ name: rule.domain, type: 'TXT' }), rule.domain, 'TXT', name) }
}

/** Returns the sentence about a record that was not found at any name. */
export const absent = (apex: LookupResult | null, domain: string, type: string, name: string): string =>
  apex?.kind === 'missing' && apex.why === 'nxdomain'
    ? `The domain ${domain} does not exist in DNS. Check its spelling, and that it is registered.`
    : `There is no ${type} record at ${name}. Add the record shown.`
