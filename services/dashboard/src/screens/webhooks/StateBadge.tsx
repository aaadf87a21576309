import type { DeliveryStatus, Webhook } from '../../api/webhooks.ts'
import { Badge } from '../../ui/Badge.tsx'
import { deliveryLook, webhookLook } from './webhookLook.ts'

/** The state of an endpoint. */
export const WebhookBadge = ({ webhook }: { webhook: Webhook }) => {
  const { label, tone, text } = webhookLook(webhook)
  return (
    <span title={text}>
      <Badge tone={tone} dot>
        {label}
      </Badge>
    </span>
  )
}

/** The status of a delivery. */
export const DeliveryBadge = ({ status }: { status: DeliveryStatus }) => {
  const { label, tone, text } = deliveryLook[status] ?? { label: status, tone: 'idle', text: '' }
  return (
    <span title={text}>
      <Badge tone={tone} dot>
        {label}
      </Badge>
    </span>
  )
}
