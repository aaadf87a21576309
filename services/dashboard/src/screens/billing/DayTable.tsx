import { Panel } from '../../ui/Table.tsx'
import { bucketTime, count } from '../overview/figures.ts'
import { type Day, sumOf } from './days.ts'

/**
 * The numbers of the chart, the newest day first.
 * @param counted what the month counts: with the corrections of the operator, which belong to no day
 */
export const DayTable = ({ days, counted, month }: { days: readonly Day[]; counted: number; month: string }) => {
  const sum = sumOf(days)
  return (
    <Panel className="min-w-0 overflow-hidden">
      <table className="w-full table-fixed border-collapse text-small tabular-nums">
        <caption className="sr-only">Sends by day, {month}</caption>
        <thead>
          <tr className="border-b border-line text-tiny text-faint">
            <th scope="col" className="h-9 px-4 text-left font-medium">
              Day (UTC)
            </th>
            <th scope="col" className="h-9 px-3 text-right font-medium">
              Sends
            </th>
            <th scope="col" className="h-9 pr-4 pl-3 text-right font-medium">
              Month so far
            </th>
          </tr>
        </thead>
        <tbody>
          {days.toReversed().map(({ at, sends, total }) =>
            sends === null || total === null ? null : (
              <tr key={at} className="border-b border-line hover:bg-hover">
                <th scope="row" className="px-4 py-2 text-left font-normal">
                  <time dateTime={at.slice(0, 10)}>{bucketTime(at, 'day')}</time>
                </th>
                <td className="px-3 py-2 text-right">{count(sends)}</td>
                <td className="py-2 pr-4 pl-3 text-right text-muted">{count(total)}</td>
              </tr>
            ),
          )}
        </tbody>
        <tfoot>
          {counted !== sum && (
            <tr className="border-b border-line text-muted">
              <th scope="row" className="px-4 py-2 text-left font-normal">
                Corrections by the operator
              </th>
              <td className="px-3 py-2 text-right">
                {counted > sum ? '+' : '−'}
                {count(Math.abs(counted - sum))}
              </td>
              <td className="py-2 pr-4 pl-3 text-right">{count(counted)}</td>
            </tr>
          )}
          <tr className="font-semibold">
            <th scope="row" className="px-4 py-2 text-left">
              Counted
            </th>
            <td className="px-3 py-2 text-right">{count(counted)}</td>
            <td className="py-2 pr-4 pl-3" />
          </tr>
        </tfoot>
      </table>
    </Panel>
  )
}
