import { getRouteApi, Link } from '@tanstack/react-router'
import { Activity, SearchX } from 'lucide-react'
import { useApi } from '../../api/ApiProvider.tsx'
import { readEvents } from '../../api/events.ts'
import { ListEnd, NewRowsButton } from '../../app/liveListParts.tsx'
import { ModeBadge, useMode } from '../../app/mode.tsx'
import { fallbackMs, useLiveList } from '../../app/useLiveList.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { Page } from '../../ui/Page.tsx'
import { SkeletonRows } from '../../ui/Skeleton.tsx'
import { Panel } from '../../ui/Table.tsx'
import { EventFilters } from './EventFilters.tsx'
import { EventRows } from './EventRows.tsx'
import { eventTypes } from './eventTypes.ts'
import { typesOf } from './search.ts'

const route = getRouteApi('/member/events')

/** The feed of the workspace: what happened to emails, domains, quotas and endpoints, with the payloads of webhooks. */
export const EventsScreen = () => {
  const { mode } = useMode()
  const search = route.useSearch()
  const types = typesOf(search, eventTypes)
  const list = useLiveList({
    key: ['events', mode, types.join(',')],
    read: readEvents(useApi(), mode, types),
    timeOf: (event) => event.timestamp,
    everyMs: () => fallbackMs,
  })
  return (
    <Page
      title="Events"
      intro="What happened, as it happens. Webhooks carry the same events with the same ids."
      badge={<ModeBadge />}
    >
      <EventFilters types={types} />
      <NewRowsButton list={list} one="event" many="events" />
      <Panel className="mt-4 overflow-hidden">
        {list.error !== null && list.items.length === 0 ? (
          <ErrorState error={list.error} onRetry={list.retry} />
        ) : list.isReading && list.items.length === 0 ? (
          <SkeletonRows label="Reading events" rows={10} />
        ) : list.items.length === 0 ? (
          types.length > 0 ? (
            <NoMatches />
          ) : (
            <NoEvents />
          )
        ) : (
          <EventRows events={list.items} />
        )}
      </Panel>
      {list.items.length > 0 && <ListEnd list={list} many="events" />}
    </Page>
  )
}

const NoMatches = () => (
  <EmptyState
    icon={SearchX}
    title="No event of these types"
    action={
      <Button asChild>
        <Link to="/events" search={{}}>
          Show all types
        </Link>
      </Button>
    }
  >
    Events are stored as long as the record of their email, 90 days by default.
  </EmptyState>
)

const NoEvents = () => {
  const { mode } = useMode()
  return (
    <EmptyState
      icon={Activity}
      title={`No ${mode} event yet`}
      action={
        <Button asChild variant="solid">
          <Link to="/getting-started">Send the first email</Link>
        </Button>
      }
    >
      Each email causes several: accepted, attempt began, delivered. They appear here within seconds.
    </EmptyState>
  )
}
