import { domainOf, isWithin, type Mailbox, sameAddress } from '@postrider/mail/address.ts'
import { registrableDomain } from '@postrider/mail/publicSuffix.ts'
import type { Problem } from '../problem.ts'
import type { SenderDomain } from './domain.ts'
import { returnPathName } from './records.ts'

/** `from_` and `domain_id` of a send; null: omitted. */
export type SenderRequest = { from: Mailbox | null; domainId: string | null }

export type SenderFacts = {
  /** Usable domains of the workspace. */
  domains: readonly SenderDomain[]
  /** The names that the key may send from; null: no restriction. */
  keyDomains: readonly string[] | null
  /** The platform's shared sender. */
  shared: Mailbox
  /** Display name that the workspace chose for the shared sender; empty: the platform's. */
  senderName: string
  /** Names of the service itself. No customer sends from them, even if the domain above them is theirs. */
  platformDomains: readonly string[]
}

/**
 * - `send`: `from` is the sender. `domain` signs; null: the shared sender's own does. `returnPath` is the domain of an
 *   aligned return path; null: the platform's.
 * - `invalid` (422), with every problem.
 * - `forbidden` (403): the key is restricted to other domains.
 */
export type SenderDecision =
  | { kind: 'send'; from: Mailbox; domain: SenderDomain | null; returnPath: string | null; notices: string[] }
  | { kind: 'invalid'; problems: Problem[] }
  | { kind: 'forbidden'; message: string }

/** Decides which sender a message gets. */
export const decideSender = (request: SenderRequest, facts: SenderFacts): SenderDecision => {
  const { from, domainId } = request
  const refusal = keyRefusal(from, facts.keyDomains)
  if (refusal !== null) return { kind: 'forbidden', message: refusal }
  const domain = domainId === null ? null : (facts.domains.find(({ id }) => id === domainId) ?? null)
  const unknown = domainId !== null && domain === null ? [unknownDomain] : []
  if (from === null) {
    return unknown.length > 0
      ? { kind: 'invalid', problems: unknown }
      : shared(facts, domain === null ? [] : [omittedNotice(facts.shared, domain)])
  }
  if (facts.domains.length === 0 && facts.keyDomains === null) {
    return unknown.length > 0
      ? { kind: 'invalid', problems: unknown }
      : shared(facts, [replacedNotice(from, facts.shared)])
  }
  const signer = domain && covers(domain, domainOf(from.address), facts) ? domain : null
  const chosen = signer ?? mostSpecific(from, facts)
  const problems = [...unknown, ...(chosen === null ? [unverified(from, facts)] : [])]
  if (problems.length === 0 && domain !== null && signer === null) problems.push(disagrees(from, domain))
  if (problems.length > 0 || chosen === null) return { kind: 'invalid', problems }
  return {
    kind: 'send',
    from: { name: from.name, address: from.address },
    domain: chosen,
    returnPath: chosen.returnPathVerified ? returnPathName(chosen) : null,
    notices: [],
  }
}

const shared = ({ shared: sender, senderName }: SenderFacts, notices: string[]): SenderDecision => ({
  kind: 'send',
  from: { name: senderName || sender.name, address: sender.address },
  domain: null,
  returnPath: null,
  notices,
})

/** Returns why a restricted key may not send from an address. The key may send from subdomains of its names. */
export const keyRefusal = (from: Mailbox | null, names: readonly string[] | null): string | null => {
  if (names === null) return null
  const allowed = names.join(', ')
  if (from === null) return `This key sends only from ${allowed}; set from_ to an address of it.`
  const name = domainOf(from.address)
  return names.some((one) => isSameOwner(name, one)) ? null : `This key sends only from ${allowed}, not from ${name}.`
}

/**
 * Whether a name is a domain or a subdomain of it with the same owner. Below a public suffix within the domain, names
 * belong to others, and receivers do not align them (RFC 7489 §3.2).
 */
const isSameOwner = (name: string, domain: string): boolean =>
  name === domain || (isWithin(name, domain) && registrableDomain(name) === registrableDomain(domain))

/** Returns whether a domain is verified for mail from `name`. */
export const isCoveredBy = (name: string, domain: SenderDomain): boolean =>
  domain.subdomains ? isSameOwner(name, domain.name) : name === domain.name

/** Whether mail from `name` may be signed by a domain. `keyRefusal` has checked that the key may send from `name`. */
const covers = (domain: SenderDomain, name: string, { platformDomains }: SenderFacts): boolean =>
  isCoveredBy(name, domain) && !platformDomains.some((own) => isWithin(name, own))

/** Returns the domain with the longest name that covers an address. */
const mostSpecific = (from: Mailbox, facts: SenderFacts): SenderDomain | null =>
  facts.domains
    .filter((domain) => covers(domain, domainOf(from.address), facts))
    .sort((a, b) => b.name.length - a.name.length)[0] ?? null

const unknownDomain: Problem = {
  path: 'domain_id',
  code: 'unknown_domain',
  message: 'This is not a verified domain of the workspace. Verify it, or omit domain_id.',
}

const disagrees = (from: Mailbox, domain: SenderDomain): Problem => ({
  path: 'domain_id',
  code: 'domain_mismatch',
  message: `This is the domain ${domain.name}, but from_ is an address of ${domainOf(from.address)}. Omit domain_id, or change one of them.`,
})

const unverified = (from: Mailbox, facts: SenderFacts): Problem => {
  const name = domainOf(from.address)
  const code = 'domain_not_verified'
  if (sameAddress(from.address, facts.shared.address)) {
    return { path: 'from_', code, message: `${from.address} is the shared sender. Omit from_ to send from it.` }
  }
  const parent = facts.domains.find(
    (domain) => !domain.subdomains && covers({ ...domain, subdomains: true }, name, facts),
  )
  const message = parent
    ? `Subdomains of ${parent.name} are switched off. Use an address of ${parent.name}, or switch them on.`
    : `${name} is not a verified domain of the workspace. Verify it, or use an address of a verified domain.`
  return { path: 'from_', code, message }
}

const replacedNotice = (from: Mailbox, sender: Mailbox): string =>
  sameAddress(from.address, sender.address)
    ? 'from_ is the shared sender; its display name is the workspace’s sender_name.'
    : `from_ was replaced by the shared sender ${sender.address}: the workspace has no verified sending domain yet, so ${from.address} can't be used.`

const omittedNotice = (sender: Mailbox, { name }: SenderDomain): string =>
  `The shared sender ${sender.address} is used, because from_ is omitted; set from_ to an address of ${name} to send from it.`
