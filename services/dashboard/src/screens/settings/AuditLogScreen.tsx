import { getRouteApi } from '@tanstack/react-router'
import { ScrollText, SearchX } from 'lucide-react'
import { useApi } from '../../api/ApiProvider.tsx'
import { type AuditFilters, readAuditLog } from '../../api/auditLog.ts'
import { ListEnd, NewRowsButton } from '../../app/liveListParts.tsx'
import { useLiveList } from '../../app/useLiveList.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { Page } from '../../ui/Page.tsx'
import { SkeletonRows } from '../../ui/Skeleton.tsx'
import { Panel } from '../../ui/Table.tsx'
import { AuditCsvButton } from './AuditCsvButton.tsx'
import { AuditFiltersBar } from './AuditFiltersBar.tsx'
import { AuditRows } from './AuditRows.tsx'
import { timesOf } from './auditSearch.ts'

const route = getRouteApi('/member/settings/audit-log')

/** Every change of the workspace, with who made it. */
export const AuditLogScreen = () => {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { actor, action } = search
  const filters = {
    ...timesOf(search),
    ...(actor !== undefined && { actor }),
    ...(action !== undefined && { action: action as NonNullable<AuditFilters['action']> }),
  }
  const list = useLiveList({
    key: ['audit-log', filters],
    read: readAuditLog(useApi(), filters),
    timeOf: (entry) => entry.created_at,
  })
  const isFiltered = Object.keys(search).length > 0
  const clear = () => navigate({ search: {}, replace: true })
  return (
    <Page
      title="Audit log"
      intro="Who changed what. Entries cannot be changed or removed. Sends are not among them."
      actions={<AuditCsvButton filters={filters} isEmpty={list.items.length === 0} />}
    >
      <AuditFiltersBar />
      <NewRowsButton list={list} one="entry" many="entries" />
      <Panel className="mt-4 overflow-hidden">
        {list.error !== null && list.items.length === 0 ? (
          <ErrorState error={list.error} onRetry={list.retry} />
        ) : list.isReading && list.items.length === 0 ? (
          <SkeletonRows label="Reading the audit log" rows={10} />
        ) : list.items.length > 0 ? (
          <AuditRows entries={list.items} />
        ) : isFiltered ? (
          <EmptyState icon={SearchX} title="No such entry" action={<Button onClick={clear}>Show all entries</Button>}>
            Nothing matches these filters.
          </EmptyState>
        ) : (
          <EmptyState icon={ScrollText} title="No entry yet">
            The next change of a setting, a key or a member appears here.
          </EmptyState>
        )}
      </Panel>
      {list.items.length > 0 && <ListEnd list={list} many="entries" />}
    </Page>
  )
}
