import { useQuery } from '@tanstack/react-query'
import { Radio } from 'lucide-react'
import { useApi } from '../../api/ApiProvider.tsx'
import { explanationQuery } from '../../api/emails.ts'
import type { EmailDetail, ExplainedAttempt } from '../../api/types.ts'
import { Badge, type Tone } from '../../ui/Badge.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { ShortTime } from '../../ui/RelativeTime.tsx'
import { SkeletonRows } from '../../ui/Skeleton.tsx'
import { Panel } from '../../ui/Table.tsx'
import { duration } from '../../ui/times.ts'

/** Every attempt with the commands, the replies and their times. */
export const Conversation = ({ email }: { email: EmailDetail }) => {
  const version = `${email.status}-${email.events.length}-${email.attempts.length}`
  const { data, error, refetch } = useQuery(explanationQuery(useApi(), email.id, version))
  if (error && !data) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <SkeletonRows label="Reading the attempts" />
  if (data.attempts.length === 0) {
    return (
      <EmptyState icon={Radio} title="No attempt yet">
        {data.next_attempt.detail}
      </EmptyState>
    )
  }
  return (
    <div className="flex flex-col gap-4">
      {data.attempts.toReversed().map((attempt, index) => (
        <Attempt key={attempt.id} attempt={attempt} number={data.attempts.length - index} />
      ))}
    </div>
  )
}

const outcomes: Readonly<Record<NonNullable<ExplainedAttempt['outcome']>, { label: string; tone: Tone }>> = {
  delivered: { label: 'Delivered', tone: 'good' },
  deferred: { label: 'Deferred', tone: 'warn' },
  bounced: { label: 'Bounced', tone: 'bad' },
  partial: { label: 'Partly delivered', tone: 'warn' },
  unknown: { label: 'Reply lost', tone: 'warn' },
  lost: { label: 'Ended without result', tone: 'idle' },
}

const Attempt = ({ attempt, number }: { attempt: ExplainedAttempt; number: number }) => {
  const label = attempt.outcome === null ? { label: 'In progress', tone: 'info' as const } : outcomes[attempt.outcome]
  return (
    <Panel className="overflow-hidden">
      <header className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-3 text-small">
        <h2 className="font-medium">Attempt {number}</h2>
        <Badge tone={label.tone}>{label.label}</Badge>
        {attempt.possible_duplicate && <Badge tone="warn">Possible duplicate</Badge>}
        <span className="ml-auto text-tiny text-faint">
          <ShortTime at={attempt.at} />
          {attempt.duration_ms !== null && ` · ${duration(attempt.duration_ms)}`}
        </span>
        <p className="w-full text-muted">{connectionText(attempt)}</p>
      </header>
      {attempt.conversation.length === 0 ? (
        <p className="px-4 py-3 text-small text-muted">{attempt.reply ?? 'No conversation was recorded.'}</p>
      ) : (
        <ol className="divide-y divide-line font-mono text-tiny">
          {attempt.conversation.map((step, index) => (
            // Steps are never changed or moved.
            // biome-ignore lint/suspicious/noArrayIndexKey: see above
            <li key={index} className="grid grid-cols-[minmax(0,1fr)_4.5rem] gap-x-3 px-4 py-2">
              <div className="min-w-0">
                {step.command && (
                  <p className="wrap-anywhere">
                    <span aria-hidden className="mr-2 text-faint select-none">
                      →
                    </span>
                    <span className="sr-only">We sent: </span>
                    {step.command}
                  </p>
                )}
                {step.reply && (
                  <p className="wrap-anywhere whitespace-pre-wrap text-muted">
                    <span aria-hidden className="mr-2 text-faint select-none">
                      ←
                    </span>
                    <span className="sr-only">The server replied: </span>
                    {step.reply}
                  </p>
                )}
              </div>
              <span className="text-right text-faint tabular-nums">{duration(step.duration_ms)}</span>
            </li>
          ))}
        </ol>
      )}
    </Panel>
  )
}

/** Returns where an attempt went and how it was protected. */
const connectionText = ({
  host,
  address,
  tls,
  encrypted,
  tls_failure,
  route,
  connection_reused,
}: ExplainedAttempt): string => {
  const server = host === '' ? null : address && !host.startsWith(address) ? `${host} (${address})` : host
  const security = tls
    ? `${tls.version}, ${tls.verified ? 'certificate verified' : 'certificate not verified'}`
    : encrypted === false && host !== ''
      ? 'not encrypted'
      : null
  const parts = [
    server ?? route?.detail ?? 'No connection was made',
    security,
    tls_failure !== null && `STARTTLS failed: ${tls_failure}`,
    connection_reused === true && 'connection reused',
  ]
  return parts.filter(Boolean).join(' · ')
}
