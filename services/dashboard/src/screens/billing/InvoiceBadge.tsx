import type { Invoice } from '../../api/billing.ts'
import { LabelBadge } from '../../ui/Badge.tsx'
import { invoiceLabels } from './billingTexts.ts'

/** The status of an invoice. */
export const InvoiceBadge = ({ status }: Pick<Invoice, 'status'>) => (
  <LabelBadge state={invoiceLabels[status] ?? { label: status, tone: 'idle' }} />
)
