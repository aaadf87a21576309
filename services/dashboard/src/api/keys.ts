import { infiniteQueryOptions } from '@tanstack/react-query'
import type { Api } from './client.ts'

/** The API keys of the workspace, newest first. */
export const keyPages = (api: Api) =>
  infiniteQueryOptions({
    queryKey: ['keys'],
    queryFn: ({ pageParam, signal }) =>
      api.get('/api/v1/api-keys', { query: { limit: 100, ...(pageParam !== null && { cursor: pageParam }) }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => (page.has_more ? page.next_cursor : null),
  })
