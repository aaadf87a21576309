import tls from 'node:tls'
import { maxRequestMs } from '@postrider/domain/webhooks/schedule.ts'
import { checkWebhookUrl, mayReach, type WebhookRules, type WebhookTarget } from '@postrider/domain/webhooks/url.ts'
import { type After, afterReads } from '@postrider/kit/after.ts'
import type { FailReason, WebhookClient, WebhookRequest, WebhookResult } from '@postrider/ports/webhookClient.ts'
import type { Dispatcher } from 'undici'
import { addressResolver, type Resolve } from './addresses.ts'
import { type HttpConnection, isInvalidRequest, loadHttpLibrary } from './connection.ts'
import { type Connections, makeConnections } from './connections.ts'
import { failureOf, isClosedConnection } from './failures.ts'
import { type ReadResponse, readResponse } from './readResponse.ts'

/*
 * Posts to URLs of customers. An attempt:
 * 1. checks the URL (`domain/webhooks/url.ts`);
 * 2. resolves its host once and checks every address (`addresses.ts`);
 * 3. takes an idle connection to one of these addresses, or connects to one of them (`connections.ts`,
 * `connection.ts`);
 * 4. sends the request and reads the response up to a bound (`readResponse.ts`).
 * One time limit applies to all of it. `failures.ts` names what went wrong.
 */

export type WebhookClientOptions = {
  rules: WebhookRules
  resolve?: Resolve
  /** Authorities of certificates (PEM) in addition to those of Node. */
  authorities?: readonly string[]
  limits?: Partial<WebhookLimits>
  /** The timer of the time limit. */
  after?: After
  /** Returns the time in milliseconds since the epoch, to which dates of `Retry-After` are compared. */
  now?: () => number
}

export type WebhookLimits = {
  /** Maximum time from the call to the end of the response. */
  totalMs: number
  /** A connection without a request is closed after this time. */
  idleMs: number
  maxIdle: number
  maxIdlePerOrigin: number
  headerBytes: number
  readBytes: number
  keptBytes: number
  /** Maximum size of one response with its framing. */
  receivedBytes: number
}

const kibibyte = 1_024

const webhookLimits: WebhookLimits = {
  totalMs: maxRequestMs,
  idleMs: 30_000,
  maxIdle: 256,
  maxIdlePerOrigin: 16,
  headerBytes: 16 * kibibyte,
  readBytes: 64 * kibibyte,
  keptBytes: 4 * kibibyte,
  receivedBytes: 128 * kibibyte,
}

/** Why an attempt ended early. */
type Stop = Extract<FailReason, 'timeout' | 'stopped'>

const stopDetails: Readonly<Record<Stop, string>> = {
  timeout: 'there was no complete response within the time limit',
  stopped: 'the attempt was stopped',
}

type RequestOutcome = { kind: 'answered'; read: ReadResponse } | { kind: 'failed'; error: unknown; status?: number }

type Undated<Result> = Result extends WebhookResult ? Omit<Result, 'durationMs'> : never

/** @returns the port, and the number of its connections */
export const webhookClient = (
  options: WebhookClientOptions,
): WebhookClient & { connections(): { idle: number; used: number } } => {
  const { rules, resolve = addressResolver(), authorities, after = afterReads, now = Date.now } = options
  const limits = { ...webhookLimits, ...options.limits }
  const connections = makeConnections({
    maxIdle: limits.maxIdle,
    maxIdlePerOrigin: limits.maxIdlePerOrigin,
    limits,
    authorities: authorities && [...tls.getCACertificates('default'), ...authorities],
  })
  const running = new Set<AbortController>()
  let isClosed = false

  const attempt = async (request: WebhookRequest, stop: AbortController): Promise<Undated<WebhookResult>> => {
    const checked = checkWebhookUrl(request.url, rules)
    if (checked.kind === 'refused') return { kind: 'blocked', reason: 'url', detail: `the URL ${checked.reason}` }
    const found = await addressesOf(checked.target, { rules, resolve, signal: stop.signal })
    if (stop.signal.aborted) return stopped(stop.signal)
    if ('kind' in found) return found
    return send(checked.target, found.addresses, { request, connections, limits, now, signal: stop.signal })
  }

  return {
    prepare: loadHttpLibrary,
    post: async (request) => {
      const startedAt = performance.now()
      const stop = new AbortController()
      const onAbort = (): void => stop.abort('stopped' satisfies Stop)
      using _ = after(limits.totalMs, () => stop.abort('timeout' satisfies Stop))
      running.add(stop)
      if (isClosed || request.signal?.aborted) onAbort()
      request.signal?.addEventListener('abort', onAbort, { once: true })
      try {
        const result = await attempt(request, stop)
        return { ...result, durationMs: Math.round(performance.now() - startedAt) }
      } finally {
        running.delete(stop)
        request.signal?.removeEventListener('abort', onAbort)
      }
    },
    close: async () => {
      isClosed = true
      for (const stop of running) stop.abort('stopped' satisfies Stop)
      connections.close()
    },
    connections: () => connections.count(),
  }
}

