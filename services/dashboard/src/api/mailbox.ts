import type { CapturedEmail, CapturedEmailDetail, CapturedEmailList } from '@postrider/contracts/http/mailbox.ts'
import { queryOptions } from '@tanstack/react-query'
import type { Api } from './client.ts'

export type { CapturedEmail, CapturedEmailDetail }

/**
 * Returns a function that reads one page of the captured mail, newest first.
 * @param q part of a subject or an address
 */
export const readCaptured =
  (api: Api, q: string | undefined) =>
  ({ cursor, signal }: { cursor: string | null; signal: AbortSignal }) =>
    api.page<CapturedEmailList>('/mailbox', { query: { q, cursor: cursor ?? undefined }, signal })

const pathOf = (id: string): string => `/mailbox/${encodeURIComponent(id)}`

/** Paths of what a captured message consists of. */
export const capturedPaths = (id: string) => ({
  html: `${pathOf(id)}/html`,
  raw: `${pathOf(id)}/raw`,
  attachment: (number: number) => `${pathOf(id)}/attachments/${number}`,
})

export const capturedQuery = (api: Api, id: string) =>
  queryOptions({
    queryKey: ['mailbox', 'one', id],
    queryFn: ({ signal }) => api.page<CapturedEmailDetail>(pathOf(id), { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })

export const capturedRawQuery = (api: Api, id: string) =>
  queryOptions({
    queryKey: ['mailbox', 'raw', id],
    queryFn: ({ signal }) => api.text(capturedPaths(id).raw, signal),
    staleTime: Number.POSITIVE_INFINITY,
  })
