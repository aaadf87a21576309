import type { IncomingMessage } from 'node:http'
import { isLoopbackAddress, isLoopbackHost, isPrivateHost } from '@postrider/domain/network.ts'
import { Fault } from '@postrider/kit/fault.ts'
import type { GatewayConfig } from '../config.ts'
import type { Step } from '../deps.ts'

type HostConfig = Pick<GatewayConfig, 'publicUrl' | 'publicUrlIsSet'>

/**
 * Refuses a request whose host is missing or ambiguous, and one for a host that is not this installation: a page
 * elsewhere may let its own name resolve to this machine (DNS rebinding), and would then use the service as its own
 * site.
 * @throws Fault `malformed_request`, `forbidden`
 */
export const checkHost = (config: HostConfig): Step => {
  const isForeign = foreignHosts(config)
  return function checkHost(context, next) {
    const { req, state } = context
    const host = hostOf(req)
    checkTarget(state.targetHost, host)
    if (isForeign(host, req) && !probePaths.has(context.path)) throw foreignHostFault()
    return next()
  }
}

/** Probes use the address of a pod or a container. */
const probePaths: ReadonlySet<string> = new Set(['/livez', '/readyz'])

const foreignHostFault = (): Fault =>
  new Fault(
    'forbidden',
    'This host name is not accepted. Use localhost, or ask the operator to set POSTRIDER_PUBLIC_URL.',
  )

/**
 * Which hosts are refused. Without a public URL every host but those of this machine. With one on this machine, the
 * same for requests from this machine; in a container and in a development cluster, requests come from other addresses,
 * and may also have an IP address or a name that is not of public DNS. With any other public URL none.
 */
const foreignHosts = ({ publicUrl, publicUrlIsSet }: HostConfig) => {
  if (!publicUrlIsSet) return (host: string): boolean => !isLoopbackHost(host)
  if (!isLoopbackHost(new URL(publicUrl).host)) return (): boolean => false
  return (host: string, { socket }: IncomingMessage): boolean =>
    !isLoopbackHost(host) && (isLoopbackAddress(socket.remoteAddress ?? '') || (host !== '' && !isPrivateHost(host)))
}

/** A registered name, an IPv4 address or an IPv6 address in brackets, and a port (RFC 9110 §7.2, RFC 3986 §3.2.2). */
const hostShape = /^(?:[a-z0-9._~!$&'()*+,;=%-]+|\[[0-9a-f:.]+\])(?::\d{0,5})?$/i

/** The sender and this service may disagree about the end of such a request too, so the connection ends. */
const malformedFault = (detail: string): Fault =>
  new Fault('malformed_request', detail, { headers: { Connection: 'close' } })

/**
 * Returns the one Host header; empty: HTTP/1.0 allows none. Node's own `headers` drop all but the first.
 * @throws Fault `malformed_request` (RFC 9112 §3.2)
 */
const hostOf = ({ rawHeaders, httpVersion }: IncomingMessage): string => {
  let host: string | null = null
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? ''
    if (name.length !== 4 || name.toLowerCase() !== 'host') continue
    if (host !== null) throw malformedFault('The request has several Host headers; send exactly one.')
    host = rawHeaders[index + 1] ?? ''
  }
  if (host === null && httpVersion === '1.0') return ''
  if (host === null) throw malformedFault('The request has no Host header; HTTP/1.1 requires one.')
  if (!hostShape.test(host))
    throw malformedFault('The Host header must be a host name or an address, and may have a port.')
  return host
}

const absoluteForm = /^(https?):\/\/([^/?#]*)/i
const defaultPorts: Record<string, string> = { http: ':80', https: ':443' }

/**
 * Separates the host from a request target in absolute form, so that all other steps see a path. It is a separate step,
 * and the first, because Koa fails on a target that is neither a path nor a valid URL.
 */
export const readTarget: Step = (context, next) => {
  const { url: target = '' } = context.req
  context.state.targetHost = null
  if (!target.startsWith('/') && target !== '*') {
    const [all = '', scheme = '', host = ''] = absoluteForm.exec(target) ?? []
    const pathOf = all === '' ? '' : target.slice(all.length)
    context.state.targetHost = { scheme: scheme.toLowerCase(), host }
    context.req.url = pathOf.startsWith('/') ? pathOf : `/${pathOf}`
  }
  return next()
}

/**
 * Checks that a request target in absolute form has the host of the `Host` header, because a proxy may use the other
 * one.
 * @throws Fault `malformed_request`
 */
const checkTarget = (target: { scheme: string; host: string } | null, host: string): void => {
  if (target === null) return
  const port = defaultPorts[target.scheme] ?? ''
  const plain = (text: string): string => {
    const lower = text.toLowerCase().replace(/:$/, '')
    return lower.endsWith(port) ? lower.slice(0, lower.length - port.length) : lower
  }
  if (target.host !== '' && plain(target.host) === plain(host)) return
  throw malformedFault('The request target must be a path, or a URL with the same host as the Host header.')
}
