import type { Controls } from '../../api/operator.ts'
import { Badge, LabelBadge } from '../../ui/Badge.tsx'
import { stateLabel } from './controlsLabels.ts'

/** Shows whether a workspace sends. */
export const StateBadge = ({ workspace }: { workspace: Controls }) => <LabelBadge state={stateLabel(workspace)} />

/** Shows whether a user can log in. */
export const UserBadge = ({ disabled }: { disabled: boolean }) => (
  <Badge tone={disabled ? 'bad' : 'good'} dot>
    {disabled ? 'Disabled' : 'Active'}
  </Badge>
)
