import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Plus, Webhook as WebhookIcon } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useApi } from '../../api/ApiProvider.tsx'
import { useMay } from '../../api/session.ts'
import { type WebhookWithSecret, webhookPages } from '../../api/webhooks.ts'
import { ModeBadge, useMode } from '../../app/mode.tsx'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { Page } from '../../ui/Page.tsx'
import { SkeletonRows } from '../../ui/Skeleton.tsx'
import { Panel, Table } from '../../ui/Table.tsx'
import { SecretDialog } from './SecretDialog.tsx'
import { webhookColumns } from './webhookColumns.tsx'

/** Loaded when it opens: it contains the schema of a request body. */
const WebhookDialog = lazy(() => import('./WebhookDialog.tsx').then((module) => ({ default: module.WebhookDialog })))

const route = getRouteApi('/member/webhooks')

/** The endpoints of the workspace in the mode of this tab. */
export const WebhooksScreen = () => {
  const { mode } = useMode()
  const { create } = route.useSearch()
  const navigate = route.useNavigate()
  const mayWrite = useMay('admin')
  const [made, setMade] = useState<WebhookWithSecret | null>(null)
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    webhookPages(useApi(), mode),
  )
  const webhooks = data?.pages.flatMap((page) => page.data)
  const setCreating = (isCreating: boolean) => navigate({ search: isCreating ? { create: true } : {}, replace: true })
  return (
    <Page
      title="Webhooks"
      badge={<ModeBadge />}
      intro="Each event is posted to your server within seconds, signed, and repeated until it returns 2xx."
      actions={
        mayWrite && (
          <Button variant="solid" onClick={() => setCreating(true)}>
            <Plus aria-hidden className="size-4" />
            Add endpoint
          </Button>
        )
      }
    >
      <Panel className="overflow-hidden">
        {error && !webhooks ? (
          <ErrorState error={error} onRetry={refetch} />
        ) : !webhooks ? (
          <SkeletonRows label="Reading webhooks" rows={4} />
        ) : webhooks.length === 0 ? (
          <EmptyState
            icon={WebhookIcon}
            title={`No ${mode} endpoint yet`}
            action={
              mayWrite && (
                <Button variant="solid" onClick={() => setCreating(true)}>
                  Add a {mode} endpoint
                </Button>
              )
            }
          >
            {mode === 'live'
              ? 'Add the URL of your server that accepts the events of live mail: delivered, bounced, reported as spam.'
              : 'An endpoint for test mail gets the events of mail that is sent with test keys.'}{' '}
            {!mayWrite && 'An owner or an admin of the workspace can add one.'}
          </EmptyState>
        ) : (
          <Table label="Endpoints" columns={webhookColumns} rows={webhooks} rowKey={(webhook) => webhook.id} />
        )}
      </Panel>
      {hasNextPage && (
        <div className="mt-3">
          <Button size="small" variant="quiet" busy={isFetchingNextPage} onClick={() => fetchNextPage()}>
            Show older endpoints
          </Button>
        </div>
      )}
      <Suspense>
        {create && mayWrite && (
          <WebhookDialog
            onClose={() => setCreating(false)}
            onMade={(webhook) => {
              setCreating(false)
              setMade(webhook)
            }}
          />
        )}
      </Suspense>
      {made && (
        <SecretDialog
          webhook={made}
          title="Endpoint added"
          onClose={() => navigate({ to: '/webhooks/$id', params: { id: made.id } })}
        />
      )}
    </Page>
  )
}
