import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ChevronRight, CircleParking, Layers } from 'lucide-react'
import { useApi } from '../../api/ApiProvider.tsx'
import { type Queues, queuesQuery } from '../../api/operator.ts'
import { classes } from '../../ui/classes.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { Page } from '../../ui/Page.tsx'
import { SkeletonRows } from '../../ui/Skeleton.tsx'
import { Panel, Table } from '../../ui/Table.tsx'
import { destinationColumns, laneColumns } from './queueColumns.tsx'
import { parkedText, sampleText } from './queuesTexts.ts'

/** `undefined`: they are being counted. */
type Shown = { queues: Queues | undefined }

/** Shows the mail that waits, by lane and by destination. */
export const QueuesScreen = () => {
  const { data: queues, error, refetch } = useQuery(queuesQuery(useApi()))
  return (
    <Page title="Queues" intro="Mail of all workspaces that waits or is in flight, counted every few seconds.">
      {error && !queues ? (
        <ErrorState error={error} onRetry={refetch} />
      ) : (
        <>
          <Lanes queues={queues} />
          <Destinations queues={queues} />
        </>
      )}
    </Page>
  )
}

const Lanes = ({ queues }: Shown) => (
  <section aria-labelledby="lanes">
    <h2 id="lanes" className="font-semibold">
      Lanes
    </h2>
    <p className="mt-0.5 mb-3 max-w-prose text-small text-muted">
      Each lane has workers of its own. Due mail that no worker takes for minutes means that workers are missing or
      busy.
    </p>
    <Panel className="overflow-hidden">
      {queues ? (
        <>
          <Table label="Lanes" columns={laneColumns} rows={queues.lanes} rowKey={({ lane }) => lane} />
          <ParkedLink parked={queues.parked} />
        </>
      ) : (
        <SkeletonRows label="Counting what waits" rows={4} />
      )}
    </Panel>
  </section>
)

const ParkedLink = ({ parked }: { parked: number }) => (
  <Link
    to="/operator/parked"
    className={classes(
      'flex items-center gap-2.5 border-t border-line px-4 py-2.5 text-small transition-colors hover:bg-hover focus-visible:-outline-offset-2',
      parked > 0 ? 'font-medium text-warn' : 'text-muted',
    )}
  >
    <CircleParking aria-hidden className="size-4 shrink-0" />
    <span className="min-w-0 flex-1">{parkedText(parked)}</span>
    <ChevronRight aria-hidden className="size-4 shrink-0" />
  </Link>
)

const Destinations = ({ queues }: Shown) => (
  <section aria-labelledby="destinations" className="mt-8">
    <h2 id="destinations" className="font-semibold">
      Destinations
    </h2>
    <p className="mt-0.5 mb-3 max-w-prose text-small text-muted">
      {queues?.destinations.length ? sampleText(queues) : 'The domains of recipients that wait.'}
    </p>
    <Panel className="overflow-hidden">
      {!queues ? (
        <SkeletonRows label="Counting destinations" rows={5} />
      ) : queues.destinations.length > 0 ? (
        <Table
          label="Destinations"
          columns={destinationColumns}
          rows={queues.destinations}
          rowKey={({ domain }) => domain}
        />
      ) : (
        <EmptyState icon={Layers} title="No mail waits">
          Mail is here from the moment it is accepted until each recipient has a result.
        </EmptyState>
      )}
    </Panel>
  </section>
)
