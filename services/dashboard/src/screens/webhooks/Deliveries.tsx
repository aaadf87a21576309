import { deliveryStatuses } from '@postrider/contracts/http/values.ts'
import { getRouteApi, Link } from '@tanstack/react-router'
import { SearchX, Send } from 'lucide-react'
import { useApi } from '../../api/ApiProvider.tsx'
import { type Delivery, deliveriesKey, readDeliveries, type Webhook } from '../../api/webhooks.ts'
import { ListEnd, NewRowsButton } from '../../app/liveListParts.tsx'
import { present } from '../../app/search.ts'
import { fallbackMs, useLiveList } from '../../app/useLiveList.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Select } from '../../ui/controls.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { Field } from '../../ui/Field.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { SkeletonRows } from '../../ui/Skeleton.tsx'
import { type Column, Panel, rowLink, Table } from '../../ui/Table.tsx'
import { DeliveryDialog } from './DeliveryDialog.tsx'
import { DeliveryBadge } from './StateBadge.tsx'
import { deliveryLabels, outcomeText } from './webhookLabels.ts'

const route = getRouteApi('/member/webhooks/$id')

/** How often deliveries are read again while one has not ended. */
const pendingMs = 3_000

/** Shows the deliveries to an endpoint, newest first. The status of a delivery changes in place. */
export const Deliveries = ({ webhook }: { webhook: Webhook }) => {
  const { status, delivery } = route.useSearch()
  const navigate = route.useNavigate()
  const list = useLiveList({
    key: deliveriesKey(webhook.id, status),
    read: readDeliveries(useApi(), webhook.id, status),
    timeOf: (one) => one.created_at,
    // Events show new deliveries, not what becomes of them.
    everyMs: (newest) => (newest.some((one) => one.status === 'pending') ? pendingMs : fallbackMs),
  })
  const close = () =>
    navigate({ search: (before) => present({ ...before, delivery: undefined }), replace: true, resetScroll: false })
  return (
    <section aria-label="Deliveries">
      <div className="mb-3 flex min-h-9 flex-wrap items-center gap-3">
        <h2 className="font-semibold">Deliveries</h2>
        <Field label="Status" hideLabel className="ml-auto w-40">
          <Select
            value={status ?? ''}
            onChange={(event) =>
              navigate({
                search: present({ status: deliveryStatuses.find((known) => known === event.target.value) }),
                replace: true,
                resetScroll: false,
              })
            }
          >
            <option value="">Any status</option>
            {deliveryStatuses.map((known) => (
              <option key={known} value={known}>
                {deliveryLabels[known].label}
              </option>
            ))}
          </Select>
        </Field>
      </div>
      <NewRowsButton list={list} one="delivery" many="deliveries" />
      <Panel className="overflow-hidden">
        {list.error !== null && list.items.length === 0 ? (
          <ErrorState error={list.error} onRetry={list.retry} />
        ) : list.isReading && list.items.length === 0 ? (
          <SkeletonRows label="Reading deliveries" rows={6} />
        ) : list.items.length === 0 ? (
          <NoDeliveries isFiltered={status !== undefined} />
        ) : (
          <Table label="Deliveries" columns={columns} rows={list.items} rowKey={(one) => one.id} />
        )}
      </Panel>
      {list.items.length > 0 && <ListEnd list={list} many="deliveries" />}
      {delivery !== undefined && <DeliveryDialog webhook={webhook} deliveryId={delivery} onClose={close} />}
    </section>
  )
}

const NoDeliveries = ({ isFiltered }: { isFiltered: boolean }) =>
  isFiltered ? (
    <EmptyState icon={SearchX} title="No delivery with this status">
      Choose another status.
    </EmptyState>
  ) : (
    <EmptyState icon={Send} title="Nothing was sent yet">
      Send a test event, or send an email: each of its events appears here with the response of your server.
    </EmptyState>
  )

const responseText = ({ attempts }: Delivery): string => {
  const last = attempts.at(-1)
  if (!last) return '–'
  return attempts.length === 1 ? outcomeText(last) : `${outcomeText(last)}, attempt ${attempts.length}`
}

const columns: readonly Column<Delivery>[] = [
  {
    name: 'event',
    header: 'Event',
    cell: (delivery) => (
      <>
        <span className="flex items-center gap-2">
          <Link
            to="."
            search={(before) => ({ ...before, delivery: delivery.id })}
            resetScroll={false}
            data-row-link
            className={`${rowLink} truncate font-medium`}
          >
            {delivery.type}
          </Link>
          {delivery.test && <Badge>Test event</Badge>}
        </span>
        <span className="mt-1.5 flex items-center justify-between gap-3 sm:hidden">
          <DeliveryBadge status={delivery.status} />
          <span className="min-w-0 truncate text-tiny text-faint">{responseText(delivery)}</span>
          <RelativeTime at={delivery.created_at} className="shrink-0 text-tiny text-faint" />
        </span>
      </>
    ),
  },
  {
    name: 'response',
    header: 'Last response',
    from: 'sm',
    className: 'w-44',
    cell: (delivery) => (
      <span className="block truncate text-muted" title={responseText(delivery)}>
        {responseText(delivery)}
      </span>
    ),
  },
  {
    name: 'status',
    header: 'Status',
    from: 'sm',
    className: 'w-28',
    cell: ({ status }) => (
      <span className="-my-px block">
        <DeliveryBadge status={status} />
      </span>
    ),
  },
  {
    name: 'at',
    header: 'Time',
    from: 'sm',
    className: 'w-36 text-right',
    cell: ({ created_at }) => <RelativeTime at={created_at} className="whitespace-nowrap text-faint" />,
  },
]
