import { getRouteApi, Link } from '@tanstack/react-router'
import { Inbox, Lock, SearchX } from 'lucide-react'
import { useApi } from '../../api/ApiProvider.tsx'
import { readCaptured } from '../../api/mailbox.ts'
import { problemOf } from '../../api/problem.ts'
import { ListEnd, NewRowsButton } from '../../app/liveListParts.tsx'
import { present } from '../../app/search.ts'
import { TextFilter } from '../../app/TextFilter.tsx'
import { useLiveList } from '../../app/useLiveList.ts'
import { Button } from '../../ui/Button.tsx'
import { CodeBlock } from '../../ui/CodeBlock.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { Page } from '../../ui/Page.tsx'
import { SkeletonRows } from '../../ui/Skeleton.tsx'
import { Panel, Table } from '../../ui/Table.tsx'
import { snippets } from '../gettingStarted/snippets.ts'
import { mailboxColumns } from './mailboxColumns.tsx'

const route = getRouteApi('/mailbox-area/mailbox')

/** The mail that the mail route `mailbox:` captured instead of sending, as it arrives. */
export const MailboxScreen = () => {
  const { q } = route.useSearch()
  const navigate = route.useNavigate()
  const api = useApi()
  const list = useLiveList({
    key: ['mailbox', 'list', q],
    read: readCaptured(api, q),
    timeOf: (mail) => mail.at,
  })
  if (list.error !== null && problemOf(list.error).status === 403) return <Closed error={list.error} />
  const isUsed = list.items.length > 0 || q !== undefined
  return (
    <Page title="Mailbox" intro="Mail that was captured here instead of being sent. None of it left this service.">
      {isUsed && (
        <search className="mb-4 flex">
          <TextFilter
            label="Search"
            placeholder="Part of a subject or an address"
            value={q}
            onChange={(text) => navigate({ search: present({ q: text }), replace: true })}
            className="flex-1"
            withIcon
          />
        </search>
      )}
      <NewRowsButton list={list} one="message" many="messages" />
      <Panel className="overflow-hidden">
        {list.error !== null && list.items.length === 0 ? (
          <ErrorState error={list.error} onRetry={list.retry} />
        ) : list.isReading && list.items.length === 0 ? (
          <SkeletonRows label="Reading captured mail" rows={10} />
        ) : list.items.length > 0 ? (
          <Table label="Captured mail" columns={mailboxColumns} rows={list.items} rowKey={({ id }) => id} />
        ) : q === undefined ? (
          <NoMail />
        ) : (
          <NoMatches />
        )}
      </Panel>
      {(list.items.length > 0 || (q !== undefined && list.hasMore)) && <ListEnd list={list} many="messages" />}
    </Page>
  )
}

/** The response of the service to users who may not read captured mail. */
const Closed = ({ error }: { error: Error }) => {
  const { hasSession } = route.useRouteContext()
  return (
    <Page title="Mailbox" width="read">
      <Panel>
        <EmptyState
          icon={Lock}
          title="Only owners see captured mail"
          action={
            !hasSession && (
              <Button asChild variant="solid">
                <Link to="/login" search={{ next: '/mailbox' }}>
                  Log in
                </Link>
              </Button>
            )
          }
        >
          {problemOf(error).detail}
        </EmptyState>
      </Panel>
    </Page>
  )
}

const NoMatches = () => (
  <EmptyState
    icon={SearchX}
    title="No message matches"
    action={
      <Button asChild>
        <Link to="/mailbox" search={{}}>
          Clear the search
        </Link>
      </Button>
    }
  >
    The search finds parts of the subject, the sender and the recipients.
  </EmptyState>
)

const NoMail = () => {
  const { hasSession } = route.useRouteContext()
  const [curl] = snippets({ url: location.origin, key: 'YOUR_API_KEY', to: 'jane@example.com' })
  return (
    <div className="mx-auto max-w-2xl px-4 pb-10 sm:px-8">
      <EmptyState icon={Inbox} title="Waiting for the first message">
        Send one with this command, and it appears here immediately. Mail is captured while the mail route of the
        service is <code className="font-mono text-tiny">mailbox:</code>; with any other route it is sent.
      </EmptyState>
      <div className="-mt-8">
        <CodeBlock code={curl?.code ?? ''} label="command that sends an email" />
        <p className="mt-3 text-small text-muted">
          {hasSession ? (
            <>
              <code className="font-mono text-tiny">YOUR_API_KEY</code> is a key of this workspace.{' '}
              <Link to="/keys" search={{ create: true }} className="font-medium text-ink underline underline-offset-3">
                Create API key
              </Link>
            </>
          ) : (
            <>
              <code className="font-mono text-tiny">YOUR_API_KEY</code> is the key that the first start printed, or one
              of Keys in the dashboard.
            </>
          )}
        </p>
      </div>
    </div>
  )
}
