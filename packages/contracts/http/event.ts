import { actorTypes } from '@postrider/domain/audit/entry.ts'
import { systemReasons } from '@postrider/domain/email/email.ts'
import {
  type EventType,
  eventTypes,
  feedDelayMs,
  isEventType,
  type PublicEvent,
} from '@postrider/domain/events/event.ts'
import { isoTime } from '@postrider/domain/time.ts'
import { z } from 'zod'
import { modeFilter, page, report, time } from './schema.ts'
import { eventMeanings } from './values.ts'

const typesText = Object.entries(eventMeanings)
  .map(([type, meaning]) => `\`${type}\`: ${meaning}`)
  .join(' ')

/** Reason why an event happened. */
export const EventCause = z
  .looseObject({
    type: z
      .enum(['request', 'attempt', 'reply', 'connection', 'system'])
      .describe(
        'Reason for the event. `request`: a caller requested it (`actor`). `attempt`: an attempt reached this point (`attempt_id`). `reply`: a server replied (`attempt_id`, `code`, `enhanced_code`). `connection`: an attempt ended without a reply (`attempt_id`). `system`: the service decided it (`reason`).',
      ),
    actor: z
      .looseObject({ type: z.enum(actorTypes), id: z.string().nullable() })
      .optional()
      .describe('Who requested it.'),
    attempt_id: z.string().nullable().optional().describe('The attempt in the email’s `attempts`.'),
    code: z.int().optional().describe('The reply code of SMTP.'),
    enhanced_code: z.string().nullable().optional().describe('The enhanced status code (RFC 3463).'),
    reason: z.enum(systemReasons).optional().describe('The rule that decided.'),
  })
  .nullable()
  .describe('Reason for the event; null: version 0.1 recorded it.')

/** An event in a response: what a webhook carries, and `object`. */
export const EventRecord = z
  .looseObject({
    object: z.literal('event'),
    id: z
      .string()
      .describe('Id of the event; the same in the feed, in webhooks (`webhook-id`) and in the email’s `events`.')
      .meta({ example: 'evt_01jd7w3k5vf2ya4m9x0q8r6t1n' }),
    type: z
      .string()
      .describe(typesText)
      .meta({ enum: [...eventTypes], example: 'email.delivered' }),
    timestamp: time().describe('When it happened.'),
    data: z.looseObject({}).describe('What happened. docs/events.md shows the members of each type.'),
  })
  .meta({ id: 'Event' })

/** Response of `GET /api/v1/events`. */
export const EventList = z
  .looseObject({
    object: z.literal('list'),
    data: z.array(EventRecord).describe('The events in the order of the request.'),
    has_more: z
      .boolean()
      .describe('Whether more events can be read now. A page may be shorter than `limit` although more follow.'),
    next_cursor: z
      .string()
      .nullable()
      .describe(
        '`cursor` of the next page. With `order=asc` and `order=arrival` it is never null: at the end of the list, continue later with the last cursor. With `order=desc` it is null on the last page.',
      ),
  })
  .meta({ id: 'EventList' })

/** The longest wait of a request for events, in seconds: below the usual timeouts of proxies. */
const maxWaitSeconds = 25

/** Query of `GET /api/v1/events`. */
export const ListEvents = z.object({
  ...page,
  type: z
    .string()
    .transform((text, context): EventType[] => {
      const named = text.split(',')
      const unknown = named.find((one) => !isEventType(one))
      if (unknown === undefined) return [...new Set(named.filter(isEventType))].toSorted()
      const message = `${JSON.stringify(unknown.slice(0, 100))} is no type of event; the types, separated by commas, are ${eventTypes.join(', ')}.`
      report(context, { code: 'invalid_type', message, input: text })
      return z.NEVER
    })
    .optional()
    .describe(`Only events of these types, separated by commas. ${typesText}`)
    .meta({ example: 'email.delivered,email.bounced' }),
  mode: modeFilter,
  order: z
    .enum(['asc', 'desc', 'arrival'])
    .default('desc')
    .describe(
      `\`desc\`: newest first, and the list ends. \`asc\`: oldest first; an event appears ${feedDelayMs / 1_000} seconds after its time, when no earlier one can follow it. \`arrival\`: as events are stored, beginning with those of the last ${feedDelayMs / 1_000} seconds; some may appear twice.`,
    ),
  wait: z
    .string()
    .transform((text, context) => {
      const seconds = /^\d{1,2}$/.test(text) ? Number(text) : 0
      if (seconds >= 1 && seconds <= maxWaitSeconds) return seconds
      const message = `Must be a whole number of seconds from 1 to ${maxWaitSeconds}.`
      report(context, { code: 'invalid_wait', message, input: text })
      return z.NEVER
    })
    .optional()
    .describe(
      'If the page would be empty, the response waits up to this number of seconds until an event can be read. With `order=asc` and `order=arrival` a page that is still empty then has a cursor to continue with.',
    )
    .meta({ type: 'integer', minimum: 1, maximum: maxWaitSeconds, example: 20 }),
})

/** Returns the body of a webhook: minified, with its members in a fixed order, below 20 kB. */
export const webhookBody = (event: PublicEvent): string => JSON.stringify(eventBody(event))

/** Returns an event as webhooks carry it. */
export const eventBody = ({ id, type, at, clockAt, data }: PublicEvent) => ({
  id,
  type,
  timestamp: isoTime(clockAt ?? at),
  data,
})

/** Returns an event as the feed shows it. */
export const eventRecord = (event: PublicEvent) => ({ object: 'event' as const, ...eventBody(event) })
