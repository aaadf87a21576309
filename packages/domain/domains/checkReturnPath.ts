import { countSpfLookups, isSpf, maxSpfLookups, readSpf, type SpfTerm } from '@postrider/mail/spf.ts'
import { absent } from './checkText.ts'
import type { SendingDomain } from './domain.ts'
import {
  boundedTexts,
  type QueryRecord,
  quoted,
  type RecordFinding,
  textsOf,
  undecided,
  unknownFinding,
} from './finding.ts'
import { misplacedProblem, wrongNames } from './misplaced.ts'
import { cleaned, mistakesSentence } from './pasted.ts'
import { returnPathName, returnPathSpf } from './records.ts'

/** Checks the MX record of the return path: bounces must reach the service and no other host. */
export const checkReturnPathMx = (query: QueryRecord, domain: SendingDomain, bounceDomain: string): RecordFinding => {
  const name = returnPathName(domain)
  const result = query({ name, type: 'MX' })
  if (result === null) return undecided
  if (result.kind === 'unknown') return unknownFinding(name, result.why)
  if (result.kind === 'missing') {
    const misplaced = misplacedMx(query, domain, bounceDomain)
    const problem = misplaced ?? absent(query({ name: domain.name, type: 'TXT' }), domain.name, 'MX', name)
    return { status: 'missing', found: [], problem }
  }
  const hosts = result.records.flatMap((record) => (record.type === 'MX' ? [record] : []))
  const found = boundedTexts(hosts.map(({ priority, host }) => `${priority} ${host || '.'}`))
  const wrong = (problem: string): RecordFinding => ({ status: 'wrong', found, problem })
  const others = hosts.filter(({ host }) => host !== bounceDomain)
  if (others.length === 0) return { status: 'found', found, problem: null }
  if (others.length < hosts.length) {
    return wrong(`There are other MX records at ${name}, so bounces may go elsewhere. Keep only ${bounceDomain}.`)
  }
  const doubled = others.some(({ host }) => host.startsWith(`${bounceDomain}.`))
  return wrong(
    doubled
      ? `Your DNS panel appended a domain to the mail server of ${name}. Enter ${bounceDomain}. with the dot at its end.`
      : `The MX record of ${name} points to another mail server. Replace it with ${bounceDomain}.`,
  )
}

const misplacedMx = (query: QueryRecord, domain: SendingDomain, bounceDomain: string): string | null => {
  for (const { name, fix } of wrongNames('bounces', domain.name)) {
    const result = query({ name, type: 'MX' })
    const isThere =
      result?.kind === 'answer' && result.records.some((one) => one.type === 'MX' && one.host === bounceDomain)
    if (isThere) return `The record is at ${name} instead of ${returnPathName(domain)}. ${fix}`
  }
  return null
}

/** Checks the SPF record of the return path (RFC 7208). */
export const checkReturnPathSpf = (query: QueryRecord, domain: SendingDomain, bounceDomain: string): RecordFinding => {
  const name = returnPathName(domain)
  const result = query({ name, type: 'TXT' })
  if (result === null) return undecided
  if (result.kind === 'unknown') return unknownFinding(name, result.why)
  const texts = result.kind === 'answer' ? textsOf(result.records).map(({ text }) => text.trim()) : []
  const found = boundedTexts(texts)
  const records = texts.filter(isSpf)
  const [record] = records
  const expected = returnPathSpf(bounceDomain)
  if (record === undefined) return withoutSpf(query, domain, bounceDomain, texts)
  if (records.length > 1) {
    const problem = `There are ${records.length} SPF records at ${name}; receivers then reject all of them. Keep one: ${expected}`
    return { status: 'wrong', found, problem }
  }
  if (record.toLowerCase() === expected.toLowerCase()) return { status: 'found', found, problem: null }
  return { ...judgeSpf(query, record, name, bounceDomain), found }
}

const withoutSpf = (
  query: QueryRecord,
  domain: SendingDomain,
  bounceDomain: string,
  texts: readonly string[],
): RecordFinding => {
  const name = returnPathName(domain)
  const found = boundedTexts(texts)
  for (const text of texts) {
    const clean = cleaned(text, 'v=spf1')
    if (isSpf(clean.text) && clean.mistakes.length > 0) {
      return { status: 'wrong', found, problem: mistakesSentence(name, clean.mistakes) }
    }
  }
  const problem =
    misplacedProblem(query, 'bounces', domain.name, (text) => isSpf(text) && includesUs(text, bounceDomain)) ??
    absent(query({ name: domain.name, type: 'TXT' }), domain.name, 'SPF', name)
  return { status: 'missing', found, problem }
}

const isOurs = ({ name, value, qualifier }: SpfTerm, bounceDomain: string): boolean =>
  (name === 'include' || name === 'redirect') &&
  qualifier === '+' &&
  value.toLowerCase().replace(/\.$/, '') === bounceDomain

const includesUs = (text: string, bounceDomain: string): boolean => {
  const read = readSpf(text)
  return 'terms' in read && read.terms.some((term) => isOurs(term, bounceDomain))
}

/** Judges a record that people changed. Others may send from the return path too, within the limit of lookups. */
const judgeSpf = (
  query: QueryRecord,
  record: string,
  name: string,
  bounceDomain: string,
): Omit<RecordFinding, 'found'> => {
  const expected = returnPathSpf(bounceDomain)
  const wrong = (problem: string) => ({ status: 'wrong' as const, problem: `${problem} Replace it with: ${expected}` })
  const read = readSpf(record)
  if ('unknown' in read) {
    return wrong(`The SPF record at ${name} has the part “${quoted(read.unknown, 50)}”, which SPF does not have.`)
  }
  const { terms } = read
  const ours = terms.findIndex((term) => isOurs(term, bounceDomain))
  if (ours === -1) return wrong(`The SPF record at ${name} lacks include:${bounceDomain}.`)
  const all = terms.findIndex(({ name: term, isModifier }) => term === 'all' && !isModifier)
  // RFC 7208 §5.1, §6.1: terms after `all` and a redirect with an `all` are not evaluated.
  if (all !== -1 && (all < ours || terms[ours]?.name === 'redirect')) {
    return wrong(`The SPF record at ${name} ends at “all”, before ${bounceDomain}.`)
  }
  const nested = nestedRecords(query)
  const count = countSpfLookups(terms, nested.recordOf)
  if (count > maxSpfLookups) {
    return wrong(`The SPF record at ${name} needs more than ${maxSpfLookups} DNS lookups, so receivers reject it.`)
  }
  const unknown = nested.unknown()
  return unknown ? unknownFinding(unknown.name, unknown.why) : { status: 'found', problem: null }
}

/** Reads included records. `unknown` returns the first name that DNS did not answer for. */
const nestedRecords = (query: QueryRecord) => {
  let failed: { name: string; why: Parameters<typeof unknownFinding>[1] } | null = null
  const recordOf = (name: string): string | null => {
    if (!/^[a-z0-9_.-]{1,253}$/.test(name)) return null
    const result = query({ name, type: 'TXT' })
    if (result?.kind === 'unknown') failed ??= { name, why: result.why }
    if (result?.kind !== 'answer') return null
    return textsOf(result.records).find(({ text }) => isSpf(text))?.text ?? null
  }
  return { recordOf, unknown: () => failed }
}
