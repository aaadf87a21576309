import { checkText, type TextVerdict } from './checkText.ts'
import type { SendingDomain } from './domain.ts'
import type { QueryRecord, RecordFinding, Text } from './finding.ts'
import { cleaned, mistakesSentence, withoutSpaces } from './pasted.ts'
import { ownershipName, ownershipPrefix } from './records.ts'

/** Checks the record that proves control of the DNS. Other TXT records at its name are harmless. */
export const checkOwnership = (query: QueryRecord, domain: SendingDomain): RecordFinding =>
  checkText(query, {
    prefix: '_postrider',
    domain: domain.name,
    verdictOf: (text) => tokenVerdict(text, domain),
    problemOfSeveral: () => null,
  })

const tokenVerdict = ({ text }: Text, domain: SendingDomain): TextVerdict => {
  const expected = `${ownershipPrefix}${domain.token}`
  const at = ownershipName(domain)
  if (text.trim().toLowerCase() === expected) return { kind: 'right' }
  const clean = withoutSpaces(cleaned(text, ownershipPrefix))
  const value = clean.text.toLowerCase()
  if (value === expected) return { kind: 'wrong', problem: mistakesSentence(at, clean.mistakes) }
  if (value === domain.token) {
    return {
      kind: 'wrong',
      problem: `The value at ${at} lacks its start ${ownershipPrefix}. Enter the whole value shown.`,
    }
  }
  if (!value.startsWith(ownershipPrefix)) return { kind: 'other' }
  if (expected.startsWith(value)) {
    return { kind: 'wrong', problem: `The value at ${at} is cut off. Enter the whole value shown.` }
  }
  const problem = `The value at ${at} is the token of another workspace, or of a domain that was deleted. Add a TXT record with the value shown.`
  return { kind: 'wrong', problem }
}
