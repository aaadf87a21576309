import { useInfiniteQuery } from '@tanstack/react-query'
import { ReceiptText } from 'lucide-react'
import { useApi } from '../../api/ApiProvider.tsx'
import { type OperatorInvoice, type OperatorInvoiceFilters, operatorInvoicePages } from '../../api/operator.ts'
import type { Column } from '../../ui/Table.tsx'
import { invoiceCells } from '../billing/invoiceColumns.tsx'
import { RecordList } from './RecordList.tsx'

/**
 * Invoices that match.
 * @param ofOneWorkspace whether all are of the workspace that is shown
 * @param clear absent: nothing is filtered
 */
export const InvoiceList = ({
  filters,
  ofOneWorkspace = false,
  clear,
}: {
  filters: OperatorInvoiceFilters
  ofOneWorkspace?: boolean
  clear?: (() => void) | undefined
}) => {
  const pages = useInfiniteQuery(operatorInvoicePages(useApi(), filters))
  return (
    <RecordList
      pages={pages}
      label="Invoices"
      many="invoices"
      columns={columns.filter(({ name }) => !ofOneWorkspace || name !== 'workspace')}
      clear={clear}
      empty={{
        icon: ReceiptText,
        title: 'No invoice yet',
        text: 'An invoice is issued at an upgrade, and at the start of each month for the plan and for sends beyond it.',
      }}
    />
  )
}

const columns: readonly Column<OperatorInvoice>[] = [
  { name: 'number', header: 'Invoice', cell: invoiceCells.number('/operator/invoices/$id', 'md:hidden') },
  {
    name: 'workspace',
    header: 'Workspace',
    from: 'md',
    className: 'w-72',
    cell: ({ workspace_id }) => (
      <span className="block truncate font-mono text-tiny leading-5 text-muted">{workspace_id}</span>
    ),
  },
  { name: 'period', header: 'Period', from: 'md', className: 'w-44', cell: invoiceCells.period },
  { name: 'issued', header: 'Issued', from: 'lg', className: 'w-32', cell: invoiceCells.issued },
  { name: 'status', header: 'Status', className: 'w-24', cell: invoiceCells.status },
  { name: 'total', header: 'Total', className: 'w-24 text-right', cell: invoiceCells.total },
]
