import { asciiDomain } from './idna.ts'
import { hasEncodedWord, hasUndrawn, invisibleCharacters, isDrawn, nameProblem, type TextProblem } from './text.ts'

/**
 * A parsed mailbox, never a string that is parsed again. `name` empty: none. `address` is normalized: local part as
 * given, in NFC; domain as lower-case A-labels without a final dot.
 */
export type Mailbox = { name: string; address: string }

/** Returns the part after the last “@”. */
export const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1)

/** Returns whether `name` is `domain` or a subdomain of it. */
export const isWithin = (name: string, domain: string): boolean => name === domain || name.endsWith(`.${domain}`)

export type MailboxResult = { ok: true; mailbox: Mailbox } | ({ ok: false } & TextProblem)

// RFC 5321 §4.5.3.1.1, §4.5.3.1.3: a path has 256 octets, of which two are angle brackets. RFC 6531 §3.3: in UTF-8.
const maxAddressLength = 254
/** RFC 1035 §2.3.4: 255 octets, of which two are the first length and the root. */
const maxDomainLength = 253
const maxLocalPartLength = 64
/** Maximum number of characters of a display name. */
const maxNameLength = 256
/** Enough UTF-16 units for a name of surrogate pairs with every character escaped, and an address. Checked first. */
const maxEntryLength = 4 * maxNameLength + maxAddressLength + 16

const refusal = (code: string, message: string): MailboxResult => ({ ok: false, code, message })
const malformed = (message: string): MailboxResult => refusal('invalid_address', message)

/**
 * Parses one entry: `user@example.com`, `Name <user@example.com>` or `"Doe, Jane" <user@example.com>`. The grammar is
 * small, so that no other parser can read an entry differently, and is parsed in linear time. Groups, routes, comments,
 * lists, quoted local parts and address literals are refused.
 */
export const parseMailbox = (entry: string): MailboxResult => {
  if (entry.length > maxEntryLength) return tooLong(entry)
  const text = trimSpaces(entry)
  if (!text.endsWith('>')) return withAddress('', text)
  const start = text.lastIndexOf('<')
  if (start === -1) return malformed('There is a “>” without a “<” before it.')
  const name = readName(trimSpaces(text.slice(0, start)))
  if (typeof name !== 'string') return name
  return withAddress(name, text.slice(start + 1, -1))
}

/**
 * Returns `parseMailbox` for the entries of a list. It parses a repeated entry once, because one beyond ASCII takes 30
 * µs.
 */
export const mailboxParser = (): ((entry: string) => MailboxResult) => {
  const known = new Map<string, MailboxResult>()
  return (entry) => {
    const found = known.get(entry)
    if (found) return found
    const parsed = parseMailbox(entry)
    known.set(entry, parsed)
    return parsed
  }
}

const addressTooLong = malformed(`An address has at most ${maxAddressLength} octets in UTF-8.`)
const nameTooLong = malformed(`A display name has at most ${maxNameLength} characters; use a shorter name.`)

/** Returns the problem of an entry that is too long to parse: of its name, if the address after it is short. */
const tooLong = (entry: string): MailboxResult => {
  const start = entry.lastIndexOf('<')
  return start > 0 && entry.length - start <= maxAddressLength + 16 ? nameTooLong : addressTooLong
}

/** Removes only spaces: any other white space is a control character, which is an error. */
const trimSpaces = (text: string): string => {
  let [from, to] = [0, text.length]
  while (from < to && text[from] === ' ') from++
  while (to > from && text[to - 1] === ' ') to--
  return text.slice(from, to)
}

const readName = (phrase: string): string | MailboxResult => {
  const name = phrase.startsWith('"') ? unquote(phrase) : bareName(phrase)
  if (typeof name !== 'string') return name
  if (name.length > maxNameLength && [...name].length > maxNameLength) return nameTooLong
  const problem = nameProblem(name)
  if (problem) return { ok: false, ...problem }
  if (name !== '' && !isDrawn(name)) return malformed('A display name must not be invisible; leave it out.')
  if (hasUndrawn(name)) return refusal('control_character', invisibleCharacters)
  if (!hasEncodedWord(name)) return name
  return refusal(
    'encoded_word',
    'A display name must not contain an encoded word (=?…?=); send the name as plain UTF-8.',
  )
}

/** RFC 5322 §3.2.4. */
const quotedString = /^"(?:[^"\\]|\\.)*"$/s

const unquote = (phrase: string): string | MailboxResult =>
  quotedString.test(phrase)
    ? trimSpaces(phrase.slice(1, -1).replace(/\\(.)/gs, '$1'))
    : malformed('A quoted name must end directly before the “<”.')

/**
 * What a name without quotes must not contain: specials (RFC 5322 §3.2.3) that could start another mailbox, and the end
 * of a group's name. The dot, “@” and a colon inside a word cannot.
 */
