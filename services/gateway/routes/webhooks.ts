import { Id } from '@postrider/contracts/http/schema.ts'
import {
  CreateWebhook,
  DeliveryRecord,
  ListWebhooks,
  TestWebhook,
  UpdateWebhook,
  WebhookList,
  WebhookRecord,
  WebhookWithSecret,
} from '@postrider/contracts/http/webhook.ts'
import { actorIdOf } from '@postrider/domain/accounts/apiKey.ts'
import type { Mode } from '@postrider/domain/email/email.ts'
import { maxPageBytes } from '@postrider/domain/listPage.ts'
import { invalid } from '@postrider/kit/fault.ts'
import { modeSeen } from '../callers/mode.ts'
import { refusedTestEvent, refusedWebhook } from '../checks/refusedBodies.ts'
import type { Identity } from '../deps.ts'
import { listPage } from '../lists.ts'
import { deliveryRecord, storedTypes, webhookRecord, webhookWithSecret } from '../records/webhookRecords.ts'
import { present, route } from '../route.ts'

const path = '/api/v1/webhooks'
export const readWebhooks = ['webhooks:read', 'webhooks:write'] as const

/**
 * Returns the filter of the webhooks that a caller may read: with a key those of its mode, with a session those of both
 * modes or of `mode`.
 */
export const ownWebhooks = (identity: Identity, mode?: Mode) => ({
  workspace: identity.caller.workspace,
  mode: modeSeen(identity, mode),
})

/** Returns the result of `ownWebhooks` with the actor and the client of a change. */
export const webhookChange = (identity: Identity & { clientAddress: string }) => ({
  ...ownWebhooks(identity),
  actor: actorIdOf(identity.caller),
  clientAddress: identity.clientAddress,
})

/** @throws Fault `validation_failed`: a key names the other mode */
const modeOf = ({ caller, session }: Identity, wanted: Mode | undefined): Mode => {
  if (session) return wanted ?? 'live'
  if (wanted === undefined || wanted === caller.mode) return caller.mode
  const message = `A ${caller.mode} key makes webhooks of its own mode; use a ${wanted} key, or leave mode out.`
  throw invalid({ path: 'mode', code: 'invalid_mode', message })
}

export const createWebhook = route({
  name: 'createWebhook',
  method: 'POST',
  path,
  scope: 'webhooks:write',
  tag: 'Webhooks',
  summary: 'Add a webhook',
  description:
    'Events are sent to the URL from now on, signed as Standard Webhooks specifies. Only this response contains the secret. A live key makes webhooks for events of live mail, a test key for those of test mail. Events without an email are live. A repeated request makes another webhook.',
  limit: 'write',
  body: CreateWebhook,
  serviceProblems: refusedWebhook,
  reply: { status: 201, body: WebhookWithSecret, description: 'The webhook with its secret.' },
  replyHeaders: { Location: 'Path of the webhook’s record.' },
  handle: async ({ body, ...identity }, { webhooks }) => {
    const made = await webhooks.Create({
      ...webhookChange(identity),
      mode: modeOf(identity, body.mode),
      url: body.url,
      events: storedTypes(body.events ?? []),
      description: body.description ?? '',
      enabled: body.enabled ?? true,
    })
    const record = webhookWithSecret(made)
    return { json: record, headers: { Location: `${path}/${record.id}` } }
  },
})

export const listWebhooks = route({
  name: 'listWebhooks',
  method: 'GET',
  path,
  scope: readWebhooks,
  tag: 'Webhooks',
  summary: 'List the workspace’s webhooks',
  description: 'A key sees the webhooks of its own mode, a session those of both or of `mode`.',
  limit: 'read',
  query: ListWebhooks,
  responseBytes: maxPageBytes,
  reply: { status: 200, body: WebhookList, description: 'A page of webhooks, newest first.' },
  handle: async ({ query, ...identity }, { webhooks, cursors }) => {
    const { limit, before, body } = listPage(cursors, path, identity.caller.workspace, query)
    const found = await webhooks.List({ ...ownWebhooks(identity, query.mode), limit, before: before || null })
    return { json: body(found.endpoints.map(webhookRecord), found.hasMore) }
  },
})

