import type { Domain } from '../../api/domains.ts'
import { LabelBadge } from '../../ui/Badge.tsx'
import { domainLabels } from './domainLabels.ts'

/** The status of a domain. */
export const DomainBadge = ({ status }: { status: Domain['status'] }) => {
  const label = domainLabels[status] ?? { label: status, tone: 'idle', text: '' }
  return <LabelBadge state={label} />
}
