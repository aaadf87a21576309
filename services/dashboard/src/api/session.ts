import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { useApi } from './ApiProvider.tsx'
import type { Api } from './client.ts'
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

/** Returns the session. Every screen behind the log-in has one. */
export const useSession = (): Session => useSuspenseQuery(sessionQuery(useApi())).data

/** The roles by what they may do, the least first. The API enforces them; the screens only hide what would be refused. */
const ranks: Readonly<Record<Role, number>> = { viewer: 0, member: 1, admin: 2, owner: 3 }

/** Returns whether the person's role is at least this one. */
export const useMay = (least: Role): boolean => ranks[useSession().role] >= ranks[least]
