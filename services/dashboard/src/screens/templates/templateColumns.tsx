import { Link } from '@tanstack/react-router'
import type { TemplateSummary } from '../../api/templates.ts'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { type Column, rowLink } from '../../ui/Table.tsx'

/** The columns of the list. A phone shows the subject below the name. */
export const templateColumns: readonly Column<TemplateSummary>[] = [
  {
    name: 'name',
    header: 'Name',
    cell: ({ id, name, alias, subject }) => (
      <>
        <Link
          to="/templates/$id"
          params={{ id }}
          data-row-link
          title={name}
          className={`${rowLink} block truncate font-medium`}
        >
          {name}
        </Link>
        {alias !== null && <span className="mt-0.5 block truncate font-mono text-tiny text-muted">{alias}</span>}
        <span className="mt-0.5 block truncate text-muted md:hidden">{subject}</span>
      </>
    ),
  },
  {
    name: 'subject',
    header: 'Subject',
    from: 'md',
    className: 'w-2/5',
    cell: ({ subject }) => (
      <span className="block truncate text-muted" title={subject}>
        {subject}
      </span>
    ),
  },
  { name: 'version', header: 'Version', from: 'sm', className: 'w-20', cell: ({ version }) => version },
  {
    name: 'changed',
    header: 'Changed',
    className: 'w-28 text-right',
    cell: ({ updated_at }) => <RelativeTime at={updated_at} className="text-muted" />,
  },
]
