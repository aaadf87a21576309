import { Badge } from '../../ui/Badge.tsx'

/** Whether a user can log in. */
export const UserBadge = ({ disabled }: { disabled: boolean }) => (
  <Badge tone={disabled ? 'bad' : 'good'} dot>
    {disabled ? 'Disabled' : 'Active'}
  </Badge>
)
