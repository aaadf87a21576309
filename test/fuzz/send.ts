import type { Http, HttpResponse } from '../support/http.ts'
import { hangMs, until } from '../support/until.ts'
import { differenceOf, problemsOf } from './checks.ts'
import type { Document } from './document.ts'
import { curlLine, type FuzzRequest } from './request.ts'

/** Responses that a run has received. */
export type Seen = {
  requests: number
  byStatus: Map<number, number>
  /** Operations that returned 2xx. */
  succeeded: Set<string>
  /** Answers that are wrong. */
  wrong: number
  /** The first of them, each with a curl line. */
  failures: string[]
  /** 503s that a repeated request ended: a busy machine. */
  unavailable: number
  slowestMs: number
}

export type SendChecked = (request: FuzzRequest) => Promise<HttpResponse<unknown>>

/** More failures of one run are not worth reading. */
const maxFailures = 25

export const nothingSeen = (): Seen => ({
  requests: 0,
  byStatus: new Map(),
  succeeded: new Set(),
  wrong: 0,
  failures: [],
  unavailable: 0,
  slowestMs: 0,
})

/**
 * Returns a function that makes a request and checks its response. A 503 with `Retry-After` is expected only while the
 * machine is too busy for a deadline, so the request is repeated until its response is another one.
 */
export const checkedSender = ({
  http,
  url,
  document,
  seen,
}: {
  http: Http
  url: string
  document: Document
  seen: Seen
}): SendChecked => {
  const call = async ({ method, path, headers, body }: FuzzRequest): Promise<HttpResponse<unknown>> =>
    http.call<unknown>({ method, path, headers: { ...headers }, ...(body !== undefined && { body }) })
  const settled = (request: FuzzRequest): Promise<HttpResponse<unknown>> =>
    until(
      `a response other than 503 to ${curlLine(url, request)}`,
      async () => {
        const got = await call(request)
        if (got.status !== 503 || got.headers['retry-after'] === undefined) return got
        seen.unavailable += 1
        return undefined
      },
      hangMs,
      250,
    )
  const hiddenProblems = async (request: FuzzRequest, response: HttpResponse<unknown>): Promise<string[]> => {
    if (request.expected.kind !== 'hidden') return []
    return differenceOf(response, await settled({ ...request, path: request.expected.twinPath }))
  }
  return async (request) => {
    const response = await settled(request)
    seen.requests += 1
    seen.byStatus.set(response.status, (seen.byStatus.get(response.status) ?? 0) + 1)
    seen.slowestMs = Math.max(seen.slowestMs, response.elapsedMs)
    if (request.operation && response.status < 300) seen.succeeded.add(request.operation.id)
    const wrong = [...problemsOf({ document, request, response }), ...(await hiddenProblems(request, response))]
    if (wrong.length > 0) {
      seen.wrong += 1
      if (seen.failures.length >= maxFailures) return response
      const title = `${request.operation?.id ?? request.path.slice(0, 80)}, ${request.name}`
      const got = `${response.status} ${response.text.slice(0, 500)}`
      seen.failures.push(`${title}: ${wrong.join('; ')}\n  ${got}\n  ${curlLine(url, request)}`)
    }
    return response
  }
}
