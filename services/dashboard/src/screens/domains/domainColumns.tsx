import { Link } from '@tanstack/react-router'
import type { Domain } from '../../api/domains.ts'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { type Column, rowLink } from '../../ui/Table.tsx'
import { DomainBadge } from './DomainBadge.tsx'
import { requiredFound } from './domainLabels.ts'

const recordsText = (domain: Domain): string => {
  const { found, all } = requiredFound(domain)
  return found === all ? 'All required found' : `${found} of ${all} required found`
}

/** The columns of the list. A phone shows the records below the name. */
export const domainColumns: readonly Column<Domain>[] = [
  {
    name: 'name',
    header: 'Domain',
    cell: (domain) => (
      <>
        <Link
          to="/domains/$id"
          params={{ id: domain.id }}
          data-row-link
          className={`${rowLink} block truncate font-medium`}
        >
          {domain.name}
        </Link>
        <span className="mt-0.5 block truncate text-muted md:hidden">{recordsText(domain)}</span>
      </>
    ),
  },
  {
    name: 'records',
    header: 'Records',
    from: 'md',
    className: 'w-48',
    cell: (domain) => <span className="text-muted">{recordsText(domain)}</span>,
  },
  {
    name: 'checked',
    header: 'Last check',
    from: 'sm',
    className: 'w-36',
    cell: ({ checked_at }) => (
      <span className="text-muted">{checked_at === null ? 'Not yet' : <RelativeTime at={checked_at} />}</span>
    ),
  },
  {
    name: 'status',
    header: 'Status',
    className: 'w-32 text-right',
    cell: ({ status }) => (
      <span className="-my-px block">
        <DomainBadge status={status} />
      </span>
    ),
  },
]
