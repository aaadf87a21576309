import type { Invoice } from '../../api/billing.ts'
import { LookBadge } from '../../ui/Badge.tsx'
import { invoiceLook } from './look.ts'

/** The status of an invoice. */
export const InvoiceBadge = ({ status }: Pick<Invoice, 'status'>) => (
  <LookBadge look={invoiceLook[status] ?? { label: status, tone: 'idle' }} />
)
