import type { EmailStatus, RecipientStatus } from '../../api/types.ts'
import { LabelBadge } from '../../ui/Badge.tsx'
import { statusLabels } from './statusLabels.ts'

/** The status of an email or of a recipient. A status of a later release is shown by its name. */
export const StatusBadge = ({ status }: { status: EmailStatus | RecipientStatus }) => {
  const label = statusLabels[status] ?? { label: status, tone: 'idle', text: '' }
  return <LabelBadge state={label} />
}
