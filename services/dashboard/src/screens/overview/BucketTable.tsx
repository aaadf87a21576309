import type { EmailStats, StatsGroup } from '../../api/stats.ts'
import { Panel } from '../../ui/Table.tsx'
import { bucketTime, count, latency, percent } from './figures.ts'
import { bounceRate, complaintRate, countOf, outcomes } from './outcomes.ts'

const columns: readonly { header: string; cell: (group: StatsGroup) => string }[] = [
  { header: 'Accepted', cell: ({ accepted }) => count(accepted) },
  ...outcomes.map((outcome) => ({
    header: outcome.label,
    cell: ({ statuses }: StatsGroup) => count(countOf(statuses, outcome)),
  })),
  { header: 'Complained', cell: ({ statuses }) => count(statuses.complained) },
  { header: 'Bounce rate', cell: ({ statuses }) => percent(bounceRate(statuses)) },
  { header: 'Complaint rate', cell: ({ statuses }) => percent(complaintRate(statuses)) },
  { header: 'p50', cell: ({ delivery }) => latency(delivery.p50_ms) },
  { header: 'p95', cell: ({ delivery }) => latency(delivery.p95_ms) },
]

const Cells = ({ group }: { group: StatsGroup }) =>
  columns.map(({ header, cell }) => (
    <td key={header} className="px-3 py-2 text-right whitespace-nowrap last:pr-4">
      {cell(group)}
    </td>
  ))

/** The numbers of all charts, the newest hour or day first. */
export const BucketTable = ({ stats, whole }: { stats: EmailStats; whole: string }) => {
  const total = stats.totals[0]
  return (
    <Panel className="min-w-0">
      {/* A region that scrolls is reached by the keyboard. */}
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
        tabIndex={0}
        aria-label="Numbers of the charts"
        className="overflow-x-auto rounded-lg focus-visible:-outline-offset-2"
      >
        <table className="w-full border-collapse text-small tabular-nums">
          <caption className="sr-only">Recipients by the time of acceptance, {whole}</caption>
          <thead>
            <tr className="border-b border-line text-tiny text-faint">
              <th scope="col" className="h-9 px-4 text-left font-medium whitespace-nowrap">
                {stats.bucket === 'hour' ? 'Hour' : 'Day (UTC)'}
              </th>
              {columns.map(({ header }) => (
                <th key={header} scope="col" className="h-9 px-3 text-right font-medium whitespace-nowrap last:pr-4">
                  {header}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {stats.data.toReversed().map((row) => (
              <tr key={row.at} className="border-b border-line hover:bg-hover">
                <th scope="row" className="px-4 py-2 text-left font-normal whitespace-nowrap">
                  <time dateTime={row.at}>{bucketTime(row.at, stats.bucket)}</time>
                </th>
                <Cells group={row} />
              </tr>
            ))}
          </tbody>
          {total && (
            <tfoot>
              <tr className="font-semibold">
                <th scope="row" className="px-4 py-2 text-left">
                  Total
                </th>
                <Cells group={total} />
              </tr>
            </tfoot>
          )}
        </table>
      </section>
    </Panel>
  )
}
