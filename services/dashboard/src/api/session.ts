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
 * The roles by what they may do, the least first. The API enforces them; the screens only hide what would be refused.
 */
const ranks: Readonly<Record<Role, number>> = { viewer: 0, member: 1, admin: 2, owner: 3 }

/** Returns a function that reports whether the person's role is at least another one. */
export const useRank = (): ((least: Role) => boolean) => {
  const { role } = useSession()
  return (least) => ranks[role] >= ranks[least]
}

/** Returns whether the person's role is at least this one. */
export const useMay = (least: Role): boolean => useRank()(least)
