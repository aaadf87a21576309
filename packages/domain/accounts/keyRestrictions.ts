import { addressKey, domainOf, type Mailbox, normalizeDomain, parseMailbox } from '@postrider/mail/address.ts'
import type { SenderDomain } from '../domains/domain.ts'
import { readDomainName } from '../domains/domainName.ts'
import { isCoveredBy, keyRefusal } from '../domains/sender.ts'
import type { Email, Mode } from '../email/email.ts'
import { networkText, parseNetwork } from '../network.ts'
import type { Problem } from '../problem.ts'
import { maxRestrictions, tooManyRestrictions } from './keyRules.ts'

/**
 * Restrictions of an API key: the networks that it is used from, the domains in `from_`, and the recipients. An empty
 * list limits nothing. Each reader returns the entries as they are stored and compared, each once, or the problem of
 * every entry that cannot be read.
 */
export type ReadEntries = { ok: true; values: string[] } | { ok: false; problems: Problem[] }

type EntryProblem = { code: string; message: string }

/** Characters of an entry that are read; no valid entry is as long. */
const maxEntryLength = 1_024

const readEach = (
  path: keyof typeof maxRestrictions,
  entries: readonly string[],
  read: (entry: string) => string | EntryProblem,
): ReadEntries => {
  if (entries.length > maxRestrictions[path]) return { ok: false, problems: [{ path, ...tooManyRestrictions(path) }] }
  const values = new Set<string>()
  const problems = entries.flatMap((entry, index): Problem[] => {
    const value = read(entry.slice(0, maxEntryLength))
    if (typeof value !== 'string') return [{ path: `${path}[${index}]`, ...value }]
    values.add(value)
    return []
  })
  return problems.length > 0 ? { ok: false, problems } : { ok: true, values: [...values] }
}

const notANetwork = {
  code: 'invalid_network',
  message: 'This is not a network; use a CIDR such as 203.0.113.0/24 or 2001:db8::/32, or one address.',
}

/**
 * Reads networks. An IPv4-mapped IPv6 network is stored as IPv4, and host bits are cleared: 10.1.2.3/8 is 10.0.0.0/8.
 * `::/0` is every IPv6 address and no IPv4 address.
 */
export const readNetworks = (entries: readonly string[]): ReadEntries =>
  readEach('networks', entries, (entry) => {
    const network = entry.includes('%') ? null : parseNetwork(entry)
    return network === null ? notANetwork : networkText(network)
  })

/**
 * Reads names for `from_`: domains from which the workspace may send, or subdomains of them.
 * @param usable the verified domains of the workspace
 */
export const readSenderNames = (entries: readonly string[], usable: readonly SenderDomain[]): ReadEntries =>
  readEach('domains', entries, (entry) => {
    const read = readDomainName(entry, [])
    if (!read.ok) return { code: read.code, message: read.message }
    if (usable.some((domain) => isCoveredBy(read.name, domain))) return read.name
    const message = `${read.name} is not a verified domain of the workspace; verify it first, or use one that is verified.`
    return { code: 'domain_not_verified', message }
  })

const notARecipient = {
  code: 'invalid_recipient',
  message: 'This is neither an address such as jane@example.com nor a domain such as example.com.',
}

const wildcard = {
  code: 'wildcard',
  message: 'Wildcards are not supported; enter the domain, such as example.com, to allow each of its addresses.',
}

/** Reads recipients: addresses in lower case, and domains as lower-case A-labels. `@example.com` is a domain too. */
export const readRecipients = (entries: readonly string[]): ReadEntries =>
  readEach('recipients', entries, (entry) => {
    const text = entry.trim()
    if (text.startsWith('*')) return wildcard
    if (!/.@/.test(text)) {
      const name = normalizeDomain(text.replace(/^@/, ''))
      return name?.includes('.') || name === 'localhost' ? name : notARecipient
    }
    const parsed = parseMailbox(text)
    if (!parsed.ok) return { code: parsed.code, message: parsed.message }
    if (parsed.mailbox.address !== text && text.endsWith('>')) {
      return { code: 'invalid_recipient', message: `Enter only the address: ${parsed.mailbox.address}.` }
    }
    return addressKey(parsed.mailbox.address)
  })

/**
 * Returns whether a key with these recipients may send to an address. A domain allows its own addresses and not those
 * of its subdomains, because another person may receive their mail.
 */
export const recipientMatcher = (recipients: readonly string[]): ((address: string) => boolean) => {
  if (recipients.length === 0) return () => true
  const allowed = new Set(recipients)
  return (address) => {
    const key = addressKey(address)
    return allowed.has(key) || allowed.has(domainOf(key))
  }
}

type Addressed = readonly { address: string }[]

/** Returns a problem for each entry that a key may not send to. An entry with an empty address could not be read. */
export const recipientProblems = (
  recipients: readonly string[],
  mail: { to: Addressed; cc: Addressed; bcc: Addressed },
): Problem[] => {
  if (recipients.length === 0) return []
  const isAllowed = recipientMatcher(recipients)
  return (['to', 'cc', 'bcc'] as const).flatMap((kind) =>
    mail[kind].flatMap(({ address }, index) =>
      address === '' || isAllowed(address)
        ? []
        : [
            {
              path: `${kind}[${index}]`,
              code: 'recipient_not_allowed',
              message: `This API key may not send to ${address}; use an address that its recipients allow, or another key.`,
            },
          ],
    ),
  )
}

/** Returns whether a reader may read an email. @param reader `mode` null: both; `sentBy` null: mail of any sender */
export const mayRead = (
  reader: { workspace: string; mode: Mode | null; sentBy: string | null },
  { workspace, mode, keyId }: Pick<Email, 'workspace' | 'mode' | 'keyId'>,
): boolean =>
  workspace === reader.workspace &&
  (reader.mode === null || mode === reader.mode) &&
  (reader.sentBy === null || keyId === reader.sentBy)

/**
 * Returns why a limited key may not change an email; null: it may. The key may not cancel or resend mail that it may
 * not send: a key for a test stage must not reach mail to customers.
 */
export const changeRefusal = (
  { from, recipients }: { from: Mailbox; recipients: Addressed },
  limits: { recipients: readonly string[]; domains: readonly string[] },
): string | null => {
  const isAllowed = recipientMatcher(limits.recipients)
  const isOfKey =
    recipients.every(({ address }) => isAllowed(address)) &&
    keyRefusal(from, limits.domains.length === 0 ? null : limits.domains) === null
  if (isOfKey) return null
  return 'This API key may not send this email, because of its recipients or domains, so it may not change it; use another key, or a session.'
}
