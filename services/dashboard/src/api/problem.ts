import type { Problem } from './types.ts'

/** Error as the screens show it. */
export type ShownProblem = {
  status: number
  code: string
  title: string
  detail: string
  /** Null: the request did not reach the service. */
  requestId: string | null
  errors: Problem['errors']
}

const marker = Symbol('problem')

/** Returns an error to throw for a response of the API. */
export const apiError = (problem: ShownProblem): Error =>
  Object.assign(new Error(problem.detail), { [marker]: problem })

const unreachable: ShownProblem = {
  status: 0,
  code: 'unreachable',
  title: 'No connection to the service',
  detail: 'Check your connection. What you entered is still here, so you can try again.',
  requestId: null,
  errors: [],
}

const defect: ShownProblem = {
  ...unreachable,
  code: 'page_error',
  title: 'This page has an error',
  detail: 'Reload the page. If it happens again, report what you did before.',
}

/** Reads the body of a response that is not 2xx. A proxy may respond without one. */
export const problemOfResponse = async (response: Response): Promise<ShownProblem> => {
  const body = (await response.json().catch(() => null)) as Partial<Problem> | null
  return {
    status: response.status,
    code: body?.code ?? 'http_error',
    title: body?.title ?? `The service returned ${response.status}`,
    detail: body?.detail ?? 'Try again in a moment.',
    requestId: body?.request_id ?? response.headers.get('X-Request-Id'),
    errors: body?.errors ?? [],
  }
}

/** Returns what is wrong, for any thrown value. `fetch` throws a TypeError if the service cannot be reached. */
export const problemOf = (thrown: unknown): ShownProblem => {
  if (typeof thrown === 'object' && thrown !== null && marker in thrown) return thrown[marker] as ShownProblem
  return thrown instanceof TypeError && /fetch|network|load/i.test(thrown.message) ? unreachable : defect
}

/**
 * Returns an error as one text for a note or a message: what is wrong, and the id of the request for unexpected ones.
 */
export const problemText = (thrown: unknown): string => {
  const { status, detail, requestId, errors } = problemOf(thrown)
  const unexpected = status >= 500 && requestId !== null ? ` (request ${requestId})` : ''
  const [first] = errors
  const more = errors.length === 1 && first && !detail.includes(first.message) ? ` ${first.message}` : ''
  return `${detail}${more}${unexpected}`
}
