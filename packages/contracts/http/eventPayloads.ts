import { emailEventTypes, modes } from '@postrider/domain/email/email.ts'
import type { EventType } from '@postrider/domain/events/event.ts'
import { z } from 'zod'
import { EventCause } from './event.ts'
import { oneOf, time } from './schema.ts'
import { categoryText, modeText, replyClassText } from './values.ts'

/*
 * Schemas of the bodies that webhooks carry, by what the event is about. They describe; nothing is checked with them.
 */

const sequence = z.int().describe('Counts up from 1 for each email or domain: the state follows from the highest one.')

const EmailData = z.looseObject({
  email_id: z.string().meta({ example: 'em_01jd7w3k5vf2ya4m9x0q8r6t1n' }),
  recipient: z.string().nullable().describe('The address that the event is about; null: all recipients.'),
  sequence,
  mode: oneOf(modes).describe(modeText),
  category: z.string().describe(categoryText),
  message_id: z.string().describe('The `Message-ID` of the mail.'),
  reply: z
    .string()
    .nullable()
    .describe('The reply of the server, or the reason; at most 1,000 characters. Null: there is none.'),
  class: z.string().nullable().describe(`What the reply means; null: there is none. ${replyClassText}`),
  cause: EventCause,
  tags: z.record(z.string(), z.string()).describe('Tags of the email.'),
  metadata: z.record(z.string(), z.string()).describe('Metadata of the email.'),
})

const DomainData = z.looseObject({
  domain_id: z.string().meta({ example: 'dom_01jd7w3k5vf2ya4m9x0q8r6t1n' }),
  name: z.string(),
  status: z.string().describe('Status of the domain.'),
  sequence,
  changed_at: time().describe('When the status changed.'),
  problems: z
    .array(
      z.looseObject({
        purpose: z.string(),
        type: z.string(),
        name: z.string(),
        status: z.string(),
        problem: z.string().nullable(),
      }),
    )
    .describe('The required DNS records that are missing or wrong.'),
})

const QuotaData = z.looseObject({
  period: oneOf(['daily', 'monthly']),
  starts_at: time(),
  resets_at: time(),
  limit: z.int(),
  used: z.int(),
  remaining: z.int(),
  threshold_percent: z.int().describe('The part of the quota that was reached.'),
})

const DisabledData = z.looseObject({
  webhook_id: z.string().meta({ example: 'wh_01jd7w3k5vf2ya4m9x0q8r6t1n' }),
  url: z.string(),
  reason: z.string(),
  disabled_at: time(),
})

const payload = <Data extends z.ZodType>(id: string, types: readonly string[], data: Data) =>
  z
    .looseObject({
      id: z
        .string()
        .describe(
          'Id of the event; the same at each attempt, in the feed and in `webhook-id`: ignore an event that you have already processed.',
        )
        .meta({ example: 'evt_01jd7w3k5vf2ya4m9x0q8r6t1n' }),
      type: oneOf(types),
      timestamp: time().describe('When it happened.'),
      data,
    })
    .meta({ id })

const emailPayload = payload('EmailEventPayload', emailEventTypes, EmailData)
const domainPayload = payload('DomainEventPayload', ['domain.verified', 'domain.failed'], DomainData)
const quotaPayload = payload('QuotaEventPayload', ['quota.warning', 'quota.exhausted'], QuotaData)
const disabledPayload = payload('WebhookDisabledPayload', ['webhook.disabled'], DisabledData)

/** Returns the schema of the body of a webhook. */
export const payloadSchema = (type: EventType): z.ZodType => {
  if (type.startsWith('domain.')) return domainPayload
  if (type.startsWith('quota.')) return quotaPayload
  return type === 'webhook.disabled' ? disabledPayload : emailPayload
}
