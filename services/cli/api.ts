import { pause } from '@postrider/kit/pause.ts'
import { retry, type Try } from '@postrider/kit/retry.ts'
import type { Credentials } from './credentials.ts'
import { type Failure, failed, type OwnFailure } from './failure.ts'

export type ApiRequest = {
  method?: 'GET' | 'POST' | 'DELETE'
  /** Path below `/api/v1`. */
  path: string
  query?: Readonly<Record<string, string | undefined>>
  json?: unknown
  headers?: Readonly<Record<string, string>>
  /** Whether the response is a list. */
  isList?: boolean
  /** Whether the request may be repeated: it reads, or has an `Idempotency-Key`. */
  isRepeatable?: boolean
}

/** Makes requests. @throws a failure for each response that is not 2xx */
export type Api = { url: string; call<Body>(request: ApiRequest): Promise<Body> }

const timeoutMs = 30_000
const maxTries = 3
/** A longer `Retry-After` is reported instead. */
const maxWaitMs = 10_000
/** Maximum number of bytes of a response. The largest of the API, a list, has 4 MiB. */
const maxBytes = 32 * 2 ** 20

type Options = Credentials & {
  stopped: AbortSignal
  /** What to do about refusals by code, where it is not what a caller with an API key does. */
  hints?: Readonly<Record<string, string>>
}

export const openApi = ({ url, apiKey, stopped, hints = {} }: Options): Api => ({
  url,
  call: async <Body>(request: ApiRequest): Promise<Body> => {
    const isRepeatable = request.isRepeatable ?? (request.method ?? 'GET') === 'GET'
    const outcome = await retry(() => send(request, { url, apiKey, stopped, hints }), {
      backoff: delayMs,
      shouldRetry: (_, { failures, waitMs }) =>
        isRepeatable && waitMs <= maxWaitMs && failures < maxTries && !stopped.aborted,
      pause: (ms) => pause(ms, { signal: stopped }),
    })
    if ('body' in outcome) return outcome.body as Body
    throw failed(outcome.failure)
  },
})

type Outcome = { body: unknown } | { failure: Failure; retryAfterMs: number | null }

/** Returns the delay after which a request can be repeated. Infinity: it succeeded, or a retry cannot succeed. */
const delayMs = (ended: Try<Outcome>): number =>
  'value' in ended && 'failure' in ended.value
    ? (ended.value.retryAfterMs ?? Number.POSITIVE_INFINITY)
    : Number.POSITIVE_INFINITY

