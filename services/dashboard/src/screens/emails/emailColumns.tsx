import { Link } from '@tanstack/react-router'
import type { Email } from '../../api/types.ts'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { type Column, rowLink } from '../../ui/Table.tsx'
import { recipientsText } from './recipientsText.ts'
import { StatusBadge } from './StatusBadge.tsx'

/** The columns of the list. A phone shows recipient, status and time below the subject. */
export const emailColumns: readonly Column<Email>[] = [
  {
    name: 'email',
    header: 'Email',
    className: 'max-sm:pr-4',
    cell: (email) => (
      <>
        <Link
          to="/emails/$id"
          params={{ id: email.id }}
          data-row-link
          className={`${rowLink} block truncate font-medium`}
        >
          {email.subject || (email.content_removed_at ? 'Content removed' : 'No subject')}
        </Link>
        <span className="mt-0.5 block truncate text-muted sm:hidden">{recipientsText(email)}</span>
        <span className="mt-1.5 flex items-center justify-between sm:hidden">
          <StatusBadge status={email.status} />
          <RelativeTime at={email.created_at} className="text-tiny text-faint" />
        </span>
      </>
    ),
  },
  {
    name: 'to',
    header: 'To',
    from: 'sm',
    className: 'w-[27%]',
    cell: (email) => <span className="block truncate text-muted">{recipientsText(email)}</span>,
  },
  {
    name: 'tags',
    header: 'Tags',
    from: 'lg',
    className: 'w-[14%]',
    cell: ({ tags }) => (
      <span className="block truncate text-tiny leading-5 text-faint">
        {Object.entries(tags)
          .map(([name, value]) => `${name}:${value}`)
          .join('  ')}
      </span>
    ),
  },
  {
    name: 'status',
    header: 'Status',
    from: 'sm',
    className: 'w-36',
    cell: ({ status }) => (
      <span className="-my-px block">
        <StatusBadge status={status} />
      </span>
    ),
  },
  {
    name: 'at',
    header: 'Accepted',
    from: 'sm',
    className: 'w-26 text-right',
    cell: ({ created_at }) => <RelativeTime at={created_at} className="whitespace-nowrap text-faint" />,
  },
]
