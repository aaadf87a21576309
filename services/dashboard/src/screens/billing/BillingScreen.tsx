import { usePrefetchInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useApi } from '../../api/ApiProvider.tsx'
import { invoicePages, plansQuery, subscriptionQuery } from '../../api/billing.ts'
import { useMay } from '../../api/session.ts'
import { usageQuery } from '../../api/stats.ts'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { Page } from '../../ui/Page.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { Panel } from '../../ui/Table.tsx'
import { Days } from './Days.tsx'
import { Invoices } from './Invoices.tsx'
import { Notices } from './Notices.tsx'
import { OveragePanel } from './OveragePanel.tsx'
import { PlanPanel } from './PlanPanel.tsx'
import { UsagePanel } from './UsagePanel.tsx'

/** Loaded when they are opened: the screen needs no forms. */
const PlanDialog = lazy(async () => ({ default: (await import('./PlanDialog.tsx')).PlanDialog }))
const CapDialog = lazy(async () => ({ default: (await import('./CapDialog.tsx')).CapDialog }))

const route = getRouteApi('/member/billing')

/** The plan, what is used of it, what sends beyond it cost, and the invoices. */
export const BillingScreen = () => {
  const api = useApi()
  const { view, plan: target, cap } = route.useSearch()
  const navigate = route.useNavigate()
  const mayChange = useMay('owner')
  const usage = useQuery(usageQuery(api))
  const plans = useQuery(plansQuery(api))
  const subscription = useQuery(subscriptionQuery(api))
  usePrefetchInfiniteQuery(invoicePages(api))
  const reads = [usage, plans, subscription]
  const failed = reads.find(({ error, data }) => error && !data)
  const plan = plans.data?.find(({ id }) => id === usage.data?.plan)
  const known =
    usage.data && plans.data && subscription.data && plan
      ? { usage: usage.data, plans: plans.data, subscription: subscription.data, plan }
      : null
  const close = () => navigate({ search: view ? { view } : {}, replace: true, resetScroll: false })
  return (
    <Page title="Billing" intro="Usage, costs and invoices of this workspace, in US dollars.">
      {failed ? (
        <ErrorState
          error={failed.error}
          onRetry={() => {
            for (const read of reads) read.refetch()
          }}
        />
      ) : known ? (
        <>
          <Notices {...known} />
          <div className={columns}>
            <PlanPanel {...known} />
            <UsagePanel {...known} />
            <OveragePanel {...known} />
          </div>
          <Days usage={known.usage} isTable={view === 'table'} />
          <Invoices />
        </>
      ) : (
        <div className={columns}>
          <PanelSkeletons />
        </div>
      )}
      <Suspense>
        {known && mayChange && target && <PlanDialog target={target} current={known.plan} {...known} onClose={close} />}
        {known && mayChange && cap && <CapDialog usage={known.usage} plan={known.plan} onClose={close} />}
      </Suspense>
    </Page>
  )
}

const columns = 'grid grid-cols-1 gap-4 md:grid-cols-2 lg:grid-cols-3'

const panels = ['plan', 'usage', 'overage'] as const

const PanelSkeletons = () =>
  panels.map((panel) => (
    <Panel key={panel} className="flex h-64 flex-col gap-4 p-4">
      <Skeleton className="h-6 w-1/3" />
      <Skeleton className="h-4" />
      <Skeleton className="h-4 w-2/3" />
      <Skeleton className="h-4 w-3/4" />
    </Panel>
  ))
