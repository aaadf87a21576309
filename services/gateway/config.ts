import { listParts } from '@postrider/domain/network.ts'
import type { Rate } from '@postrider/domain/rateLimit/override.ts'
import * as backend from '@postrider/kit/backendSettings.ts'
import { sender } from '@postrider/kit/mailSettings.ts'
import * as peer from '@postrider/kit/peerSettings.ts'
import * as settings from '@postrider/kit/settings.ts'
import { readPrefix } from '@postrider/mail/providerHeaders.ts'
import { mebibyte } from '@postrider/mail/units.ts'
import { z } from 'zod'

/** Prefixes of header names, comma-separated. */
const headerPrefixes = z
  .string()
  .default('')
  .transform((text, context) => {
    const parts = listParts(text)
    const prefixes = parts.flatMap((part) => readPrefix(part) ?? [])
    if (prefixes.length === parts.length) return prefixes
    context.addIssue('must be prefixes of header names, comma-separated, such as x-relay-,x-route')
    return z.NEVER
  })

/** The rate limits per key, and of all keys of a workspace together, unless the operator sets others. */
const defaultRates = {
  send: { rate: 10, burst: 20 },
  read: { rate: 50, burst: 50 },
  write: { rate: 10, burst: 20 },
  workspace: { rate: 50, burst: 100 },
} as const satisfies Record<string, Rate>

/** The largest bodies and the memory for long ones in MiB, unless the operator sets others. */
const defaultMib = { sendBody: 15, batchBody: 50, bodyMemory: 64 } as const

/** Open connections of HTTP clients, unless the operator sets others. */
const defaultConnections = { max: 10_000, maxPerAddress: 1_000 } as const

/** Requests per second and burst, `10/20`. */
const rate = (fallback: Rate) =>
  z
    .string()
    .regex(/^[1-9]\d{0,5}\/[1-9]\d{0,5}$/, 'must be requests per second and burst, each 1 to 999999, such as 10/20')
    .default(`${fallback.rate}/${fallback.burst}`)
    .transform((text) => {
      const [perSecond, burst] = text.split('/').map(Number)
      return { rate: perSecond ?? 1, burst: burst ?? 1 }
    })

/** Environment variables of the gateway process. */
export const Config = z
  .object({
    PORT: settings.port(8080).describe('Port of the HTTP API and its docs; 0 picks a free port and prints it.'),
    ...peer.peerSecurity,
    ...peer.callerTokens.gateway,
    ...peer.peers.accounts,
    ...peer.peers.templates,
    ...peer.peers.quota,
    ...peer.peers.intake,
    ...peer.peers.domains,
    ...peer.peers.webhooks,
    ...backend.redis,
    ...settings.publicUrl,
    ...sender,
    POSTRIDER_OPERATOR_TOKEN: settings
      .bearer(16)
      .optional()
      .describe('Bearer token of the operator API, at least 16 characters; unset: the API is off.'),
    ...settings.masterSecret,
    POSTRIDER_TRUSTED_PROXIES: settings.networks.describe(
      'Addresses or CIDRs of proxies, comma-separated, whose forwarded headers are trusted. If it is set, requests from this machine have no privileges.',
    ),
    POSTRIDER_REFUSED_HEADERS: headerPrefixes.describe(
      'Prefixes of header names, comma-separated, that callers may not set, in addition to those that control the large mail providers; such as `x-relay-`. Case is ignored, and `_` counts as `-`.',
    ),
    POSTRIDER_MAX_BODY_MIB: settings
      .mebibytes(defaultMib.sendBody, 50)
      .describe('Largest body of a send request in MiB, 1 to 50.'),
    POSTRIDER_MAX_BATCH_BODY_MIB: settings
      .mebibytes(defaultMib.batchBody, 500)
      .describe(
        'Largest body of a batch in MiB, 1 to 500. It is read in parts, so the process never has all of it in memory; one message may have POSTRIDER_MAX_BODY_MIB.',
      ),
    POSTRIDER_BODY_MEMORY_MIB: settings
      .mebibytes(defaultMib.bodyMemory, 4_096)
      .describe(
        'MiB of long bodies and unsent long responses in memory at the same time, at least POSTRIDER_MAX_BODY_MIB. One workspace may use five eighths of it. If several need more than there is, they get equal parts, and unfinished bodies are refused to free memory for workspaces below their part. The limits of short bodies and of responses in preparation are proportional to it. The chart derives it from the memory limit.',
      ),
    POSTRIDER_MAX_CLIENT_CONNECTIONS: settings
      .count('connections', defaultConnections.max)
      .describe(
        'Maximum number of open connections of HTTP clients of a process. Above it, a new connection replaces a connection that is idle or has an incomplete request: the oldest of the client address with the most connections. If there is none, the new connection is closed.',
      ),
    POSTRIDER_MAX_CLIENT_CONNECTIONS_PER_ADDRESS: settings
      .count('connections', defaultConnections.maxPerAddress)
      .describe(
        'Maximum number of open connections of one client address (IPv6: of a /64). Trusted proxies are exempt, so list yours in POSTRIDER_TRUSTED_PROXIES.',
      ),
    POSTRIDER_SEND_RATE: rate(defaultRates.send).describe('Sends per API key: requests per second/burst.'),
    POSTRIDER_READ_RATE: rate(defaultRates.read).describe('Reads per API key: requests per second/burst.'),
    POSTRIDER_WRITE_RATE: rate(defaultRates.write).describe('Other writes per API key: requests per second/burst.'),
    POSTRIDER_WORKSPACE_RATE: rate(defaultRates.workspace).describe(
      'All keys of a workspace together: requests per second/burst.',
    ),
    ...settings.ops,
  })
  .superRefine(peer.allTlsFiles, settings.always)
  .superRefine(peer.callerIdentity('POSTRIDER_WIRE_TOKEN_GATEWAY'), settings.always)
  .superRefine(settings.fitsLargest('POSTRIDER_BODY_MEMORY_MIB', 'POSTRIDER_MAX_BODY_MIB'), settings.always)

