import { useNavigate } from '@tanstack/react-router'
import { Download } from 'lucide-react'
import { useMemo } from 'react'
import type { Usage } from '../../api/stats.ts'
import { Button } from '../../ui/Button.tsx'
import { useNow } from '../../ui/RelativeTime.tsx'
import { hourMs } from '../../ui/times.ts'
import { download } from '../overview/csv.ts'
import { monthText } from './billingTexts.ts'
import { DayTable } from './DayTable.tsx'
import { daysCsv, daysOf } from './days.ts'
import { UsageChart } from './UsageChart.tsx'

/** The days of the month as a chart or as a table, and as a file. */
export const Days = ({ usage, isTable }: { usage: Usage; isTable: boolean }) => {
  const navigate = useNavigate({ from: '/billing' })
  // A new chart is drawn for new numbers and new days only.
  const now = Math.floor(useNow() / hourMs) * hourMs
  const days = useMemo(() => daysOf(usage, now), [usage, now])
  const month = monthText(usage.period.start)
  return (
    <section aria-label="Sends by day" className="mt-8">
      <div className="mb-3 flex justify-end gap-2">
        <Button
          size="small"
          aria-pressed={isTable}
          onClick={() =>
            navigate({
              search: ({ view: _, ...others }) => (isTable ? others : { ...others, view: 'table' as const }),
              replace: true,
              resetScroll: false,
            })
          }
        >
          {isTable ? 'View as chart' : 'View as table'}
        </Button>
        <Button
          size="small"
          onClick={() => download(`postrider-usage-${usage.period.start.slice(0, 7)}.csv`, daysCsv(days))}
        >
          <Download aria-hidden className="size-4" />
          CSV
        </Button>
      </div>
      {isTable ? (
        <DayTable days={days} counted={usage.monthly.used} month={month} />
      ) : (
        <UsageChart days={days} dailyLimit={usage.daily.limit} month={month} />
      )}
    </section>
  )
}
