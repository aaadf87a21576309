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

type ListOptions<Row> = {
  pages: Pages<Row>
  /** What the records are, such as "workspaces". */
  many: string
  /** Absent: nothing is filtered. */
  clear?: (() => void) | undefined
  /** What is shown without any record. */
  empty: { icon: LucideIcon; title: string; text: ReactNode }
}

/** A table of records that is read by pages. */
export const RecordList = <Row extends { id: string }>({
  label,
  columns,
  ...options
}: ListOptions<Row> & { label: string; columns: readonly Column<Row>[] }) => (
  <RecordPages {...options}>
    {(rows) => <Table label={label} columns={columns} rows={rows} rowKey={({ id }) => id} />}
  </RecordPages>
)

/** Records that are read by pages. @param children shows at least one record */
export const RecordPages = <Row,>({
  pages: { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage },
  many,
  clear,
  empty,
  children,
}: ListOptions<Row> & { children: (rows: readonly Row[]) => ReactNode }) => {
  const rows = data?.pages.flatMap((page) => page.data)
  return (
    <>
      <Panel className="overflow-hidden">
        {error && !rows ? (
          <ErrorState error={error} onRetry={refetch} />
        ) : !rows ? (
          <SkeletonRows label={`Reading ${many}`} />
        ) : rows.length > 0 ? (
          children(rows)
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
        <Button size="small" variant="quiet" className="mt-3" busy={isFetchingNextPage} onClick={() => fetchNextPage()}>
          Show older {many}
        </Button>
      )}
    </>
  )
}
