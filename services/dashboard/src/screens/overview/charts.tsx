import { reputationLimits } from '@postrider/contracts/http/values.ts'
import { useMemo } from 'react'
import type { EmailStats, StatsGroup, StatsRow } from '../../api/stats.ts'
import { Chart } from './Chart.tsx'
import { axisTime, bucketTime, count, latency, percent, shortCount } from './figures.ts'
import { bounceRate, complaintRate, countOf, outcomes } from './outcomes.ts'
import type { PlotSpec } from './plotSpec.ts'
import { linesOf, stacked } from './scale.ts'

/** `stats` and `before` null: they are being read; `before` undefined: it is not shown. */
type ChartProps = { stats: EmailStats | null; before: EmailStats | null | undefined; whole: string }

/** Returns the row at a position, or the sum over the range. */
const groupAt = (stats: EmailStats | null | undefined, position: number | null): StatsGroup | undefined =>
  position === null ? stats?.totals[0] : stats?.data[position]

const timesOf = ({ data, bucket }: EmailStats): string[] => data.map(({ at }) => axisTime(at, bucket))

const timeAt =
  (stats: EmailStats | null) =>
  (position: number): string => {
    const row = stats?.data[position]
    return stats && row ? bucketTime(row.at, stats.bucket) : ''
  }

/** Shows the outcomes of the mail of each hour or day as stacked bars; the period before is a line. */
export const VolumeChart = ({ stats, before, whole }: ChartProps) => {
  const spec = useMemo((): PlotSpec | null => {
    if (!stats) return null
    const layers = stacked(outcomes.map((outcome) => stats.data.map(({ statuses }) => countOf(statuses, outcome))))
    const earlier = before?.data.map(({ accepted }) => accepted)
    const max = Math.max(...stats.data.map(({ accepted }) => accepted), ...(earlier ?? []))
    const bars = outcomes.map(({ swatch }, layer) => ({
      color: swatch,
      kind: 'bars' as const,
      values: layers[layer] ?? [],
    }))
    return {
      times: timesOf(stats),
      // The highest bar first, so that each lower one covers its own part.
      series: [
        ...bars.reverse(),
        ...(earlier ? [{ color: 'bg-ink', kind: 'line' as const, dash: true as const, values: earlier }] : []),
      ],
      lines: linesOf(max, { isWhole: true }),
      lineText: shortCount,
      thresholds: [],
    }
  }, [stats, before])
  const total = stats?.totals[0]
  return (
    <Chart
      title="Recipients by outcome"
      whole={whole}
      spec={spec}
      height="h-60"
      timeOf={timeAt(stats)}
      summary={
        total
          ? `Recipients by outcome, ${whole}: ${outcomes.map((one) => `${one.label} ${count(countOf(total.statuses, one))}`).join(', ')}.`
          : ''
      }
      legend={(position) => {
        const group = groupAt(stats, position)
        const shown = outcomes.map((outcome) => ({
          label: outcome.label,
          swatch: outcome.swatch,
          value: group ? count(countOf(group.statuses, outcome)) : '–',
        }))
        const earlier = groupAt(before, position)
        if (before === undefined) return shown
        return [...shown, { label: 'Before', swatch: 'bg-ink', value: before ? count(earlier?.accepted ?? 0) : '–' }]
      }}
    />
  )
}

const rates = {
  bounce: { title: 'Bounce rate', rate: bounceRate, swatch: 'bg-chart-bounced', of: 'delivered or bounced recipients' },
  complaint: { title: 'Complaint rate', rate: complaintRate, swatch: 'bg-chart-failed', of: 'delivered recipients' },
} as const

/** The share of bounces or complaints, with the shares from which the service warns. */
export const RateChart = ({ metric, stats, whole }: Omit<ChartProps, 'before'> & { metric: keyof typeof rates }) => {
  const { title, rate, swatch, of } = rates[metric]
  const { warning, critical } = reputationLimits[metric]
  const spec = useMemo((): PlotSpec | null => {
    if (!stats) return null
    const values = stats.data.map(({ statuses }) => rate(statuses))
    return {
      times: timesOf(stats),
      series: [{ color: swatch, kind: 'bars', values }],
      lines: linesOf(Math.max(critical * 1.2, ...values.map((value) => value ?? 0))),
      lineText: (value) => `${value} %`,
      thresholds: [
        { value: warning, color: 'bg-warn' },
        { value: critical, color: 'bg-bad' },
      ],
    }
  }, [stats, rate, swatch, warning, critical])
  const total = stats?.totals[0]
  return (
    <Chart
      title={title}
      whole={whole}
      spec={spec}
      height="h-44"
      timeOf={timeAt(stats)}
      summary={total ? `${title}, ${whole}: ${percent(rate(total.statuses))}.` : ''}
      hint={`Of ${of}.`}
      legend={(position) => [
        { label: 'Rate', swatch, value: rateText(groupAt(stats, position), rate) },
        { label: 'Warning', swatch: 'bg-warn', value: `from ${warning} %` },
        { label: 'Critical', swatch: 'bg-bad', value: `from ${critical} %` },
      ]}
    />
  )
}

const rateText = (group: StatsGroup | undefined, rate: (counts: StatsGroup['statuses']) => number | null): string =>
  percent(group ? rate(group.statuses) : null)

const measured = (data: readonly StatsRow[]): number[] =>
  data.flatMap(({ delivery }) => [delivery.p50_ms ?? 0, delivery.p95_ms ?? 0])

/** The time from acceptance to delivery. */
export const LatencyChart = ({ stats, whole }: Omit<ChartProps, 'before'>) => {
  const spec = useMemo((): PlotSpec | null => {
    if (!stats) return null
    return {
      times: timesOf(stats),
      series: [
        { color: 'bg-chart-p95', kind: 'line', values: stats.data.map(({ delivery }) => delivery.p95_ms) },
        { color: 'bg-chart-p50', kind: 'line', values: stats.data.map(({ delivery }) => delivery.p50_ms) },
      ],
      lines: linesOf(Math.max(...measured(stats.data))),
      lineText: (value) => (value === 0 ? '0' : latency(value)),
      thresholds: [],
    }
  }, [stats])
  const total = stats?.totals[0]?.delivery
  return (
    <Chart
      title="Time to delivery"
      whole={whole}
      spec={spec}
      height="h-44"
      timeOf={timeAt(stats)}
      summary={
        total
          ? `Time to delivery, ${whole}: half of the recipients within ${latency(total.p50_ms)}, 95 % within ${latency(total.p95_ms)}.`
          : ''
      }
      hint="From acceptance, or the scheduled time, to the delivery."
      legend={(position) => {
        const delivery = groupAt(stats, position)?.delivery
        return [
          { label: 'p50', swatch: 'bg-chart-p50', value: latency(delivery?.p50_ms ?? null) },
          { label: 'p95', swatch: 'bg-chart-p95', value: latency(delivery?.p95_ms ?? null) },
          { label: 'Recipients', swatch: 'hidden', value: delivery ? count(delivery.count) : '–' },
        ]
      }}
    />
  )
}
