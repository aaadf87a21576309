import assert from 'node:assert/strict'
import type { WebhookNotice } from './endpoint.ts'
import { newWebhookEvent } from './life.ts'

const endpoint = { id: 'wh_1', workspace: 'ws_1', url: 'https://a.example/' }
const about = { webhook_id: 'wh_1', url: 'https://a.example/' }
const at = '1970-01-01T00:00:05.000Z'
const disabled: WebhookNotice = { kind: 'disabled', at: 5_000, reason: 'gone' }
const exhausted: WebhookNotice = { kind: 'exhausted', at: 5_000, reason: null }

describe('event of a webhook endpoint', () => {
  const table = [
    ['is in the feed of its mode if it was disabled', 'test', disabled, 'webhook.disabled', 'test'],
    ['is in the live feed if an endpoint of both modes was disabled', null, disabled, 'webhook.disabled', 'live'],
    ['is internal if attempts failed', 'test', exhausted, 'webhook.failing', 'internal'],
  ] as const
  for (const [name, mode, notice, type, shownMode] of table)
    it(name, () => {
      const { data: _, ...event } = newWebhookEvent({ ...endpoint, mode }, notice, 'evt_1')
      assert.deepEqual(event, { id: 'evt_1', type, workspace: 'ws_1', mode: shownMode })
    })

  const payloads: [name: string, notice: WebhookNotice, data: object][] = [
    ['has the reason and the time of its end', disabled, { ...about, reason: 'gone', disabled_at: at }],
    ['has no reason if none is stored', { ...disabled, reason: null }, { ...about, reason: '', disabled_at: at }],
    ['has the time of the failure', exhausted, { ...about, failed_at: at }],
  ]
  for (const [name, notice, data] of payloads)
    it(name, () => assert.deepEqual(newWebhookEvent({ ...endpoint, mode: null }, notice, 'evt_1').data, data))
})
