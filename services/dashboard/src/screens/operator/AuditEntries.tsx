import { ScrollText, SearchX } from 'lucide-react'
import { useApi } from '../../api/ApiProvider.tsx'
import { type OperatorAuditFilters, operatorArea, readOperatorAuditLog } from '../../api/operator.ts'
import { ListEnd, NewRowsButton } from '../../app/liveListParts.tsx'
import { useLiveList } from '../../app/useLiveList.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { SkeletonRows } from '../../ui/Skeleton.tsx'
import { Panel } from '../../ui/Table.tsx'
import { AuditRows } from '../settings/AuditRows.tsx'

/** The entries of all workspaces, or of one, that match. @param clear absent: nothing is filtered */
export const AuditEntries = ({
  filters,
  clear,
}: {
  filters: OperatorAuditFilters
  clear?: (() => void) | undefined
}) => {
  const list = useLiveList({
    key: [operatorArea, 'audit-log', filters],
    read: readOperatorAuditLog(useApi(), filters),
    timeOf: (entry) => entry.created_at,
  })
  return (
    <>
      <NewRowsButton list={list} one="entry" many="entries" />
      <Panel className="overflow-hidden">
        {list.error !== null && list.items.length === 0 ? (
          <ErrorState error={list.error} onRetry={list.retry} />
        ) : list.isReading && list.items.length === 0 ? (
          <SkeletonRows label="Reading the audit log" rows={10} />
        ) : list.items.length > 0 ? (
          <AuditRows entries={list.items} />
        ) : clear ? (
          <EmptyState icon={SearchX} title="No such entry" action={<Button onClick={clear}>Show all entries</Button>}>
            Nothing matches these filters.
          </EmptyState>
        ) : (
          <EmptyState icon={ScrollText} title="No entry yet">
            The next change by a person, an API key or the operator appears here.
          </EmptyState>
        )}
      </Panel>
      {list.items.length > 0 && <ListEnd list={list} many="entries" />}
    </>
  )
}
