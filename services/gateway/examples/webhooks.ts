import { webhookBody } from '@postrider/contracts/http/event.ts'
import { exampleEvent } from '@postrider/contracts/http/eventExamples.ts'
import { exampleOf, list } from './parts.ts'

const [webhookId, deliveryId] = ['wh_01jd7w3k5vf2ya4m9x0q8r6t1n', 'dlv_01jd7w3k5vf2ya4m9x0q8r6t1n'] as const
const [addedAt, deliveredAt, changedAt] = [
  '2026-11-21T09:00:00.000Z',
  '2026-11-21T10:00:00.300Z',
  '2026-11-21T11:00:00.000Z',
] as const
const url = 'https://example.com/webhooks/postrider'
const event = exampleEvent('email.delivered')

const webhook = {
  object: 'webhook',
  id: webhookId,
  url,
  events: ['email.delivered', 'email.bounced'],
  description: 'Order system',
  mode: 'live',
  enabled: true,
  disabled_reason: null,
  failing_since: null,
  former_secret_expires_at: null,
  replay: null,
  created_at: addedAt,
  updated_at: addedAt,
}

const waiting = {
  object: 'webhook_delivery',
  id: deliveryId,
  webhook_id: webhookId,
  event_id: event.id,
  type: event.type,
  status: 'pending',
  reason: null,
  test: false,
  attempts: [],
  next_at: deliveredAt,
  created_at: deliveredAt,
}

const delivery = {
  ...waiting,
  status: 'delivered',
  attempts: [
    { at: deliveredAt, status_code: 200, duration_ms: 41, response: { body: '{"ok":true}', truncated: false } },
  ],
  next_at: null,
}

const replay = {
  object: 'webhook_replay',
  id: 'rpl_01jd7w3k5vf2ya4m9x0q8r6t1n',
  webhook_id: webhookId,
  status: 'running',
  from: '2026-11-21T08:00:00.000Z',
  to: '2026-11-21T10:00:00.000Z',
  position: null,
  progress: 0,
  sent: 0,
  delivered: 0,
  created_at: changedAt,
  ended_at: null,
}

/** The replay while it runs. */
const begun = { ...replay, position: '2026-11-21T08:30:00.000Z', progress: 0.25, sent: 1_200, delivered: 1_198 }

/** Examples of the operations on webhooks. */
export const webhookExamples = {
  createWebhook: {
    requests: {
      ...exampleOf('Some events', { url, events: ['email.delivered', 'email.bounced'], description: 'Order system' }),
      all: { summary: 'All events', value: { url } },
    },
    reply: { ...webhook, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=' },
  },
  listWebhooks: { reply: list(webhook) },
  getWebhook: { reply: { ...webhook, replay: begun } },
  updateWebhook: {
    requests: exampleOf('Send nothing more', { enabled: false }),
    reply: { ...webhook, enabled: false, disabled_reason: 'request', updated_at: changedAt },
  },
  testWebhook: {
    requests: exampleOf('An event of a type', { type: 'email.bounced' }),
    reply: { ...waiting, type: 'email.bounced', test: true },
  },
  rotateWebhookSecret: {
    reply: {
      ...webhook,
      former_secret_expires_at: '2026-11-22T11:00:00.000Z',
      updated_at: changedAt,
      secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDu1Yho8oRkmc=',
    },
  },
  listWebhookDeliveries: { reply: list(delivery) },
  getWebhookDelivery: {
    reply: {
      ...delivery,
      request: {
        url,
        headers: {
          'content-type': 'application/json',
          'webhook-id': event.id,
          'webhook-timestamp': '1795255200',
        },
        body: webhookBody(event),
        truncated: false,
      },
    },
  },
  redeliverWebhook: { reply: waiting },
  replayWebhook: {
    requests: exampleOf('Two hours', { from: '2026-11-21T08:00:00Z', to: '2026-11-21T10:00:00Z' }),
    reply: replay,
  },
  getNewestWebhookReplay: {
    reply: begun,
  },
  getWebhookReplay: {
    reply: {
      ...replay,
      status: 'done',
      position: '2026-11-21T09:59:59.120Z',
      progress: 1,
      sent: 4_800,
      delivered: 4_798,
      ended_at: '2026-11-21T11:08:12.000Z',
    },
  },
}