export type Config = z.output<typeof Config>

/** The bucket of the rate limit that an operation counts against. */
export type LimitClass = 'send' | 'read' | 'write'

export type RateLimits = { key: Record<LimitClass, Rate>; workspace: Rate }

export type GatewayConfig = {
  /** Scheme, host and port at which users reach this service. Links are made from it and never from a request. */
  publicUrl: string
  /** False: `publicUrl` is the URL on this machine, and requests for other hosts are refused. */
  publicUrlIsSet: boolean
  /** Null turns the operator API off. */
  operatorToken: string | null
  /** Address of the shared sender, as users see it. */
  sender: string
  /** Addresses and CIDRs of proxies whose forwarded headers count. */
  trustedProxies: readonly string[]
  /** Prefixes of header names that callers may not set, in addition to the built-in ones; absent: none. */
  refusedHeaders?: readonly string[]
  /** True if the public URL is https: then every request counts as TLS, even if this process cannot see it. */
  secureCookies: boolean
  /** Signs cursors; the same in every gateway of an installation. At least 32 bytes. */
  cursorSecret: Uint8Array | string
  /** Whether `/metrics` is also served on the port of the API, to loopback clients only. */
  metricsOnPort: boolean
  limits: GatewayLimits
}

export type ConnectionLimits = {
  /** Open connections in total. */
  max: number
  /** Open connections of one client address; trusted proxies are exempt. An IPv6 address counts as its /64. */
  maxPerAddress: number
  /** How long a connection may have unsent bytes without sending any of them. */
  stalledMs: number
  /** Bytes of all unread responses above which a connection may have unsent bytes for a third of `stalledMs` only. */
  unreadBytes: number
  /**
   * How long a connection may be open without a request. Longer than `keepAliveTimeout` of the server, which ends those
   * whose clients send nothing.
   */
  idleMs: number
}

/** Maximum number of requests that wait for events: of a process, of a workspace, of an API key, of a session. */
export type WaitLimits = { max: number; maxPerWorkspace: number; maxPerKey: number; maxPerSession: number }

export type GatewayLimits = {
  rates: RateLimits
  /** Maximum size of a body of a request that carries a message. */
  sendBodyBytes: number
  /** Maximum size of a body of a batch; each of its messages may have `sendBodyBytes`. */
  batchBodyBytes: number
  /** Maximum size of a body of any other request. */
  bodyBytes: number
  /** Maximum size of a body of a request without a key or session: sign-up, login, and the operator's. */
  openBodyBytes: number
  /**
   * Long bodies and unsent long responses in memory at the same time: bytes in total and of one workspace, and how long
   * a request waits for memory.
   */
  longBodies: { bytes: number; bytesOfOne: number; waitMs: number }
  /** Responses that are being made: bytes in total and of one workspace. */
  responses: { bytes: number; bytesOfOne: number }
  /** Short bodies in memory at the same time: bytes in total and of one workspace. */
  shortBodies: { bytes: number; bytesOfOne: number }
  /** Bodies without a key in memory at the same time: bytes in total and of one client address. */
  openBodies: { bytes: number; bytesOfOne: number }
  /** Events of the payment provider in memory at the same time: bytes in total and of one client address. */
  paymentBodies: { bytes: number; bytesOfOne: number }
  connections: ConnectionLimits
  /**
   * Requests that wait for events at the same time. A browser opens 6 connections to a host, so its session has few.
   */
  waits: WaitLimits
  /** How long a looked-up key is cached. A key revoked by another gateway stays valid here that much longer. */
  keyCacheMs: number
  keyCacheEntries: number
}

/** The memory for long bodies from which the other bounds are derived, unless the operator sets another. */
const defaultBodyMemoryBytes = defaultMib.bodyMemory * mebibyte

