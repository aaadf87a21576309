import assert from 'node:assert/strict'
import {
  type ShownDelivery,
  type ShownEndpoint,
  type ShownReplay,
  type Webhooks,
  type WebhooksRpc,
  webhooksSpec,
} from '@postrider/contracts/services.ts'
import { encodedCalls } from '../../../test/support/encodedCalls.ts'
import { webhooksClient, webhooksHandlers } from './webhooks.ts'

const at = Date.UTC(2026, 10, 21, 12, 0, 0, 7)
const endpointKey = { workspace: 'ws_1', id: 'wh_1', mode: null }
const by = { actor: 'key_1', clientAddress: '192.0.2.1' }

const replay: ShownReplay = {
  id: 'rpl_1',
  status: 'running',
  from: at - 2,
  to: at - 1,
  position: null,
  sent: 2,
  delivered: 1,
  createdAt: at,
  endedAt: null,
}
const ended: ShownReplay = { ...replay, status: 'done', position: at - 1, endedAt: at + 1 }

const endpoint: ShownEndpoint = {
  id: 'wh_1',
  mode: null,
  url: 'https://example.com/',
  events: [],
  description: '',
  enabled: true,
  disabledReason: null,
  failingSince: null,
  createdAt: at,
  updatedAt: at + 1,
  secretsValidUntil: [],
  replay: null,
}
const disabled: ShownEndpoint = {
  ...endpoint,
  mode: 'test',
  events: ['email.delivered'],
  enabled: false,
  disabledReason: 'gone',
  failingSince: at,
  secretsValidUntil: [at + 2, at + 3],
  replay: ended,
}

const waiting: ShownDelivery = {
  id: 'dlv_1',
  endpoint: 'wh_1',
  eventId: 'evt_1',
  type: 'email.delivered',
  status: 'pending',
  isTest: false,
  reason: null,
  attempts: [],
  nextAt: at,
  createdAt: at,
}
const failed: ShownDelivery = {
  ...waiting,
  status: 'failed',
  isTest: true,
  reason: 'gone',
  attempts: [
    { at, statusCode: null, durationMs: 3, error: 'no response', response: null },
    { at: at + 1, statusCode: 410, durationMs: 0, error: null, response: { body: 'gone', isCut: true } },
  ],
  nextAt: null,
}

/** Returns a service whose method records its requests. */
const answering = (method: keyof Webhooks, answer: unknown, received: unknown[]) =>
  ({
    [method]: async (request: unknown) => {
      received.push(request)
      return answer
    },
  }) as unknown as Webhooks

/** Checks that a fake service gets a request, and its caller the response, through encoded gRPC messages. */
const assertCrosses = async <Method extends keyof Webhooks>(
  method: Method,
  message: Parameters<Webhooks[Method]>[0],
  answer: Awaited<ReturnType<Webhooks[Method]>>,
): Promise<void> => {
  const received: unknown[] = []
  const handlers = webhooksHandlers(answering(method, answer, received))
  const call = webhooksClient(encodedCalls(webhooksSpec, handlers))[method] as (request: unknown) => Promise<unknown>
  assert.deepEqual({ answered: await call(message), received }, { answered: answer, received: [message] })
}