const structural = /[",;<>()[\]\\]|:(?: |$)/

const bareName = (phrase: string): string | MailboxResult => {
  if (!structural.test(phrase)) return phrase
  if (separators.test(phrase) && phrase.includes('@')) return severalAddresses
  return malformed('Write one mailbox per entry, and put a name with any of , ; < > ( ) [ ] " \\ in double quotes.')
}

/** What separates the addresses of a list in other programs. */
const separators = /[,;]/
const severalAddresses = malformed('Write one address per entry: a list is an array, without “,” or “;” in an entry.')

/**
 * Writes a mailbox as an entry that `parseMailbox` parses to the same mailbox. A name that could be misread is quoted.
 */
export const writeMailbox = ({ name, address }: Mailbox): string => {
  if (name === '') return address
  const phrase = structural.test(name) || name.includes('@') ? `"${name.replaceAll(/["\\]/g, '\\$&')}"` : name
  return `${phrase} <${address}>`
}

const withAddress = (name: string, address: string): MailboxResult => {
  const result = normalizeAddress(address)
  return typeof result === 'string' ? { ok: true, mailbox: { name, address: result } } : result
}

/** RFC 5322 §3.2.3: dot-atom, in ASCII. */
const dotAtom = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/
/** RFC 6531 §3.3: the same with characters outside ASCII. */
const wideDotAtom = /^[\w!#$%&'*+/=?^`{|}~\u0080-\u{10ffff}-]+(?:\.[\w!#$%&'*+/=?^`{|}~\u0080-\u{10ffff}-]+)*$/u
const nonAscii = /[^\0-\x7f]/
/**
 * Characters that are not drawn, that separate words, or that have no fixed meaning. A mark at the start joins the `<`.
 */
const notDrawn = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]|^\p{M}/u

/**
 * Returns whether an address has characters outside ASCII before the “@”, so that only servers with SMTPUTF8 accept it
 * (RFC 6531 §3.2).
 */
export const needsSmtpUtf8 = (address: string): boolean => nonAscii.test(address)

/**
 * Whether every program reads a local part outside ASCII in the same way. Its compatible spelling must not have
 * other signs of the grammar: some programs read `＠` as `@`.
 */
const isInternational = (local: string): boolean =>
  !notDrawn.test(local) && wideDotAtom.test(local) && wideDotAtom.test(local.normalize('NFKC'))

const normalizeAddress = (given: string): string | MailboxResult => {
  if (given.length > maxAddressLength) return addressTooLong
  // RFC 6532 §3.1. Half of a surrogate pair stays and is refused below.
  const address = nonAscii.test(given) && given.isWellFormed() ? given.normalize('NFC') : given
  if (address.startsWith('"')) {
    return refusal('quoted_local_part', 'A quoted part before the “@” is not supported.')
  }
  const at = address.indexOf('@')
  if (at !== -1 && separators.test(address)) return severalAddresses
  if (address.startsWith('mailto:')) return malformed('Remove “mailto:” before the address.')
  if (at < 1 || address.includes('@', at + 1)) {
    if (address.split(' ').filter((word) => word.includes('@')).length > 1) return severalAddresses
    return malformed('This is not an address such as user@example.com.')
  }
  const local = address.slice(0, at)
  const domain = normalizeDomain(address.slice(at + 1))
  if (domain === null) return malformed('The part after the “@” is not a domain name.')
  if (hasEncodedWord(local)) {
    // RFC 2047 §5: an address has no encoded word. A parser that decodes one would see another address.
    return malformed('The part before the “@” must not contain an encoded word (=?…?=).')
  }
  const isReadable = nonAscii.test(local) ? isInternational(local) : dotAtom.test(local)
  if (!isReadable || Buffer.byteLength(local) > maxLocalPartLength) {
    return malformed('The part before the “@” has characters that mail servers do not accept, or over 64 octets.')
  }
  const normal = `${local}@${domain}`
  return Buffer.byteLength(normal) > maxAddressLength ? addressTooLong : normal
}

/** RFC 5321 §4.1.2: letters, digits and inner hyphens; RFC 1035 §2.3.4: labels of 63 octets. */
const plainDomain = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
/** An IPv4 address in any notation; no top-level domain consists of digits. */
const numericEnd = /(?:^|\.)(?:\d+|0x[0-9a-f]*)$/
/** ASCII characters that a domain may contain. At others `asciiDomain` cuts the name off without an error. */
const domainCharacters = /^[\w.\-\u0080-\u{10ffff}]+$/u

/**
 * Normalizes a domain name: UTS #46 and IDNA 2008, lower-case A-labels, no final dot. A single label is accepted; the
 * mail route decides whether mail can be sent there.
 * @returns null: not a domain name
 */
export const normalizeDomain = (domain: string): string | null => {
  if (domain.length > maxAddressLength || !domainCharacters.test(domain)) return null
  const ascii = asciiDomain(domain)
  if (ascii === null) return null
  const name = ascii.endsWith('.') ? ascii.slice(0, -1) : ascii
  return name.length <= maxDomainLength && plainDomain.test(name) && !numericEnd.test(name) ? name : null
}

/**
 * Returns a key for de-duplication that is the same for `Jane@` and `jane@`. A server may distinguish them (RFC 5321
 * §2.4), but none in use does, and a person must not get the same mail twice.
 */
export const addressKey = (address: string): string => address.toLowerCase()

export const sameAddress = (a: string, b: string): boolean => addressKey(a) === addressKey(b)
