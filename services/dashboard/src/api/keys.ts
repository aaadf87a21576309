import { infiniteQueryOptions } from '@tanstack/react-query'
import type { Api } from './client.ts'
import { pageAt, paging } from './paging.ts'

/** The API keys of the workspace, newest first. */
export const keyPages = (api: Api) =>
  infiniteQueryOptions({
    queryKey: ['keys'],
    queryFn: ({ pageParam, signal }) => api.get('/api/v1/api-keys', { query: pageAt(pageParam, 100), signal }),
    ...paging,
  })
