import { queryOptions } from '@tanstack/react-query'
import type { Api } from './client.ts'

/** The workspaces of the person. */
export const workspacesQuery = (api: Api) =>
  queryOptions({
    queryKey: ['workspaces'],
    queryFn: ({ signal }) => api.get('/api/v1/workspaces', { query: { limit: 100 }, signal }),
    staleTime: 60_000,
  })

/**
 * Moves the session of this browser to another workspace and loads the page again, so that nothing of the former one stays
 * on the screen.
 */
export const enterWorkspace = async (api: Api, id: string): Promise<void> => {
  await api.post('/api/v1/auth/session', { body: { workspace: id } })
  location.assign('/')
}
