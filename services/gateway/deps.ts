import type {
  Accounts,
  Caller,
  Domains,
  Intake,
  Quota,
  SessionCaller,
  Templates,
  Webhooks,
} from '@postrider/contracts/services.ts'
import type { After } from '@postrider/kit/after.ts'
import type { Clock, Monotonic } from '@postrider/kit/clock.ts'
import type { FaultCode } from '@postrider/kit/fault.ts'
import type { Slices } from '@postrider/kit/slices.ts'
import type { Durable, Units } from '@postrider/ports/durable.ts'
import type { Limiter } from '@postrider/ports/limiter.ts'
import type { Middleware, ParameterizedContext } from 'koa'
import type { Memory } from './bodies/memory.ts'
import type { ShortChunks } from './bodies/shortChunks.ts'
import type { KeyCache } from './callers/keyCache.ts'
import type { GatewayConfig } from './config.ts'
import type { FeedWatches } from './feed/feedWatches.ts'
import type { WaitingRequests } from './feed/waitingRequests.ts'
import type { Cursors } from './lists.ts'
import type { Documents, makeDocuments } from './openapi/documents.ts'
import type { DashboardFiles } from './pages/dashboardFiles.ts'
import type { RequestScheduler } from './steps/requestScheduler.ts'

/** A person's session, as its cookie identified it. */
export type Session = {
  token: string
  csrfToken: string
  email: string
  isEmailConfirmed: boolean
  hasTotp: boolean
  /** Whether the person is marked as an operator. */
  isOperator: boolean
}

/**
 * Actor of an operation of the operator, for the log of the services. `operator`: the id of a user; absent: the
 * operator's token.
 */
export type OperatorBy = { client_address: string; operator?: string }

/** Identity of the caller of a request: an API key, or a person with a session. */
export type Identity = { caller: Caller; session: Session | null }

/** A person with a session. */
export type SessionIdentity = { caller: SessionCaller; session: Session }

/** State of a request that steps provide for the steps after them. */
export type State = {
  requestId: string
  /** The host in a request target of absolute form (RFC 9112 §3.2.2), with its scheme; null: the target is a path. */
  targetHost: { scheme: string; host: string } | null
  clientAddress: string
  /** Whether the client came over TLS. */
  secure: boolean
  /** Null until the request is authenticated; always null on open routes. */
  identity: Identity | null
  /** Set on the operator's routes. */
  by?: OperatorBy
  /** How long authentication took, in milliseconds. */
  authenticatedInMs: number
  /** How long the request waited for events because of `wait`, in milliseconds; absent: it did not. */
  waitedMs?: number
  /** The parsed body; undefined if there is none. */
  body: unknown
  /** Set if another step has checked the body already. The fingerprint is used only if the request has a key. */
  checkedBody?: { body: unknown; fingerprint: Uint8Array }
  /** Whether the body is so long that its work must pause. */
  isLong: boolean
  /** The email that the request created or named, for the log. */
  emailId: string | null
  /** Code of the error in the response; null: there is no error. */
  code: FaultCode | null
}

export type Context = ParameterizedContext<State>
export type Step = Middleware<State>

/** The lines that the gateway logs; pino's logger is one. */
export type GatewayLog = {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** Metrics of the gateway; `gatewayMetrics` with its registry is one. */
export type GatewayMetrics = {
  httpDuration: { observe(labels: { method: string; route: string; status: string }, seconds: number): void }
  refused: { inc(labels: { code: string }): void }
  connections: {
    open: { inc(): void; dec(): void }
    closed: { inc(labels: { reason: 'total' | 'address' | 'replaced' | 'idle' | 'stalled' | 'pipelined' }): void }
  }
  registry: { metrics(): Promise<string>; contentType: string }
}

/** Dependencies of a gateway. */
export type GatewayDeps = {
  accounts: Accounts
  templates: Templates
  domains: Domains
  webhooks: Webhooks
  quota: Quota
  intake: Intake
  limiter: Limiter
  durable: Durable & Units
  /** Measures durations only. It may count from any moment. */
  elapsed: Monotonic
  /**
   * Returns what time it is, for deadlines of calls and for problems of a refused body. The services decide what a time
   * means.
   */
  wallClock: Clock
  log: GatewayLog
  metrics: GatewayMetrics
  /** Whether requests should come here: false while it starts or drains, or while a dependency is missing. */
  ready(): boolean | Promise<boolean>
  /** Returns what does not work although requests may come, as a sentence; null: everything works. */
  degraded?(): string | null
  /** Returns the state of each part by name: `ok` or what does not work; absent: only this process is known. */
  health?(): Promise<Record<string, string>>
  config: GatewayConfig
  /** The built dashboard; absent or null: it is not built. */
  dashboard?: DashboardFiles | null
  /** The runner of the process for long work. */
  slices: Slices
  /** Makes the documents that describe the API; absent: `makeDocuments`. */
  makeDocuments?: typeof makeDocuments
  /** Calls `fire` after a time, unless it is disposed of before; absent: timers that do not keep the process alive. */
  after?: After
  /** Counts short chunks of bodies; absent: its own, which no connection waits for. */
  chunks?: ShortChunks
  /** Aborted when the gateway stops: requests that wait for events end immediately. */
  stopping?: AbortSignal
}

/** Dependencies of steps and routes: those of the gateway, and what the gateway makes from them. */
export type RouteDeps = GatewayDeps & {
  cursors: Cursors
  keyCache: KeyCache
  memory: Memory
  /** Order of requests by client address (IPv6: by /64), before their checks. */
  clientTurns: RequestScheduler
  /** Order of requests by workspace, after authentication. */
  workspaceTurns: RequestScheduler
  after: After
  /** Requests that wait for events. */
  waitingRequests: WaitingRequests
  /** Feeds that requests wait for. */
  feedWatches: FeedWatches
  /** Returns the documents that describe the API. */
  documents(): Promise<Documents>
}
