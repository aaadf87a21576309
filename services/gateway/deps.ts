import type { Accounts, Intake, Quota, Templates } from '@postrider/contracts/services.ts'
import type { Clock } from '@postrider/kit/clock.ts'
import type { Durable } from '@postrider/ports/durable.ts'
import type { Limiter } from '@postrider/ports/limiter.ts'
import type { BodyRoom } from './bodyRoom.ts'
import type { Cursors } from './cursors.ts'
import type { KeyCache } from './keyCache.ts'
import type { RateLimits } from './rateLimits.ts'

/** The lines the gateway logs; pino's logger is one. */
export type GatewayLog = {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** What the gateway counts; `gatewayMetrics` with its registry is one. */
export type GatewayMetrics = {
  httpDuration: { observe(labels: { method: string; route: string; status: string }, seconds: number): void }
  refused: { inc(labels: { code: string }): void }
  registry: { metrics(): Promise<string>; contentType: string }
}

export type GatewayConfig = {
  /** Scheme, host and port that users know this service by; links are made of it and of nothing a request says. */
  publicUrl: string
  /** Null: there is no operator's API. */
  operatorToken: string | null
  /** Address of the shared platform sender, as people are shown it. */
  sender: string
  /** Addresses and CIDRs whose forwarded headers count. */
  trustedProxies: readonly string[]
  /** Whether every request came over TLS even where this process can't see it: the public URL is https. */
  secureCookies: boolean
  /** Signs cursors; the same in every gateway of an installation. At least 32 bytes. */
  cursorSecret: Uint8Array | string
  /** Whether `/metrics` is served beside the API, to loopback clients alone. */
  metricsOnPort: boolean
  limits: GatewayLimits
}

export type GatewayLimits = {
  rates: RateLimits
  /** Of a request with one message. */
  sendBodyBytes: number
  /** Of every other request. */
  bodyBytes: number
  /** Long bodies held at once, in bytes; of one workspace; and how long one more waits for room. */
  room: { bytes: number; bytesOfOne: number; waitMs: number }
  /** How long a key's look-up is remembered: a key revoked elsewhere works that much longer. */
  keyCacheMs: number
  keyCacheEntries: number
}

export const defaultLimits: GatewayLimits = {
  rates: {
    key: { send: { rate: 10, burst: 20 }, read: { rate: 50, burst: 50 }, write: { rate: 10, burst: 20 } },
    workspace: { rate: 50, burst: 100 },
  },
  sendBodyBytes: 15 * 2 ** 20,
  bodyBytes: 2 ** 20,
  room: { bytes: 64 * 2 ** 20, bytesOfOne: 40 * 2 ** 20, waitMs: 2_000 },
  keyCacheMs: 2_000,
  keyCacheEntries: 10_000,
}

/** What a gateway is made of. */
export type GatewayDeps = {
  accounts: Accounts
  templates: Templates
  quota: Quota
  intake: Intake
  limiter: Limiter
  durable: Durable
  /** Only measures how long things take here; what time it is, the services tell. */
  now: Clock
  log: GatewayLog
  metrics: GatewayMetrics
  /** Whether requests should come here: false while it starts, drains, or misses what it needs. */
  ready(): boolean | Promise<boolean>
  config: GatewayConfig
}

/** What routes and steps get: the given, and what the gateway makes for itself. */
export type RouteDeps = GatewayDeps & {
  bodies: BodyRoom
  cursors: Cursors
  keyCache: KeyCache
  /** The OpenAPI document as JSON. */
  openapiText(): Promise<string>
}
