import type { Webhooks } from '@postrider/contracts/services.ts'
import { type EventType, eventTypes } from '@postrider/domain/events/event.ts'
import {
  changedEndpoint,
  type EndpointChange,
  newEndpoint,
  type WebhookEndpoint,
} from '@postrider/domain/webhooks/endpoint.ts'
import {
  endpointProblems,
  eventTypeProblems,
  reservedTypeProblems,
} from '@postrider/domain/webhooks/endpointProblems.ts'
import { withNewSecret, withoutExpired } from '@postrider/domain/webhooks/secrets.ts'
import { invalid, refuseAny } from '@postrider/kit/fault.ts'
import { newId } from '@postrider/kit/ids.ts'
import { byRequest, createEntry, deleteEntry, rotateEntry, updateEntry } from './auditEntries.ts'
import { changeEndpoint, readEndpoint, unknownEndpointFault } from './changeEndpoint.ts'
import type { Deps, EndpointCache } from './deps.ts'
import { newSecret } from './sealedSecrets.ts'
import type { Sender } from './sender.ts'
import { shownEndpoint } from './shown.ts'

type EndpointDeps = Pick<Deps, 'endpoints' | 'replays' | 'rules' | 'box' | 'now' | 'limits'> & {
  cache: EndpointCache
  sender: Pick<Sender, 'cancel'>
}

type Requests = Pick<Webhooks, 'Create' | 'Get' | 'List' | 'Update' | 'Delete' | 'RotateSecret' | 'Check'>

/** Returns the operations on endpoints that people request. */
export const endpointRequests = (deps: EndpointDeps): Requests => {
  const { endpoints, replays, rules, box, now, limits, cache, sender } = deps
  return {
    Create: async (request) => {
      refuseAny([...endpointProblems(request, rules), ...reservedTypeProblems(request.events)])
      const at = now()
      const id = newId('wh')
      const { text, secret } = newSecret(box, { id }, at)
      const endpoint = newEndpoint({ ...request, id, events: typesOf(request.events) }, secret, at)
      const result = await endpoints.insert(endpoint, limits.endpoints, createEntry(endpoint, byRequest(request, at)))
      if (result === 'full') throw tooMany(limits.endpoints)
      cache.forget(endpoint)
      return { endpoint: shownEndpoint(endpoint, null, at), secret: text }
    },
    Get: async (endpointKey) => {
      const { endpoint } = await readEndpoint(deps, endpointKey)
      return shownEndpoint(endpoint, await replays.get(endpoint.id, null), now())
    },
    List: async ({ workspace, mode, limit, before }) => {
      const page = await endpoints.list({ workspace, mode, before, limit })
      const newest = await replays.newest(page.endpoints.map(({ id }) => id))
      const at = now()
      const shownOnPage = (endpoint: WebhookEndpoint) => shownEndpoint(endpoint, newest.get(endpoint.id) ?? null, at)
      return { endpoints: page.endpoints.map(shownOnPage), hasMore: page.hasMore }
    },
    Update: async (request) => {
      const change = changeOf(request)
      refuseAny(endpointProblems(change, rules))
      // Nothing may fail after a change: its response would be lost.
      const replay = await replays.get(request.id, null)
      let wasEnabled = false
      const after = await changeEndpoint(deps, request, (before) => {
        refuseAny(reservedTypeProblems(change.events ?? [], before.events))
        wasEnabled = before.enabled
        const at = now()
        const endpoint = changedEndpoint(before, change, at)
        const entry = updateEntry(before, endpoint, byRequest(request, at))
        return entry && { endpoint, restart: endpoint.since !== before.since, audit: [entry] }
      })
      if (wasEnabled && !after.enabled) sender.cancel(after)
      return shownEndpoint(after, replay, now())
    },
    Delete: async (request) => {
      const { workspace, id } = request
      await readEndpoint(deps, request)
      const by = byRequest(request, now())
      const removed = await endpoints.remove(workspace, id, (endpoint) => deleteEntry(endpoint, by))
      if (removed === null) throw unknownEndpointFault()
      cache.forget(removed)
    },
    RotateSecret: async (request) => {
      // Before the change: nothing may fail after it, because the secret is shown once.
      const replay = await replays.get(request.id, null)
      let shownSecret = ''
      const after = await changeEndpoint(deps, request, (before) => {
        const at = now()
        const { text, secret } = newSecret(box, before, at)
        shownSecret = text
        const endpoint = withNewSecret(withoutExpired(before, at), secret, at)
        return { endpoint, restart: false, audit: [rotateEntry(endpoint, byRequest(request, at))] }
      })
      return { endpoint: shownEndpoint(after, replay, now()), secret: shownSecret }
    },
    Check: async (request) => endpointProblems(request, rules),
  }
}

/** Each type once, in the order of their table. */
const typesOf = (events: readonly string[]): EventType[] => eventTypes.filter((type) => events.includes(type))

const changeOf = (request: Parameters<Requests['Update']>[0]): EndpointChange & { events?: EventType[] } => ({
  ...(request.url !== undefined && { url: request.url }),
  ...(request.events !== undefined && { events: checkedTypes(request.events) }),
  ...(request.description !== undefined && { description: request.description }),
  ...(request.enabled !== undefined && { enabled: request.enabled }),
})

/** @throws Fault `validation_failed`: a type is unknown */
const checkedTypes = (types: readonly string[]): EventType[] => {
  refuseAny(eventTypeProblems(types))
  return typesOf(types)
}

const tooMany = (max: number) =>
  invalid({
    path: '',
    code: 'too_many_webhooks',
    message: `A workspace may have at most ${max} webhooks; delete one, or ask the operator for a higher limit.`,
  })
