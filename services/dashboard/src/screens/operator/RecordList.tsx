import type { LucideIcon } from 'lucide-react'
import { SearchX } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { SkeletonRows } from '../../ui/Skeleton.tsx'
import { type Column, Panel, Table } from '../../ui/Table.tsx'

/** What `useInfiniteQuery` returns, as far as a list shows it. */
type Pages<Row> = {
  data: { pages: readonly { data: readonly Row[] }[] } | undefined
  error: unknown
  refetch: () => unknown
  hasNextPage: boolean
  fetchNextPage: () => unknown
  isFetchingNextPage: boolean
}

/**
 * A table of records that is read by pages.
 * @param many what the records are, such as "workspaces" @param clear absent: nothing is filtered @param empty what is shown
 * without any record
 */
export const RecordList = <Row extends { id: string }>({
  pages: { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage },
  label,
  many,
  columns,
  clear,
  empty,
}: {
  pages: Pages<Row>
  label: string
  many: string
  columns: readonly Column<Row>[]
  clear?: (() => void) | undefined
  empty: { icon: LucideIcon; title: string; text: ReactNode }
}) => {
  const rows = data?.pages.flatMap((page) => page.data)
  return (
    <>
      <Panel className="overflow-hidden">
        {error && !rows ? (
          <ErrorState error={error} onRetry={refetch} />
        ) : !rows ? (
          <SkeletonRows label={`Reading ${many}`} />
        ) : rows.length > 0 ? (
          <Table label={label} columns={columns} rows={rows} rowKey={({ id }) => id} />
        ) : clear ? (
          <EmptyState icon={SearchX} title="Nothing matches" action={<Button onClick={clear}>Show all {many}</Button>}>
            Change the search or the filters.
          </EmptyState>
        ) : (
          <EmptyState icon={empty.icon} title={empty.title}>
            {empty.text}
          </EmptyState>
        )}
      </Panel>
      {hasNextPage && (
        <Button size="small" look="quiet" className="mt-3" busy={isFetchingNextPage} onClick={() => fetchNextPage()}>
          Show older {many}
        </Button>
      )}
    </>
  )
}
