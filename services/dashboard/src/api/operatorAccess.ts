import type { QueryClient } from '@tanstack/react-query'
import type { Api } from './client.ts'
import { operatorToken } from './operatorToken.ts'
import { problemOf } from './problem.ts'
import { sessionQuery, useSession } from './session.ts'
import type { Session } from './types.ts'

/**
 * Access of this tab as the operator: with the operator's token, which comes first, or with the session of an operator.
 */
export type OperatorAccess = { by: 'token'; token: string } | { by: 'session'; session: Session }

/** Returns how this tab acts as the operator; null: it needs the token. */
export const operatorAccess = async (api: Api, queries: QueryClient): Promise<OperatorAccess | null> => {
  const token = operatorToken()
  if (token !== null) return { by: 'token', token }
  try {
    const session = await queries.ensureQueryData(sessionQuery(api))
    return session.user.operator ? { by: 'session', session } : null
  } catch (thrown) {
    if (problemOf(thrown).status !== 401) throw thrown
    return null
  }
}

/** Returns whether the operator's area is offered: the tab has the token, or the person is an operator. */
export const useIsOperator = (): boolean => {
  const { user } = useSession()
  return user.operator || operatorToken() !== null
}
