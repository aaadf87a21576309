import { BlockList, isIP } from 'node:net'

/*
 * Rules about IP addresses and networks: the CIDR form, IPv4-mapped IPv6 addresses (RFC 4291 §2.5.5.2), the client
 * behind trusted proxies, and the ranges that stand for one client in rate limits and in the audit log.
 */

/** Returns the parts of a comma-separated list of a setting, such as networks, without white space and empty parts. */
export const listParts = (text: string): string[] => text.split(',').flatMap((part) => part.trim() || [])

type Family = 'ipv4' | 'ipv6'

/** A network with an unmapped address: `::ffff:10.0.0.0/104` is 10.0.0.0/8. */
export type Network = { address: string; bits: number; family: Family }

const mapped = /^(?:::|(?:0{1,4}:){5})ffff:(?:(\d+\.\d+\.\d+\.\d+)|([0-9a-f]{1,4}):([0-9a-f]{1,4}))$/i
/** Length of the prefix `::ffff:0:0/96` that all IPv4-mapped addresses share. */
const mappedBits = 96

/** Unwraps an IPv4-mapped IPv6 address, in each of its spellings. */
export const unmapAddress = (address: string): string => {
  // Most addresses are IPv4, and this runs for each request.
  const [found, dotted, high = '', low = ''] = address.includes(':') ? (mapped.exec(address) ?? []) : []
  if (found === undefined) return address
  const [a, b] = [Number.parseInt(high, 16), Number.parseInt(low, 16)]
  return dotted ?? [a >> 8, a & 255, b >> 8, b & 255].join('.')
}

/** Writes an IPv6 address in its shortest form, as the URL parser does (RFC 5952 §4). */
const shortIpv6 = (address: string): string => new URL(`http://[${address}]`).hostname.slice(1, -1)

/**
 * Returns the shortest spelling of an address, without the mapping of `unmapAddress`. An address with a zone does not
 * change.
 */
export const shortAddress = (address: string): string =>
  isIP(address) === 6 && !address.includes('%') ? unmapAddress(shortIpv6(address)) : address

/**
 * Returns whether an address is of this machine: 127.0.0.0/8 or ::1 (RFC 1122 §3.2.1.3, RFC 4291 §2.5.3), also mapped.
 */
export const isLoopbackAddress = (address: string): boolean => {
  const short = shortAddress(address)
  return short === '::1' || (isIP(short) === 4 && short.startsWith('127.'))
}

/** `localhost` and every name below it always mean this machine (RFC 6761 §6.3). */
const loopbackName = /^(?:[a-z0-9_-]+\.){0,20}localhost\.?$/i
/** An IPv6 address in brackets, or a name or an IPv4 address; a port may follow. */
const hostAndPort = /^(?:\[([0-9a-f:.]+)\]|([^:[\]]+))(?::\d{0,5})?$/i

/** Returns whether `host` or `host:port`, as a URL or a `Host` header has it, means the machine of the client. */
export const isLoopbackHost = (host: string): boolean => {
  const [, ipv6 = '', name = ''] = hostAndPort.exec(host) ?? []
  return loopbackName.test(name) || isLoopbackAddress(name || ipv6)
}

/**
 * Names that no public server of DNS resolves: of one label, and below the suffixes of local networks (RFC 6761 §6.2,
 * RFC 6762 §3, RFC 8375 §3) and of Kubernetes.
 */
const privateName = /^[^.]+\.?$|\.(?:local|internal|svc|test|lan|home\.arpa)\.?$/i

/**
 * Returns whether an attacker cannot make `host` or `host:port` resolve to another machine: it is an IP address, or a
 * name of a private network.
 */
export const isPrivateHost = (host: string): boolean => {
  const [, ipv6 = '', name = ''] = hostAndPort.exec(host) ?? []
  return isIP(name || ipv6) !== 0 || (name !== '' && privateName.test(name))
}

const families: Readonly<Record<number, Family>> = { 4: 'ipv4', 6: 'ipv6' }

const familyOf = (address: string): Family | null => families[isIP(address)] ?? null

/** Reads a CIDR or a single address; null: it is neither. */
export const parseNetwork = (text: string): Network | null => {
  const [address = '', bitsText, ...rest] = text.split('/')
  const family = familyOf(address)
  if (family === null || rest.length > 0) return null
  const widest = family === 'ipv4' ? 32 : 128
  if (bitsText !== undefined && !/^\d{1,3}$/.test(bitsText)) return null
  const bits = bitsText === undefined ? widest : Number(bitsText)
  if (bits > widest) return null
  const plain = unmapAddress(address)
  if (plain === address || bits < mappedBits) return { address, bits, family }
  return { address: plain, bits: bits - mappedBits, family: 'ipv4' }
}

/** Returns a network in its canonical form, without host bits: `10.0.0.0/8`, `2001:db8::/32`. */
export const networkText = ({ address, bits, family }: Network): string => {
  const groupBits = family === 'ipv4' ? 8 : 16
  const groups = family === 'ipv4' ? address.split('.').map(Number) : ipv6Groups(address)
  const masked = groups.map((group, index) => {
    const kept = Math.min(groupBits, Math.max(0, bits - index * groupBits))
    return group & ~((1 << (groupBits - kept)) - 1)
  })
  if (family === 'ipv4') return `${masked.join('.')}/${bits}`
  return `${shortIpv6(masked.map((group) => group.toString(16)).join(':'))}/${bits}`
}

