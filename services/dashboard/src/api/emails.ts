import { cancelableStatuses, isOpen } from '@postrider/contracts/http/values.ts'
import { queryOptions } from '@tanstack/react-query'
import type { Api } from './client.ts'
import type { EmailDetail, EmailFilters, EmailStatus } from './types.ts'

const pageSize = 50

/** Returns whether all recipients are final, so that the email does not change by itself any more. */
export const isFinal = (status: EmailStatus): boolean => !isOpen(status)

/**
 * Returns whether an email can still be canceled or moved to another time. The API decides; the menu only hides what it
 * would refuse.
 */
export const isCancelable = ({ attempts, status }: Pick<EmailDetail, 'attempts' | 'status'>): boolean =>
  attempts.length === 0 && cancelableStatuses.some((one) => one === status)

/** Returns a function that reads one page of the emails of the filters, newest first. */
export const readEmails =
  (api: Api, filters: EmailFilters) =>
  ({ cursor, signal }: { cursor: string | null; signal: AbortSignal }) =>
    api.get('/api/v1/emails', {
      query: { ...filters, limit: pageSize, ...(cursor !== null && { cursor }) },
      signal,
    })

/** Returns the query of one email. Its events cause further reads; this query replaces reads that were missed. */
export const emailQuery = (api: Api, id: string) =>
  queryOptions({
    queryKey: ['emails', 'one', id],
    queryFn: ({ signal }) => api.get('/api/v1/emails/{id}', { path: { id }, signal }),
    refetchInterval: ({ state }) => (state.data && isFinal(state.data.status) ? 60_000 : 10_000),
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
