import type { Mode } from '@postrider/domain/email/email.ts'
import type { Problem } from '@postrider/domain/problem.ts'
import type { DeliveryStatus, WebhookAttempt, WebhookDelivery } from '@postrider/domain/webhooks/delivery.ts'
import type { WebhookEndpoint } from '@postrider/domain/webhooks/endpoint.ts'
import type { ReplayWindow, WebhookReplay } from '@postrider/domain/webhooks/replay.ts'
import type { WebhooksDefinition } from '../gen/postrider/webhooks/v1/Webhooks.ts'
import { allowedCalls } from './allowedCalls.ts'
import { mebibyte, read, write } from './rules.ts'
import type { Requester, Service, ServiceSpec } from './service.ts'

export type WebhooksRpc = Service<WebhooksDefinition>

/** A replay as its service shows it. `position`: time of the last event that was sent; null: none yet. */
export type ShownReplay = Pick<
  WebhookReplay,
  'id' | 'status' | 'from' | 'to' | 'sent' | 'delivered' | 'createdAt' | 'endedAt'
> & { position: number | null }

/** An endpoint as its service shows it, without its secrets. */
export type ShownEndpoint = Pick<
  WebhookEndpoint,
  | 'id'
  | 'mode'
  | 'url'
  | 'events'
  | 'description'
  | 'enabled'
  | 'disabledReason'
  | 'failingSince'
  | 'createdAt'
  | 'updatedAt'
> & {
  /** Times until which former secrets also sign. */
  secretsValidUntil: number[]
  /** The newest one; null: none is stored. */
  replay: ShownReplay | null
}

/** An attempt as its service shows it; `durationMs` is a whole number. */
export type ShownAttempt = Omit<WebhookAttempt, 'sentAt'>

/** A delivery as its service shows it. */
export type ShownDelivery = Pick<
  WebhookDelivery,
  'id' | 'endpoint' | 'eventId' | 'type' | 'status' | 'isTest' | 'reason' | 'createdAt'
> & {
  /** The latest ones, oldest first. */
  attempts: ShownAttempt[]
  /** Null: no attempt follows. */
  nextAt: number | null
}

/** The request of the last attempt, without the signature; `body`: its first 4 KiB. */
export type ShownRequest = { url: string; headers: Record<string, string>; body: string; isCut: boolean }

export type EndpointWithSecret = { endpoint: ShownEndpoint; secret: string }

/** `mode`: endpoints of the other mode are not found; null: of any mode. */
type EndpointKey = { workspace: string; id: string; mode: Mode | null }
type DeliveryKey = EndpointKey & { delivery: string }
type EndpointParts = Pick<WebhookEndpoint, 'url' | 'description' | 'enabled'> & {
  /** Types, which the service checks; empty: all. */
  events: readonly string[]
}

/** Endpoints of a workspace, and the log of what was sent to them. Methods with an id throw Fault `not_found`. */
export type Webhooks = {
  /** @throws Fault `validation_failed`: a problem with a field, or the workspace has too many endpoints */
  Create(request: { workspace: string; mode: Mode | null } & EndpointParts & Requester): Promise<EndpointWithSecret>
  Get(request: EndpointKey): Promise<ShownEndpoint>
  /** Returns a page, newest first, starting after the id `before`; null: from the newest. */
  List(
    request: Omit<EndpointKey, 'id'> & { limit: number; before: string | null },
  ): Promise<{ endpoints: ShownEndpoint[]; hasMore: boolean }>
  /** Absent fields stay. @throws Fault `validation_failed` */
  Update(request: EndpointKey & Partial<EndpointParts> & Requester): Promise<ShownEndpoint>
  Delete(request: EndpointKey & Requester): Promise<void>
  /**
   * Sends a test event, also to a disabled endpoint.
   * @param request `type` null: the first one that the endpoint receives
   */
  Test(request: EndpointKey & { type: string | null } & Requester): Promise<ShownDelivery>
  /** Makes a new secret. The former one is valid for 24 h more. */
  RotateSecret(request: EndpointKey & Requester): Promise<EndpointWithSecret>
  /** Returns a page, newest first, starting after the id `before`. Filters that are null match any. */
  ListDeliveries(
    request: EndpointKey & {
      limit: number
      before: string | null
      status: DeliveryStatus | null
      eventId: string | null
    },
  ): Promise<{ deliveries: ShownDelivery[]; hasMore: boolean }>
  /** `request` null: there was no attempt, or the event is removed. */
  GetDelivery(request: DeliveryKey): Promise<ShownDelivery & { request: ShownRequest | null }>
  /** Sends an event once more, with the whole schedule. @throws Fault `conflict`: the endpoint is disabled */
  Redeliver(request: DeliveryKey & Requester): Promise<ShownDelivery>
  /**
   * Sends the events of a time window once more, in order.
   * @param request `to` null: until now
   * @throws Fault `conflict`: the endpoint is disabled or a replay of it runs; `validation_failed`: the window is not
   * one in the past
   */
  Replay(
    request: EndpointKey & Pick<ReplayWindow, 'from'> & { to: ReplayWindow['to'] | null } & Requester,
  ): Promise<ShownReplay>
  /** @param request `replay` null: the newest one of the endpoint */
  GetReplay(request: EndpointKey & { replay: string | null }): Promise<ShownReplay>
  /** Returns what Create and Update would refuse of the well-formed fields of a body that is refused already. */
  Check(request: Partial<Pick<EndpointParts, 'url'>> & Pick<EndpointParts, 'events'>): Promise<readonly Problem[]>
}

export const webhooksSpec: ServiceSpec<WebhooksRpc> = {
  proto: 'postrider/webhooks/v1/webhooks.proto',
  name: 'postrider.webhooks.v1.Webhooks',
  callers: { gateway: allowedCalls.gateway.webhooks },
  // A page has at most 4 MiB plus one delivery.
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
