import { BlockList, isIPv4, isIPv6 } from 'node:net'
import type { Problem } from '@postrider/kit/fault.ts'
import { plainAddress } from './clientAddress.ts'

type Network = { address: string; bits: number; family: 'ipv4' | 'ipv6' }

const parseNetwork = (text: string): Network | null => {
  const [address = '', bitsText, ...rest] = text.split('/')
  const family = isIPv4(address) ? 'ipv4' : isIPv6(address) && !address.includes('%') ? 'ipv6' : null
  if (family === null || rest.length > 0 || plainAddress(address) !== address) return null
  const widest = family === 'ipv4' ? 32 : 128
  if (bitsText === undefined) return { address, bits: widest, family }
  if (!/^\d{1,3}$/.test(bitsText) || Number(bitsText) > widest) return null
  return { address, bits: Number(bitsText), family }
}

const most = 50

/** What is wrong with a key's networks: each must be a CIDR, or one address. */
export const networkProblems = (path: string, networks: readonly string[]): Problem[] => {
  if (networks.length > most) return [{ path, code: 'too_many', message: `A key has at most ${most} networks.` }]
  return networks.flatMap((network, index) =>
    parseNetwork(network) === null
      ? [
          {
            path: `${path}[${index}]`,
            code: 'invalid_network',
            message: 'This is not a network such as 203.0.113.0/24.',
          },
        ]
      : [],
  )
}

/** Whether an address is in one of these networks; what is no address is in none. */
export const isWithin = (networks: readonly string[], clientAddress: string): boolean => {
  const address = plainAddress(clientAddress)
  const family = isIPv4(address) ? 'ipv4' : 'ipv6'
  if (family === 'ipv6' && !isIPv6(address)) return false
  const allowed = new BlockList()
  for (const network of networks.flatMap((text) => parseNetwork(text) ?? [])) {
    // BlockList takes an IPv4 address for one of ::/0; who allows that means IPv6.
    if (network.family === family) allowed.addSubnet(network.address, network.bits, family)
  }
  return allowed.check(address, family)
}
