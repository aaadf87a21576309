import type { Steps } from '@postrider/mail/steps.ts'
import { checkDkim } from './checkDkim.ts'
import { checkDmarc } from './checkDmarc.ts'
import { checkOwnership } from './checkOwnership.ts'
import { checkReturnPathMx, checkReturnPathSpf } from './checkReturnPath.ts'
import type { DomainCheck, DomainSettings, RecordCheck, RecordStatus, SendingDomain } from './domain.ts'
import type { QueryRecord, RecordFinding } from './finding.ts'
import { type Answers, type LookupResult, type Question, questionKey } from './lookup.ts'
import { dkimName, type ExpectedRecord, expectedRecords, recordKey } from './records.ts'

/**
 * Maximum number of questions of one check: a hostile zone cannot make a check send more. A domain without problems
 * needs about 7.
 */
export const maxQuestions = 96

/**
 * Compares what DNS has with the records of a domain, one record in each step: texts of a hostile zone may be long, and
 * each is read for several records. A check works in rounds: look up `needed`, add the results to
 * `answers`, and call again, until `needed` is empty; then `records` is the result. Rounds end after `maxQuestions`
 * results, because questions beyond count as unanswered.
 * @param answers results of this check only
 */
export function* checkDomainSteps(
  domain: SendingDomain,
  settings: DomainSettings,
  answers: Answers,
  now: number,
): Steps<{ needed: Question[]; records: RecordCheck[] }> {
  const needed = new Map<string, Question>()
  const query: QueryRecord = (question) => {
    if (question.name.length > maxNameLength) return nowhere
    const key = questionKey(question)
    const result = answers.get(key)
    if (result) return result
    if (answers.size + needed.size >= maxQuestions && !needed.has(key)) return unanswered
    needed.set(key, question)
    return null
  }
  const expected = expectedRecords(domain, settings)
  const findings = new Map<ExpectedRecord, RecordFinding>()
  for (const record of expected) {
    if (findings.size > 0) yield
    findings.set(record, checkRecord(query, domain, settings, record, findings))
  }
  const records = expected.map((record) => stored(record, findings.get(record), domain.lastCheck, now))
  return { needed: [...needed.values()], records }
}

/** RFC 1035 §2.3.4, without the octets of the root. */
const maxNameLength = 253
const nowhere: LookupResult = { kind: 'missing', why: 'nodata', aliases: [] }
const unanswered: LookupResult = { kind: 'unknown', why: 'failed' }

const checkRecord = (
  query: QueryRecord,
  domain: SendingDomain,
  { bounceDomain }: DomainSettings,
  record: ExpectedRecord,
  findings: ReadonlyMap<ExpectedRecord, RecordFinding>,
): RecordFinding => {
  switch (record.purpose) {
    case 'ownership':
      return checkOwnership(query, domain)
    case 'dkim': {
      const key = domain.keys.find((one) => dkimName(domain, one) === record.name)
      if (!key) throw new Error('a DKIM record without its key')
      return checkDkim(query, domain, key)
    }
    case 'return_path_mx':
      return checkReturnPathMx(query, domain, bounceDomain ?? '')
    case 'return_path_spf':
      return checkReturnPathSpf(query, domain, bounceDomain ?? '')
    case 'dmarc':
      return checkDmarc(query, domain, requiredDkim(findings))
  }
}

const requiredDkim = (findings: ReadonlyMap<ExpectedRecord, RecordFinding>): RecordStatus =>
  [...findings].find(([{ purpose, required }]) => purpose === 'dkim' && required)?.[1].status ?? 'unknown'

const stored = (
  { purpose, type, name }: ExpectedRecord,
  finding: RecordFinding | undefined,
  last: DomainCheck | null,
  now: number,
): RecordCheck => {
  const before = last?.records.find((one) => recordKey(one) === recordKey({ purpose, name }))
  const { status, found, problem, advised } = finding ?? { status: 'unknown' as const, found: [], problem: null }
  return {
    purpose,
    type,
    name,
    status,
    // Without an answer, the result of the last check stays visible.
    found: status === 'unknown' ? (before?.found ?? []) : found,
    problem,
    ...(advised !== undefined && { advised }),
    foundAt: status === 'found' ? now : (before?.foundAt ?? null),
  }
}
