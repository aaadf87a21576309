import { Id } from '@postrider/contracts/http/schema.ts'
import {
  DeliveryId,
  DeliveryList,
  DeliveryRecord,
  DeliveryWithRequest,
  ListDeliveries,
  ReplayId,
  ReplayRecord,
  ReplayWebhook,
} from '@postrider/contracts/http/webhook.ts'
import { maxPageBytes } from '@postrider/domain/listPage.ts'
import { listPage } from '../lists.ts'
import { deliveryRecord, deliveryWithRequest, replayRecord } from '../records/webhookRecords.ts'
import { idOrEmpty, route } from '../route.ts'
import { ownWebhooks, readWebhooks, webhookChange } from './webhooks.ts'

const tag = 'Webhooks'

export const listDeliveries = route({
  name: 'listWebhookDeliveries',
  method: 'GET',
  path: '/api/v1/webhooks/:id/deliveries',
  scope: readWebhooks,
  tag,
  summary: 'List what was sent to a webhook',
  description:
    'One delivery for each event, with its latest attempts and the responses of the receiver. The order is that of the events. Deliveries are stored for 90 days by default.',
  limit: 'read',
  params: Id,
  query: ListDeliveries,
  responseBytes: maxPageBytes,
  reply: { status: 200, body: DeliveryList, description: 'A page of deliveries, newest first.' },
  handle: async ({ params: { id }, query, ...identity }, { webhooks, cursors }) => {
    const path = `/api/v1/webhooks/${id}/deliveries`
    const { limit, before, body } = listPage(cursors, path, identity.caller.workspace, query)
    const { status = null, event_id } = query
    // An id that no event has, instead of the empty text, which is not passed on.
    const eventId = event_id === undefined ? null : idOrEmpty(event_id) || '-'
    const filters = { limit, before: before || null, status, eventId }
    const found = await webhooks.ListDeliveries({ ...ownWebhooks(identity), id, ...filters })
    return { json: body(found.deliveries.map(deliveryRecord), found.hasMore) }
  },
})

export const getDelivery = route({
  name: 'getWebhookDelivery',
  method: 'GET',
  path: '/api/v1/webhooks/:id/deliveries/:delivery_id',
  scope: readWebhooks,
  tag,
  summary: 'Read one delivery with its request',
  limit: 'read',
  params: DeliveryId,
  reply: { status: 200, body: DeliveryWithRequest, description: 'The delivery.' },
  handle: async ({ params: { id, delivery_id: delivery }, ...identity }, { webhooks }) => ({
    json: deliveryWithRequest(await webhooks.GetDelivery({ ...ownWebhooks(identity), id, delivery })),
  }),
})

export const redeliver = route({
  name: 'redeliverWebhook',
  method: 'POST',
  path: '/api/v1/webhooks/:id/deliveries/:delivery_id/redeliver',
  scope: 'webhooks:write',
  tag,
  summary: 'Send one event again',
  description:
    'The event is sent now, with the same id and body, and is retried as usual if that fails. A request while an attempt is in progress changes nothing.',
  limit: 'write',
  params: DeliveryId,
  reply: { status: 202, body: DeliveryRecord, description: 'The delivery, which is sent now.' },
  errors: ['conflict'],
  handle: async ({ params: { id, delivery_id: delivery }, ...identity }, { webhooks }) => ({
    json: deliveryRecord(await webhooks.Redeliver({ ...webhookChange(identity), id, delivery })),
  }),
})

export const replay = route({
  name: 'replayWebhook',
  method: 'POST',
  path: '/api/v1/webhooks/:id/replay',
  scope: 'webhooks:write',
  tag,
  summary: 'Send the events of a time window again',
  description:
    'The stored events of the window that the webhook receives are sent in order, at most 10 a second, alongside new events, with the ids that they had. So the receiver sees some of them for the second time. One replay of a webhook runs at a time.',
  limit: 'write',
  params: Id,
  body: ReplayWebhook,
  reply: { status: 202, body: ReplayRecord, description: 'The replay, which runs.' },
  replyHeaders: { Location: 'Path of the replay, which shows its progress.' },
  errors: ['conflict'],
  handle: async ({ params: { id }, body: { from, to = null }, ...identity }, { webhooks }) => {
    const started = await webhooks.Replay({ ...webhookChange(identity), id, from, to })
    return {
      json: replayRecord(id, started),
      headers: { Location: `/api/v1/webhooks/${id}/replay/${started.id}` },
    }
  },
})

export const getNewestReplay = route({
  name: 'getNewestWebhookReplay',
  method: 'GET',
  path: '/api/v1/webhooks/:id/replay',
  scope: readWebhooks,
  tag,
  summary: 'Read the progress of the newest replay',
  limit: 'read',
  params: Id,
  reply: { status: 200, body: ReplayRecord, description: 'The replay.' },
  handle: async ({ params: { id }, ...identity }, { webhooks }) => ({
    json: replayRecord(id, await webhooks.GetReplay({ ...ownWebhooks(identity), id, replay: null })),
  }),
})

export const getReplay = route({
  name: 'getWebhookReplay',
  method: 'GET',
  path: '/api/v1/webhooks/:id/replay/:replay_id',
  scope: readWebhooks,
  tag,
  summary: 'Read the progress of a replay',
  limit: 'read',
  params: ReplayId,
  reply: { status: 200, body: ReplayRecord, description: 'The replay.' },
  handle: async ({ params: { id, replay_id: wanted }, ...identity }, { webhooks }) => ({
    // An id that no replay has, instead of the empty text, which is not passed on.
    json: replayRecord(id, await webhooks.GetReplay({ ...ownWebhooks(identity), id, replay: wanted || '-' })),
  }),
})