describe('webhooks over gRPC messages', () => {
  it('endpoints cross with and without optional parts', async () => {
    const parts = { url: 'https://example.com/', events: ['email.bounced'], description: 'd', enabled: true }
    const withSecret = { endpoint, secret: 'whsec_1' }
    await assertCrosses('Create', { workspace: 'ws_1', mode: 'live', ...parts, ...by }, withSecret)
    await assertCrosses('Get', endpointKey, endpoint)
    await assertCrosses('Get', { ...endpointKey, mode: 'test' }, disabled)
    const page = { endpoints: [endpoint, disabled], hasMore: true }
    await assertCrosses('List', { workspace: 'ws_1', mode: null, limit: 2, before: null }, page)
    await assertCrosses('List', { workspace: 'ws_1', mode: 'test', limit: 2, before: 'wh_2' }, page)
    await assertCrosses('RotateSecret', { ...endpointKey, ...by }, withSecret)
    await assertCrosses('Delete', { ...endpointKey, actor: 'key_1' }, undefined)
  })

  it('Update distinguishes absent fields from empty ones', async () => {
    await assertCrosses('Update', { ...endpointKey, ...by }, endpoint)
    await assertCrosses('Update', { ...endpointKey, ...by, events: [], description: '', enabled: false }, endpoint)
    await assertCrosses('Update', { ...endpointKey, ...by, url: 'https://example.com/2', events: ['a'] }, endpoint)
  })

  it('deliveries cross with their attempts and requests', async () => {
    const page = { deliveries: [waiting, failed], hasMore: false }
    const all = { limit: 2, before: null, status: null, eventId: null }
    await assertCrosses('ListDeliveries', { ...endpointKey, ...all }, page)
    await assertCrosses(
      'ListDeliveries',
      { ...endpointKey, limit: 2, before: 'dlv_2', status: 'failed', eventId: 'e' },
      page,
    )
    const shown = { url: 'https://example.com/', headers: { 'webhook-id': 'evt_1' }, body: '{', isCut: true }
    await assertCrosses('GetDelivery', { ...endpointKey, delivery: 'dlv_1' }, { ...failed, request: shown })
    await assertCrosses('GetDelivery', { ...endpointKey, delivery: 'dlv_1' }, { ...waiting, request: null })
    await assertCrosses('Test', { ...endpointKey, ...by, type: null }, waiting)
    await assertCrosses('Test', { ...endpointKey, ...by, type: 'email.bounced' }, waiting)
    await assertCrosses('Redeliver', { ...endpointKey, ...by, delivery: 'dlv_1' }, waiting)
  })

  it('replays keep their times as numbers', async () => {
    await assertCrosses('Replay', { ...endpointKey, ...by, from: at, to: at + 1 }, replay)
    await assertCrosses('Replay', { ...endpointKey, ...by, from: at, to: null }, replay)
    await assertCrosses('GetReplay', { ...endpointKey, replay: null }, replay)
    await assertCrosses('GetReplay', { ...endpointKey, replay: 'rpl_1' }, ended)
  })

  it('Check passes on the fields that are present, and returns the problems', async () => {
    await assertCrosses('Check', { events: [] }, [{ path: 'url', code: 'a', message: 'b' }])
    await assertCrosses('Check', { url: 'https://example.com/', events: ['a'] }, [])
  })
})

describe('messages of the last release about webhooks', () => {
  it('a window is understood with any offset', async () => {
    const received: unknown[] = []
    const rpc = encodedCalls(webhooksSpec, webhooksHandlers(answering('Replay', replay, received)))
    const window = { from: '2026-11-21T13:00:00.007+01:00', to: '' }
    await rpc.Replay({ workspace: 'ws_1', id: 'wh_1', mode: '', actor: 'key_1', ...window })
    assert.deepEqual(received, [{ ...endpointKey, actor: 'key_1', from: at, to: null }])
  })

  it('an endpoint and a delivery without the later fields are understood', async () => {
    const times = { created_at: '2026-11-21T12:00:00.007Z', updated_at: '2026-11-21T12:00:00.008Z' }
    const old = {
      Get: async () => ({ id: 'wh_1', url: endpoint.url, enabled: true, ...times }),
      GetDelivery: async () => ({
        id: 'dlv_1',
        endpoint: 'wh_1',
        event_id: 'evt_1',
        type: 'email.delivered',
        status: 'pending',
        next_at: times.created_at,
        created_at: times.created_at,
      }),
    } as unknown as WebhooksRpc
    const client = webhooksClient(encodedCalls(webhooksSpec, old))
    assert.deepEqual(await client.Get(endpointKey), endpoint)
    assert.deepEqual(await client.GetDelivery({ ...endpointKey, delivery: 'dlv_1' }), { ...waiting, request: null })
  })
})
