import { useQuery } from '@tanstack/react-query'
import { useApi } from '../../api/ApiProvider.tsx'
import { explanationQuery } from '../../api/emails.ts'
import type { EmailDetail, EmailEvent, ExplainedRecipient } from '../../api/types.ts'
import { Badge, type Tone } from '../../ui/Badge.tsx'
import { classes } from '../../ui/classes.ts'
import { RelativeTime, ShortTime } from '../../ui/RelativeTime.tsx'
import { Panel } from '../../ui/Table.tsx'
import { classTexts, eventLabels } from './eventLabels.ts'
import { StatusBadge } from './StatusBadge.tsx'

/** Shows what happened for each recipient: its state, why, when next, and its events. */
export const Timeline = ({ email }: { email: EmailDetail }) => {
  const version = `${email.status}-${email.events.length}-${email.attempts.length}`
  const { data: explanation } = useQuery(explanationQuery(useApi(), email.id, version))
  return (
    <div className="flex flex-col gap-4">
      {email.recipients.map((recipient) => (
        <Panel key={`${recipient.kind} ${recipient.address}`} className="overflow-hidden">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5 border-b border-line px-4 py-3">
            <h2 className="min-w-0 font-medium wrap-anywhere">{recipient.address}</h2>
            {recipient.kind !== 'to' && <Badge>{recipient.kind}</Badge>}
            <span className="ml-auto">
              <StatusBadge status={recipient.status} />
            </span>
          </div>
          <Reason
            recipient={recipient}
            explained={explanation?.recipients.find(({ address }) => address === recipient.address)}
          />
          <ol className="px-4 pt-4 pb-2">
            {eventsOf(email, recipient.address).map((event) => (
              <EventItem key={event.id} event={event} />
            ))}
          </ol>
        </Panel>
      ))}
    </div>
  )
}

/** Returns the events of a recipient, those about all recipients included, the newest first. */
const eventsOf = ({ events }: EmailDetail, address: string): readonly EmailEvent[] =>
  events.filter(({ recipient }) => recipient === null || recipient === address).toReversed()

const EventItem = ({ event }: { event: EmailEvent }) => {
  const label = eventLabels[event.type] ?? { label: event.type, tone: 'idle' as const }
  return (
    <li className="group relative flex gap-3 pb-4 last:pb-2">
      <span aria-hidden className="absolute top-4 bottom-0 left-[4.5px] w-px bg-line group-last:hidden" />
      <span aria-hidden className={classes('mt-1.5 size-2.5 shrink-0 rounded-full', dots[label.tone])} />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-baseline justify-between gap-x-4">
          <span className="font-medium">{label.label}</span>
          <ShortTime at={event.timestamp} className="text-tiny text-faint tabular-nums" />
        </p>
        {event.reply && <p className="mt-1 font-mono text-tiny break-words text-muted">{event.reply}</p>}
      </div>
    </li>
  )
}

const dots: Readonly<Record<Tone, string>> = {
  good: 'bg-good',
  bad: 'bg-bad',
  warn: 'bg-warn',
  info: 'bg-info',
  idle: 'bg-edge',
}

/** Why a recipient is where it is, and when it is tried next. */
const Reason = ({
  recipient,
  explained,
}: {
  recipient: EmailDetail['recipients'][number]
  explained: ExplainedRecipient | undefined
}) => {
  const isRefused = recipient.class !== null && recipient.status !== 'delivered'
  const next = explained?.next_attempt
  const shownNext = next && next.reason !== 'final' ? next : null
  if (!isRefused && !shownNext) return null
  return (
    <div className="flex flex-col gap-1.5 border-b border-line bg-sunken px-4 py-3 text-small">
      {isRefused && recipient.class !== null && (
        <p>
          <span className="font-medium">Why: </span>
          {classTexts[recipient.class]}
          {explained?.rule?.id && <span className="text-faint"> Rule {explained.rule.id}.</span>}
        </p>
      )}
      {isRefused && recipient.reply && (
        <p className="rounded-md border border-line bg-surface px-2.5 py-1.5 font-mono text-tiny break-words">
          {recipient.reply}
        </p>
      )}
      {shownNext && (
        <p>
          <span className="font-medium">Next: </span>
          {shownNext.at !== null && (
            <>
              <RelativeTime at={shownNext.at} />.{' '}
            </>
          )}
          <span className="text-muted">{shownNext.detail}</span>
        </p>
      )}
    </div>
  )
}
