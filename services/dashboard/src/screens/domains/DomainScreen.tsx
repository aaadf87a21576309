import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { ChevronLeft, RefreshCw } from 'lucide-react'
import { useApi } from '../../api/ApiProvider.tsx'
import { type Domain, domainQuery } from '../../api/domains.ts'
import { useMay } from '../../api/session.ts'
import { Button } from '../../ui/Button.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { Page } from '../../ui/Page.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { Skeleton, SkeletonRows } from '../../ui/Skeleton.tsx'
import { Panel } from '../../ui/Table.tsx'
import { DomainActions } from './DomainActions.tsx'
import { DomainBadge } from './DomainBadge.tsx'
import { DomainFacts } from './DomainFacts.tsx'
import { DomainRecords } from './DomainRecords.tsx'
import { domainLabels, requiredFound } from './domainLabels.ts'
import { useCheckNow } from './useCheckNow.ts'

const route = getRouteApi('/member/domains/$id')

/** One domain: the records to set, their state, and how to correct them. */
export const DomainScreen = () => {
  const { id } = route.useParams()
  const { data: domain, error, refetch } = useQuery(domainQuery(useApi(), id))
  if (domain) return <DomainView domain={domain} />
  return (
    <Page title="Domain" heading={<Skeleton className="h-7 w-56 max-w-full" />} back={<Back />}>
      {error ? (
        <ErrorState error={error} onRetry={refetch} />
      ) : (
        <Panel>
          <SkeletonRows label="Reading the domain" rows={8} />
        </Panel>
      )}
    </Page>
  )
}

const Back = () => (
  <Link to="/domains" className="inline-flex items-center gap-1 text-muted hover:text-ink">
    <ChevronLeft aria-hidden className="size-4" />
    Domains
  </Link>
)

const DomainView = ({ domain }: { domain: Domain }) => {
  const mayWrite = useMay('admin')
  const { isChecking, check } = useCheckNow(domain)
  return (
    <Page
      title={domain.name}
      back={<Back />}
      intro={
        <span className="flex flex-wrap items-center gap-2 pt-1">
          <DomainBadge status={domain.status} />
          <span>
            {domain.checked_at === null ? (
              'Not checked yet'
            ) : (
              <>
                Checked <RelativeTime at={domain.checked_at} />
              </>
            )}
          </span>
        </span>
      }
      actions={
        mayWrite && (
          <>
            <Button onClick={check} busy={isChecking}>
              {!isChecking && <RefreshCw aria-hidden className="size-4" />}
              {isChecking ? 'Checking DNS…' : 'Check now'}
            </Button>
            <DomainActions domain={domain} />
          </>
        )
      }
    >
      <div className="grid gap-8 lg:grid-cols-[minmax(0,1fr)_17rem]">
        <div className="flex min-w-0 flex-col gap-6">
          <Progress domain={domain} isChecking={isChecking} />
          <DomainRecords domain={domain} isChecking={isChecking} />
        </div>
        <DomainFacts domain={domain} mayWrite={mayWrite} />
      </div>
    </Page>
  )
}

/** How many of the required records were found, and what that means. */
const Progress = ({ domain, isChecking }: { domain: Domain; isChecking: boolean }) => {
  const { found, all } = requiredFound(domain)
  const percent = all === 0 ? 100 : Math.round((found / all) * 100)
  return (
    <Panel className="px-4 py-4 sm:px-5">
      <div className="flex items-baseline justify-between gap-4">
        <h2 className="font-medium">
          {found === all ? 'All required records were found' : `${found} of ${all} required records found`}
        </h2>
        <span className="text-small text-muted" role="status">
          {isChecking ? 'Asking the name servers…' : ''}
        </span>
      </div>
      <div
        role="progressbar"
        aria-label="Required records that were found"
        aria-valuemin={0}
        aria-valuemax={all}
        aria-valuenow={found}
        className="my-2.5 h-1.5 overflow-hidden rounded-full bg-hover"
      >
        <div
          className={`h-full rounded-full transition-[width] ${found === all ? 'bg-good' : 'bg-info'}`}
          style={{ width: `${percent}%` }}
        />
      </div>
      <p className="text-small text-muted">{domainLabels[domain.status]?.text}</p>
    </Panel>
  )
}
