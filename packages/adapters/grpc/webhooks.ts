import type { Attempt__Output as AttemptMessage } from '@postrider/contracts/gen/postrider/webhooks/v1/Attempt.ts'
import type { Delivery__Output as DeliveryMessage } from '@postrider/contracts/gen/postrider/webhooks/v1/Delivery.ts'
import type { Endpoint__Output as EndpointMessage } from '@postrider/contracts/gen/postrider/webhooks/v1/Endpoint.ts'
import type { EndpointWithSecret__Output as EndpointWithSecretMessage } from '@postrider/contracts/gen/postrider/webhooks/v1/EndpointWithSecret.ts'
import type { ReplayState__Output as ReplayMessage } from '@postrider/contracts/gen/postrider/webhooks/v1/ReplayState.ts'
import type {
  EndpointWithSecret,
  ShownAttempt,
  ShownDelivery,
  ShownEndpoint,
  ShownReplay,
  ShownRequest,
  Webhooks,
  WebhooksRpc,
} from '@postrider/contracts/services.ts'
import type { Mode } from '@postrider/domain/email/email.ts'
import type { EventType } from '@postrider/domain/events/event.ts'
import { isoTime } from '@postrider/domain/time.ts'
import { type DeliveryReason, type DeliveryStatus, deliveryStatuses } from '@postrider/domain/webhooks/delivery.ts'
import type { DisabledReason } from '@postrider/domain/webhooks/endpoint.ts'
import type { ReplayStatus } from '@postrider/domain/webhooks/replay.ts'
import { requirePart } from '@postrider/kit/fault.ts'
import { readAddress, withAddress } from './requester.ts'
import { recordCodec } from './times.ts'

const endpointTimes = recordCodec({ always: ['created_at', 'updated_at'], absent: ['failing_since'] })
const deliveryTimes = recordCodec({ always: ['created_at'], absent: ['next_at'] })
const attemptTimes = recordCodec({ always: ['at'] })
const replayTimes = recordCodec({ always: ['from', 'to', 'created_at'], absent: ['position', 'ended_at'] })
const replayWindow = recordCodec({ always: ['from'], maybe: ['to'] })

/** Returns webhooks for its callers, over a gRPC client. */
export const webhooksClient = (rpc: WebhooksRpc): Webhooks => ({
  Create: async ({ events, ...request }) =>
    readWithSecret(await rpc.Create({ ...withAddress(withMode(request)), events: [...events] })),
  Get: async (key) => readEndpoint(await rpc.Get(withMode(key))),
  List: async ({ before, ...query }) => {
    const { endpoints, has_more } = await rpc.List({ ...withMode(query), before: before ?? '' })
    return { endpoints: endpoints.map(readEndpoint), hasMore: has_more }
  },
  Update: async ({ events, ...request }) =>
    readEndpoint(
      await rpc.Update({ ...withAddress(withMode(request)), ...(events && { events: { types: [...events] } }) }),
    ),
  Delete: async (request) => {
    await rpc.Delete(withAddress(withMode(request)))
  },
  Test: async ({ type, ...request }) =>
    readDelivery(await rpc.Test({ ...withAddress(withMode(request)), type: type ?? '' })),
  RotateSecret: async (request) => readWithSecret(await rpc.RotateSecret(withAddress(withMode(request)))),
  ListDeliveries: async ({ before, status, eventId, ...query }) => {
    const filters = { before: before ?? '', status: status ?? '', event_id: eventId ?? '' }
    const { deliveries, has_more } = await rpc.ListDeliveries({ ...withMode(query), ...filters })
    return { deliveries: deliveries.map(readDelivery), hasMore: has_more }
  },
  GetDelivery: async (key) => {
    const message = await rpc.GetDelivery(withMode(key))
    return { ...readDelivery(message), request: readRequest(message.request) }
  },
  Redeliver: async (request) => readDelivery(await rpc.Redeliver(withAddress(withMode(request)))),
  Replay: async (request) =>
    readReplay(await rpc.Replay({ ...withAddress(withMode(request)), ...replayWindow.write(request) })),
  GetReplay: async ({ replay, ...key }) => readReplay(await rpc.GetReplay({ ...withMode(key), replay: replay ?? '' })),
  Check: async ({ events, ...request }) => (await rpc.Check({ ...request, events: [...events] })).problems,
})

/** Returns the gRPC handlers of webhooks. */
export const webhooksHandlers = (webhooks: Webhooks): WebhooksRpc => ({
  Create: async (request) => withSecretMessage(await webhooks.Create(readMode(readAddress(request)))),
  Get: async (key) => endpointMessage(await webhooks.Get(readMode(key))),
  List: async ({ before, ...query }) => {
    const { endpoints, hasMore } = await webhooks.List({ ...readMode(query), before: before || null })
    return { endpoints: endpoints.map(endpointMessage), has_more: hasMore }
  },
  Update: async ({ events, ...request }) =>
    endpointMessage(
      await webhooks.Update({ ...readMode(readAddress(request)), ...(events && { events: events.types }) }),
    ),
  Delete: async (request) => {
    await webhooks.Delete(readMode(readAddress(request)))
    return {}
  },
  Test: async ({ type, ...request }) =>
    deliveryMessage(await webhooks.Test({ ...readMode(readAddress(request)), type: type || null })),
  RotateSecret: async (request) => withSecretMessage(await webhooks.RotateSecret(readMode(readAddress(request)))),
  ListDeliveries: async ({ before, status, event_id, ...query }) => {
    const filters = { before: before || null, status: readStatus(status), eventId: event_id || null }
    const { deliveries, hasMore } = await webhooks.ListDeliveries({ ...readMode(query), ...filters })
    return { deliveries: deliveries.map(deliveryMessage), has_more: hasMore }
  },
  GetDelivery: async (key) => {
    const { request, ...delivery } = await webhooks.GetDelivery(readMode(key))
    return { ...deliveryMessage(delivery), ...(request && { request: requestMessage(request) }) }
  },
  Redeliver: async (request) => deliveryMessage(await webhooks.Redeliver(readMode(readAddress(request)))),
  Replay: async (request) =>
    replayMessage(await webhooks.Replay({ ...readMode(readAddress(request)), ...replayWindow.read(request) })),
  GetReplay: async ({ replay, ...key }) =>
    replayMessage(await webhooks.GetReplay({ ...readMode(key), replay: replay || null })),
  Check: async (request) => ({ problems: [...(await webhooks.Check(request))] }),
})

