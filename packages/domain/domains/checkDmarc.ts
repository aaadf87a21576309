import { registrableDomain } from '@postrider/mail/publicSuffix.ts'
import { readTagList } from '@postrider/mail/tagList.ts'
import type { RecordStatus, SendingDomain } from './domain.ts'
import {
  boundedTexts,
  maxFoundLength,
  type QueryRecord,
  type RecordFinding,
  textsOf,
  undecided,
  unknownFinding,
} from './finding.ts'
import { misplacedProblem } from './misplaced.ts'
import { cleaned, mistakesSentence } from './pasted.ts'
import { defaultDmarc, dmarcName } from './records.ts'

/** RFC 7489 §6.6.3: other TXT records at the name are passed over. */
const isDmarc = (text: string): boolean => /^v\s*=\s*DMARC1\s*(?:;|$)/.test(text)

/**
 * Compares the DMARC policy of a domain with the mail that the service sends: signed with `d=` the sending domain. A
 * domain without a policy of its own has that of its organizational domain (RFC 7489 §6.6.3).
 * @param dkim the state of the record of the required key
 */
export const checkDmarc = (query: QueryRecord, domain: SendingDomain, dkim: RecordStatus): RecordFinding => {
  const own = policyAt(query, domain.name)
  if (!('records' in own)) return own
  const organization = registrableDomain(domain.name) ?? domain.name
  if (own.records.length > 0 || organization === domain.name)
    return judgePolicies(query, domain, domain.name, own, dkim)
  const inherited = policyAt(query, organization)
  if (!('records' in inherited)) return inherited
  return inherited.records.length === 0 || own.texts.length > 0
    ? judgePolicies(query, domain, domain.name, own, dkim)
    : judgePolicies(query, domain, organization, inherited, dkim)
}

type Policies = { records: string[]; texts: string[] }

const policyAt = (query: QueryRecord, name: string): Policies | RecordFinding => {
  const result = query({ name: dmarcName(name), type: 'TXT' })
  if (result === null) return undecided
  if (result.kind === 'unknown') return unknownFinding(dmarcName(name), result.why)
  const texts = result.kind === 'answer' ? textsOf(result.records).map(({ text }) => text.trim()) : []
  return { records: texts.filter(isDmarc), texts }
}

const judgePolicies = (
  query: QueryRecord,
  domain: SendingDomain,
  owner: string,
  { records, texts }: Policies,
  dkim: RecordStatus,
): RecordFinding => {
  const name = dmarcName(owner)
  const [record] = records
  if (record === undefined) return withoutPolicy(query, domain, texts)
  const found = boundedTexts(records)
  if (records.length > 1) {
    const problem = `There are ${records.length} DMARC records at ${name}; receivers then ignore all of them. Keep one.`
    return { status: 'wrong', found, problem, ...advice(record) }
  }
  const tags = readCaseless(record)
  const policy = tags?.get('p')?.toLowerCase()
  if (!tags || !isPolicy(policy)) {
    const problem = `The DMARC record at ${name} has no valid policy (p=none, p=quarantine or p=reject). Replace it with the value shown.`
    return { status: 'wrong', found, problem }
  }
  return { found, ...advice(record), ...judgePolicy({ domain, name, tags, record }, dkim) }
}

/** Advises a record of the zone, unless it is one that a person cannot paste. */
const advice = (record: string): Pick<RecordFinding, 'advised'> =>
  record.length <= maxFoundLength && /^[ -~]*$/.test(record) ? { advised: record } : {}

/** RFC 7489 §6.4: the case of names has no meaning. */
const readCaseless = (record: string): Map<string, string> | null => {
  const tags = readTagList(record)
  return tags && new Map([...tags].map(([name, value]) => [name.toLowerCase(), value]))
}

/** Returns whether receivers do what the policy names with mail that fails. */
const isEnforced = (policy: string | undefined): boolean => policy === 'quarantine' || policy === 'reject'

const isPolicy = (text: string | undefined): boolean => text === 'none' || isEnforced(text)

type Policy = { domain: SendingDomain; name: string; tags: ReadonlyMap<string, string>; record: string }

const judgePolicy = (
  { domain, name, tags, record }: Policy,
  dkim: RecordStatus,
): { status: RecordStatus; problem: string | null; advised?: string } => {
  const policy = `${tags.get('p')}`.toLowerCase()
  const subdomainPolicy = (tags.get('sp') ?? policy).toLowerCase()
  if (isEnforced(policy) && (dkim === 'missing' || dkim === 'wrong')) {
    const problem = `With the policy p=${policy} at ${name}, receivers ${policy} mail that is not signed. Set the DKIM record of ${domain.name} before you send.`
    return { status: 'wrong', problem }
  }
  if (domain.subdomains && isEnforced(subdomainPolicy) && tags.get('adkim')?.toLowerCase() === 's') {
    const problem = `With the strict alignment adkim=s at ${name}, receivers ${subdomainPolicy} mail from subdomains of ${domain.name}. Change adkim=s to adkim=r, or switch subdomains off.`
    return { status: 'wrong', problem, ...advice(record.replace(/adkim\s*=\s*s/i, 'adkim=r')) }
  }
  return { status: 'found', problem: null }
}

const withoutPolicy = (query: QueryRecord, domain: SendingDomain, texts: readonly string[]): RecordFinding => {
  const name = dmarcName(domain.name)
  const found = boundedTexts(texts)
  for (const text of texts) {
    const clean = cleaned(text, 'v=dmarc1')
    if (isDmarc(clean.text) && clean.mistakes.length > 0) {
      return { status: 'wrong', found, problem: mistakesSentence(name, clean.mistakes) }
    }
    if (/DMARC1/i.test(clean.text)) {
      const problem = `The DMARC record at ${name} must start with v=DMARC1; and then p=. Replace it with the value shown.`
      return { status: 'wrong', found, problem }
    }
  }
  const problem =
    misplacedProblem(query, '_dmarc', domain.name, isDmarc) ??
    `${domain.name} has no DMARC policy, and large receivers require one. Add the TXT record ${defaultDmarc} at ${name}.`
  return { status: 'missing', found, problem }
}
