import type { PublicEvent } from '@postrider/domain/events/event.ts'
import { newDelivery, type WebhookDelivery } from '@postrider/domain/webhooks/delivery.ts'
import type { WebhookEndpoint } from '@postrider/domain/webhooks/endpoint.ts'
import type { WebhookReplay } from '@postrider/domain/webhooks/replay.ts'
import { idOf, newId } from '@postrider/kit/ids.ts'

export const leaseMs = 60_000

/** An endpoint with every field set. */
export const webhookEndpoint = (over: Partial<WebhookEndpoint> = {}): WebhookEndpoint => ({
  id: newId('wh'),
  workspace: 'ws_1',
  mode: 'live',
  url: 'https://example.com/hook?ü=1',
  events: ['email.bounced', 'quota.warning'],
  description: 'of “Acme”',
  enabled: true,
  disabledReason: null,
  secrets: [
    { id: 'a', sealed: { secretId: 's1', box: 'sealed-a' }, createdAt: 2_000, expiresAt: null },
    { id: 'b', sealed: { secretId: 's1', box: 'sealed-b' }, createdAt: 1_000, expiresAt: 9_000 },
  ],
  since: 1_000,
  failingSince: 3_000,
  exhaustedAt: null,
  notices: [],
  createdAt: 1_000,
  updatedAt: 3_000,
  ...over,
})

let sequence = 0

/** Returns an event. Its id has its time. */
export const eventAt = (at: number): Pick<PublicEvent, 'id' | 'type' | 'at' | 'mode'> => {
  sequence += 1
  const bytes = Buffer.alloc(10)
  bytes.writeUInt32BE(sequence, 4)
  return { id: idOf('evt', at, bytes), type: 'email.bounced', at, mode: 'live' }
}

/** Returns a delivery that is due at 1,000. */
export const webhookDelivery = (
  endpoint: string,
  over: Partial<WebhookDelivery> = {},
  { workspace = 'ws_1', at = 1_000 } = {},
): WebhookDelivery => ({ ...newDelivery({ id: endpoint, workspace }, eventAt(at), 1_000), ...over })

export const webhookReplay = (over: Partial<WebhookReplay> = {}): WebhookReplay => ({
  id: newId('rpl'),
  endpoint: 'whk_1',
  workspace: 'ws_1',
  from: 1_000,
  to: 2_000,
  status: 'running',
  cursor: { at: 1_500, id: 'evt_1' },
  sent: 2,
  delivered: 1,
  createdAt: 1_000,
  endedAt: null,
  ...over,
})
