import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Caller, SessionCaller, SubmitRequest, Workspace } from '@postrider/contracts/services.ts'
import { makeApiKey } from '@postrider/domain/accounts/apiKey.ts'
import { Fault } from '@postrider/kit/fault.ts'
import { makeMetrics } from '@postrider/kit/metrics.ts'
import { makeSlices } from '@postrider/kit/slices.ts'
import { gatewayApp } from './app.ts'
import { shortChunks } from './bodies/shortChunks.ts'
import { defaultGatewayLimits, type GatewayConfig } from './config.ts'
import type { GatewayDeps } from './deps.ts'
import { gatewayMetrics } from './metrics.ts'
import { type Documents, makeDocuments } from './openapi/documents.ts'
import { boundedServer } from './serve.ts'

export const aKey = (mode: 'live' | 'test' = 'live'): string => makeApiKey(mode, (size) => new Uint8Array(size).fill(7))

export const aCaller = (over: Partial<Caller> = {}): Caller => ({
  workspace: 'ws_1',
  keyId: 'key_1',
  userId: null,
  role: null,
  mode: 'live',
  scopes: ['emails:send', 'emails:read', 'templates:write', 'templates:read'],
  needsTotp: false,
  senderName: 'Acme',
  hasPostalAddress: false,
  onUnknown: 'retry',
  retention: null,
  suspended: false,
  domains: [],
  recipients: [],
  keyFamily: null,
  suspendedReason: null,
  deletesAt: null,
  ...over,
})

/** Returns the caller of a session of an owner. */
export const aPerson = (over: Partial<SessionCaller> = {}): SessionCaller => ({
  ...aCaller({ keyId: null }),
  userId: 'usr_1',
  role: 'owner',
  ...over,
})

export const aWorkspace: Workspace = {
  id: 'ws_1',
  name: 'Acme',
  plan: 'free',
  sender_name: '',
  postal_address: '',
  on_unknown: 'retry',
  retention: null,
  suspended: false,
  suspended_reason: '',
  deletes_at: null,
  note: '',
  created_at: Date.UTC(2026, 0, 1),
}

/** A service with the methods that a test expects; any other call fails the test. */
const only = <Service extends object>(methods: Partial<Service>): Service =>
  new Proxy(methods, {
    get: (given, name) =>
      Reflect.get(given, name) ?? (() => Promise.reject(new Error(`${String(name)} was called unexpectedly`))),
  }) as Service

export type Fakes = {
  accounts?: Partial<GatewayDeps['accounts']>
  templates?: Partial<GatewayDeps['templates']>
  domains?: Partial<GatewayDeps['domains']>
  webhooks?: Partial<GatewayDeps['webhooks']>
  quota?: Partial<GatewayDeps['quota']>
  intake?: Partial<GatewayDeps['intake']>
  limiter?: GatewayDeps['limiter']
  durable?: Pick<GatewayDeps['durable'], 'synced'>
  elapsed?: GatewayDeps['elapsed']
  after?: NonNullable<GatewayDeps['after']>
  stopping?: AbortSignal
  slices?: NonNullable<GatewayDeps['slices']>
  wallClock?: GatewayDeps['wallClock']
  ready?: GatewayDeps['ready']
  health?: NonNullable<GatewayDeps['health']>
  chunks?: NonNullable<GatewayDeps['chunks']>
  dashboard?: NonNullable<GatewayDeps['dashboard']> | null
  /** Default: makes documents once for all gateways with the same options. */
  makeDocuments?: NonNullable<GatewayDeps['makeDocuments']>
  config?: Partial<GatewayConfig>
  /** Whether calls share connections, which costs a third less CPU. Otherwise each call has its own. */
  keepAlive?: boolean
}

export const config: GatewayConfig = {
  publicUrl: 'https://mail.example.com',
  publicUrlIsSet: true,
  operatorToken: 'an operator’s token of some length'.replaceAll(/[^a-z]/g, '-'),
  sender: 'mail@postrider.example',
  trustedProxies: [],
  secureCookies: false,
  cursorSecret: 'a secret of at least thirty-two bytes',
  metricsOnPort: true,
  limits: defaultGatewayLimits,
}

const admitted: GatewayDeps['limiter'] = {
  take: async ([first]) => ({
    admitted: true,
    tightest: first ?? { key: '', rate: 1, burst: 1 },
    remaining: 9,
    resetMs: 100,
    retryAfterMs: 0,
  }),
}

const documents = new Map<string, () => Promise<Documents>>()

/**
 * Makes documents once for all gateways with the same options: each time costs half a second of CPU. Of the dashboard
 * they use a typeface only.
 */
const sharedDocuments: typeof makeDocuments = (options) => {
  const dashboard = options.dashboard.filter((path) => path.endsWith('.woff2'))
  const key = JSON.stringify({ ...options, dashboard })
  const read = documents.get(key) ?? makeDocuments(options)
  documents.set(key, read)
  return read
}

/** Accepts any mail and returns a record that only has an id. */
export const acceptingIntake = (accepted: SubmitRequest[]): Fakes['intake'] => ({
  Submit: async (request) => {
    accepted.push(request)
    return { id: 'em_1', status: 202, bodyJson: '{"object":"email","id":"em_1"}', replayed: false, quota: null }
  },
})

/** The JSON of a response; a refusal has the first three members. */
export type TestBody = {
  code?: string
  detail?: string
  errors?: { path: string; code: string; message: string }[]
  [field: string]: unknown
}

