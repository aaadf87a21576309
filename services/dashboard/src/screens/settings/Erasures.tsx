import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useApi } from '../../api/ApiProvider.tsx'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { AbsoluteTime } from '../../ui/RelativeTime.tsx'
import { SkeletonRows } from '../../ui/Skeleton.tsx'
import { Panel } from '../../ui/Table.tsx'
import { Part } from './Part.tsx'

/** Loaded when it opens: it contains the schema of a request body. */
const EraseDialog = lazy(() => import('./EraseDialog.tsx').then((module) => ({ default: module.EraseDialog })))

const route = getRouteApi('/member/settings/retention')

/** Removes what is stored about one recipient. The URL has the erasure that is shown. */
export const Erasures = () => {
  const { erasure } = route.useSearch()
  const navigate = route.useNavigate()
  const [isDialogOpen, setDialogOpen] = useState(false)
  return (
    <Part
      title="Erase a recipient"
      intro="For a person who requests it: removes content, tags, metadata, events’ addresses and the address itself from all mail to it."
      actions={
        <Button variant="danger" onClick={() => setDialogOpen(true)}>
          Erase a recipient…
        </Button>
      }
    >
      {erasure !== undefined ? (
        <ErasureState id={erasure} />
      ) : (
        <p className="text-small text-muted">
          What your webhooks have sent is in your own systems: erase it there. Mail that you send to the address later
          is stored again.
        </p>
      )}
      <Suspense>
        {isDialogOpen && (
          <EraseDialog
            onClose={() => setDialogOpen(false)}
            onStarted={(id) => navigate({ search: { erasure: id }, replace: true })}
          />
        )}
      </Suspense>
    </Part>
  )
}

/** How far an erasure is. Mail that is not final is delivered first. */
const ErasureState = ({ id }: { id: string }) => {
  const api = useApi()
  const { data, error, refetch } = useQuery({
    queryKey: ['erasures', id],
    queryFn: ({ signal }) => api.get('/api/v1/erasures/{id}', { path: { id }, signal }),
    refetchInterval: ({ state }) => (state.data?.status === 'done' ? false : 3_000),
  })
  if (error && !data) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <SkeletonRows label="Reading the erasure" rows={2} />
  const isDone = data.status === 'done'
  return (
    <Panel className="p-4">
      <p role="status" className="mb-3 flex items-center gap-2 font-medium">
        <Badge tone={isDone ? 'good' : 'info'} dot>
          {isDone ? 'Done' : 'Running'}
        </Badge>
        {data.emails === 1 ? '1 email was erased' : `${data.emails} emails were erased`}
        {data.waiting > 0 && `, ${data.waiting} follow when they are final`}
      </p>
      <Facts
        stacked
        facts={[
          ['Started', <AbsoluteTime key="started" at={data.created_at} />],
          ['Finished', data.completed_at === null ? 'Not yet' : <AbsoluteTime key="done" at={data.completed_at} />],
          [
            'Erasure',
            <span key="id" className="font-mono text-tiny break-all">
              {data.id}
            </span>,
          ],
        ]}
      />
    </Panel>
  )
}
