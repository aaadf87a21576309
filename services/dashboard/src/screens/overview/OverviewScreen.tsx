import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { ChartColumn, Download, Send } from 'lucide-react'
import { useApi } from '../../api/ApiProvider.tsx'
import { type EmailStats, statsQuery } from '../../api/stats.ts'
import { ModeBadge, useMode } from '../../app/mode.tsx'
import { Button } from '../../ui/Button.tsx'
import { classes } from '../../ui/classes.ts'
import { Checkbox } from '../../ui/controls.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { Page } from '../../ui/Page.tsx'
import { ShortTime, useNow } from '../../ui/RelativeTime.tsx'
import { SkeletonRows } from '../../ui/Skeleton.tsx'
import { Panel } from '../../ui/Table.tsx'
import { Attention, AttentionLink, Quotas, SharedSender } from './Aside.tsx'
import { BucketTable } from './BucketTable.tsx'
import { LatencyChart, RateChart, VolumeChart } from './charts.tsx'
import { csvOf, download } from './csv.ts'
import { Destinations } from './Destinations.tsx'
import { type OverviewSearch, periodBefore, periodOf, rangeNames, ranges, usualRange } from './range.ts'
import { Tiles } from './Tiles.tsx'
import { useAfterFrame } from './useAfterFrame.ts'
import { useAttention } from './useAttention.ts'

const route = getRouteApi('/member/overview')

/** Shows volume and outcomes over time, rates, latency, destinations, quotas, and what needs attention. */
export const OverviewScreen = () => {
  const api = useApi()
  const search = route.useSearch()
  const { mode } = useMode()
  const { range = usualRange, compare = false, view = 'charts' } = search
  const period = periodOf(range, useNow())
  const { data: stats, error, refetch } = useQuery(statsQuery(api, mode, period, 'status'))
  const { data: earlier } = useQuery({
    ...statsQuery(api, mode, periodBefore(period), 'status'),
    enabled: compare,
  })
  const destinations = useQuery(statsQuery(api, mode, period, 'destination'))
  const { items, error: attentionError } = useAttention()
  // The charts below the first one are drawn in the frames that follow.
  const below = useAfterFrame(stats !== undefined) ? (stats ?? null) : null
  const before = compare ? (earlier ?? null) : undefined
  const whole = ranges[range].text
  const total = stats?.totals[0]
  // What is below a part of unknown height is shown when that is known, so that it does not move.
  const isCharts = view === 'charts'
  const isAsideKnown = stats && (destinations.data || destinations.error)
  return (
    <Page
      title="Overview"
      badge={<ModeBadge />}
      intro="What became of the mail that was accepted in this time, by recipient."
      actions={
        <>
          <AttentionLink count={items?.length ?? 0} />
          <RangeChoice search={search} />
        </>
      }
    >
      {error && !stats ? (
        <ErrorState error={error} onRetry={refetch} />
      ) : (
        <>
          <Tiles total={total ?? null} before={compare ? (earlier?.totals[0] ?? null) : undefined} />
          <div className="mt-4 grid grid-cols-1 items-start gap-4 lg:grid-cols-[minmax(0,1fr)_18rem]">
            <div className="flex min-w-0 flex-col gap-4">
              <Toolbar search={search} stats={stats} name={`postrider-${mode}-${range}.csv`} />
              {total?.accepted === 0 && isCharts ? (
                <NoMail search={search} />
              ) : !isCharts ? (
                stats ? (
                  <BucketTable stats={stats} whole={whole} />
                ) : (
                  <Panel>
                    <SkeletonRows label="Reading the numbers" rows={12} />
                  </Panel>
                )
              ) : (
                <>
                  <VolumeChart stats={stats ?? null} before={before} whole={whole} />
                  <div className="grid grid-cols-1 gap-4 md:grid-cols-2">
                    <RateChart metric="bounce" stats={below} whole={whole} />
                    <RateChart metric="complaint" stats={below} whole={whole} />
                  </div>
                  <LatencyChart stats={below} whole={whole} />
                </>
              )}
              {total?.accepted !== 0 && (isCharts || stats) && <Destinations {...destinations} />}
            </div>
            <aside
              aria-label="Workspace"
              className={classes('flex min-w-0 flex-col gap-4', !isAsideKnown && 'max-lg:hidden')}
            >
              <Quotas />
              <SharedSender />
              {/* The last one, because it grows when something happens. */}
              <Attention items={items} error={attentionError} />
            </aside>
          </div>
        </>
      )}
    </Page>
  )
}

const segment =
  'flex h-8 items-center rounded-md px-2.5 text-small font-medium text-muted transition-colors hover:text-ink max-sm:h-10 max-sm:px-3.5 aria-[current]:bg-chosen aria-[current]:text-ink aria-[current]:shadow-raised'

const RangeChoice = ({ search }: { search: OverviewSearch }) => (
  <nav aria-label="Time" className="flex rounded-lg bg-well p-0.5">
    {rangeNames.map((name) => (
      <Link
        key={name}
        from="/overview"
        to="/overview"
        search={{ ...search, range: name }}
        replace
        resetScroll={false}
        aria-current={name === (search.range ?? usualRange) ? 'true' : undefined}
        className={segment}
      >
        {ranges[name].label}
      </Link>
    ))}
  </nav>
)

const Toolbar = ({ search, stats, name }: { search: OverviewSearch; stats: EmailStats | undefined; name: string }) => {
  const navigate = route.useNavigate()
  const isTable = search.view === 'table'
  const { view: _, ...withoutView } = search
  const { compare: __, ...withoutCompare } = search
  const show = (next: OverviewSearch) => navigate({ search: next, replace: true, resetScroll: false })
  return (
    <div className="flex min-h-10 flex-wrap items-center gap-x-4 gap-y-2 text-small">
      <p className="min-h-4 min-w-48 flex-1 text-tiny text-faint max-sm:min-h-8">
        {stats && (
          <>
            Complete until <ShortTime at={stats.complete_until} />.{' '}
            {stats.bucket === 'day' ? 'Days are in UTC. Today is incomplete.' : 'The present hour is incomplete.'}
          </>
        )}
      </p>
      <Checkbox
        checked={search.compare === true}
        onChange={(event) => show(event.target.checked ? { ...search, compare: true } : withoutCompare)}
      >
        Compare with the period before
      </Checkbox>
      <div className="flex gap-2">
        <Button
          size="small"
          aria-pressed={isTable}
          onClick={() => show(isTable ? withoutView : { ...search, view: 'table' })}
        >
          {isTable ? 'View as charts' : 'View as table'}
        </Button>
        <Button size="small" disabled={!stats} onClick={() => stats && download(name, csvOf(stats))}>
          <Download aria-hidden className="size-4" />
          CSV
        </Button>
      </div>
    </div>
  )
}

/** What is shown of a time without mail. */
const NoMail = ({ search }: { search: OverviewSearch }) => {
  const { mode } = useMode()
  const { range = usualRange } = search
  const isLongest = range === '90d'
  return (
    <Panel>
      <EmptyState
        icon={isLongest ? Send : ChartColumn}
        title={`No ${mode} mail in ${ranges[range].text}`}
        action={
          isLongest ? (
            <Button asChild variant="solid">
              <Link to="/getting-started">Send the first email</Link>
            </Button>
          ) : (
            <Button asChild>
              <Link to="/overview" search={{ ...search, range: '90d' }} replace>
                Show 90 days
              </Link>
            </Button>
          )
        }
      >
        Charts of volume, rates and times to delivery appear here with the first mail.
      </EmptyState>
    </Panel>
  )
}
