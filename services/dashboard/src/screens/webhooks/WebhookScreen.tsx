import { disableAfterHours } from '@postrider/contracts/http/values.ts'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { ChevronLeft } from 'lucide-react'
import { useApi } from '../../api/ApiProvider.tsx'
import { type Webhook, webhookQuery } from '../../api/webhooks.ts'
import { Badge } from '../../ui/Badge.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { Page } from '../../ui/Page.tsx'
import { AbsoluteTime, RelativeTime } from '../../ui/RelativeTime.tsx'
import { Skeleton, SkeletonRows } from '../../ui/Skeleton.tsx'
import { Panel } from '../../ui/Table.tsx'
import { Deliveries } from './Deliveries.tsx'
import { ReplayProgress } from './ReplayProgress.tsx'
import { WebhookBadge } from './StateBadge.tsx'
import { WebhookActions } from './WebhookActions.tsx'
import { WebhookFacts } from './WebhookFacts.tsx'
import { disabledText } from './webhookLabels.ts'

const route = getRouteApi('/member/webhooks/$id')

/** One endpoint: its state, what was sent to it, and its responses. */
export const WebhookScreen = () => {
  const { id } = route.useParams()
  const { data: webhook, error, refetch } = useQuery(webhookQuery(useApi(), id))
  if (webhook) return <WebhookView webhook={webhook} />
  return (
    <Page title="Webhook" heading={<Skeleton className="h-7 w-80 max-w-full" />} back={<Back />}>
      {error ? (
        <ErrorState error={error} onRetry={refetch} />
      ) : (
        <Panel>
          <SkeletonRows label="Reading the endpoint" rows={6} />
        </Panel>
      )}
    </Page>
  )
}

const Back = () => (
  <Link to="/webhooks" className="inline-flex items-center gap-1 text-muted hover:text-ink">
    <ChevronLeft aria-hidden className="size-4" />
    Webhooks
  </Link>
)

const WebhookView = ({ webhook }: { webhook: Webhook }) => (
  <Page
    title={webhook.description || webhook.url}
    heading={<span className="break-all">{webhook.url}</span>}
    back={<Back />}
    intro={
      <span className="flex flex-wrap items-center gap-2 pt-1">
        <WebhookBadge webhook={webhook} />
        {webhook.mode === 'test' && <Badge tone="warn">Test</Badge>}
        {webhook.description !== '' && <span>{webhook.description}</span>}
      </span>
    }
    actions={<WebhookActions webhook={webhook} />}
  >
    <div className="grid gap-8 lg:grid-cols-[minmax(0,1fr)_17rem]">
      <div className="flex min-w-0 flex-col gap-4">
        <WebhookNotice webhook={webhook} />
        <ReplayProgress webhook={webhook} />
        <Deliveries webhook={webhook} />
      </div>
      <WebhookFacts webhook={webhook} />
    </div>
  </Page>
)

/** Shows what needs attention: the endpoint is disabled, fails, or has a second secret for a while. */
const WebhookNotice = ({ webhook }: { webhook: Webhook }) => {
  const { enabled, disabled_reason, failing_since, former_secret_expires_at } = webhook
  return (
    <>
      {!enabled && (
        <p className="rounded-md bg-idle-tint px-3 py-2 text-small text-idle">
          <span className="font-medium">Disabled.</span> {disabledText[disabled_reason ?? 'request']}
        </p>
      )}
      {enabled && failing_since !== null && (
        <p className="rounded-md bg-bad-tint px-3 py-2 text-small text-bad">
          <span className="font-medium">Failing.</span> No attempt succeeded since{' '}
          <RelativeTime at={failing_since} className="font-medium" />. Open a failed delivery to see what your server
          responded. After {disableAfterHours} hours of failures the endpoint is disabled.
        </p>
      )}
      {former_secret_expires_at !== null && (
        <p className="rounded-md bg-info-tint px-3 py-2 text-small text-info">
          The former secret also signs until <AbsoluteTime at={former_secret_expires_at} />. Replace it in your server
          before.
        </p>
      )}
    </>
  )
}
