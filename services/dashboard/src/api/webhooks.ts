import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import type { Api } from './client.ts'
import type { components } from './gen/schema.ts'
import { pageAt, paging } from './paging.ts'
import { showStored } from './showStored.ts'
import type { Mode } from './types.ts'

type Schemas = components['schemas']

export type Webhook = Schemas['Webhook']
export type WebhookWithSecret = Schemas['WebhookWithSecret']
export type Delivery = Schemas['WebhookDelivery']
export type DeliveryAttempt = Schemas['WebhookAttempt']
export type Replay = Schemas['WebhookReplay']
export type DeliveryStatus = Delivery['status']

const pageSize = 50
const oneKey = (id: string) => ['webhooks', 'one', id]

/** The endpoints of a mode, newest first. */
export const webhookPages = (api: Api, mode: Mode) =>
  infiniteQueryOptions({
    queryKey: ['webhooks', 'list', mode],
    queryFn: ({ pageParam, signal }) =>
      api.get('/api/v1/webhooks', {
        query: { mode, ...pageAt(pageParam, 100) },
        signal,
      }),
    ...paging,
    refetchInterval: 15_000,
  })

/**
 * One endpoint with its newest replay. The service may disable it, and others may begin a replay, while it is shown.
 */
export const webhookQuery = (api: Api, id: string) =>
  queryOptions({
    queryKey: oneKey(id),
    queryFn: ({ signal }) => api.get('/api/v1/webhooks/{id}', { path: { id }, signal }),
    refetchInterval: ({ state }) => (state.data?.replay?.status === 'running' ? 1_000 : 10_000),
  })

/** Returns a function that reads one page of what was sent to an endpoint, newest first. */
export const readDeliveries =
  (api: Api, id: string, status: DeliveryStatus | undefined) =>
  ({ cursor, signal }: { cursor: string | null; signal: AbortSignal }) =>
    api.get('/api/v1/webhooks/{id}/deliveries', {
      path: { id },
      query: { limit: pageSize, ...(status && { status }), ...(cursor !== null && { cursor }) },
      signal,
    })

export const deliveriesKey = (id: string, status: DeliveryStatus | undefined) => [
  'webhooks',
  'deliveries',
  id,
  status ?? 'all',
]

/** One delivery with its request, read again while attempts follow. */
export const deliveryQuery = (api: Api, id: string, deliveryId: string) =>
  queryOptions({
    queryKey: ['webhooks', 'delivery', id, deliveryId],
    queryFn: ({ signal }) =>
      api.get('/api/v1/webhooks/{id}/deliveries/{delivery_id}', {
        path: { id, delivery_id: deliveryId },
        signal,
      }),
    refetchInterval: ({ state }) => (state.data?.status === 'pending' ? 1_500 : 15_000),
  })

/** Shows a replay that was started, as the next read of its endpoint has it. */
export const storeReplay = (queries: QueryClient, replay: Replay): void => {
  const webhook = queries.getQueryData<Webhook>(oneKey(replay.webhook_id))
  if (webhook) showStored(queries, oneKey(replay.webhook_id), { ...webhook, replay })
}

/** Shows an endpoint as a response of the API has it. A secret is not stored. */
export const storeWebhook = (queries: QueryClient, webhook: Webhook): Promise<void> => {
  showStored(queries, oneKey(webhook.id), { ...webhook, secret: undefined })
  return queries.invalidateQueries({ queryKey: ['webhooks', 'list'] })
}

/** Removes a deleted endpoint from what is shown. */
export const removeWebhook = (queries: QueryClient, id: string): Promise<void> => {
  queries.removeQueries({ queryKey: oneKey(id) })
  return queries.invalidateQueries({ queryKey: ['webhooks', 'list'] })
}
