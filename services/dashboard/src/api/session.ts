import { isAtLeast } from '@postrider/contracts/http/values.ts'
import { type QueryClient, queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { useApi } from './ApiProvider.tsx'
import type { Api } from './client.ts'
import { showStored } from './showStored.ts'
import type { Role, Session } from './types.ts'

/** The session of this browser. It is read again when the tab is shown, so an end or a new role is seen. */
export const sessionQuery = (api: Api) =>
  queryOptions({
    queryKey: ['session'],
    queryFn: async ({ signal }): Promise<Session> => {
      const session = await api.get('/api/v1/auth/session', { signal })
      api.use(session)
      return session
    },
    staleTime: 30_000,
  })

/** Continues with a session whose cookie and token the API has replaced. */
export const storeSession = (api: Api, queries: QueryClient, session: Session): void => {
  api.use(session)
  showStored(queries, ['session'], session)
}

/**
 * Returns whether the workspace refuses everything but the person's own account until two-factor authentication is on.
 */
export const needsTotp = ({ user, workspace }: Session): boolean => workspace.require_totp && !user.totp_enabled

/** Returns the session. Every screen behind the login has one. */
export const useSession = (): Session => useSuspenseQuery(sessionQuery(useApi())).data

/**
 * Returns a function that reports whether the person's role is at least another one. The API enforces roles; the
 * screens only hide what would be refused.
 */
export const useRank = (): ((least: Role) => boolean) => {
  const { role } = useSession()
  return (least) => isAtLeast(role, least)
}

/** Returns whether the person's role is at least this one. */
export const useMay = (least: Role): boolean => useRank()(least)