export const getWebhook = route({
  name: 'getWebhook',
  method: 'GET',
  path: '/api/v1/webhooks/:id',
  scope: readWebhooks,
  tag: 'Webhooks',
  summary: 'Read one webhook',
  limit: 'read',
  params: Id,
  reply: { status: 200, body: WebhookRecord, description: 'The webhook.' },
  handle: async ({ params: { id }, ...identity }, { webhooks }) => ({
    json: webhookRecord(await webhooks.Get({ ...ownWebhooks(identity), id })),
  }),
})

export const updateWebhook = route({
  name: 'updateWebhook',
  method: 'PATCH',
  path: '/api/v1/webhooks/:id',
  scope: 'webhooks:write',
  tag: 'Webhooks',
  summary: 'Change a webhook',
  description:
    'An absent field stays as it is. A webhook that is enabled again receives the events from then on; a replay sends those of the time before.',
  limit: 'write',
  params: Id,
  body: UpdateWebhook,
  serviceProblems: refusedWebhook,
  reply: { status: 200, body: WebhookRecord, description: 'The webhook after the change.' },
  handle: async ({ params: { id }, body, ...identity }, { webhooks }) => {
    const { url, events, description, enabled } = body
    const change = present({ url, description, enabled, events: events && storedTypes(events) })
    return { json: webhookRecord(await webhooks.Update({ ...webhookChange(identity), id, ...change })) }
  },
})

export const deleteWebhook = route({
  name: 'deleteWebhook',
  method: 'DELETE',
  path: '/api/v1/webhooks/:id',
  scope: 'webhooks:write',
  tag: 'Webhooks',
  summary: 'Delete a webhook',
  description: 'Waiting deliveries of the webhook are not sent, and the log of its deliveries is removed.',
  limit: 'write',
  params: Id,
  reply: { status: 204, description: 'The webhook is deleted.' },
  handle: async ({ params: { id }, ...identity }, { webhooks }) => {
    await webhooks.Delete({ ...webhookChange(identity), id })
    return { empty: true }
  },
})

export const testWebhook = route({
  name: 'testWebhook',
  method: 'POST',
  path: '/api/v1/webhooks/:id/test',
  scope: 'webhooks:write',
  tag: 'Webhooks',
  summary: 'Send a test event',
  description:
    'The event has `test: true` in its data and made-up values, and is signed like others. It has one attempt, changes nothing about the webhook, and is also sent while the webhook is disabled. The delivery shows the outcome.',
  limit: 'write',
  params: Id,
  body: TestWebhook,
  serviceProblems: refusedTestEvent,
  isBodyOptional: true,
  reply: { status: 202, body: DeliveryRecord, description: 'The delivery, which is sent now.' },
  replyHeaders: { Location: 'Path of the delivery.' },
  handle: async ({ params: { id }, body, ...identity }, { webhooks }) => {
    const sent = await webhooks.Test({ ...webhookChange(identity), id, type: body.type ?? null })
    return { json: deliveryRecord(sent), headers: { Location: `${path}/${sent.endpoint}/deliveries/${sent.id}` } }
  },
})

export const rotateWebhookSecret = route({
  name: 'rotateWebhookSecret',
  method: 'POST',
  path: '/api/v1/webhooks/:id/rotate-secret',
  scope: 'webhooks:write',
  tag: 'Webhooks',
  summary: 'Replace the secret of a webhook',
  description:
    'Only this response contains the new secret. For 24 hours each webhook has two signatures, so that a receiver with either secret accepts it. After another rotation in this time, the oldest secret is not valid any more.',
  limit: 'write',
  params: Id,
  reply: { status: 200, body: WebhookWithSecret, description: 'The webhook with its new secret.' },
  handle: async ({ params: { id }, ...identity }, { webhooks }) => ({
    json: webhookWithSecret(await webhooks.RotateSecret({ ...webhookChange(identity), id })),
  }),
})
