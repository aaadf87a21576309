import { useApi } from '../../api/ApiProvider.tsx'
import { type OperatorAuditFilters, operatorArea, readOperatorAuditLog } from '../../api/operator.ts'
import { useLiveList } from '../../app/useLiveList.ts'
import { AuditEntries } from '../settings/AuditEntries.tsx'

/** The entries of all workspaces, or of one, that match. @param clear absent: nothing is filtered */
export const OperatorAuditEntries = ({
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
    <AuditEntries
      list={list}
      clear={clear}
      next="The next change by a person, an API key or the operator appears here."
    />
  )
}
