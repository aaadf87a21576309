import type { IncomingMessage } from 'node:http'
import { isLoopbackAddress, isLoopbackHost } from '@postrider/domain/network.ts'
import type { GatewayConfig } from '../config.ts'
import { peerOwner } from './peerOwner.ts'

/*
 * Requests from this machine may read captured mail and metrics without a login. A reverse proxy on this machine makes
 * requests of the whole world look like that, so every sign of a proxy ends the privilege. Some proxies change nothing
 * in a request: on Linux they are recognized by their user (peerOwner.ts). One that runs as the user of the service, or
 * as root, looks like a client of this machine: browsers behind it need another `Host`, which only a public URL allows,
 * but a program can send any. The public URL, or trusted proxies, end the privilege (docs/one-machine.md).
 */

/**
 * Names of the headers that browsers, command lines, HTTP libraries, API clients and scrapers send automatically, and
 * of those that the service reads. A list of what proxies add is never complete: each product and each configuration
 * has its own names. So any other name counts as a sign of a proxy.
 */
const clientHeaders: ReadonlySet<string> = new Set(
  // RFC 9110, RFC 9111, RFC 6265, RFC 6454, RFC 9218.
  (
    'host connection keep-alive te upgrade http2-settings user-agent accept accept-charset accept-encoding ' +
    'accept-language authorization cookie origin referer date from expect content-type content-length content-encoding ' +
    'transfer-encoding trailer range if-match if-none-match if-modified-since if-unmodified-since if-range cache-control ' +
    'pragma priority ' +
    // Browsers and tools on top of them.
    'dnt purpose save-data upgrade-insecure-requests x-requested-with device-memory dpr ect downlink rtt viewport-width ' +
    'width postman-token ' +
    // Traces and scrapers.
    'traceparent tracestate baggage b3 x-prometheus-scrape-timeout-seconds ' +
    // What the service reads.
    'idempotency-key batch-validation x-request-id x-csrf-token x-workspace'
  ).split(' '),
)

/** Only a browser can set a header with this prefix: `Sec-Fetch-…`, `Sec-CH-…` (Fetch §2.2.2). */
const browserHeader = /^sec-(?:fetch|ch|gpc|purpose|websocket)(?:-|$)/

const isClientHeader = (name: string): boolean => clientHeaders.has(name) || browserHeader.test(name)

/** Returns the sign in the request line or in `Connection` of a proxy that adds no header; null: there is none. */
const rewrittenSign = ({ httpVersion, headers }: IncomingMessage): string | null => {
  // nginx before 1.29.7 uses HTTP/1.0 for its upstream by default, and no current client does.
  if (httpVersion !== '1.1') return `HTTP/${httpVersion}`
  const connection = headers.connection?.toLowerCase() ?? ''
  // Proxies that use a new connection for each request, such as nginx with `proxy_http_version 1.1` alone and lighttpd.
  // curl, browsers and scrapers keep their connections.
  if (connection.split(',').some((option) => option.trim() === 'close')) return '`Connection: close`'
  // A browser sends `Connection: keep-alive` on each HTTP/1.1 request, and every proxy removes it (RFC 9110 §7.6.1).
  const isBrowser = (headers['user-agent'] ?? '').startsWith('Mozilla/')
  return isBrowser && connection !== 'keep-alive' ? 'a browser without `Connection: keep-alive`' : null
}

/** Returns the sign of a proxy that a request shows; null: it shows none. */
const proxySign = (request: IncomingMessage): string | null => {
  const name = Object.keys(request.headers).find((one) => !isClientHeader(one))
  return name === undefined ? rewrittenSign(request) : `the header \`${name}\``
}

export type LoopbackConfig = Pick<GatewayConfig, 'publicUrl' | 'trustedProxies'>

/** Whether the public URL, and the absence of trusted proxies, allow privileges for this machine at all. */
const isLocalInstallation = ({ publicUrl, trustedProxies }: LoopbackConfig): boolean =>
  trustedProxies.length === 0 && isLoopbackHost(new URL(publicUrl).host)

/** Whether a request comes from this machine, or from a proxy on it, to an installation without a public address. */
const isFromHere = (request: IncomingMessage, config: LoopbackConfig): boolean =>
  isLocalInstallation(config) &&
  isLoopbackAddress(request.socket.remoteAddress ?? '') &&
  isLoopbackHost(request.headers.host ?? '')

/**
 * Access of a request without a login. `advice`: what to do if only the sign of a proxy ends the privilege; empty:
 * other reasons do.
 */
export type LocalAccess = { isGranted: true } | { isGranted: false; advice: string }

const proxyAdvice = (sign: string): string =>
  ` The request looks like one of a proxy (${sign}). If there is a proxy, set POSTRIDER_PUBLIC_URL; if there is none, use a client that keeps its connection open, adds no such header and runs as the user of the service, such as curl.`

/**
 * Returns whether a request was made on this machine for this machine: peer and `Host` are loopback, the installation
 * has no public address and no trusted proxy, and nothing shows a proxy in between: neither the request nor the user
 * that sends it.
 */
export const localAccess = async (
  request: IncomingMessage,
  config: LoopbackConfig,
  ownerOf = peerOwner,
): Promise<LocalAccess> => {
  if (!isFromHere(request, config)) return { isGranted: false, advice: '' }
  const sign = proxySign(request) ?? ((await ownerOf(request.socket)) === 'other' ? 'another user sends it' : null)
  return sign === null ? { isGranted: true } : { isGranted: false, advice: proxyAdvice(sign) }
}
