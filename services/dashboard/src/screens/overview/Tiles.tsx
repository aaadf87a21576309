import type { StatsGroup } from '../../api/stats.ts'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { change, count, latency, percent } from './figures.ts'
import { bounceRate, complaintRate, countOf, deliveryRate, outcomes } from './outcomes.ts'

type Tile = { label: string; value: (group: StatsGroup) => string; note: (group: StatsGroup) => string }

const delivered = ({ statuses }: StatsGroup): number => countOf(statuses, outcomes[0])

const tiles: readonly Tile[] = [
  {
    label: 'Accepted',
    value: ({ accepted }) => count(accepted),
    note: ({ statuses }) => `${count(countOf(statuses, outcomes[1]))} waiting`,
  },
  {
    label: 'Delivered',
    value: ({ statuses, accepted }) => percent(deliveryRate(statuses, accepted)),
    note: (group) => (delivered(group) === 1 ? '1 recipient' : `${count(delivered(group))} recipients`),
  },
  {
    label: 'Bounce rate',
    value: ({ statuses }) => percent(bounceRate(statuses)),
    note: ({ statuses }) => `${count(statuses.bounced)} bounced`,
  },
  {
    label: 'Complaint rate',
    value: ({ statuses }) => percent(complaintRate(statuses)),
    note: ({ statuses }) => `${count(statuses.complained)} complained`,
  },
  {
    label: 'Time to delivery',
    value: ({ delivery }) => latency(delivery.p50_ms),
    note: ({ delivery }) => `p50; p95 ${latency(delivery.p95_ms)}`,
  },
]

/**
 * The numbers of the range.
 * @param total null: it is being read
 * @param before of the period before; null: it is being read; undefined: it is not shown
 */
export const Tiles = ({ total, before }: { total: StatsGroup | null; before: StatsGroup | null | undefined }) => (
  <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-lg border border-line bg-line shadow-raised lg:grid-cols-5">
    {tiles.map(({ label, value, note }) => (
      <div key={label} className="bg-surface px-4 py-3 max-lg:last:col-span-2">
        <dt className="text-tiny text-faint">{label}</dt>
        <dd>
          <span className="block h-8 text-title leading-8 font-semibold tabular-nums">
            {total ? value(total) : <Skeleton className="h-6 w-20" />}
          </span>
          <span className="block h-5 truncate text-small text-muted tabular-nums">
            {total ? note(total) : <Skeleton className="h-3 w-16" />}
          </span>
          {before !== undefined && (
            <span className="block h-5 truncate text-tiny leading-5 text-faint tabular-nums">
              {before && total ? `Before: ${value(before)}${label === 'Accepted' ? growth(total, before) : ''}` : ''}
            </span>
          )}
        </dd>
      </div>
    ))}
  </dl>
)

const growth = (total: StatsGroup, before: StatsGroup): string => ` (${change(total.accepted, before.accepted)})`
