import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import type { Api } from './client.ts'
import type { components } from './gen/schema.ts'
import { pageAt, paging } from './paging.ts'
import { showStored } from './showStored.ts'

export type Domain = components['schemas']['Domain']
export type DnsRecord = components['schemas']['DnsRecord']

const listKey = ['domains', 'list']
const oneKey = (id: string) => ['domains', 'one', id]

/** The sending domains of the workspace, newest first. Checks of their records continue when the page is closed. */
export const domainPages = (api: Api) =>
  infiniteQueryOptions({
    queryKey: listKey,
    queryFn: ({ pageParam, signal }) => api.get('/api/v1/domains', { query: pageAt(pageParam, 100), signal }),
    ...paging,
    refetchInterval: 15_000,
  })

/** One domain with its records, read again while its records are awaited. */
export const domainQuery = (api: Api, id: string) =>
  queryOptions({
    queryKey: oneKey(id),
    queryFn: ({ signal }) => api.get('/api/v1/domains/{id}', { path: { id }, signal }),
    refetchInterval: ({ state }) => (state.data?.status === 'verified' ? 30_000 : 5_000),
  })

/** Shows a domain as a response of the API has it, and reads the list again when it is opened. */
export const storeDomain = (queries: QueryClient, domain: Domain): void => {
  showStored(queries, oneKey(domain.id), domain)
  queries.invalidateQueries({ queryKey: listKey })
}

/** Removes a deleted domain from what is shown. */
export const removeDomain = (queries: QueryClient, id: string): Promise<void> => {
  queries.removeQueries({ queryKey: oneKey(id) })
  return queries.invalidateQueries({ queryKey: listKey })
}
