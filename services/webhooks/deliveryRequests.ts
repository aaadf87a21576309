import { webhookBody } from '@postrider/contracts/http/event.ts'
import type { Webhooks } from '@postrider/contracts/services.ts'
import { isEventType, unknownType } from '@postrider/domain/events/event.ts'
import {
  cutText,
  deliveryId,
  madeAgain,
  newDelivery,
  responseBytes,
  type WebhookDelivery,
} from '@postrider/domain/webhooks/delivery.ts'
import { testEventOf, type WebhookEndpoint } from '@postrider/domain/webhooks/endpoint.ts'
import { newReplay, type ReplayWindow, replayWindow } from '@postrider/domain/webhooks/replay.ts'
import { webhookHeaders, webhookTimestamp } from '@postrider/domain/webhooks/signature.ts'
import { requestedOnClock } from '@postrider/domain/webhooks/testClock.ts'
import { Fault, invalid } from '@postrider/kit/fault.ts'
import { isId, newId } from '@postrider/kit/ids.ts'
import { eventOf, fixedHeaders } from './attempt.ts'
import { byRequest, redeliverEntry, replayEntry, testEntry } from './auditEntries.ts'
import { readEndpoint, requireEnabled } from './changeEndpoint.ts'
import type { Deps } from './deps.ts'
import type { Sender } from './sender.ts'
import { shownDelivery, shownReplay } from './shown.ts'
import { clocksOf } from './testClocks.ts'

type DeliveryDeps = Pick<
  Deps,
  'endpoints' | 'deliveries' | 'replays' | 'emails' | 'feed' | 'clocks' | 'now' | 'limits'
> & {
  sender: Pick<Sender, 'wake'>
}

type Requests = Pick<Webhooks, 'Test' | 'ListDeliveries' | 'GetDelivery' | 'Redeliver' | 'Replay' | 'GetReplay'>

/** Returns the operations on deliveries that people request. */
export const deliveryRequests = (deps: DeliveryDeps): Requests => {
  const { deliveries, replays, now, sender } = deps
  return {
    Test: async (request) => {
      const { endpoint } = await readEndpoint(deps, request)
      const at = now()
      const delivery = testDelivery(endpoint, request.type, at)
      await deliveries.insertRequested(delivery, testEntry(endpoint, delivery.type, byRequest(request, at)))
      sender.wake(endpoint)
      return shownDelivery(delivery)
    },
    ListDeliveries: async (request) => {
      const { endpoint } = await readEndpoint(deps, request)
      const { limit, before, status, eventId } = request
      if (eventId !== null) {
        const found = await deliveries.get(endpoint.id, deliveryId(endpoint.id, eventId))
        const listed = found && (status === null || found.delivery.status === status) ? [found.delivery] : []
        return { deliveries: listed.map(shownDelivery), hasMore: false }
      }
      const page = await deliveries.list({ endpoint: endpoint.id, before, limit, status })
      return { deliveries: page.deliveries.map(shownDelivery), hasMore: page.hasMore }
    },
    GetDelivery: async (request) => {
      const { endpoint } = await readEndpoint(deps, request)
      const { delivery } = await readDelivery(deps, endpoint, request.delivery)
      return { ...shownDelivery(delivery), request: await requestOf(deps, endpoint, delivery) }
    },
    Redeliver: async (request) => {
      const { endpoint } = await readEndpoint(deps, request)
      const { delivery } = await readDelivery(deps, endpoint, request.delivery)
      if (!delivery.isTest) requireEnabled(endpoint)
      const clock = (await clocksOf(deps, [{ endpoint, event: delivery }])).get(endpoint.workspace)
      const at = now()
      const deliveryKey = { endpoint: endpoint.id, id: delivery.id, now: at }
      const entry = redeliverEntry(endpoint, delivery.eventId, byRequest(request, at))
      const again = await deliveries.changeRequested(
        deliveryKey,
        (before) => requestedOnClock(madeAgain(before, at), clock),
        entry,
      )
      // An attempt runs now.
      if (again === null) return shownDelivery((await readDelivery(deps, endpoint, delivery.id)).delivery)
      sender.wake(endpoint)
      return shownDelivery(again)
    },
    Replay: async (request) => {
      const { endpoint } = await readEndpoint(deps, request)
      requireEnabled(endpoint)
      const at = now()
      const window = windowOf(request, at, deps.limits.recordMs)
      const replay = newReplay(newId('rpl'), endpoint, window, at)
      if ((await replays.insert(replay, replayEntry(endpoint, window, byRequest(request, at)))) === 'running') {
        throw new Fault('conflict', 'A replay of this webhook is running; wait until it has ended.')
      }
      return shownReplay(replay)
    },
    GetReplay: async (request) => {
      const { endpoint } = await readEndpoint(deps, request)
      const { replay: id } = request
      const replay = id === null || isId('rpl', id) ? await replays.get(endpoint.id, id) : null
      if (replay === null) throw new Fault('not_found', 'The webhook has no replay with this id.')
      return shownReplay(replay)
    },
  }
}

/** @throws Fault `validation_failed`: the type is unknown */
const testDelivery = (endpoint: WebhookEndpoint, requested: string | null, now: number): WebhookDelivery => {
  const { type, mode } = testEventOf(endpoint, requested)
  if (!isEventType(type)) throw invalid(unknownType('type'))
  const event = { id: newId('evt'), type, at: now, mode }
  return { ...newDelivery(endpoint, event, now), isTest: true }
}

/** @throws Fault `not_found` */
const readDelivery = async ({ deliveries }: Pick<Deps, 'deliveries'>, { id }: WebhookEndpoint, delivery: string) => {
  // The digits after the prefix are not a TypeID, but have its letters.
  const found = isId('dlv', delivery) ? await deliveries.get(id, delivery) : null
  if (found) return found
  throw new Fault('not_found', 'The webhook has no delivery with this id.')
}

/**
 * Returns the request of the last attempt; null: there was none, or its event is removed. The signature is not stored.
 */
const requestOf = async (deps: Pick<Deps, 'emails' | 'feed'>, { url }: WebhookEndpoint, delivery: WebhookDelivery) => {
  const last = delivery.attempts.at(-1)
  const event = last && (await eventOf(deps, delivery))
  if (!event) return null
  const whole = webhookBody(event)
  const body = cutText(whole, responseBytes)
  const headers = {
    ...fixedHeaders,
    [webhookHeaders.id]: event.id,
    [webhookHeaders.timestamp]: webhookTimestamp(last.sentAt ?? last.at),
  }
  return { url, headers, body, isCut: body !== whole }
}

/** @throws Fault `validation_failed`: all problems */
const windowOf = (
  { from, to }: Pick<Parameters<Requests['Replay']>[0], 'from' | 'to'>,
  now: number,
  recordMs: number,
): ReplayWindow => {
  const found = replayWindow({ from, to: to ?? now }, now, recordMs)
  if ('problems' in found) throw invalid(...found.problems)
  return found.window
}
