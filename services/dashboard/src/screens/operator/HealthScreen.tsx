import { useQuery } from '@tanstack/react-query'
import { useApi } from '../../api/ApiProvider.tsx'
import { type Health, healthQuery, type RetentionReport, retentionReportQuery } from '../../api/operator.ts'
import { Badge } from '../../ui/Badge.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { Page } from '../../ui/Page.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { SkeletonRows } from '../../ui/Skeleton.tsx'
import { Panel } from '../../ui/Table.tsx'
import { count } from '../overview/figures.ts'
import { partText } from './healthLabels.ts'

/** Shows whether the service works, and what it removes next. */
export const HealthScreen = () => {
  const api = useApi()
  const health = useQuery(healthQuery(api))
  const { data: report, error, refetch } = useQuery(retentionReportQuery(api))
  return (
    <Page title="Health" width="read" intro="Whether each part of the service works, checked every few seconds.">
      <section aria-labelledby="parts">
        <h2 id="parts" className="mb-2 font-semibold">
          Parts
        </h2>
        <Panel>
          {health.data ? (
            <Parts health={health.data} />
          ) : health.error ? (
            <ErrorState error={health.error} onRetry={health.refetch} />
          ) : (
            <SkeletonRows label="Checking the parts" rows={3} />
          )}
        </Panel>
      </section>
      <section aria-labelledby="removal" className="mt-8">
        <h2 id="removal" className="mb-2 font-semibold">
          Removal of old data
        </h2>
        <Panel>
          {report ? (
            <Removal report={report} />
          ) : error ? (
            <ErrorState error={error} onRetry={refetch} />
          ) : (
            <SkeletonRows label="Reading what is removed" rows={4} />
          )}
        </Panel>
      </section>
    </Page>
  )
}

const Parts = ({ health: { parts } }: { health: Health }) => (
  <ul className="divide-y divide-line">
    {parts.map((part) => {
      const { label, text } = partText(part, parts)
      return (
        <li key={part.name} className="flex items-center gap-4 px-4 py-3">
          <span className="min-w-0 flex-1">
            <span className="font-medium">{label}</span>
            <span className="block text-small text-muted">{part.detail ?? text}</span>
          </span>
          <Badge tone={part.status === 'ok' ? 'good' : 'bad'} dot>
            {part.status === 'ok' ? 'Works' : 'Fails'}
          </Badge>
        </li>
      )
    })}
  </ul>
)

const Removal = ({ report: { steps, content_days, record_days } }: { report: RetentionReport }) => (
  <>
    <p className="border-b border-line px-4 py-3 text-small text-muted">
      Content is stored for {content_days} days, records with their events for {record_days} days.
    </p>
    <ul className="divide-y divide-line">
      {steps.map(({ step, due, due_since }) => (
        <li key={step} className="flex items-center gap-4 px-4 py-3 text-small">
          <span className="min-w-0 flex-1">{stepText(step)}</span>
          <span className="text-right text-muted">
            {due === 0 ? 'Nothing is due' : `${count(due)} due`}
            {due_since !== null && (
              <span className="block text-tiny text-faint">
                the oldest since <RelativeTime at={due_since} />
              </span>
            )}
          </span>
        </li>
      ))}
    </ul>
  </>
)

const steps: Readonly<Record<string, string>> = {
  final: 'Content that is not stored after the last delivery',
  attachments: 'Attachments',
  content: 'Content',
  record: 'Records with their events',
}

/** Returns what a step removes in words. A step may name the days that messages requested, such as `content:7`. */
const stepText = (step: string): string => {
  const [name = '', days] = step.split(':')
  const text = steps[name] ?? name
  return days === undefined ? text : `${text}, stored for ${days} ${days === '1' ? 'day' : 'days'}`
}