const withMode = <Request extends { mode: Mode | null }>({ mode, ...request }: Request) => ({
  ...request,
  mode: mode ?? '',
})

/** A mode that is unknown to this release matches nothing. */
const readMode = <Request extends { mode: string }>({ mode, ...request }: Request) => ({
  ...request,
  mode: mode === '' ? null : (mode as Mode),
})

const readStatus = (text: string): DeliveryStatus | null => deliveryStatuses.find((status) => status === text) ?? null

const endpointMessage = (endpoint: ShownEndpoint): EndpointMessage => ({
  id: endpoint.id,
  mode: endpoint.mode ?? '',
  url: endpoint.url,
  events: endpoint.events,
  description: endpoint.description,
  enabled: endpoint.enabled,
  ...(endpoint.disabledReason !== null && { disabled_reason: endpoint.disabledReason }),
  ...endpointTimes.write(endpoint),
  secrets_valid_until: endpoint.secretsValidUntil.map(isoTime),
  ...(endpoint.replay !== null && { replay: replayMessage(endpoint.replay) }),
})

/** Words of a later release pass: the gateway shows them. */
const readEndpoint = (message: EndpointMessage): ShownEndpoint => ({
  id: message.id,
  mode: message.mode === '' ? null : (message.mode as Mode),
  url: message.url,
  events: message.events as EventType[],
  description: message.description,
  enabled: message.enabled,
  disabledReason: (message.disabled_reason as DisabledReason | undefined) ?? null,
  ...endpointTimes.read(message),
  secretsValidUntil: message.secrets_valid_until.map((text) => Date.parse(text)),
  replay: message.replay ? readReplay(message.replay) : null,
})

const withSecretMessage = ({ endpoint, secret }: EndpointWithSecret): EndpointWithSecretMessage => ({
  endpoint: endpointMessage(endpoint),
  secret,
})

const readWithSecret = ({ endpoint, secret }: EndpointWithSecretMessage): EndpointWithSecret => ({
  endpoint: readEndpoint(requirePart(endpoint, 'endpoint')),
  secret,
})

const deliveryMessage = (delivery: ShownDelivery): DeliveryMessage => ({
  id: delivery.id,
  endpoint: delivery.endpoint,
  event_id: delivery.eventId,
  type: delivery.type,
  status: delivery.status,
  test: delivery.isTest,
  ...(delivery.reason !== null && { reason: delivery.reason }),
  attempts: delivery.attempts.map(attemptMessage),
  ...deliveryTimes.write(delivery),
})

/** Words of a later release pass: the gateway shows them. */
const readDelivery = (message: DeliveryMessage): ShownDelivery => ({
  id: message.id,
  endpoint: message.endpoint,
  eventId: message.event_id,
  type: message.type as EventType,
  status: message.status as DeliveryStatus,
  isTest: message.test,
  reason: (message.reason as DeliveryReason | undefined) ?? null,
  attempts: message.attempts.map(readAttempt),
  ...deliveryTimes.read(message),
})

const attemptMessage = ({ statusCode, durationMs, error, response, ...times }: ShownAttempt): AttemptMessage => ({
  ...attemptTimes.write(times),
  ...(statusCode !== null && { status_code: statusCode }),
  duration_ms: durationMs,
  ...(error !== null && { error }),
  ...(response !== null && { response: { body: response.body, cut: response.isCut } }),
})

const readAttempt = ({ status_code, duration_ms, error, response, ...times }: AttemptMessage): ShownAttempt => ({
  ...attemptTimes.read(times),
  statusCode: status_code ?? null,
  durationMs: duration_ms,
  error: error ?? null,
  response: response ? { body: response.body, isCut: response.cut } : null,
})

const requestMessage = ({ isCut, ...request }: ShownRequest): NonNullable<DeliveryMessage['request']> => ({
  ...request,
  cut: isCut,
})

const readRequest = (message: DeliveryMessage['request']): ShownRequest | null => {
  if (!message) return null
  const { url, headers, body, cut } = message
  return { url, headers, body, isCut: cut }
}

const replayMessage = (replay: ShownReplay): ReplayMessage => ({
  id: replay.id,
  status: replay.status,
  ...replayTimes.write(replay),
  sent: replay.sent,
  delivered: replay.delivered,
})

const readReplay = (message: ReplayMessage): ShownReplay => ({
  id: message.id,
  status: message.status as ReplayStatus,
  ...replayTimes.read(message),
  sent: message.sent,
  delivered: message.delivered,
})
