import type { Plan } from '../../api/billing.ts'
import type { Usage } from '../../api/stats.ts'
import { classes } from '../../ui/classes.ts'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { count, percent } from '../overview/figures.ts'
import { monthText } from './billingTexts.ts'
import { maxSends } from './forecast.ts'
import { Section } from './Section.tsx'

/** Shows the used and remaining sends of the month and the day, and when they end. */
export const UsagePanel = ({ usage, plan }: { usage: Usage; plan: Plan }) => (
  <Section id="usage" title="Live sends" note={`${monthText(usage.period.start)}, UTC`}>
    <div className="flex flex-col gap-5">
      <Meter
        label="This month"
        used={usage.monthly.used}
        limit={usage.monthly.limit}
        max={maxSends(usage, plan)}
        resetsAt={usage.period.end}
      />
      <Meter
        label="Today"
        used={usage.daily.used}
        limit={usage.daily.limit}
        max={usage.daily.limit}
        resetsAt={usage.daily.resets_at}
      />
    </div>
  </Section>
)

/** @param max sends past which more are refused; null: they never are */
const Meter = ({
  label,
  used,
  limit,
  max,
  resetsAt,
}: {
  label: string
  used: number
  limit: number | null
  max: number | null
  resetsAt: string
}) => (
  <div className="text-small">
    <p className="flex flex-wrap items-baseline justify-between gap-x-3">
      <span>{label}</span>
      <span className="text-muted tabular-nums">
        <span className="text-title font-semibold text-ink">{count(used)}</span>
        {limit !== null && ` of ${count(limit)}`}
      </span>
    </p>
    {limit !== null && <Bar used={used} limit={limit} max={max} />}
    <p className="mt-1.5 flex flex-wrap justify-between gap-x-3 text-tiny text-faint tabular-nums">
      <span>{leftText(used, limit)}</span>
      <span>
        Resets <RelativeTime at={resetsAt} />
      </span>
    </p>
  </div>
)

const leftText = (used: number, limit: number | null): string => {
  if (limit === null) return 'No limit'
  if (used > limit) return `${count(used - limit)} beyond the plan`
  return `${count(limit - used)} left${limit === 0 ? '' : `, ${percent((100 * used) / limit)} used`}`
}

/** What is used of the limit. Where sends are accepted beyond it, these follow in another color after a gap. */
const Bar = ({ used, limit, max }: { used: number; limit: number; max: number | null }) => {
  const isRefusing = max !== null && used >= max
  const isNear = max === limit && used >= limit * 0.8
  const whole = Math.max(limit, used, 1)
  // Sends beyond the limit have a color of their own.
  const tone = used > limit ? 'bg-accent' : isRefusing ? 'bg-bad' : isNear ? 'bg-warn' : 'bg-accent'
  return (
    <div aria-hidden className="mt-2 flex h-2 gap-0.5 overflow-hidden rounded-full bg-hover">
      <div className={tone} style={{ width: `${(100 * Math.min(used, limit)) / whole}%` }} />
      {used > limit && <div className={classes('flex-1', isRefusing ? 'bg-bad' : 'bg-warn')} />}
    </div>
  )
}
