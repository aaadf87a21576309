import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useApi } from '../../api/ApiProvider.tsx'
import type { components } from '../../api/gen/schema.ts'
import { problemText } from '../../api/problem.ts'
import { useMay } from '../../api/session.ts'
import { type DeliveryAttempt, deliveryQuery, type Webhook } from '../../api/webhooks.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { CodeBlock } from '../../ui/CodeBlock.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { ErrorNote, ErrorState } from '../../ui/ErrorState.tsx'
import { AbsoluteTime, RelativeTime } from '../../ui/RelativeTime.tsx'
import { SkeletonRows } from '../../ui/Skeleton.tsx'
import { duration } from '../../ui/times.ts'
import { useAction } from '../../ui/useAction.ts'
import { DeliveryBadge } from './StateBadge.tsx'
import { outcomeText, reasonText } from './webhookLabels.ts'

type Detail = components['schemas']['WebhookDeliveryWithRequest']

/** One delivery: its attempts, what was posted, what the server returned, and how to send it again. */
export const DeliveryDialog = ({
  webhook,
  deliveryId,
  onClose,
}: {
  webhook: Webhook
  deliveryId: string
  onClose: () => void
}) => {
  const api = useApi()
  const { data: delivery, error, refetch } = useQuery(deliveryQuery(api, webhook.id, deliveryId))
  return (
    <Dialog open wide onClose={onClose} title={delivery?.type ?? 'Delivery'}>
      {error && !delivery ? (
        <ErrorState error={error} onRetry={refetch} />
      ) : !delivery ? (
        <SkeletonRows label="Reading the delivery" rows={6} />
      ) : (
        <DeliveryView webhook={webhook} delivery={delivery} />
      )}
    </Dialog>
  )
}

const DeliveryView = ({ webhook, delivery }: { webhook: Webhook; delivery: Detail }) => {
  const emailId = emailOf(delivery)
  return (
    <div className="flex flex-col gap-6">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5 text-small text-muted">
        <DeliveryBadge status={delivery.status} />
        {delivery.test && <Badge>Test event</Badge>}
        <AbsoluteTime at={delivery.created_at} />
        {reasonText(delivery) && <span>{reasonText(delivery)}</span>}
        {delivery.next_at !== null && (
          <span>
            Next attempt <RelativeTime at={delivery.next_at} />
          </span>
        )}
        <span className="w-full font-mono text-tiny break-all">{delivery.event_id}</span>
        <div className="mt-2 flex w-full flex-wrap gap-2">
          <Redeliver webhook={webhook} delivery={delivery} />
          {emailId && !delivery.test && (
            <Button asChild size="small">
              <Link to="/emails/$id" params={{ id: emailId }}>
                Open email
              </Link>
            </Button>
          )}
        </div>
      </div>
      <Part title="Attempts">
        <Attempts attempts={delivery.attempts} />
      </Part>
      {delivery.request && (
        <Part title="Request">
          <div className="flex flex-col gap-2">
            <CodeBlock label="request headers" code={requestHead(delivery.request)} />
            <CodeBlock label="payload" code={formattedJson(delivery.request.body)} />
          </div>
          {delivery.request.truncated && <Cut>The first 4 KiB are shown.</Cut>}
        </Part>
      )}
    </div>
  )
}

/** Returns the email of an event, as far as the stored request shows it. */
const emailOf = ({ request }: Detail): string | null => /"email_id":"(em_\w+)"/.exec(request?.body ?? '')?.[1] ?? null

const requestHead = ({ url, headers }: NonNullable<Detail['request']>): string =>
  [`POST ${url}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)].join('\n')

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section aria-label={title}>
    <h3 className="mb-2 text-small font-medium">{title}</h3>
    {children}
  </section>
)

const Cut = ({ children }: { children: ReactNode }) => <p className="mt-1.5 text-tiny text-faint">{children}</p>

/** The latest attempts, the newest first and open. */
const Attempts = ({ attempts }: { attempts: readonly DeliveryAttempt[] }) => {
  if (attempts.length === 0) return <p className="text-small text-muted">The first attempt has not ended yet.</p>
  return (
    <ol className="divide-y divide-line rounded-lg border border-line">
      {attempts.toReversed().map((attempt, index) => (
        <li key={attempt.at} className="px-3 py-2.5 text-small">
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <Badge tone={isSuccess(attempt) ? 'good' : 'bad'}>{outcomeText(attempt)}</Badge>
            <span className="text-muted">{duration(attempt.duration_ms)}</span>
            <AbsoluteTime at={attempt.at} className="ml-auto text-tiny text-faint" />
          </p>
          {attempt.status_code !== null && attempt.error && <p className="mt-1 text-muted">{attempt.error}</p>}
          <ServerResponse attempt={attempt} isOpen={index === 0} />
        </li>
      ))}
    </ol>
  )
}

const isSuccess = ({ status_code }: DeliveryAttempt): boolean =>
  status_code !== null && status_code >= 200 && status_code < 300

const ServerResponse = ({ attempt: { response }, isOpen }: { attempt: DeliveryAttempt; isOpen: boolean }) => {
  if (response === null || response.body === '') return null
  return (
    <details open={isOpen} className="mt-1.5">
      <summary className="w-fit rounded text-tiny text-muted hover:text-ink">Response of your server</summary>
      <div className="mt-1.5">
        <CodeBlock label="response" code={formattedJson(response.body)} />
      </div>
      {response.truncated && <Cut>Your server sent more.</Cut>}
    </details>
  )
}

/** Sends the event again. The dialog stays open and shows the new attempt. */
const Redeliver = ({ webhook, delivery }: { webhook: Webhook; delivery: Detail }) => {
  const api = useApi()
  const queries = useQueryClient()
  const mayWrite = useMay('admin')
  const { run, isBusy, error } = useAction()
  if (!mayWrite) return null
  const redeliver = () =>
    run(async () => {
      const path = { id: webhook.id, delivery_id: delivery.id }
      await api.post('/api/v1/webhooks/{id}/deliveries/{delivery_id}/redeliver', { path })
      await queries.invalidateQueries({ queryKey: ['webhooks'] })
    })
  return (
    <>
      <Button
        variant="solid"
        size="small"
        busy={isBusy || delivery.status === 'pending'}
        disabled={!webhook.enabled}
        title={webhook.enabled ? undefined : 'Enable the endpoint first'}
        onClick={redeliver}
      >
        {delivery.status === 'pending' ? 'In progress' : 'Send again'}
      </Button>
      {error !== null && (
        <div className="order-last w-full">
          <ErrorNote>{problemText(error)}</ErrorNote>
        </div>
      )}
    </>
  )
}

/** Returns JSON with one member a line. A text that is not JSON, such as a truncated one, is not changed. */
const formattedJson = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