/**
 * Returns a predicate: is this address in one of `networks`? An IPv6 network that contains all IPv4-mapped
 * addresses, such as `::/0`, contains every IPv4 address too.
 */
export const networkMatcher = (networks: readonly Network[]): ((address: string) => boolean) => {
  if (networks.length === 0) return () => false
  const list = new BlockList()
  for (const { address, bits, family } of networks) list.addSubnet(address, bits, family)
  return (address) => {
    // The zone of a link-local address is no part of the network (RFC 4007 §11).
    const plain = unmapAddress(address.split('%')[0] ?? '')
    const family = familyOf(plain)
    return family !== null && list.check(plain, family)
  }
}

/** Text that is no network is ignored. */
const parseNetworks = (texts: readonly string[]): Network[] => texts.flatMap((text) => parseNetwork(text) ?? [])

/** Returns the predicate of `networkMatcher` for networks as text (CIDR). */
export const cidrMatcher = (networks: readonly string[]): ((address: string) => boolean) =>
  networkMatcher(parseNetworks(networks))

/**
 * Returns a predicate: is this address in one of these CIDRs of its own family? Unlike in `cidrMatcher`, `::/0` is IPv6
 * alone.
 */
export const familyMatcher = (networks: readonly string[]): ((address: string) => boolean) => {
  const parsed = parseNetworks(networks)
  const matcherOf = (family: Family) => networkMatcher(parsed.filter((network) => network.family === family))
  const matchers = { ipv4: matcherOf('ipv4'), ipv6: matcherOf('ipv6') }
  return (address) => {
    const family = familyOf(unmapAddress(address))
    return family !== null && matchers[family](address)
  }
}

/** Returns whether an address is in one of these CIDRs of its own family. */
export const isInNetworks = (networks: readonly string[], address: string): boolean => familyMatcher(networks)(address)

/** The address of one hop as proxies write it: an IPv6 address may be in brackets, and a port may follow. */
const hopAddress = (text: string): string => {
  const bare = text.trim().replace(/^\[([^\]]*)\](:\d+)?$/, '$1')
  return unmapAddress(isIP(bare) === 0 ? bare.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1') : bare)
}

/**
 * Returns the address of the client: the last hop that is not a trusted proxy, or the peer if that hop is no address.
 * @param peer the other end of the connection
 * @param forwardedFor `X-Forwarded-For`; it counts only if the peer is a trusted proxy
 */
export const clientAddress = (
  peer: string,
  forwardedFor: string,
  isTrustedProxy: (address: string) => boolean,
): string => {
  const direct = unmapAddress(peer)
  if (!isTrustedProxy(direct)) return direct
  const hops = forwardedFor.split(',').flatMap((hop) => hopAddress(hop) || [])
  // A proxy may append a word, such as `unknown`. What stands before it was sent by the client.
  const client = hops.findLast((hop) => !isTrustedProxy(hop)) ?? direct
  return isIP(client) === 0 ? direct : client
}

/** Writes an IPv4 address at the end of an IPv6 address as two groups (RFC 4291 §2.2). */
const withoutDots = (text: string): string =>
  text.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, a: string, b: string, c: string, d: string) =>
    [Number(a) * 256 + Number(b), Number(c) * 256 + Number(d)].map((group) => group.toString(16)).join(':'),
  )

/** The eight groups of an IPv6 address. */
const ipv6Groups = (address: string): number[] => {
  const [head = '', tail] = withoutDots(address.split('%')[0] ?? '').split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length)
  return [...left, ...Array<string>(zeros).fill('0'), ...right].map((group) => Number.parseInt(group, 16))
}

/** The first groups of an IPv6 address, each without leading zeros. */
const firstGroups = (address: string, count: number): string =>
  ipv6Groups(address)
    .slice(0, count)
    .map((group) => group.toString(16))
    .join(':')

/** Returns what a rate limit counts as one client: an IPv4 address, or the /64 that one IPv6 subscriber has. */
export const rateLimitClient = (address: string): string => {
  const plain = unmapAddress(address)
  const family = familyOf(plain)
  if (family === 'ipv4') return plain
  return family === 'ipv6' ? `${firstGroups(plain, 4)}::/64` : 'unknown'
}

/**
 * Returns the /16 or /32 of an address: all networks of one customer of a hosting company, or of a small internet
 * provider; empty: it is no address.
 */
export const networkArea = (address: string): string => {
  const plain = unmapAddress(address)
  const family = familyOf(plain)
  if (family === 'ipv4') return `${plain.split('.').slice(0, 2).join('.')}.0.0/16`
  return family === 'ipv6' ? `${firstGroups(plain, 2)}::/32` : ''
}

/**
 * Returns the /24 or /48 of an address for the audit log, which stores no person's address; empty: it is no address.
 */
export const auditNetwork = (address: string): string => {
  const plain = unmapAddress(address)
  const family = familyOf(plain)
  if (family === 'ipv4') return `${plain.split('.').slice(0, 3).join('.')}.0/24`
  return family === 'ipv6' ? `${firstGroups(plain, 3)}::/48` : ''
}
