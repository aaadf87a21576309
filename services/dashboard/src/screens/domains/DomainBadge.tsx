import type { Domain } from '../../api/domains.ts'
import { LookBadge } from '../../ui/Badge.tsx'
import { domainLook } from './domainLook.ts'

/** The status of a domain. */
export const DomainBadge = ({ status }: { status: Domain['status'] }) => {
  const look = domainLook[status] ?? { label: status, tone: 'idle', text: '' }
  return <LookBadge look={look} />
}
