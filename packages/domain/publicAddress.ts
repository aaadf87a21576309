import { isIP } from 'node:net'
import { cidrMatcher, networkMatcher, unmapAddress } from './network.ts'

/**
 * Networks that no public server is in, of the IANA registries for special purposes (RFC 6890), multicast, and IPv6
 * forms that contain an IPv4 address: an address that a user chose must not lead into the network of the operator.
 */
const specialNetworks = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  // Azure's platform address: its metadata and the agent of a virtual machine, which no other network reaches.
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
]

const isSpecial = cidrMatcher(specialNetworks)

/** All public IPv6 addresses are in this network (RFC 4291 §2.4, IANA's registry of global unicast addresses). */
const isGlobalUnicast = networkMatcher([{ address: '2000::', bits: 3, family: 'ipv6' }])

/** Returns whether an address is one of the public internet. Text that is no address, or has a zone, is not. */
export const isPublicAddress = (address: string): boolean => {
  const plain = unmapAddress(address)
  const family = plain.includes('%') ? 0 : isIP(plain)
  if (family === 0 || isSpecial(plain)) return false
  return family === 4 || isGlobalUnicast(plain)
}
