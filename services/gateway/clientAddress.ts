import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'

/** Who is at the other end, as far as can be trusted. */
export type Peers = {
  /** The client's address: the last hop that is no trusted proxy. */
  clientAddress(request: IncomingMessage): string
  /** Whether the client came over TLS, to us or to a trusted proxy. */
  isSecure(request: IncomingMessage): boolean
}

const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i
/** An IPv4 address that came in IPv6 clothes as itself. */
const plain = (address: string): string => mapped.exec(address)?.[1] ?? address

const family = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

const listOf = (networks: readonly string[]): BlockList => {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    if (bits === undefined) list.addAddress(address, family(address))
    else list.addSubnet(address, Number(bits), family(address))
  }
  return list
}

const headerText = (value: string | string[] | undefined): string =>
  Array.isArray(value) ? value.join(',') : (value ?? '')

/** The address of one hop as proxies write it, perhaps with a port. */
const hop = (text: string): string => {
  const bare = text.trim().replace(/^\[([^\]]*)\](:\d+)?$/, '$1')
  return plain(isIP(bare) === 0 ? bare.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1') : bare)
}

/** @param trusted addresses and CIDRs of proxies; from anybody else forwarded headers mean nothing */
export const makePeers = (trusted: readonly string[]): Peers => {
  const proxies = listOf(trusted)
  const isProxy = (address: string) => isIP(address) !== 0 && proxies.check(address, family(address))
  const peerOf = (request: IncomingMessage): string => plain(request.socket.remoteAddress ?? '')
  return {
    clientAddress: (request) => {
      const peer = peerOf(request)
      if (trusted.length === 0 || !isProxy(peer)) return peer
      const hops = headerText(request.headers['x-forwarded-for']).split(',').map(hop)
      const client = hops.findLast((address) => isIP(address) !== 0 && !isProxy(address))
      return client ?? peer
    },
    isSecure: (request) => {
      if ('encrypted' in request.socket) return true
      if (trusted.length === 0 || !isProxy(peerOf(request))) return false
      return headerText(request.headers['x-forwarded-proto']).split(',').at(-1)?.trim().toLowerCase() === 'https'
    },
  }
}

const forwarded = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via'] as const
const loopbackName = /^(localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])(:\d{1,5})?$/i

/**
 * Whether a request was made on this machine, for this machine: peer and `Host` are loopback and no proxy stood between.
 * The `Host` matters because a page elsewhere may point its own name here (DNS rebinding).
 */
export const isLoopback = (request: IncomingMessage): boolean => {
  const peer = plain(request.socket.remoteAddress ?? '')
  const near = peer === '::1' || peer.startsWith('127.')
  return near && loopbackName.test(request.headers.host ?? '') && !forwarded.some((name) => name in request.headers)
}
