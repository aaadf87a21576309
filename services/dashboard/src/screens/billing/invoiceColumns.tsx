import { Link } from '@tanstack/react-router'
import type { Invoice } from '../../api/billing.ts'
import { type Column, rowLink } from '../../ui/Table.tsx'
import { InvoiceBadge } from './InvoiceBadge.tsx'
import { dateText, periodText } from './look.ts'
import { usd } from './money.ts'

/** The columns of the list. A phone shows the period below the number. */
export const invoiceColumns: readonly Column<Invoice>[] = [
  {
    name: 'number',
    header: 'Invoice',
    cell: ({ id, number, period }) => (
      <>
        <Link
          to="/billing/invoices/$id"
          params={{ id }}
          data-row-link
          className={`${rowLink} block truncate font-medium`}
        >
          {number}
        </Link>
        <span className="mt-0.5 block text-muted sm:hidden">{periodText(period)}</span>
      </>
    ),
  },
  {
    name: 'period',
    header: 'Period',
    from: 'sm',
    className: 'w-2/5',
    cell: ({ period }) => <span className="block truncate text-muted">{periodText(period)}</span>,
  },
  {
    name: 'issued',
    header: 'Issued',
    from: 'md',
    className: 'w-32',
    cell: ({ issued_at }) => <span className="text-muted">{dateText(issued_at)}</span>,
  },
  {
    name: 'status',
    header: 'Status',
    className: 'w-24',
    cell: ({ status }) => (
      <span className="-my-px block">
        <InvoiceBadge status={status} />
      </span>
    ),
  },
  {
    name: 'total',
    header: 'Total',
    className: 'w-28 text-right',
    cell: ({ total_usd }) => usd(total_usd),
  },
]
