import type { Invoice } from '../../api/billing.ts'
import { Badge } from '../../ui/Badge.tsx'
import { invoiceLook } from './look.ts'

/** The status of an invoice. */
export const InvoiceBadge = ({ status }: Pick<Invoice, 'status'>) => {
  const { label, tone } = invoiceLook[status] ?? { label: status, tone: 'idle' }
  return (
    <Badge tone={tone} dot>
      {label}
    </Badge>
  )
}
