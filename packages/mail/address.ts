import { domainToASCII, domainToUnicode } from 'node:url'
import { nameProblem, type TextProblem } from './text.ts'

/** `name` empty: none. `address` in one spelling: local part as given, domain as lower-case A-labels without a final dot. */
export type ParsedMailbox = { name: string; address: string }

export type MailboxResult = { ok: true; mailbox: ParsedMailbox } | ({ ok: false } & TextProblem)

// RFC 5321 §4.5.3.1.1, §4.5.3.1.3: a path of 256 octets holds two angle brackets.
const longestAddress = 254
const longestLocalPart = 64
const longestName = 256
/** Room for a name of which every character is escaped, and for an address. Checked before anything else is done. */
const longestEntry = 2 * longestName + longestAddress + 16

const refusal = (code: string, message: string): MailboxResult => ({ ok: false, code, message })
const malformed = (message: string): MailboxResult => refusal('invalid_address', message)

/**
 * Reads one entry, `user@example.com`, `Name <user@example.com>` or `"Doe, Jane" <user@example.com>`: our own grammar,
 * in linear time, so that no two parsers can read an entry differently. Groups, routes, comments, lists, quoted local
 * parts and address literals are refused.
 */
export const parseMailbox = (entry: string): MailboxResult => {
  if (entry.length > longestEntry) return malformed(`An address has at most ${longestAddress} characters.`)
  const text = trimSpaces(entry)
  if (!text.endsWith('>')) return withAddress('', text)
  const start = text.lastIndexOf('<')
  if (start === -1) return malformed('A “>” closes nothing here.')
  const name = readName(trimSpaces(text.slice(0, start)))
  if (typeof name !== 'string') return name
  return withAddress(name, text.slice(start + 1, -1))
}

/** Spaces alone: any other white space is a control character, and an error. */
const trimSpaces = (text: string): string => {
  let [from, to] = [0, text.length]
  while (from < to && text[from] === ' ') from++
  while (to > from && text[to - 1] === ' ') to--
  return text.slice(from, to)
}

const readName = (phrase: string): string | MailboxResult => {
  const name = phrase.startsWith('"') ? unquote(phrase) : bareName(phrase)
  if (typeof name !== 'string') return name
  if (name.length > longestName) return malformed(`A display name has at most ${longestName} characters.`)
  const problem = nameProblem(name)
  return problem ? { ok: false, ...problem } : name
}

/** RFC 5322 §3.2.4. */
const quotedString = /^"(?:[^"\\]|\\.)*"$/s

const unquote = (phrase: string): string | MailboxResult =>
  quotedString.test(phrase)
    ? trimSpaces(phrase.slice(1, -1).replace(/\\(.)/gs, '$1'))
    : malformed('A quoted name must end right before the “<”.')

/**
 * What a bare name must not hold: specials (RFC 5322 §3.2.3) that could begin another mailbox, and a group's name. The
 * dot, “@” and an inner colon can't.
 */
const structural = /[",;<>()[\]\\]|:(?: |$)/

const bareName = (phrase: string): string | MailboxResult =>
  structural.test(phrase)
    ? malformed('One mailbox an entry; a name with any of , ; < > ( ) [ ] " \\ stands in double quotes.')
    : phrase

/** One entry of a mailbox, which `parseMailbox` reads as the same: a name that could be read as another entry is quoted. */
export const writeMailbox = ({ name, address }: ParsedMailbox): string => {
  if (name === '') return address
  const phrase = structural.test(name) || name.includes('@') ? `"${name.replaceAll(/["\\]/g, '\\$&')}"` : name
  return `${phrase} <${address}>`
}

const withAddress = (name: string, address: string): MailboxResult => {
  const result = normaliseAddress(address)
  return typeof result === 'string' ? { ok: true, mailbox: { name, address: result } } : result
}

/** RFC 5322 §3.2.3: dot-atom, in ASCII. */
const dotAtom = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/
const nonAscii = /[^\0-\x7f]/

const normaliseAddress = (address: string): string | MailboxResult => {
  if (address.length > longestAddress) return malformed(`An address has at most ${longestAddress} characters.`)
  if (address.startsWith('"')) {
    return refusal('quoted_local_part', 'A quoted part before the “@” is not supported.')
  }
  const at = address.indexOf('@')
  if (at < 1 || address.includes('@', at + 1)) {
    return malformed('This is not an address such as user@example.com.')
  }
  const local = address.slice(0, at)
  const domain = normaliseDomain(address.slice(at + 1))
  if (domain === null) return malformed('The part after the “@” is not a domain name.')
  // RFC 6531: such addresses need SMTPUTF8 all the way, which no route is known to offer before the mail is accepted.
  if (nonAscii.test(local) && !nameProblem(local)) {
    return refusal('eai_unsupported', 'Characters outside ASCII before the “@” are not supported.')
  }
  // RFC 2047 §5: no encoded word within an address. Parsers that decode one there see another address than we do.
  if (local.length > longestLocalPart || !dotAtom.test(local) || local.includes('=?')) {
    return malformed('The part before the “@” is not one that mail servers accept.')
  }
  const normal = `${local}@${domain}`
  return normal.length > longestAddress ? malformed(`An address has at most ${longestAddress} characters.`) : normal
}

/** RFC 5321 §4.1.2: letters, digits and inner hyphens; RFC 1035 §2.3.4: labels of 63 octets. */
const plainDomain = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
/** An IPv4 address in any spelling; no top-level domain is made of digits. */
const numericEnd = /(?:^|\.)(?:\d+|0x[0-9a-f]*)$/
/** The ASCII characters a domain can be made of: `domainToASCII` would silently cut at others. */
const domainCharacters = /^[\w.\-\u0080-\u{10ffff}]+$/u

/**
 * A domain name in its one spelling: UTS-46, lower-case A-labels, no final dot. A single label is a domain too: whether
 * mail can go there is for the route to tell.
 * @returns null: not a domain name
 */
export const normaliseDomain = (domain: string): string | null => {
  if (domain.length > longestAddress || !domainCharacters.test(domain)) return null
  const lower = domain.toLowerCase()
  const ascii = nonAscii.test(domain) ? domainToASCII(domain) : lower
  // An ASCII domain is taken as it is by `domainToASCII`, so whether its A-labels are any shows in decoding them.
  if (ascii.includes('xn--') && domainToUnicode(ascii).includes('xn--')) return null
  const name = ascii.endsWith('.') ? ascii.slice(0, -1) : ascii
  return plainDomain.test(name) && !numericEnd.test(name) ? name : null
}

/**
 * What two spellings of one mailbox have in common, for de-duplication. A server may tell `Jane@` from `jane@`
 * (RFC 5321 §2.4); none that people use does, and a person must not get the same mail twice.
 */
export const addressKey = (address: string): string => address.toLowerCase()

export const sameAddress = (a: string, b: string): boolean => addressKey(a) === addressKey(b)