const stopped = (signal: AbortSignal): Undated<WebhookResult> => {
  const reason: Stop = signal.reason === 'timeout' ? 'timeout' : 'stopped'
  return { kind: 'failed', reason, detail: stopDetails[reason] }
}

const blockedAddress: Undated<WebhookResult> = {
  kind: 'blocked',
  reason: 'address',
  detail: 'the host has an address that is not allowed: it is not public, or the port is not allowed there',
}

/** Returns the addresses that may be connected to. One address of a name that is not allowed refuses all. */
const addressesOf = async (
  target: WebhookTarget,
  { rules, resolve, signal }: { rules: WebhookRules; resolve: Resolve; signal: AbortSignal },
): Promise<{ addresses: readonly string[] } | Undated<WebhookResult>> => {
  const isAllowed = (address: string): boolean => mayReach(rules, target, address)
  if (target.addresses !== null) {
    const addresses = target.addresses.filter(isAllowed)
    return addresses.length > 0 ? { addresses } : blockedAddress
  }
  const resolved = await resolve(target.host, signal)
  if (resolved.kind === 'missing') return { kind: 'failed', reason: 'dns', detail: 'the host has no address in DNS' }
  if (resolved.kind === 'failed')
    return { kind: 'failed', reason: 'dns', detail: 'DNS gave no complete response about the host' }
  return resolved.addresses.every(isAllowed) ? { addresses: resolved.addresses } : blockedAddress
}

type SendOptions = {
  request: WebhookRequest
  connections: Connections
  limits: WebhookLimits
  now: () => number
  signal: AbortSignal
}

/** Sends the request on an idle connection, or on a new one. */
const send = async (
  target: WebhookTarget,
  addresses: readonly string[],
  options: SendOptions,
): Promise<Undated<WebhookResult>> => {
  const idle = options.connections.acquireIdle(target, addresses)
  if (idle !== null) {
    const outcome = await exchange(idle, target, options)
    // The receiver may close an idle connection at any time. The id of a webhook makes a repeat harmless.
    const isUnanswered = outcome.kind === 'failed' && outcome.status === undefined && isClosedConnection(outcome.error)
    if (!isUnanswered || options.signal.aborted) return resultOf(outcome, idle, options.signal)
  }
  const connection = options.connections.open(target, addresses)
  return resultOf(await exchange(connection, target, options), connection, options.signal)
}

const resultOf = (outcome: RequestOutcome, connection: HttpConnection, signal: AbortSignal): Undated<WebhookResult> => {
  if (outcome.kind === 'answered') return { kind: 'answered', ...outcome.read.response }
  const status = outcome.status === undefined ? {} : { status: outcome.status }
  if (signal.aborted) return { ...stopped(signal), ...status } as Undated<WebhookResult>
  return { kind: 'failed', ...failureOf(outcome.error, connection.phase()), ...status }
}

/** Sends one request and reads its response. Afterwards the connection is idle or dropped. */
const exchange = async (
  connection: HttpConnection,
  { url }: WebhookTarget,
  { request, connections, limits, now, signal }: SendOptions,
): Promise<RequestOutcome> => {
  const { pathname, search } = new URL(url)
  let response: Dispatcher.ResponseData | null = null
  // The library ends a request at the signal only after the connection is open: a TLS handshake may never end.
  const drop = (): void => connections.drop(connection)
  signal.addEventListener('abort', drop, { once: true })
  connection.startCount()
  try {
    response = await connection.client.request({
      method: 'POST',
      path: `${pathname}${search}`,
      headers: { ...request.headers, 'accept-encoding': 'identity' },
      body: request.body,
      signal,
    })
    const read = await readResponse(response, limits, now)
    if (read.isWhole) connections.release(connection)
    else connections.drop(connection)
    return { kind: 'answered', read }
  } catch (error) {
    connections.drop(connection)
    // The caller's own fault, such as a header field with a line break, has no meaning for the receiver.
    if (isInvalidRequest(error)) throw error
    return { kind: 'failed', error, ...(response !== null && { status: response.statusCode }) }
  } finally {
    signal.removeEventListener('abort', drop)
  }
}
