import { Badge } from '../ui/Badge.tsx'
import { useMode } from './mode.tsx'

/** Marks the heading of a screen that shows test mail. */
export const ModeBadge = () => (useMode().mode === 'test' ? <Badge tone="warn">Test</Badge> : null)
