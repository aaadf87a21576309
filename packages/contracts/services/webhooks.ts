import type { WebhooksDefinition } from '../gen/postrider/webhooks/v1/Webhooks.ts'
import { allowedCalls } from './allowedCalls.ts'
import { mebibyte, read, write } from './rules.ts'
import type { Service, ServiceSpec } from './service.ts'

export type Webhooks = Service<WebhooksDefinition>

export const webhooksSpec: ServiceSpec<Webhooks> = {
  proto: 'postrider/webhooks/v1/webhooks.proto',
  name: 'postrider.webhooks.v1.Webhooks',
  callers: { gateway: allowedCalls.gateway.webhooks },
  // A page holds at most 4 MiB, and one delivery more.
  messageBytes: 8 * mebibyte,
  methods: {
    Create: write,
    Get: read,
    List: read,
    Update: write,
    Delete: write,
    Test: write,
    RotateSecret: write,
    ListDeliveries: read,
    GetDelivery: read,
    Redeliver: write,
    Replay: write,
    GetReplay: read,
    Check: read,
  },
}
