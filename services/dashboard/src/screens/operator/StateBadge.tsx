import type { Controls } from '../../api/operator.ts'
import { LookBadge } from '../../ui/Badge.tsx'
import { stateLook } from './controlsLook.ts'

/** Shows whether a workspace sends. */
export const StateBadge = ({ workspace }: { workspace: Controls }) => <LookBadge look={stateLook(workspace)} />
