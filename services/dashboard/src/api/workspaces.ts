import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { Api } from './client.ts'
import type { components } from './gen/schema.ts'
import { showStored } from './showStored.ts'

export type Workspace = components['schemas']['Workspace']

const workspaceQueryKey = ['workspace']

/** The settings of the workspace. */
export const workspaceQuery = (api: Api) =>
  queryOptions({
    queryKey: workspaceQueryKey,
    queryFn: ({ signal }) => api.get('/api/v1/workspace', { signal }),
    staleTime: 60_000,
  })

/** The workspaces of the person. */
export const workspacesQuery = (api: Api) =>
  queryOptions({
    queryKey: ['workspaces'],
    queryFn: ({ signal }) => api.get('/api/v1/workspaces', { query: { limit: 100 }, signal }),
    staleTime: 60_000,
  })

/**
 * Moves the session of this browser to another workspace and loads the page again, so that nothing of the former one
 * stays on the screen.
 */
export const enterWorkspace = async (api: Api, id: string): Promise<void> => {
  await api.post('/api/v1/auth/session', { body: { workspace: id } })
  location.assign('/')
}

/** Shows the workspace as a response of the API has it, also in the frame. */
export const storeWorkspace = async (queries: QueryClient, workspace: Workspace): Promise<void> => {
  showStored(queries, workspaceQueryKey, workspace)
  await Promise.all(
    [['session'], ['workspaces']].map((queryKey) => queries.invalidateQueries({ queryKey, exact: true })),
  )
}
