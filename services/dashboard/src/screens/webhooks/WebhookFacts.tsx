import type { ReactNode } from 'react'
import type { Webhook } from '../../api/webhooks.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { AbsoluteTime } from '../../ui/RelativeTime.tsx'
import { eventsText } from './webhookLabels.ts'

/** Shows what identifies an endpoint, and which events it gets. */
export const WebhookFacts = ({ webhook }: { webhook: Webhook }) => {
  const all = eventsText(webhook)
  return (
    <aside aria-label="Details" className="flex flex-col gap-7">
      <Facts facts={factsOf(webhook)} />
      <section>
        <h2 className="mb-1.5 text-small font-medium">Events</h2>
        {all === 'All events' ? (
          <p className="text-small text-muted">All types</p>
        ) : (
          <ul className="font-mono text-tiny leading-5 text-muted">
            {webhook.events.map((type) => (
              <li key={type}>{type}</li>
            ))}
          </ul>
        )}
      </section>
      <section>
        <h2 className="mb-1 text-small font-medium">Retries</h2>
        <p className="text-small text-muted">
          A response other than 2xx within 10 seconds is a failure. An event is tried 8 times in 28 hours: immediately,
          after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h and 10 h.
        </p>
      </section>
    </aside>
  )
}

const factsOf = (webhook: Webhook): readonly [string, ReactNode][] => [
  [
    'Id',
    <span key="id" className="-my-1.5 flex items-center gap-1">
      <span className="min-w-0 truncate font-mono text-tiny" title={webhook.id}>
        {webhook.id}
      </span>
      <CopyButton text={webhook.id} label="id" className="size-7" />
    </span>,
  ],
  ['Mode', webhook.mode === 'live' ? 'Live' : 'Test'],
  ['Added', <AbsoluteTime key="added" at={webhook.created_at} />],
  ['Changed', <AbsoluteTime key="changed" at={webhook.updated_at} />],
]
