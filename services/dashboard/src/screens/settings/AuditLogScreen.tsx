import { getRouteApi } from '@tanstack/react-router'
import { useApi } from '../../api/ApiProvider.tsx'
import { type AuditFilters, readAuditLog } from '../../api/auditLog.ts'
import { useLiveList } from '../../app/useLiveList.ts'
import { Page } from '../../ui/Page.tsx'
import { AuditCsvButton } from './AuditCsvButton.tsx'
import { AuditEntries } from './AuditEntries.tsx'
import { AuditFiltersBar } from './AuditFiltersBar.tsx'
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
      <AuditEntries
        list={list}
        clear={isFiltered ? clear : undefined}
        next="The next change of a setting, a key or a member appears here."
        className="mt-4"
      />
    </Page>
  )
}
