import { Link } from '@tanstack/react-router'
import { ChevronRight } from 'lucide-react'
import { memo } from 'react'
import type { Event } from '../../api/events.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { CodeBlock } from '../../ui/CodeBlock.tsx'
import { classes } from '../../ui/classes.ts'
import { AbsoluteTime, RelativeTime } from '../../ui/RelativeTime.tsx'
import { useOpenRows } from '../../ui/useOpenRows.ts'
import { useRowKeys } from '../../ui/useRowKeys.ts'
import { labelOf } from './eventTypes.ts'

/** The events of the feed. Each opens in place and shows its payload. */
export const EventRows = ({ events }: { events: readonly Event[] }) => {
  const [opened, toggle] = useOpenRows()
  const keys = useRowKeys<HTMLUListElement>()
  return (
    <ul data-rows aria-label="Events" className="divide-y divide-line text-small" {...keys}>
      {events.map((event) => (
        <EventRow key={event.id} event={event} isOpen={opened.has(event.id)} onToggle={toggle} />
      ))}
    </ul>
  )
}

type RowProps = { event: Event; isOpen: boolean; onToggle: (id: string) => void }

/** A change of one row, and a read that brings the same events, render no other. */
const EventRow = memo(({ event, isOpen, onToggle }: RowProps) => {
  const { label, tone } = labelOf(event.type)
  const { text, detail } = subjectOf(event)
  return (
    <li>
      <button
        type="button"
        data-row-link
        aria-expanded={isOpen}
        onClick={() => onToggle(event.id)}
        className="grid w-full grid-cols-[1rem_minmax(0,1fr)_auto] items-center gap-x-3 gap-y-1 px-4 py-2.5 text-left transition-colors hover:bg-hover focus-visible:-outline-offset-2 sm:grid-cols-[1rem_10rem_minmax(0,1fr)_auto]"
      >
        <ChevronRight
          aria-hidden
          className={classes('size-4 text-faint transition-transform', isOpen && 'rotate-90')}
        />
        <span className="-my-px min-w-0" title={event.type}>
          <Badge tone={tone} dot>
            {label}
          </Badge>
        </span>
        <span className="flex min-w-0 gap-3 max-sm:col-span-2 max-sm:col-start-2 max-sm:row-start-2">
          <span className="min-w-0 truncate md:w-64 md:shrink-0">{text}</span>
          {detail !== '' && <span className="min-w-0 truncate text-muted max-md:hidden">{detail}</span>}
        </span>
        <RelativeTime
          at={event.timestamp}
          className="whitespace-nowrap text-faint max-sm:col-start-3 max-sm:row-start-1"
        />
      </button>
      {isOpen && <EventBody event={event} />}
    </li>
  )
})

/** The payload of an event, as webhooks carry it, and links to more. */
const EventBody = ({ event }: { event: Event }) => {
  const { id, type, timestamp, data } = event
  const target = targetOf(event)
  return (
    <div className="border-t border-line bg-page px-4 py-4 sm:pl-11">
      <div className="mb-3 flex flex-wrap items-center gap-x-4 gap-y-2 text-muted">
        <span className="font-mono text-tiny break-all">{type}</span>
        <AbsoluteTime at={timestamp} />
        {target && (
          <Button asChild size="small" className="sm:ml-auto">
            <Link to={target.to} params={{ id: target.id }}>
              {target.label}
            </Link>
          </Button>
        )}
      </div>
      <CodeBlock label="payload" code={JSON.stringify({ id, type, timestamp, data }, null, 2)} />
    </div>
  )
}

const targets = [
  { member: 'email_id', to: '/emails/$id', label: 'Open email' },
  { member: 'domain_id', to: '/domains/$id', label: 'Open domain' },
  { member: 'webhook_id', to: '/webhooks/$id', label: 'Open endpoint' },
] as const

/** Returns the screen of what an event is about; undefined: there is none. */
const targetOf = ({ data }: Event) => {
  const members: Readonly<Record<string, unknown>> = data
  const target = targets.find(({ member }) => typeof members[member] === 'string')
  return target && { to: target.to, label: target.label, id: String(members[target.member]) }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

const periods: Readonly<Record<string, string>> = { daily: 'Sends of the day', monthly: 'Sends of the month' }

/** Returns what an event is about in one line, and the detail that explains it best; empty: none. */
const subjectOf = ({ type, data }: Event): { text: string; detail: string } => {
  const members: Readonly<Record<string, unknown>> = data
  if (type.startsWith('domain.')) return { text: textOf(members['name']), detail: '' }
  if (type.startsWith('quota.')) {
    const period = textOf(members['period'])
    return { text: periods[period] ?? period, detail: `${members['used']} of ${members['limit']}` }
  }
  if (type.startsWith('webhook.')) return { text: textOf(members['url']), detail: textOf(members['reason']) }
  return { text: textOf(members['recipient']) || 'All recipients', detail: textOf(members['reply']) }
}
