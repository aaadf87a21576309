import { addressOf } from './address.ts'
import type { paths } from './gen/schema.ts'
import { apiError, problemOf, problemOfResponse } from './problem.ts'

type Method = 'get' | 'post' | 'patch' | 'delete'
type PathOf<M extends Method> = {
  [P in keyof paths]: [NonNullable<paths[P][M]>] extends [never] ? never : P
}[keyof paths]
type Operation<M extends Method, P extends keyof paths> = NonNullable<paths[P][M]>
type Given<Op, Location extends string> = Op extends { parameters: { [Name in Location]?: infer Value } }
  ? Value
  : never
type Body<Op> = Op extends { requestBody?: infer Request }
  ? NonNullable<Request> extends { content: { 'application/json': infer Json } }
    ? Json
    : never
  : never
type Answer<Op> = Op extends { responses: infer Responses }
  ? { [Status in keyof Responses]: JsonOf<Responses[Status]> }[keyof Responses]
  : never
type JsonOf<Response> = Response extends { content: { 'application/json': infer Json } } ? Json : undefined

/** The parts of a request. A part that the operation does not have cannot be given. */
type Parts<Op> = {
  path?: NonNullable<Given<Op, 'path'>>
  query?: NonNullable<Given<Op, 'query'>>
  body?: Body<Op>
  headers?: Readonly<Record<string, string>>
  signal?: AbortSignal
}

type Values = Readonly<Record<string, unknown>>
type AnyParts = {
  path?: Values
  query?: Values
  body?: unknown
  headers?: Readonly<Record<string, string>>
  signal?: AbortSignal
}

type Send<M extends Method> = <P extends PathOf<M>>(
  path: P,
  parts?: Parts<Operation<M, P>>,
) => Promise<Answer<Operation<M, P>>>

/** The API of the service, with the session of this browser. Every failure is thrown as `apiError`. */
export type Api = {
  get: Send<'get'>
  post: Send<'post'>
  patch: Send<'patch'>
  delete: Send<'delete'>
  /** Reads something that is not JSON, such as a whole message. */
  text(path: string, signal?: AbortSignal): Promise<string>
  /** Reads JSON of a page outside the API, such as the mailbox. */
  page<Body>(path: string, parts?: { query?: Values; signal?: AbortSignal }): Promise<Body>
  /** Sets the session that later requests belong to. */
  use(session: { csrf_token: string; workspace: { id: string } } | null): void
}

/** Requests of a session's start and end, which belong to no workspace yet. */
const isAboutSession = (path: string): boolean => path.startsWith('/api/v1/auth/')

/**
 * @param deps `onSignedOut` is called when the session has ended; `onOtherWorkspace` when another tab moved it to
 * another workspace
 */
export const createApi = (deps: {
  fetch: typeof fetch
  onSignedOut: () => void
  onOtherWorkspace: () => void
}): Api => {
  let session: { csrf: string; workspace: string } | null = null
  /** Settles with the requests that may replace the session, such as one with a new password. */
  let replacing: Promise<unknown> = Promise.resolve()
  let replaced = 0

  /** Sends a request that may replace the session. While it waits, the service already refuses the former one. */
  const sendReplacing = async (send: () => Promise<Response>): Promise<Response> => {
    const answer = send()
    replacing = Promise.allSettled([replacing, answer])
    const response = await answer
    if (response.ok) replaced += 1
    return response
  }

  const request = async (method: Method, path: string, parts: AnyParts): Promise<Response> => {
    const { signal = null, body } = parts
    const [csrf, replacedBefore] = [session?.csrf, replaced]
    const headers = new Headers(parts.headers)
    if (session !== null && method !== 'get') headers.set('X-CSRF-Token', session.csrf)
    if (session !== null && !isAboutSession(path)) headers.set('X-Workspace', session.workspace)
    if (body !== undefined) headers.set('Content-Type', 'application/json')
    const url = addressOf(path, parts)
    const init = { method: method.toUpperCase(), headers, credentials: 'same-origin', signal } as const
    const send = () => deps.fetch(url, body === undefined ? init : { ...init, body: JSON.stringify(body) })
    const response = await (method !== 'get' && isAboutSession(path) ? sendReplacing(send) : send())
    if (response.ok) return response
    const problem = await problemOfResponse(response)
    // A session that the page has left or replaced since then may have ended.
    if (problem.status === 401 && csrf !== undefined) {
      await replacing
      if (replaced === replacedBefore && csrf === session?.csrf) deps.onSignedOut()
    }
    if (problem.code === 'workspace_changed') deps.onOtherWorkspace()
    throw apiError(problem)
  }

  const sender =
    (method: Method) =>
    async (path: string, parts: AnyParts = {}) => {
      const response = await request(method, path, parts)
      return response.status === 204 ? undefined : response.json()
    }

  return {
    get: sender('get') as Send<'get'>,
    post: sender('post') as Send<'post'>,
    patch: sender('patch') as Send<'patch'>,
    delete: sender('delete') as Send<'delete'>,
    text: async (path, signal) => (await request('get', path, signal ? { signal } : {})).text(),
    page: async (path, parts = {}) =>
      (await request('get', path, { ...parts, headers: { Accept: 'application/json' } })).json(),
    use: (next) => {
      session = next && { csrf: next.csrf_token, workspace: next.workspace.id }
    },
  }
}

/**
 * Returns whether a failed read may be repeated immediately: the service was not reached, or returned an error that
 * lasts only a moment.
 */
export const isWorthRetrying = (failures: number, thrown: unknown): boolean => {
  const { status, code } = problemOf(thrown)
  return failures < 2 && (code === 'unreachable' || status === 503)
}
