import type { DeliveryStatus, Webhook } from '../../api/webhooks.ts'
import { LookBadge } from '../../ui/Badge.tsx'
import { deliveryLook, webhookLook } from './webhookLook.ts'

/** The state of an endpoint. */
export const WebhookBadge = ({ webhook }: { webhook: Webhook }) => <LookBadge look={webhookLook(webhook)} />

/** The status of a delivery. A status of a later release is shown by its name. */
export const DeliveryBadge = ({ status }: { status: DeliveryStatus }) => (
  <LookBadge look={deliveryLook[status] ?? { label: status, tone: 'idle', text: '' }} />
)
