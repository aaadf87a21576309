import { useQuery } from '@tanstack/react-query'
import { useApi } from '../../api/ApiProvider.tsx'
import { type PlatformDomain, platformDomainQuery } from '../../api/operator.ts'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { Page } from '../../ui/Page.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { SkeletonRows } from '../../ui/Skeleton.tsx'
import { Panel } from '../../ui/Table.tsx'
import { DomainBadge } from '../domains/DomainBadge.tsx'
import { DomainRecords } from '../domains/DomainRecords.tsx'

/** The domain of the shared sender, with the DNS records that it needs. */
export const SenderDomainScreen = () => {
  const { data: domain, error, refetch } = useQuery(platformDomainQuery(useApi()))
  return (
    <Page
      title="Sender domain"
      width="read"
      intro={
        domain ? (
          <Intro domain={domain} />
        ) : (
          'The domain of the shared sender, which workspaces without their own domain use.'
        )
      }
      badge={domain && <DomainBadge status={domain.status} />}
    >
      {domain ? (
        <div className="flex flex-col gap-6">
          <DomainRecords domain={domain} isChecking={false} />
        </div>
      ) : error ? (
        <ErrorState error={error} onRetry={refetch} />
      ) : (
        <Panel>
          <SkeletonRows label="Reading the domain" rows={8} />
        </Panel>
      )}
    </Page>
  )
}

const Intro = ({ domain: { name, checked_at } }: { domain: PlatformDomain }) => (
  <>
    Workspaces without a domain of their own send from <span className="font-medium text-ink">{name}</span>. Its mail is
    signed from the first start on.{' '}
    {checked_at === null ? (
      'Its records were not checked yet.'
    ) : (
      <>
        Its records were checked <RelativeTime at={checked_at} />.
      </>
    )}
  </>
)