/** Returns the bounds on memory, in proportion to that of long bodies in bytes. */
const memoryLimits = (
  longBytes: number,
): Pick<GatewayLimits, 'longBodies' | 'responses' | 'shortBodies' | 'openBodies' | 'paymentBodies'> => {
  const part = (sixtyFourths: number): number => Math.floor((longBytes * sixtyFourths) / 64)
  return {
    longBodies: { bytes: longBytes, bytesOfOne: part(40), waitMs: 2_000 },
    responses: { bytes: part(48), bytesOfOne: part(12) },
    shortBodies: { bytes: part(16), bytesOfOne: part(10) },
    openBodies: { bytes: part(4), bytesOfOne: part(1) },
    paymentBodies: { bytes: part(2), bytesOfOne: part(1) },
  }
}

export const defaultGatewayLimits: GatewayLimits = {
  rates: {
    key: { send: defaultRates.send, read: defaultRates.read, write: defaultRates.write },
    workspace: defaultRates.workspace,
  },
  sendBodyBytes: defaultMib.sendBody * mebibyte,
  batchBodyBytes: defaultMib.batchBody * mebibyte,
  bodyBytes: mebibyte,
  openBodyBytes: 16 * 1_024,
  ...memoryLimits(defaultBodyMemoryBytes),
  connections: { ...defaultConnections, stalledMs: 30_000, unreadBytes: defaultBodyMemoryBytes, idleMs: 70_000 },
  waits: { max: 2_000, maxPerWorkspace: 50, maxPerKey: 10, maxPerSession: 3 },
  keyCacheMs: 2_000,
  keyCacheEntries: 10_000,
}

/** The variables that the gateway's process and the standalone process have in common. */
type SharedConfig = Pick<
  Config,
  | 'POSTRIDER_SENDER'
  | 'POSTRIDER_OPERATOR_TOKEN'
  | 'POSTRIDER_TRUSTED_PROXIES'
  | 'POSTRIDER_REFUSED_HEADERS'
  | 'POSTRIDER_MAX_BODY_MIB'
  | 'POSTRIDER_MAX_BATCH_BODY_MIB'
  | 'POSTRIDER_MAX_CLIENT_CONNECTIONS'
  | 'POSTRIDER_MAX_CLIENT_CONNECTIONS_PER_ADDRESS'
  | 'POSTRIDER_SEND_RATE'
  | 'POSTRIDER_READ_RATE'
  | 'POSTRIDER_WRITE_RATE'
  | 'POSTRIDER_WORKSPACE_RATE'
> & { POSTRIDER_PUBLIC_URL?: string | undefined; POSTRIDER_BODY_MEMORY_MIB?: number }

/**
 * Returns the gateway's configuration. `publicUrl` is null if none is set: then it is the URL that the server listens
 * on.
 */
export const gatewayConfig = (
  config: SharedConfig,
  { cursorSecret, metricsOnPort }: Pick<GatewayConfig, 'cursorSecret' | 'metricsOnPort'>,
): Omit<GatewayConfig, 'publicUrl'> & { publicUrl: string | null } => ({
  publicUrl: config.POSTRIDER_PUBLIC_URL ?? null,
  publicUrlIsSet: config.POSTRIDER_PUBLIC_URL !== undefined,
  operatorToken: config.POSTRIDER_OPERATOR_TOKEN ?? null,
  sender: config.POSTRIDER_SENDER.address,
  trustedProxies: config.POSTRIDER_TRUSTED_PROXIES,
  refusedHeaders: config.POSTRIDER_REFUSED_HEADERS,
  secureCookies: config.POSTRIDER_PUBLIC_URL?.startsWith('https:') ?? false,
  cursorSecret,
  metricsOnPort,
  limits: limitsOf(config),
})

const limitsOf = (config: SharedConfig): GatewayLimits => {
  const bodyMemoryBytes = settings.bytesOf(config.POSTRIDER_BODY_MEMORY_MIB ?? defaultMib.bodyMemory)
  return {
    ...defaultGatewayLimits,
    ...memoryLimits(bodyMemoryBytes),
    sendBodyBytes: settings.bytesOf(config.POSTRIDER_MAX_BODY_MIB),
    batchBodyBytes: settings.bytesOf(config.POSTRIDER_MAX_BATCH_BODY_MIB),
    connections: {
      ...defaultGatewayLimits.connections,
      max: config.POSTRIDER_MAX_CLIENT_CONNECTIONS,
      maxPerAddress: config.POSTRIDER_MAX_CLIENT_CONNECTIONS_PER_ADDRESS,
      unreadBytes: bodyMemoryBytes,
    },
    rates: {
      key: {
        send: config.POSTRIDER_SEND_RATE,
        read: config.POSTRIDER_READ_RATE,
        write: config.POSTRIDER_WRITE_RATE,
      },
      workspace: config.POSTRIDER_WORKSPACE_RATE,
    },
  }
}
