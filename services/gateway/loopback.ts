import type { IncomingMessage } from 'node:http'
import { isLoopbackAddress, isLoopbackHost } from '@postrider/domain/network.ts'
import type { GatewayConfig } from './config.ts'

/*
 * Requests from this machine may read captured mail and metrics without a login. A reverse proxy on this machine makes
 * requests of the whole world look like that, so every sign of a proxy ends the privilege. A proxy that shows no sign, such as
 * one that passes bytes, is covered by the public URL: users behind it need another `Host`, which only a public URL allows.
 */

/**
 * Beginnings of header names that proxies, load balancers, content delivery networks and tunnels add. They were collected
 * from the documentation of the products; `_` is compared as `-`.
 */
const forwardingHeaders = [
  // RFC 7239, RFC 9110 §7.6, RFC 8586, RFC 8470, RFC 9440.
  ...['forwarded', 'via', 'max-forwards', 'cdn-loop', 'early-data', 'client-cert'],
  // Conventions of proxies: nginx, Apache, HAProxy, Traefik, IIS, WebLogic, Varnish, Kong, authenticating proxies.
  ...['x-forwarded', 'x-forward-', 'x-original-', 'x-originating-', 'x-real-', 'x-client-', 'x-cluster-', 'x-remote-'],
  ...['client-ip', 'true-client-', 'remote-', 'x-host', 'x-scheme', 'x-url-scheme', 'x-rewrite-url', 'x-ssl', 'ssl-'],
  ...['x-tls-', 'x-proxy', 'proxy-', 'wl-proxy-', 'http-', 'x-http-', 'x-nginx', 'x-haproxy', 'x-traefik', 'x-varnish'],
  ...['x-kong-', 'x-arr-', 'x-iisnode', 'front-end-https', 'surrogate-capability', 'x-request-start', 'x-queue-start'],
  ...[
    'x-lb-',
    'x-gateway-',
    'x-auth-request-',
    'x-authenticated-',
    'x-authentik-',
    'x-envoy-',
    'x-backend-',
    'x-peer-',
  ],
  // Cloudflare, CloudFront and AWS, Google, Azure, Fastly, Akamai, Imperva, Sucuri, Bunny, Alibaba, Tencent, F5.
  ...['cf-', 'cdn-', 'x-cdn', 'cloudfront-', 'x-amzn-', 'x-amz-cf-', 'x-appengine-', 'x-goog', 'x-gfe-', 'x-cloud-'],
  ...['x-azure-', 'x-fd-', 'x-ms-client-', 'x-ms-original-', 'fastly-', 'x-fastly-', 'akamai-', 'x-akamai-', 'x-edge-'],
  ...['incap-', 'x-sucuri-', 'x-bunny', 'ali-', 'eagleeye-', 'x-tencent-', 'x-stgw-', 'x-f5-', 'x-coming-from'],
  // Platforms and tunnels: Fly, Vercel, Netlify, Railway, Render, DigitalOcean, Tailscale, ngrok.
  ...[
    'fly-',
    'x-vercel-',
    'x-nf-',
    'x-railway-',
    'x-render-',
    'rndr-',
    'do-connecting-ip',
    'tailscale-',
    'ngrok-',
    'x-ngrok',
  ],
]

/** Spellings that many products share with prefixes of their own: `z-forwarded-for`, `x-imforwards`, `x-user-ip`. */
const forwardingShape = /forward|-via$|(?:^|-)(?:ip|ipaddr|remote-user|webauth-user)$/

const isForwardingHeader = (name: string): boolean => {
  const plain = name.replaceAll('_', '-')
  return forwardingShape.test(plain) || forwardingHeaders.some((start) => plain.startsWith(start))
}

/**
 * Whether the request line or the connection shows a proxy that adds no header. nginx up to 1.29 speaks HTTP/1.0 to its
 * upstream unless configured, and no current client does. A browser sends `Connection: keep-alive` on each HTTP/1.1 request,
 * and every proxy removes it (RFC 9110 §7.6.1).
 */
const isRewritten = ({ httpVersion, headers }: IncomingMessage): boolean => {
  if (httpVersion === '1.0' || httpVersion === '0.9') return true
  const isBrowser = (headers['user-agent'] ?? '').startsWith('Mozilla/')
  return isBrowser && headers.connection?.toLowerCase() !== 'keep-alive'
}

export type LoopbackConfig = Pick<GatewayConfig, 'publicUrl' | 'trustedProxies'>

/** Whether the public URL, and the absence of trusted proxies, allow privileges for this machine at all. */
const isLocalInstallation = ({ publicUrl, trustedProxies }: LoopbackConfig): boolean =>
  trustedProxies.length === 0 && isLoopbackHost(new URL(publicUrl).host)

/**
 * Whether a request was made on this machine for this machine: peer and `Host` are loopback, the installation has no public
 * address and no trusted proxy, and nothing shows a proxy in between.
 */
export const isLoopback = (request: IncomingMessage, config: LoopbackConfig): boolean =>
  isLocalInstallation(config) &&
  isLoopbackAddress(request.socket.remoteAddress ?? '') &&
  isLoopbackHost(request.headers.host ?? '') &&
  !isRewritten(request) &&
  !Object.keys(request.headers).some(isForwardingHeader)
