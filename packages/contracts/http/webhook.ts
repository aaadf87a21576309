import { keyModes } from '@postrider/domain/accounts/apiKey.ts'
import { eventTypes } from '@postrider/domain/events/event.ts'
import { deliveryStatuses } from '@postrider/domain/webhooks/delivery.ts'
import { disabledReasons, maxDescriptionLength } from '@postrider/domain/webhooks/endpoint.ts'
import { disableAfterHours } from '@postrider/domain/webhooks/life.ts'
import { replayStatuses } from '@postrider/domain/webhooks/replay.ts'
import { textProblem } from '@postrider/mail/text.ts'
import { z } from 'zod'
import { boundedArray, instant, listOf, modeFilter, oneOf, page, report, strictObject, time } from './schema.ts'
import { deliveryReasonText, deliveryStatusText, disabledReasonText, modeText, replayStatusText } from './values.ts'

/** Maximum number of entries of `events`, repetitions included. */
export const maxWantedTypes = 100

const url = z
  .string()
  .min(1)
  .describe(
    'Where events are sent: https, port 443 and a host of the public DNS, unless the operator allows others. At most 2,048 characters. A URL that can never be allowed is refused; the addresses of the host are checked again at each attempt, and redirects are not followed.',
  )
  .meta({ example: 'https://example.com/webhooks/postrider' })

/**
 * The service checks the names, so that its response names each unknown one in addition to a URL that is not allowed.
 */
const wantedEvents = boundedArray(z.string(), { min: 1, max: maxWantedTypes })
  .describe(
    'The types of events to send; absent at creation: all types, including types that are added later. A reserved type is refused (`not_supported`), except in a list of every type, which means all.',
  )
  .meta({
    items: { type: 'string', enum: [...eventTypes] },
    example: ['email.delivered', 'email.bounced'],
  })

const description = z
  .string()
  .max(maxDescriptionLength)
  .superRefine((text, context) => {
    const problem = text === '' ? null : textProblem(text)
    if (problem) report(context, { ...problem, input: text })
  })
  .describe(`Description for people, up to ${maxDescriptionLength} characters.`)
  .meta({ example: 'Order system' })

const enabled = z.boolean().describe('Whether events are sent. A disabled webhook misses the events of that time.')

/** Body of `POST /api/v1/webhooks`. */
export const CreateWebhook = strictObject({
  url,
  events: wantedEvents.optional(),
  description: description.optional(),
  enabled: enabled.optional(),
  mode: z
    .enum(keyModes)
    .optional()
    .describe(
      `The mail whose events are sent. A key creates webhooks of its own mode; default of a session: \`live\`. ${modeText}`,
    ),
}).meta({ id: 'CreateWebhook' })

/** Body of `PATCH /api/v1/webhooks/{id}`: an absent field stays as it is. */
export const UpdateWebhook = strictObject({
  url: url.optional(),
  events: wantedEvents.optional(),
  description: description.optional(),
  enabled: enabled.optional(),
}).meta({ id: 'UpdateWebhook' })

/** Body of `POST /api/v1/webhooks/{id}/test`. */
export const TestWebhook = strictObject({
  type: z
    .string()
    .min(1)
    .optional()
    .describe('The type of the event; absent: `email.delivered`, or the first type that the webhook receives.')
    .meta({ enum: [...eventTypes], example: 'email.bounced' }),
}).meta({ id: 'TestWebhook' })

/** A time of a window. */
const windowTime = z.string().min(1).pipe(instant).meta({ format: 'date-time' })

/** Body of `POST /api/v1/webhooks/{id}/replay`. */
export const ReplayWebhook = strictObject({
  from: windowTime.describe('Events from this time on (RFC 3339).').meta({ example: '2026-11-21T10:00:00Z' }),
  to: windowTime
    .optional()
    .describe('Events before this time (RFC 3339); absent: until now.')
    .meta({ example: '2026-11-22T10:00:00Z' }),
}).meta({ id: 'ReplayWebhook' })

export const ReplayRecord = z
  .looseObject({
    object: z.literal('webhook_replay'),
    id: z.string().meta({ example: 'rpl_01jd7w3k5vf2ya4m9x0q8r6t1n' }),
    webhook_id: z.string().meta({ example: 'wh_01jd7w3k5vf2ya4m9x0q8r6t1n' }),
    status: oneOf(replayStatuses).describe(replayStatusText).meta({ example: 'running' }),
    from: time(),
    to: time().describe('End of the window, exclusive.'),
    position: time().nullable().describe('Time of the last event that was sent; null: none yet.'),
    progress: z
      .number()
      .describe('The part of the time window that was sent, from 0 to 1.')
      .meta({ minimum: 0, maximum: 1, example: 0.25 }),
    sent: z.int().describe('Events that were sent.'),
    delivered: z.int().describe('Deliveries that the receiver accepted immediately; the others are retried as usual.'),
    created_at: time(),
    ended_at: time().nullable().describe('When the replay ended; null: it is running.'),
  })
  .meta({ id: 'WebhookReplay' })

