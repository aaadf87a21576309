import { type Api, createApi } from './client.ts'

const operatorPaths = '/api/v1/operator/'

/**
 * Returns the API for the operator. The token is sent to the operator's paths only, and no request has the cookie of a session,
 * so the two never mix.
 * @param deps `onRefused` is called when the service does not accept the token
 */
export const createOperatorApi = (deps: { fetch: typeof fetch; token: string; onRefused: () => void }): Api =>
  createApi({
    fetch: async (input, init) => {
      const headers = new Headers(init?.headers)
      const isOperators = String(input).startsWith(operatorPaths)
      if (isOperators) headers.set('Authorization', `Bearer ${deps.token}`)
      const response = await deps.fetch(input, { ...init, headers, credentials: 'omit' })
      if (isOperators && response.status === 401) deps.onRefused()
      return response
    },
    // It has no session that could end or move.
    onSignedOut: () => {},
    onOtherWorkspace: () => {},
  })
