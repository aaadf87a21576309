import { isIPv4, isIPv6 } from 'node:net'

const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i

/** An IPv4 address that came in IPv6 clothes as itself. */
export const plainAddress = (address: string): string => mapped.exec(address)?.[1] ?? address

/** The first groups of an IPv6 address, each without leading zeros. */
const groups = (address: string, count: number): string => {
  const [head = '', tail] = (address.split('%')[0] ?? '').split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length)
  const all = [...left, ...Array<string>(zeros).fill('0'), ...right]
  return all
    .slice(0, count)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}

/** What a rate limit counts as one client: an IPv4 address, or a /64, which is what one IPv6 subscriber has. */
export const clientOf = (address: string): string => {
  const plain = plainAddress(address)
  if (isIPv4(plain)) return plain
  return isIPv6(plain) ? `${groups(plain, 4)}::/64` : 'unknown'
}

/** An address for the audit log: the network it is in, so that no person's address is kept in clear. */
export const networkOf = (address: string): string => {
  const plain = plainAddress(address)
  if (isIPv4(plain)) return `${plain.split('.').slice(0, 3).join('.')}.0/24`
  return isIPv6(plain) ? `${groups(plain, 3)}::/48` : ''
}
