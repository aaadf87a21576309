import type { Queues } from '../../api/operator.ts'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { sizeText } from '../../ui/sizes.ts'
import type { Column } from '../../ui/Table.tsx'
import { count } from '../overview/figures.ts'
import { laneName } from './queuesTexts.ts'

const number = 'text-right'

/** The columns of the lanes. A phone shows the others below the name. */
export const laneColumns: readonly Column<Queues['lanes'][number]>[] = [
  {
    name: 'lane',
    header: 'Lane',
    cell: ({ lane, oldest_due_at, scheduled, test, bytes }) => (
      <>
        <span className="block truncate font-medium">{laneName(lane)}</span>
        <span className="mt-0.5 block text-muted md:hidden">
          {oldest_due_at === null ? (
            'None is due'
          ) : (
            <>
              Oldest due <RelativeTime at={oldest_due_at} />
            </>
          )}
        </span>
        <span className="block text-muted md:hidden">{sizeText(bytes)}</span>
        <span className="block text-muted md:hidden">
          {count(scheduled)} scheduled, {count(test)} test
        </span>
      </>
    ),
  },
  { name: 'waiting', header: 'Waiting', className: `w-20 ${number}`, cell: ({ waiting }) => count(waiting) },
  { name: 'due', header: 'Due', className: `w-20 max-md:pr-4 ${number}`, cell: ({ due }) => count(due) },
  {
    name: 'oldest',
    header: 'Oldest due',
    from: 'md',
    className: `w-32 ${number}`,
    cell: ({ oldest_due_at }) => (
      <span className="text-muted">{oldest_due_at === null ? '–' : <RelativeTime at={oldest_due_at} />}</span>
    ),
  },
  {
    name: 'scheduled',
    header: 'Scheduled',
    from: 'md',
    className: `w-26 ${number}`,
    cell: ({ scheduled }) => count(scheduled),
  },
  { name: 'test', header: 'Test', from: 'md', className: `w-22 ${number}`, cell: ({ test }) => count(test) },
  {
    name: 'bytes',
    header: 'Size',
    from: 'md',
    className: `w-28 ${number}`,
    cell: ({ bytes }) => <span className="text-muted">{sizeText(bytes)}</span>,
  },
]

/** The columns of the destinations. A phone shows the others below the domain. */
export const destinationColumns: readonly Column<Queues['destinations'][number]>[] = [
  {
    name: 'domain',
    header: 'Domain',
    cell: ({ domain, due, deferred, next_at }) => (
      <>
        <span className="block truncate font-medium" title={domain}>
          {domain}
        </span>
        <span className="mt-0.5 block text-muted md:hidden">
          {count(due)} due, {count(deferred)} deferred
        </span>
        <span className="block text-muted md:hidden">
          First due <RelativeTime at={next_at} />
        </span>
      </>
    ),
  },
  {
    name: 'recipients',
    header: 'Recipients',
    className: `w-24 max-md:pr-4 ${number}`,
    cell: ({ recipients }) => count(recipients),
  },
  { name: 'due', header: 'Due', from: 'md', className: `w-22 ${number}`, cell: ({ due }) => count(due) },
  {
    name: 'deferred',
    header: 'Deferred',
    from: 'md',
    className: `w-26 ${number}`,
    cell: ({ deferred }) => count(deferred),
  },
  {
    name: 'next',
    header: 'First due',
    from: 'md',
    className: `w-36 ${number}`,
    cell: ({ next_at }) => <RelativeTime at={next_at} className="text-muted" />,
  },
]
