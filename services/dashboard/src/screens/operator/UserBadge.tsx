import { Badge } from '../../ui/Badge.tsx'

/** Shows whether a user can log in. */
export const UserBadge = ({ disabled }: { disabled: boolean }) => (
  <Badge tone={disabled ? 'bad' : 'good'} dot>
    {disabled ? 'Disabled' : 'Active'}
  </Badge>
)
