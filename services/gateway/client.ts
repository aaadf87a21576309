import type { IncomingMessage } from 'node:http'
import { clientAddress, networkMatcher, parseNetwork, unmapAddress } from '@postrider/domain/network.ts'
import type { GatewayConfig } from './config.ts'
import type { Step } from './deps.ts'

const headerText = (value: string | string[] | undefined): string =>
  Array.isArray(value) ? value.join(',') : (value ?? '')

/**
 * Sets the client's address, and whether it came over TLS, from the connection and from the headers of trusted proxies.
 * It is the first step, so it also initialises the rest of the state.
 */
export const identifyClient = ({
  trustedProxies,
  secureCookies,
}: Pick<GatewayConfig, 'trustedProxies' | 'secureCookies'>): Step => {
  const isTrustedProxy = networkMatcher(trustedProxies.flatMap((text) => parseNetwork(text) ?? []))
  const isSecure = (request: IncomingMessage, peer: string): boolean => {
    if (secureCookies || 'encrypted' in request.socket) return true
    if (!isTrustedProxy(peer)) return false
    return headerText(request.headers['x-forwarded-proto']).split(',').at(-1)?.trim().toLowerCase() === 'https'
  }
  return function identifyClient(context, next) {
    const { req, state } = context
    const peer = req.socket.remoteAddress ?? ''
    state.clientAddress = clientAddress(peer, headerText(req.headers['x-forwarded-for']), isTrustedProxy)
    state.secure = isSecure(req, peer)
    state.identity = null
    state.emailId = null
    state.isLong = false
    return next()
  }
}

const forwardingHeaders = [
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
  'via',
] as const
const loopbackName = /^(localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])(:\d{1,5})?$/i

/**
 * Whether a request was made on this machine for this machine: peer and `Host` are loopback and no proxy is in between.
 * The `Host` is checked because a page elsewhere may let its own name resolve to this address (DNS rebinding).
 */
export const isLoopback = (request: IncomingMessage): boolean => {
  const peer = unmapAddress(request.socket.remoteAddress ?? '')
  if (peer !== '::1' && !peer.startsWith('127.')) return false
  return loopbackName.test(request.headers.host ?? '') && !forwardingHeaders.some((name) => name in request.headers)
}
