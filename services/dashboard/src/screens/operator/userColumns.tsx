import { Link } from '@tanstack/react-router'
import type { User } from '../../api/operator.ts'
import { type Column, rowLink } from '../../ui/Table.tsx'
import { seenColumn } from './LastSeen.tsx'
import { UserBadge } from './StateBadge.tsx'

/** Returns the workspaces of a user as one short text. */
const workspacesText = ({ workspaces }: User): string => {
  const [first, ...others] = workspaces
  if (!first) return 'No workspace'
  return others.length === 0 ? first.name : `${first.name} and ${others.length} more`
}

/** The columns of the list. A phone shows the workspaces below the address. */
export const userColumns: readonly Column<User>[] = [
  {
    name: 'email',
    header: 'User',
    cell: (user) => (
      <>
        <Link
          to="/operator/users/$id"
          params={{ id: user.id }}
          data-row-link
          title={user.email}
          className={`${rowLink} block truncate font-medium`}
        >
          {user.email}
        </Link>
        <span className="mt-0.5 block truncate text-muted md:hidden">{workspacesText(user)}</span>
      </>
    ),
  },
  {
    name: 'workspaces',
    header: 'Workspaces',
    from: 'md',
    className: 'w-64',
    cell: (user) => (
      <span className="block truncate text-muted" title={user.workspaces.map(({ name }) => name).join('\n')}>
        {workspacesText(user)}
      </span>
    ),
  },
  seenColumn,
  {
    name: 'state',
    header: 'State',
    className: 'w-28 text-right',
    cell: ({ disabled }) => (
      <span className="-my-px block">
        <UserBadge disabled={disabled} />
      </span>
    ),
  },
]
