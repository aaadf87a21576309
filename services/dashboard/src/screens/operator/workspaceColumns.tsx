import { Link } from '@tanstack/react-router'
import type { Controls } from '../../api/operator.ts'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { type Column, rowLink } from '../../ui/Table.tsx'
import { changedText, planLabels } from './controlsLabels.ts'
import { StateBadge } from './StateBadge.tsx'

/** The columns of the list. A phone shows the plan below the name. */
export const workspaceColumns: readonly Column<Controls>[] = [
  {
    name: 'name',
    header: 'Workspace',
    cell: ({ id, name, plan }) => (
      <>
        <Link
          to="/operator/workspaces/$id"
          params={{ id }}
          data-row-link
          title={name}
          className={`${rowLink} block truncate font-medium`}
        >
          {name}
        </Link>
        <span className="mt-0.5 block truncate font-mono text-tiny text-faint">{id}</span>
        <span className="mt-0.5 block text-muted sm:hidden">{planLabels[plan] ?? plan}</span>
      </>
    ),
  },
  {
    name: 'plan',
    header: 'Plan',
    from: 'sm',
    className: 'w-24',
    cell: ({ plan }) => <span className="text-muted">{planLabels[plan] ?? plan}</span>,
  },
  {
    name: 'limits',
    header: 'Own limits',
    from: 'lg',
    className: 'w-72',
    cell: (workspace) => {
      const text = changedText(workspace)
      return (
        <span className="block truncate text-muted" title={text}>
          {text || '–'}
        </span>
      )
    },
  },
  {
    name: 'made',
    header: 'Created',
    from: 'md',
    className: 'w-32',
    cell: ({ created_at }) => <RelativeTime at={created_at} className="text-muted" />,
  },
  {
    name: 'state',
    header: 'State',
    className: 'w-28 text-right',
    cell: (workspace) => (
      <span className="-my-px block">
        <StateBadge workspace={workspace} />
      </span>
    ),
  },
]
