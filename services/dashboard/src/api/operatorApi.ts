import { type Api, createApi } from './client.ts'
import { problemOfResponse } from './problem.ts'

const operatorPaths = '/api/v1/operator/'

type OperatorApiDeps = {
  fetch: typeof fetch
  /** Null: the session of this browser is used, whose user is an operator. */
  token: string | null
  /** Called when the service does not accept the token, or the session as that of an operator. */
  onRefused: () => void
  /** Called when the session has not passed a second factor. */
  onFactorMissing: () => void
  /**
   * Called when the CSRF token is not that of the session, for example because another tab has switched the session.
   */
  onSessionChanged: () => void
}

/**
 * Returns the API for the operator. A token is sent to the operator's paths only, and no request with it has the cookie
 * of a session, so the two never mix.
 */
export const createOperatorApi = ({ token, ...deps }: OperatorApiDeps): Api =>
  createApi({
    fetch: token === null ? bySession(deps) : byToken(token, deps),
    onSignedOut: () => token === null && deps.onRefused(),
    onOtherWorkspace: () => {},
  })

const byToken =
  (token: string, deps: Pick<OperatorApiDeps, 'fetch' | 'onRefused'>): typeof fetch =>
  async (input, init) => {
    const headers = new Headers(init?.headers)
    const isOperators = String(input).startsWith(operatorPaths)
    if (isOperators) headers.set('Authorization', `Bearer ${token}`)
    const response = await deps.fetch(input, { ...init, headers, credentials: 'omit' })
    if (isOperators && response.status === 401) deps.onRefused()
    return response
  }

const factorCodes: ReadonlySet<string> = new Set(['totp_required', 'totp_not_passed'])

const bySession =
  (deps: Omit<OperatorApiDeps, 'token'>): typeof fetch =>
  async (input, init) => {
    const response = await deps.fetch(input, init)
    if (response.status !== 403) return response
    const { code, errors } = await problemOfResponse(response.clone())
    if (code === 'csrf') deps.onSessionChanged()
    if (errors.some((one) => factorCodes.has(one.code))) deps.onFactorMissing()
    return response
  }