const fields = {
  object: z.literal('webhook'),
  id: z.string().meta({ example: 'wh_01jd7w3k5vf2ya4m9x0q8r6t1n' }),
  url: z.string().describe('Where events are sent.').meta({ example: 'https://example.com/webhooks/postrider' }),
  events: z.array(oneOf(eventTypes)).describe('The types of events that are sent.'),
  description: z.string().describe('Description for people; may be empty.'),
  mode: oneOf(keyModes).describe(`The mail whose events are sent. ${modeText}`).meta({ example: 'live' }),
  enabled,
  disabled_reason: oneOf(disabledReasons)
    .nullable()
    .describe(`Reason why the webhook is disabled; null: it is enabled. ${disabledReasonText}`),
  failing_since: time()
    .nullable()
    .describe(
      `The first failure after the last success; null: none. After ${disableAfterHours} h in which every delivery failed, the webhook is disabled.`,
    ),
  former_secret_expires_at: time()
    .nullable()
    .describe('Time until which the previous secret also signs; null: only the current secret signs.'),
  replay: ReplayRecord.nullable().describe('The newest replay, even after it has ended; null: none is stored.'),
  created_at: time(),
  updated_at: time(),
}

export const WebhookRecord = z.looseObject(fields).meta({ id: 'Webhook' })

export const WebhookWithSecret = z
  .looseObject({
    ...fields,
    secret: z
      .string()
      .describe('The secret that signs webhooks (Standard Webhooks). Only this response contains it.')
      .meta({ example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=' }),
  })
  .meta({ id: 'WebhookWithSecret' })

/** Query of `GET /api/v1/webhooks`. */
export const ListWebhooks = z.object({ ...page, mode: modeFilter })

export const WebhookList = listOf(WebhookRecord, 'WebhookList')

const Attempt = z
  .looseObject({
    at: time().describe('When it began.'),
    status_code: z.int().nullable().describe('Status of the response; null: there was none.').meta({ example: 200 }),
    duration_ms: z.int().describe('How long it took, in milliseconds.'),
    error: z.string().optional().describe('What failed; absent: the receiver sent a response.'),
    response: z
      .looseObject({
        body: z
          .string()
          .describe('The first bytes of the response: 4 KiB of the last attempt, 256 bytes of earlier ones.'),
        truncated: z.boolean().describe('Whether the receiver sent a longer body.'),
      })
      .nullable()
      .describe('The response of the receiver; null: none.'),
  })
  .meta({ id: 'WebhookAttempt' })

const deliveryFields = {
  object: z.literal('webhook_delivery'),
  id: z
    .string()
    .describe('Id of the delivery; each webhook has one delivery for each event.')
    .meta({ example: 'dlv_01jd7w3k5vf2ya4m9x0q8r6t1n' }),
  webhook_id: z.string().meta({ example: 'wh_01jd7w3k5vf2ya4m9x0q8r6t1n' }),
  event_id: z
    .string()
    .describe('Id of the event, which each attempt sends as `webhook-id`.')
    .meta({ example: 'evt_01jd7w3k5vf2ya4m9x0q8r6t1n' }),
  type: oneOf(eventTypes).describe('Type of the event.').meta({ example: 'email.delivered' }),
  status: oneOf(deliveryStatuses).describe(deliveryStatusText).meta({ example: 'delivered' }),
  reason: z.string().nullable().describe(`Reason why no attempt follows; null: none is needed. ${deliveryReasonText}`),
  test: z.boolean().describe('Whether it is a test event.'),
  attempts: z.array(Attempt).describe('The latest 20 attempts, oldest first.'),
  next_at: time().nullable().describe('Time of the next attempt; null: none follows.'),
  created_at: time(),
}

export const DeliveryRecord = z.looseObject(deliveryFields).meta({ id: 'WebhookDelivery' })
export const DeliveryList = listOf(DeliveryRecord, 'WebhookDeliveryList')

export const DeliveryWithRequest = z
  .looseObject({
    ...deliveryFields,
    request: z
      .looseObject({
        url: z.string(),
        headers: z.record(z.string(), z.string()).describe('Header fields without the signature.'),
        body: z.string().describe('The first 4 KiB of the body.'),
        truncated: z.boolean().describe('Whether the body is longer.'),
      })
      .nullable()
      .describe('The request of the last attempt; null: there was none, or the event is no longer stored.'),
  })
  .meta({ id: 'WebhookDeliveryWithRequest' })

/** Query of `GET /api/v1/webhooks/{id}/deliveries`. */
export const ListDeliveries = z.object({
  ...page,
  status: z.enum(deliveryStatuses).optional().describe(`Only deliveries of this status. ${deliveryStatusText}`),
  event_id: z
    .string()
    .min(1)
    .optional()
    .describe('Only the delivery of this event.')
    .meta({ example: 'evt_01jd7w3k5vf2ya4m9x0q8r6t1n' }),
})

/** Path parameters of one delivery. */
export const DeliveryId = z.object({
  id: z.string().describe('The webhook’s id.').meta({ minLength: 1 }),
  delivery_id: z.string().describe('The delivery’s id.').meta({ minLength: 1 }),
})

/** Path parameters of one replay. */
export const ReplayId = z.object({
  id: z.string().describe('The webhook’s id.').meta({ minLength: 1 }),
  replay_id: z.string().describe('The replay’s id.').meta({ minLength: 1 }),
})
