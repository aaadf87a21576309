import type { Controls } from '../../api/operator.ts'
import { LabelBadge } from '../../ui/Badge.tsx'
import { stateLabel } from './controlsLabels.ts'

/** Shows whether a workspace sends. */
export const StateBadge = ({ workspace }: { workspace: Controls }) => <LabelBadge state={stateLabel(workspace)} />