export type TestResponse = {
  status: number
  headers: http.IncomingHttpHeaders
  text: string
  body: TestBody
}
export type TestCall = {
  method?: string
  path: string
  headers?: http.OutgoingHttpHeaders
  json?: unknown
  body?: string | Buffer
}

export type TestGateway = AsyncDisposable & {
  port: number
  lines: Record<string, unknown>[]
  metricsText(): Promise<string>
  call(call: TestCall): Promise<TestResponse>
  /** Calls with an API key. */
  api(call: TestCall): Promise<TestResponse>
}

/**
 * Opens a gateway over fake services on a free port. Every key belongs to `aCaller()` unless the accounts fake differs.
 */
export const testGateway = async (fakes: Fakes = {}): Promise<TestGateway> => {
  const lines: Record<string, unknown>[] = []
  const log = (fields: object, message: string) => lines.push({ ...fields, message })
  const logs = { info: log, warn: log, error: log }
  const metrics = makeMetrics(gatewayMetrics)
  const settings = { ...config, ...fakes.config }
  const { chunks = shortChunks(), slices = makeSlices() } = fakes
  const app = gatewayApp({
    accounts: only({ AuthenticateKey: async () => aCaller(), ...fakes.accounts }),
    templates: only(fakes.templates ?? {}),
    domains: only(fakes.domains ?? {}),
    webhooks: only(fakes.webhooks ?? {}),
    // Quota reports no plan, as one of release 0.1, unless a test overrides this.
    quota: only({
      GetLimits: async () => ({ monthly: 'plan', daily: 'plan', plan: '', spending_cap_cents: null }),
      ...fakes.quota,
    }),
    // Intake finds no further problems unless a test overrides this.
    intake: only({ Check: async () => ({ problems: [] }), ...fakes.intake }),
    limiter: fakes.limiter ?? admitted,
    durable: { synced: async () => {}, unit: (work) => work(), ...fakes.durable },
    // As in a cluster: what measures durations does not show the time.
    elapsed: fakes.elapsed ?? performance.now.bind(performance),
    wallClock: fakes.wallClock ?? Date.now,
    ...(fakes.after && { after: fakes.after }),
    ...(fakes.stopping && { stopping: fakes.stopping }),
    slices,
    log: logs,
    metrics,
    ready: fakes.ready ?? (() => true),
    ...(fakes.health && { health: fakes.health }),
    config: settings,
    makeDocuments: fakes.makeDocuments ?? sharedDocuments,
    chunks,
    dashboard: fakes.dashboard ?? null,
  })
  const { trustedProxies, limits } = settings
  const connections = { limits: limits.connections, trustedProxies, metrics, log: logs, slices, chunks }
  const server = boundedServer(app.callback(), connections).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const agent = fakes.keepAlive === true && new http.Agent({ keepAlive: true })
  // Tests of access get the OpenAPI document dozens of times.
  let document = { text: '', body: {} as TestBody }
  const parse = (text: string): TestBody => {
    if (text.length < longText) return JSON.parse(text)
    if (text !== document.text) document = { text, body: JSON.parse(text) }
    return document.body
  }
  const call = (request: TestCall) => send({ port, agent, parse }, request)
  return {
    port,
    lines,
    metricsText: () => metrics.registry.metrics(),
    call,
    api: (request) => call({ ...request, headers: { authorization: `Bearer ${aKey()}`, ...request.headers } }),
    [Symbol.asyncDispose]: async () => {
      if (agent) agent.destroy()
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Length of a text that takes milliseconds to parse. */
const longText = 200_000

const send = (
  { parse, ...to }: { port: number; agent: http.Agent | false; parse(text: string): TestBody },
  { method, path, headers = {}, json, body }: TestCall,
): Promise<TestResponse> => {
  const bytes = json === undefined ? body : JSON.stringify(json)
  // Node frames the body of a DELETE only by this length.
  const typed =
    json === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(String(bytes)) }
  const { promise, resolve, reject } = Promise.withResolvers<TestResponse>()
  const request = http.request(
    { ...to, host: '127.0.0.1', path, method: method ?? (bytes === undefined ? 'GET' : 'POST') },
    (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        const isJson = /json/.test(response.headers['content-type'] ?? '')
        const body = isJson && text !== '' ? parse(text) : {}
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, body })
      })
    },
  )
  // Programs on this machine send no `Connection: close`, as Node does without an agent (loopback.ts).
  for (const [name, value] of Object.entries({ connection: 'keep-alive', ...typed, ...headers }))
    if (value !== undefined) request.setHeader(name, value)
  request.on('error', reject)
  request.end(bytes)
  return promise
}

/** A method that refuses as a service does. */
export const refusing = (code: Fault['code'], detail: string) => async (): Promise<never> => {
  throw new Fault(code, detail)
}

/** Body of a small email. */
export const mail = { to: ['b@y.example'], subject: 's', text: 't' }

/** List of intake without a record. */
export const emptyList = { recordsJson: [], lastId: null, hasMore: false }

/** Returns a gateway whose API keys have these settings. */
export const withCaller = (caller: Parameters<typeof aCaller>[0], fakes: Fakes = {}) =>
  testGateway({ ...fakes, accounts: { AuthenticateKey: async () => aCaller(caller), ...fakes.accounts } })

/** The session `s1` of an owner, with the CSRF token `t1`. */
export const sessions: NonNullable<Fakes['accounts']> = {
  AuthenticateSession: async ({ token }) =>
    token === 's1'
      ? { token: '', csrf_token: 't1', email: 'jane@x.example', caller: aPerson() }
      : refusing('unauthenticated', 'No.')(),
  GetWorkspace: async () => aWorkspace,
}
