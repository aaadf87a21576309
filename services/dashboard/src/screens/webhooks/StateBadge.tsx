import type { DeliveryStatus, Webhook } from '../../api/webhooks.ts'
import { LabelBadge } from '../../ui/Badge.tsx'
import { deliveryLabels, webhookLabel } from './webhookLabels.ts'

/** The state of an endpoint. */
export const WebhookBadge = ({ webhook }: { webhook: Webhook }) => <LabelBadge state={webhookLabel(webhook)} />

/** The status of a delivery. A status of a later release is shown by its name. */
export const DeliveryBadge = ({ status }: { status: DeliveryStatus }) => (
  <LabelBadge state={deliveryLabels[status] ?? { label: status, tone: 'idle', text: '' }} />
)
