import { isIP } from 'node:net'
import { familyMatcher } from '../network.ts'
import { isPublicAddress } from '../publicAddress.ts'
import { embeddedAddress } from './embeddedAddress.ts'

/*
 * Decides where webhooks may go. `checkWebhookUrl` decides about a URL before its host is resolved, when an endpoint is
 * created and before each attempt. `mayReach` decides about each address to which the host resolves.
 */

/** The decisions of the operator. */
export type WebhookRules = {
  /** Whether POSTRIDER_WEBHOOK_ALLOW covers an address. There every port of HTTP is allowed, and plain http. */
  isAllowed(address: string): boolean
  /** Whether POSTRIDER_WEBHOOK_ALLOW covers any address. */
  allowsAny: boolean
  /** The ports of public addresses: POSTRIDER_WEBHOOK_PORTS. */
  ports: readonly number[]
}

const defaultPorts: Readonly<Record<string, number>> = { 'https:': 443, 'http:': 80 }

export const defaultWebhookPorts: readonly number[] = [443]

/** @param allow valid CIDRs; `::/0` is IPv6 alone */
export const webhookRules = ({
  allow = [],
  ports = defaultWebhookPorts,
}: {
  allow?: readonly string[]
  ports?: readonly number[]
} = {}): WebhookRules => ({
  isAllowed: familyMatcher(allow),
  allowsAny: allow.length > 0,
  ports,
})

export type WebhookTarget = {
  /** The URL in the canonical form of the WHATWG standard, without a final dot of its host. */
  url: string
  isEncrypted: boolean
  /** Host name in lower-case A-labels, or an IP address without brackets. */
  host: string
  port: number
  /** The addresses that need no resolver: a literal, or loopback for `localhost`; null: the host is a name of DNS. */
  addresses: readonly string[] | null
}

/** `reason` continues a sentence that begins with the name of the field: "`url` must begin with https://". */
export type CheckedWebhookUrl = { kind: 'possible'; target: WebhookTarget } | { kind: 'refused'; reason: string }

const maxUrlLength = 2_048

