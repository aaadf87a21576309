import type { Domain } from '../../api/domains.ts'
import { Badge } from '../../ui/Badge.tsx'
import { domainLook } from './domainLook.ts'

/** The status of a domain. */
export const DomainBadge = ({ status }: { status: Domain['status'] }) => {
  const look = domainLook[status] ?? { label: status, tone: 'idle', text: '' }
  return (
    <span title={look.text}>
      <Badge tone={look.tone} dot>
        {look.label}
      </Badge>
    </span>
  )
}
