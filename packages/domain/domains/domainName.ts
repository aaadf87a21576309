import { isIP } from 'node:net'
import { domainOf, isWithin, normalizeDomain } from '@postrider/mail/address.ts'
import { registrableDomain } from '@postrider/mail/publicSuffix.ts'

/** `code` is one of INVARIANTS: `public_suffix` stands for every name that cannot be registered by one owner. */
export type DomainNameResult = { ok: true; name: string } | { ok: false; code: string; message: string }

/** Names of DNS have at most 253 characters; the longest name below a domain is `<selector>._domainkey.<name>`. */
export const maxDomainNameLength = 220

const refusal = (code: string, message: string): DomainNameResult => ({ ok: false, code, message })

/**
 * Top-level names without mail (RFC 6761; local: RFC 6762 §3; onion: RFC 7686; alt: RFC 9476; arpa: RFC 3172). `test`
 * and `example` are accepted: only the mail route decides where mail goes.
 */
const specialUse = new Set(['localhost', 'localdomain', 'local', 'invalid', 'onion', 'alt', 'arpa'])

/**
 * Reads the name of a sending domain as a person enters it.
 * @param platformDomains names of the service itself, in lower-case A-labels; they and their subdomains are refused
 * @returns the name in lower-case A-labels without a final dot, or the reason against it with what to enter instead
 */
export const readDomainName = (text: string, platformDomains: readonly string[]): DomainNameResult => {
  const problem = spellingProblem(text)
  if (problem) return problem
  const name = normalizeDomain(text)
  if (name === null) return notADomain(text)
  if (name.length > maxDomainNameLength) return tooLong
  return ownerProblem(name, platformDomains) ?? { ok: true, name }
}

/**
 * Returns whether DNS can have records of a name. It has none of a reserved one, such as the domain of the default
 * sender.
 */
export const isInDns = (name: string): boolean => readDomainName(name, []).ok

const tooLong = refusal(
  'too_long',
  `A sending domain must be at most ${maxDomainNameLength} characters, because the names of its DNS records are longer; enter a shorter domain.`,
)

/** Returns what to enter instead of a text: the domain in it, if it has one. */
const insteadOf = (host: string): string => {
  const name = host.length > maxDomainNameLength ? null : normalizeDomain(host)
  return name?.includes('.') ? `Enter only the domain: ${name}.` : 'Enter only the domain, such as example.com.'
}

/** Tests for texts that are something other than a domain name. The first that applies is reported. */
const spellingProblem = (text: string): DomainNameResult | null => {
  if (text.length > 4 * maxDomainNameLength) return tooLong
  const trimmed = text.trim()
  if (trimmed === '') return refusal('empty', 'Enter a domain such as example.com.')
  if (isAddressLiteral(trimmed)) return noMailHere('is an IP address', 'This')
  const urlHost = /^[a-z][a-z0-9+.-]*:\/*(?:[^/?#@]*@)?([^/?#:]*)/i.exec(trimmed)?.[1]
  if (urlHost !== undefined) return refusal('url', `This is a URL. ${insteadOf(urlHost)}`)
  if (trimmed.includes('@')) {
    return refusal('address', `This is an address. ${insteadOf(domainOf(trimmed).replace(/>$/, ''))}`)
  }
  if (/[/?#:]/.test(trimmed))
    return refusal('url', `This is part of a URL. ${insteadOf(trimmed.split(/[/?#:]/)[0] ?? '')}`)
  if (/\s/.test(text))
    return refusal('whitespace', `The name has spaces or line breaks. ${insteadOf(text.replaceAll(/\s/g, ''))}`)
  if (trimmed.startsWith('*.')) {
    return refusal('wildcard', `A domain covers its subdomains, so no “*” is needed. ${insteadOf(trimmed.slice(2))}`)
  }
  return null
}

/** Any form of an IP address that a resolver reads: 127.0.0.1, 127.1, 0x7f000001, [::1], [IPv6:::1], １２７。０。０。１. */
const isAddressLiteral = (given: string): boolean => {
  // UTS #46 maps these digits and dots in a name too.
  const text = given.normalize('NFKC').replaceAll('。', '.')
  const inner = text.replace(/^\[(?:ipv6:)?/i, '').replace(/\]$/, '')
  return text.startsWith('[') || isIP(inner) !== 0 || /^(?:0x[0-9a-f]+|\d+)(?:\.(?:0x[0-9a-f]*|\d+))*\.?$/i.test(inner)
}

const noMailHere = (what: string, name: string): DomainNameResult =>
  refusal('public_suffix', `${name} ${what}; enter a domain that you registered, such as example.com.`)

/** Returns why a text with only valid characters is not a name. */
const notADomain = (text: string): DomainNameResult => {
  if (text.includes('_')) {
    return refusal(
      'underscore',
      'A sending domain must not contain “_”. Enter the domain itself, without the part that starts with “_”.',
    )
  }
  const labels = text.replace(/\.$/, '').split('.')
  if (labels.includes('')) {
    return refusal(
      'empty_label',
      `There are dots with nothing between them. ${insteadOf(labels.filter(Boolean).join('.'))}`,
    )
  }
  if (text.length > maxDomainNameLength) return tooLong
  if (labels.some((label) => label.length > 63)) {
    return refusal(
      'too_long',
      'The part between two dots has more than 63 characters; enter the domain as it is registered.',
    )
  }
  if (labels.some((label) => label.startsWith('-') || label.endsWith('-'))) {
    return refusal(
      'invalid_domain',
      'The part between two dots must not start or end with “-”; enter the domain as it is registered.',
    )
  }
  return refusal(
    'invalid_domain',
    'This is not a domain name: it has characters that no registry accepts. Enter a domain such as example.com.',
  )
}

/** Returns why a customer cannot own a name. */
const ownerProblem = (name: string, platformDomains: readonly string[]): DomainNameResult | null => {
  const top = name.slice(name.lastIndexOf('.') + 1)
  if (platformDomains.some((own) => isWithin(name, own))) {
    return refusal('platform_domain', `${name} belongs to this service; enter a domain that you registered.`)
  }
  if (specialUse.has(top)) return noMailHere('is reserved for other uses than mail', name)
  if (top === name) return noMailHere('has only one part', name)
  return registrableDomain(name) === null
    ? noMailHere('is a public suffix, below which different owners have names', name)
    : null
}
