import type { EmailStats, StatsGroup } from '../../api/stats.ts'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { SkeletonRows } from '../../ui/Skeleton.tsx'
import { type Column, Panel, Table } from '../../ui/Table.tsx'
import { count, latency, percent } from './figures.ts'
import { bounceRate, countOf, deliveryRate, outcomes } from './outcomes.ts'

const number = 'text-right'
const columns: readonly Column<StatsGroup>[] = [
  {
    name: 'domain',
    header: 'Domain',
    cell: ({ group }) => (
      <span className="block truncate font-medium" title={group ?? undefined}>
        {group === 'other' ? 'Other domains' : group}
      </span>
    ),
  },
  {
    name: 'accepted',
    header: 'Accepted',
    className: `w-20 ${number}`,
    cell: ({ accepted }) => count(accepted),
  },
  {
    name: 'delivered',
    header: 'Delivered',
    className: `w-20 ${number}`,
    cell: ({ statuses, accepted }) => percent(deliveryRate(statuses, accepted)),
  },
  {
    name: 'waiting',
    header: 'Waiting',
    from: 'sm',
    className: `w-20 ${number}`,
    cell: ({ statuses }) => count(countOf(statuses, outcomes[1])),
  },
  {
    name: 'bounces',
    header: 'Bounced',
    from: 'sm',
    className: `w-20 ${number}`,
    cell: ({ statuses }) => percent(bounceRate(statuses)),
  },
  {
    name: 'p50',
    header: 'p50',
    from: 'md',
    className: `w-20 ${number}`,
    cell: ({ delivery }) => latency(delivery.p50_ms),
  },
  {
    name: 'p95',
    header: 'p95',
    from: 'md',
    className: `w-20 ${number}`,
    cell: ({ delivery }) => latency(delivery.p95_ms),
  },
]

/** The domains of recipients with most mail. */
export const Destinations = ({
  data,
  error,
  refetch,
}: {
  data: EmailStats | undefined
  error: unknown
  refetch: () => void
}) => (
  <section aria-labelledby="destinations">
    <h2 id="destinations" className="mb-2 font-semibold">
      Destinations
    </h2>
    <Panel className="min-h-32 overflow-hidden">
      {error && !data ? (
        <ErrorState error={error} onRetry={refetch} />
      ) : data ? (
        <Table
          label="Destinations"
          columns={columns}
          rows={data.totals.filter(({ accepted }) => accepted > 0)}
          rowKey={({ group }) => group ?? ''}
        />
      ) : (
        <SkeletonRows label="Reading destinations" rows={3} />
      )}
    </Panel>
  </section>
)
