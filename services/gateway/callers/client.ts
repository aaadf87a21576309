import type { IncomingMessage } from 'node:http'
import { cidrMatcher, clientAddress } from '@postrider/domain/network.ts'
import type { GatewayConfig } from '../config.ts'
import type { Step } from '../deps.ts'

const headerText = (value: string | string[] | undefined): string =>
  Array.isArray(value) ? value.join(',') : (value ?? '')

/**
 * Sets the client's address, and whether it came over TLS, from the connection and from the headers of trusted proxies.
 * It also initializes the rest of the state.
 */
export const identifyClient = ({
  trustedProxies,
  secureCookies,
}: Pick<GatewayConfig, 'trustedProxies' | 'secureCookies'>): Step => {
  const isTrustedProxy = cidrMatcher(trustedProxies)
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
    state.authenticatedInMs = 0
    state.emailId = null
    state.code = null
    state.isLong = false
    return next()
  }
}