/** An empty user name, or an empty password, is not in the parsed URL. */
const hasUserInfo = /^[^/\\]*[/\\]*[^/\\?#]*@/

/**
 * The URL parser accepts other numbers of slashes, and backslashes; other programs read another host in such a text.
 */
const isPlain = /^https?:\/\/[^/\\][^\\]*$/i

/** Returns whether a connection to an address of the target is allowed. */
export const mayReach = (rules: WebhookRules, target: WebhookTarget, address: string): boolean => {
  if (isBlockedPort(rules, target.port)) return false
  if (rules.isAllowed(address)) return true
  return target.isEncrypted && rules.ports.includes(target.port) && isPublicAddress(address)
}

/** The operator may name a port of another protocol; then it is used as one of HTTP. */
const isBlockedPort = (rules: WebhookRules, port: number): boolean =>
  port === 0 || (otherProtocolPorts.has(port) && !rules.ports.includes(port))

const refused = (reason: string): CheckedWebhookUrl => ({ kind: 'refused', reason })

/**
 * Decides whether webhooks can ever be sent to a URL. DNS is not queried: the addresses of a name are checked at each
 * attempt.
 */
export const checkWebhookUrl = (text: string, rules: WebhookRules): CheckedWebhookUrl => {
  if (text.length > maxUrlLength) return refused(`must have at most ${maxUrlLength} characters`)
  // The URL parser removes white space and control characters, so that two different texts would be one URL.
  if (/[\p{Cc}\p{Z}]/u.test(text)) return refused('must not contain white space or control characters')
  // It removes some of these too, and the others would change what a person reads.
  if (/\p{Cf}/u.test(text)) return refused('must not contain invisible characters')
  const parsed = URL.canParse(text) ? new URL(text) : null
  if (parsed === null) return refused('must be a URL such as https://example.com/webhooks')
  const port = parsed.port === '' ? defaultPorts[parsed.protocol] : Number(parsed.port)
  if (port === undefined || parsed.hostname === '') return refused('must begin with https://')
  if (parsed.username !== '' || parsed.password !== '' || hasUserInfo.test(text))
    return refused('must not contain a user name or a password; verify the signature of each webhook instead')
  if (parsed.hash !== '') return refused('must not have a fragment (#...), which is never sent')
  const target = targetOf(parsed, port)
  const reason =
    refusalOf(target, rules) ?? (isPlain.test(text) ? null : 'must begin with https:// and have no backslash')
  return reason === null ? { kind: 'possible', target } : refused(reason)
}

const loopback = ['127.0.0.1', '::1']

const targetOf = (parsed: URL, port: number): WebhookTarget => {
  const canonical = new URL(parsed)
  // `example.com.` is the same name, but no certificate has it.
  canonical.hostname = parsed.hostname.replace(/\.$/, '')
  const host = canonical.hostname.replace(/^\[(.*)\]$/, '$1')
  const own = isIP(host) !== 0 ? [host] : isLocalhost(host) ? loopback : null
  return { url: canonical.href, isEncrypted: parsed.protocol === 'https:', host, port, addresses: own }
}

/** RFC 6761 §6.3: these names always mean loopback, and no resolver is queried. */
const isLocalhost = (host: string): boolean => host === 'localhost' || host.endsWith('.localhost')

const publicPorts = (ports: readonly number[]): string =>
  ports.length === 1 ? `the allowed port is ${ports[0]}` : `the allowed ports are ${ports.join(', ')}`

const refusalOf = (target: WebhookTarget, rules: WebhookRules): string | null => {
  const { isEncrypted, host, port } = target
  const known = target.addresses ?? embeddedAddress(host)
  const isInside = known === null ? rules.allowsAny : known.some(rules.isAllowed)
  if (known === null && !isDnsName(host)) return 'has a host that is no valid name'
  if (known !== null && !known.some((address) => rules.isAllowed(address) || isPublicAddress(address)))
    return 'leads to an address that is not public: private, loopback, link-local and reserved addresses are not allowed; `postrider webhooks listen` posts events to your own machine'
  if (!isEncrypted && !isInside) return 'must begin with https://'
  if (isInside && isBlockedPort(rules, port) && port !== 0)
    return `has port ${port}, which belongs to another protocol than HTTP`
  if (isBlockedPort(rules, port) || !(isInside || rules.ports.includes(port)))
    return `has port ${port}; ${publicPorts(rules.ports)}`
  if (known === null && isPrivateName(host) && !rules.allowsAny)
    return 'has a host that is a name of a private network; use a name of the public DNS'
  return null
}

/** Host names of DNS with underscores (RFC 1035 §2.3.4: at most 63 octets in a label, 253 in the name). */
const isDnsName = (host: string): boolean =>
  host.length <= 253 && host.split('.').every((label) => /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/.test(label))

/** Names that the public DNS never has: single labels, and those of RFC 6762, RFC 8375 and ICANN's private-use name. */
const isPrivateName = (host: string): boolean =>
  !host.includes('.') || /\.(?:local|localdomain|internal|home\.arpa|onion)$/.test(host)

/**
 * Ports of other protocols: an HTTP request there is a cross-protocol attack, such as a command for Redis in a body.
 * They are those that the Fetch standard blocks (https://fetch.spec.whatwg.org/#port-blocking), and those of stores and
 * remote control that listen in a private network.
 */
const otherProtocolPorts: ReadonlySet<number> = new Set([
  ...[
    1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  ],
  ...[
    111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532,
  ],
  ...[540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061],
  ...[6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080],
  // Docker, ZooKeeper, etcd, MySQL, RDP, PostgreSQL, AMQP, Redis, Cassandra, Kafka, memcached, MongoDB.
  ...[445, 2375, 2376, 2181, 2379, 2380, 3306, 3389, 5432, 5672, 6379, 9042, 9092, 11211, 27017],
])