const send = async (request: ApiRequest, { url, apiKey, stopped, hints }: Required<Options>): Promise<Outcome> => {
  const { method = request.json === undefined ? 'GET' : 'POST', path, query = {}, json, headers = {} } = request
  const target = new URL(`${url}/api/v1${path}`)
  for (const [name, value] of Object.entries(query)) if (value !== undefined) target.searchParams.set(name, value)
  try {
    const response = await fetch(target, {
      method,
      headers: {
        authorization: `Bearer ${apiKey}`,
        accept: 'application/json',
        ...(json !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(json !== undefined && { body: JSON.stringify(json) }),
      // The key goes to no other server.
      redirect: 'manual',
      signal: AbortSignal.any([stopped, AbortSignal.timeout(timeoutMs)]),
    })
    const text = await textOf(response)
    if (text === null) return { failure: oddResponse(response.status, 'is too long'), retryAfterMs: null }
    if (!response.ok) return refusalOf(response, text, hints)
    if (text === '') return { body: null }
    const body = objectIn(text)
    if (body === null || (request.isList && !areRecords(body['data'])))
      return { failure: oddResponse(response.status, 'is not JSON of Postrider'), retryAfterMs: null }
    return { body }
  } catch (thrown) {
    if (stopped.aborted) return { failure: interrupted, retryAfterMs: null }
    return { failure: connectionFailure(url, thrown), retryAfterMs: 1_000 }
  }
}

/** Returns the body as text; null: it has too many bytes, and the rest is not read. */
const textOf = async ({ body }: Response): Promise<string | null> => {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of body ?? []) {
    size += part.length
    if (size > maxBytes) return null
    parts.push(part)
  }
  return Buffer.concat(parts).toString()
}

const interrupted: OwnFailure = {
  code: 'interrupted',
  message: 'The command was interrupted.',
  errors: [],
  hint: null,
  requestId: null,
  status: null,
}

const oddResponse = (status: number, problem: string): OwnFailure => ({
  code: 'unexpected_response',
  message: `The server returned status ${status} and a body that ${problem}.`,
  errors: [],
  hint: 'Check that the address is that of Postrider.',
  requestId: null,
  status,
})

const connectionFailure = (url: string, thrown: unknown): OwnFailure => {
  const { cause, message } = thrown as Error & { cause?: { code?: string; message?: string } }
  return {
    code: 'connection',
    message: `No response from ${url}: ${cause?.message || cause?.code || message}.`,
    errors: [],
    hint: 'Check that the server runs, and the address in POSTRIDER_URL or of `postrider login`.',
    requestId: null,
    status: null,
  }
}

type Problem = { code?: string; detail?: string; request_id?: string; errors?: Failure['errors'] }

type Members = Record<string, unknown>

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const areRecords = (value: unknown): boolean => Array.isArray(value) && value.every(isObject)

/** Returns the object that a text is; null: it is something else. */
const objectIn = (text: string): Members | null => {
  try {
    const body: unknown = JSON.parse(text)
    return isObject(body) ? body : null
  } catch {
    return null
  }
}

const refusalOf = ({ status, headers }: Response, text: string, own: Required<Options>['hints']): Outcome => {
  const problem = problemIn(text)
  const seconds = Math.max(0, Number(headers.get('retry-after') ?? Number.NaN))
  const isPassing = status === 429 || status === 503 || problem?.code === 'idempotency_in_flight'
  // A proxy responds with 5xx while the server behind it starts.
  const otherCode: OwnFailure['code'] = status >= 500 ? 'unavailable' : 'unexpected_response'
  const failure = {
    code: problem?.code ?? otherCode,
    message: problem?.detail ?? `The server returned status ${status} and no error message of Postrider.`,
    errors: problem?.errors ?? [],
    hint: problem === null ? 'Check that the address is that of Postrider.' : hintOf(problem.code ?? '', own),
    requestId: headers.get('x-request-id') ?? problem?.request_id ?? null,
    status,
  }
  return { failure, retryAfterMs: isPassing ? (Number.isNaN(seconds) ? 1_000 : seconds * 1_000) : null }
}

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Reads a problem, whose members may be of any type if the server is another one. */
const problemIn = (text: string): Problem | null => {
  const { code, detail, request_id: requestId, errors } = objectIn(text) ?? {}
  if (typeof code !== 'string') return null
  const listed: unknown[] = Array.isArray(errors) ? errors : []
  return {
    code,
    ...(typeof detail === 'string' && { detail }),
    ...(typeof requestId === 'string' && { request_id: requestId }),
    errors: listed
      .filter(isObject)
      .map((one) => ({ path: textIn(one['path']), code: textIn(one['code']), message: textIn(one['message']) })),
  }
}

const usualHints: Readonly<Record<string, string>> = {
  unauthenticated: 'Run `postrider login` with a valid API key, or set POSTRIDER_API_KEY.',
  insufficient_scope: 'Use an API key with this scope; make one in the dashboard or with POST /api/v1/api-keys.',
  not_found: 'Check the id, and that the key has the mode (live or test) of the record.',
  rate_limited: 'Wait, and send fewer requests.',
  quota_exceeded: 'Wait until the quota resets, or change the plan.',
  unavailable: 'Try again in a few seconds.',
  internal: 'Report the request id to the operator of the server.',
}

const hintOf = (code: string, own: Required<Options>['hints']): string | null => own[code] ?? usualHints[code] ?? null
