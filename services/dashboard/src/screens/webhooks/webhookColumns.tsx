import { Link } from '@tanstack/react-router'
import type { Webhook } from '../../api/webhooks.ts'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { type Column, rowLink } from '../../ui/Table.tsx'
import { WebhookBadge } from './StateBadge.tsx'
import { eventsText } from './webhookLabels.ts'

/** The columns of the list. A phone shows the events below the URL. */
export const webhookColumns: readonly Column<Webhook>[] = [
  {
    name: 'url',
    header: 'Endpoint',
    cell: (webhook) => (
      <>
        <Link
          to="/webhooks/$id"
          params={{ id: webhook.id }}
          data-row-link
          title={webhook.url}
          className={`${rowLink} block truncate font-medium`}
        >
          {webhook.url}
        </Link>
        {webhook.description !== '' && <span className="mt-0.5 block truncate text-muted">{webhook.description}</span>}
        <span className="mt-0.5 block truncate text-muted md:hidden">{eventsText(webhook)}</span>
      </>
    ),
  },
  {
    name: 'events',
    header: 'Events',
    from: 'md',
    className: 'w-44',
    cell: (webhook) => (
      <span className="block truncate text-muted" title={webhook.events.join('\n')}>
        {eventsText(webhook)}
      </span>
    ),
  },
  {
    name: 'made',
    header: 'Added',
    from: 'sm',
    className: 'w-36',
    cell: ({ created_at }) => <RelativeTime at={created_at} className="text-muted" />,
  },
  {
    name: 'state',
    header: 'State',
    className: 'w-28 text-right',
    cell: (webhook) => (
      <span className="-my-px block">
        <WebhookBadge webhook={webhook} />
      </span>
    ),
  },
]
