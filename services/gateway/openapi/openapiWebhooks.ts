import { eventBody } from '@postrider/contracts/http/event.ts'
import { exampleEvent } from '@postrider/contracts/http/eventExamples.ts'
import { payloadSchema } from '@postrider/contracts/http/eventPayloads.ts'
import { eventMeanings } from '@postrider/contracts/http/values.ts'
import { type EventType, eventTypes } from '@postrider/domain/events/event.ts'
import type { ZodOpenApiPathItemObject } from 'zod-openapi'

/* The requests that customers' endpoints receive, in the OpenAPI document. */

const header = (name: string, description: string, example: string) =>
  ({ name, in: 'header', required: true, description, schema: { type: 'string' }, example }) as const

const headers = [
  header('webhook-id', 'The id of the event.', 'evt_01jd7w3k5vf2ya4m9x0q8r6t1n'),
  header('webhook-timestamp', 'When this attempt began, in seconds since 1970.', '1795255200'),
  header(
    'webhook-signature',
    'Signatures, separated by spaces: `v1,` and the base64 of the HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{body}` under the bytes of the secret. Two during a rotation.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
]

const webhookOf = (type: EventType): ZodOpenApiPathItemObject => ({
  post: {
    operationId: `on_${type.replace('.', '_')}`,
    summary: `${type}: ${eventMeanings[type]}`,
    security: [],
    parameters: headers,
    requestBody: {
      required: true,
      content: { 'application/json': { schema: payloadSchema(type), example: eventBody(exampleEvent(type)) } },
    },
    responses: {
      '2XX': {
        description: 'The event is received. The body is shown in the log of deliveries and not read otherwise.',
      },
      '410': { description: 'The webhook is disabled immediately.' },
      default: { description: 'The event is sent again later, after `Retry-After` if the response has one.' },
    },
  },
})

/** Returns the section `webhooks` of the document, by type of event. */
export const webhooksSection = (): Record<string, ZodOpenApiPathItemObject> =>
  Object.fromEntries(eventTypes.map((type) => [type, webhookOf(type)]))
