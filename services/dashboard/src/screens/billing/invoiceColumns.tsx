import { Link } from '@tanstack/react-router'
import type { Invoice } from '../../api/billing.ts'
import { type Column, rowLink } from '../../ui/Table.tsx'
import { dateText, periodText } from './billingTexts.ts'
import { InvoiceBadge } from './InvoiceBadge.tsx'
import { usd } from './money.ts'

type Shown = Pick<Invoice, 'id' | 'number' | 'period' | 'issued_at' | 'status' | 'total_usd'>

/** The number of an invoice, which opens it. `hidden` hides the period below it where the period has a column. */
const number =
  (to: '/billing/invoices/$id' | '/operator/invoices/$id', hidden: 'sm:hidden' | 'md:hidden') =>
  ({ id, number, period }: Shown) => (
    <>
      <Link to={to} params={{ id }} data-row-link className={`${rowLink} block truncate font-medium`}>
        {number}
      </Link>
      <span className={`mt-0.5 block text-muted ${hidden}`}>{periodText(period)}</span>
    </>
  )

/** The cells of lists of invoices. */
export const invoiceCells = {
  number,
  period: ({ period }: Shown) => <span className="block truncate text-muted">{periodText(period)}</span>,
  issued: ({ issued_at }: Shown) => <span className="text-muted">{dateText(issued_at)}</span>,
  status: ({ status }: Shown) => (
    <span className="-my-px block">
      <InvoiceBadge status={status} />
    </span>
  ),
  total: ({ total_usd }: Shown) => usd(total_usd),
}

/** The columns of the list of a workspace. A phone shows the period below the number. */
export const invoiceColumns: readonly Column<Invoice>[] = [
  { name: 'number', header: 'Invoice', cell: number('/billing/invoices/$id', 'sm:hidden') },
  { name: 'period', header: 'Period', from: 'sm', className: 'w-2/5', cell: invoiceCells.period },
  { name: 'issued', header: 'Issued', from: 'md', className: 'w-32', cell: invoiceCells.issued },
  { name: 'status', header: 'Status', className: 'w-24', cell: invoiceCells.status },
  { name: 'total', header: 'Total', className: 'w-24 text-right', cell: invoiceCells.total },
]
