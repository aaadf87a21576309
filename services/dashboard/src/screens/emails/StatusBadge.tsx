import type { EmailStatus, RecipientStatus } from '../../api/types.ts'
import { LookBadge } from '../../ui/Badge.tsx'
import { statusLook } from './statusLook.ts'

/** The status of an email or of a recipient. A status of a later release is shown by its name. */
export const StatusBadge = ({ status }: { status: EmailStatus | RecipientStatus }) => {
  const look = statusLook[status] ?? { label: status, tone: 'idle', text: '' }
  return <LookBadge look={look} />
}
