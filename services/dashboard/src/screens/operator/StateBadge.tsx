import type { Controls } from '../../api/operator.ts'
import { Badge } from '../../ui/Badge.tsx'
import { stateLook } from './controlsLook.ts'

/** Whether a workspace sends. */
export const StateBadge = ({ workspace }: { workspace: Controls }) => {
  const { label, tone } = stateLook(workspace)
  return (
    <Badge tone={tone} dot>
      {label}
    </Badge>
  )
}
