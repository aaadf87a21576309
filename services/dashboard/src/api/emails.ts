import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { Api } from './client.ts'
import type { EmailFilters, EmailStatus } from './types.ts'

const pageSize = 50

/** Whether all recipients are final, so that the email does not change by itself any more. */
export const isFinal = (status: EmailStatus): boolean =>
  !['scheduled', 'queued', 'sending', 'deferred', 'unknown'].includes(status)

/** The emails of the filters, newest first, in pages. */
export const emailPages = (api: Api, filters: EmailFilters) =>
  infiniteQueryOptions({
    queryKey: ['emails', 'list', filters],
    queryFn: ({ pageParam, signal }) =>
      api.get('/api/v1/emails', {
        query: { ...filters, limit: pageSize, ...(pageParam !== null && { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => (page.has_more ? page.next_cursor : null),
    staleTime: Number.POSITIVE_INFINITY,
  })

/** The first page of the same emails, read again every few seconds. */
export const newestEmails = (api: Api, filters: EmailFilters) =>
  queryOptions({
    queryKey: ['emails', 'newest', filters],
    queryFn: ({ signal }) => api.get('/api/v1/emails', { query: { ...filters, limit: pageSize }, signal }),
    refetchInterval: 3_000,
    staleTime: 0,
    gcTime: 0,
  })

/** One email, read again while it changes. */
export const emailQuery = (api: Api, id: string) =>
  queryOptions({
    queryKey: ['emails', 'one', id],
    queryFn: ({ signal }) => api.get('/api/v1/emails/{id}', { path: { id }, signal }),
    refetchInterval: ({ state }) => (state.data && isFinal(state.data.status) ? 15_000 : 2_000),
  })

export const explanationQuery = (api: Api, id: string, version: string) =>
  queryOptions({
    queryKey: ['emails', 'explain', id, version],
    queryFn: ({ signal }) => api.get('/api/v1/emails/{id}/explain', { path: { id }, signal }),
    placeholderData: (previous) => previous,
  })

export const contentQuery = (api: Api, id: string) =>
  queryOptions({
    queryKey: ['emails', 'content', id],
    queryFn: ({ signal }) => api.get('/api/v1/emails/{id}/content', { path: { id }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })

export const rawQuery = (api: Api, id: string) =>
  queryOptions({
    queryKey: ['emails', 'raw', id],
    queryFn: ({ signal }) => api.text(`/api/v1/emails/${encodeURIComponent(id)}/raw`, signal),
    staleTime: Number.POSITIVE_INFINITY,
  })
