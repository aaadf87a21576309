import { useMemo } from 'react'
import { Chart } from '../overview/Chart.tsx'
import { axisTime, bucketTime, count, shortCount } from '../overview/figures.ts'
import type { PlotSpec } from '../overview/plotSpec.ts'
import { linesOf } from '../overview/scale.ts'
import { type Day, sumOf } from './days.ts'

const swatch = 'bg-chart-p50'

const averageText = (average: number): string =>
  average > 0 && average < 1 ? 'less than 1' : count(Math.round(average))

/** The sends of each day of the month, with the limit of a day. */
export const UsageChart = ({
  days,
  dailyLimit,
  month,
}: {
  days: readonly Day[]
  dailyLimit: number | null
  /** Name of the month. */
  month: string
}) => {
  const max = Math.max(0, ...days.map(({ sends }) => sends ?? 0))
  const begun = days.filter(({ sends }) => sends !== null)
  const spec = useMemo(
    (): PlotSpec => ({
      times: days.map(({ at }) => axisTime(at, 'day')),
      series: [{ color: swatch, kind: 'bars', values: days.map(({ sends }) => sends) }],
      lines: linesOf(Math.max(max, dailyLimit ?? 0), { isWhole: true }),
      lineText: shortCount,
      thresholds: dailyLimit === null ? [] : [{ value: dailyLimit, color: 'bg-bad' }],
    }),
    [days, dailyLimit, max],
  )
  const total = sumOf(begun)
  const average = begun.length === 0 ? 0 : total / begun.length
  return (
    <Chart
      title="Sends by day"
      whole={month}
      spec={spec}
      height="h-56"
      timeOf={(position) => (days[position] ? bucketTime(days[position].at, 'day') : '')}
      summary={`Sends by day, ${month}: ${count(total)} in all, at most ${count(max)} on a day.`}
      hint="Days are in UTC. Today is incomplete. One send is one recipient of live mail."
      legend={(position) => [
        { label: 'Sends', swatch, value: valueAt(days, position, total) },
        { label: 'Highest day', swatch: 'hidden', value: count(max) },
        { label: 'Average day', swatch: 'hidden', value: averageText(average) },
        ...(dailyLimit === null ? [] : [{ label: 'Limit a day', swatch: 'bg-bad', value: count(dailyLimit) }]),
      ]}
    />
  )
}

const valueAt = (days: readonly Day[], position: number | null, whole: number): string => {
  const value = position === null ? whole : (days[position]?.sends ?? null)
  return value === null ? '–' : count(value)
}
