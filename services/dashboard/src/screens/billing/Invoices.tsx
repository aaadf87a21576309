import { useInfiniteQuery } from '@tanstack/react-query'
import { ReceiptText } from 'lucide-react'
import { useApi } from '../../api/ApiProvider.tsx'
import { invoicePages } from '../../api/billing.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { SkeletonRows } from '../../ui/Skeleton.tsx'
import { Panel, Table } from '../../ui/Table.tsx'
import { invoiceColumns } from './invoiceColumns.tsx'

/** The invoices of the workspace. */
export const Invoices = () => {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    invoicePages(useApi()),
  )
  const invoices = data?.pages.flatMap((page) => page.data)
  return (
    <section aria-labelledby="invoices" className="mt-8">
      <h2 id="invoices" className="mb-3 font-semibold">
        Invoices
      </h2>
      <Panel className="overflow-hidden">
        {error && !invoices ? (
          <ErrorState error={error} onRetry={refetch} />
        ) : !invoices ? (
          <SkeletonRows label="Reading invoices" rows={3} />
        ) : invoices.length === 0 ? (
          <EmptyState icon={ReceiptText} title="No invoices yet">
            An invoice is issued at an upgrade, and at the start of each month for the plan and for sends beyond it.
            Amounts of zero are not invoiced.
          </EmptyState>
        ) : (
          <Table label="Invoices" columns={invoiceColumns} rows={invoices} rowKey={({ id }) => id} />
        )}
      </Panel>
      {hasNextPage && (
        <div className="mt-3">
          <Button size="small" variant="quiet" busy={isFetchingNextPage} onClick={() => fetchNextPage()}>
            Show older invoices
          </Button>
        </div>
      )}
    </section>
  )
}
