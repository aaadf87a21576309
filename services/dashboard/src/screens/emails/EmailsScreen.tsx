import { getRouteApi, Link } from '@tanstack/react-router'
import { Inbox, SearchX } from 'lucide-react'
import { useMemo } from 'react'
import { useApi } from '../../api/ApiProvider.tsx'
import { readEmails } from '../../api/emails.ts'
import { ListEnd, NewRowsButton } from '../../app/liveListParts.tsx'
import { ModeBadge, useMode } from '../../app/mode.tsx'
import { fallbackMs, useLiveList } from '../../app/useLiveList.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { Page } from '../../ui/Page.tsx'
import { SkeletonRows } from '../../ui/Skeleton.tsx'
import { Panel, Table } from '../../ui/Table.tsx'
import { EmailFiltersBar } from './EmailFiltersBar.tsx'
import { emailColumns } from './emailColumns.tsx'
import { filtersOf } from './search.ts'

const route = getRouteApi('/member/emails')

/** The emails of the workspace: search, filters in the URL, live statuses. */
export const EmailsScreen = () => {
  const search = route.useSearch()
  const { mode } = useMode()
  const filters = useMemo(() => ({ ...filtersOf(search, Date.now()), mode }), [search, mode])
  // Statuses change in place.
  const list = useLiveList({
    key: ['emails', 'list', filters],
    read: readEmails(useApi(), filters),
    timeOf: (email) => email.created_at,
    everyMs: () => fallbackMs,
  })
  const isFiltered = Object.keys(search).length > 0
  return (
    <Page title="Emails" badge={<ModeBadge />}>
      <EmailFiltersBar />
      <NewRowsButton list={list} one="email" many="emails" />
      <Panel className="mt-4 overflow-hidden">
        {list.error !== null && list.items.length === 0 ? (
          <ErrorState error={list.error} onRetry={list.retry} />
        ) : list.isReading && list.items.length === 0 ? (
          <SkeletonRows label="Reading emails" rows={10} />
        ) : list.items.length === 0 ? (
          isFiltered ? (
            <NoMatches />
          ) : (
            <NoEmails />
          )
        ) : (
          <Table label="Emails" columns={emailColumns} rows={list.items} rowKey={(email) => email.id} />
        )}
      </Panel>
      {list.items.length > 0 && <ListEnd list={list} many="emails" />}
    </Page>
  )
}

const NoMatches = () => (
  <EmptyState
    icon={SearchX}
    title="No email matches"
    action={
      <Button asChild>
        <Link to="/emails" search={{}}>
          Clear the filters
        </Link>
      </Button>
    }
  >
    Change the filters, or search for a part of the subject or for a whole address.
  </EmptyState>
)

const NoEmails = () => {
  const { mode, setMode } = useMode()
  return (
    <EmptyState
      icon={Inbox}
      title={mode === 'test' ? 'No test mail yet' : 'No live mail yet'}
      action={
        <>
          <Button asChild variant="solid">
            <Link to="/getting-started">Send the first email</Link>
          </Button>
          <Button onClick={() => setMode(mode === 'test' ? 'live' : 'test')}>
            Show {mode === 'test' ? 'live' : 'test'} mail
          </Button>
        </>
      }
    >
      Mail that you send with a {mode} key appears here within a second, with the status of each recipient.
    </EmptyState>
  )
}
