import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { Monitor, Smartphone } from 'lucide-react'
import { useState } from 'react'
import { useApi } from '../../api/ApiProvider.tsx'
import { ownSessionPages, type SessionEntry } from '../../api/account.ts'
import { problemText } from '../../api/problem.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { Page } from '../../ui/Page.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { SkeletonRows } from '../../ui/Skeleton.tsx'
import { Panel } from '../../ui/Table.tsx'
import { useToast } from '../../ui/Toast.tsx'

/** Shows where the person is logged in. */
export const SessionsScreen = () => {
  const api = useApi()
  const queries = useQueryClient()
  const toast = useToast()
  const [isEndingAll, setEndingAll] = useState(false)
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    ownSessionPages(api),
  )
  const all = data?.pages.flatMap((page) => page.data)
  // The current session is first.
  const sessions = all?.toSorted((a, b) => Number(b.current) - Number(a.current))
  const others = sessions?.filter(({ current }) => !current).length ?? 0
  const readAgain = () => queries.invalidateQueries({ queryKey: ['account', 'sessions'] })
  const end = async ({ id, device }: SessionEntry) => {
    try {
      await api.delete('/api/v1/auth/sessions/{id}', { path: { id } })
      await readAgain()
      toast({ title: device === null ? 'The session has ended' : `The session of ${device} has ended` })
    } catch (thrown) {
      toast({ tone: 'bad', title: 'The session was not ended', detail: problemText(thrown) })
    }
  }
  return (
    <Page
      title="Sessions"
      intro="Where you are logged in. If you do not recognize a session, end it and change your password."
      actions={
        others > 0 && (
          <Button variant="danger" onClick={() => setEndingAll(true)}>
            End all others…
          </Button>
        )
      }
    >
      <Panel className="overflow-hidden">
        {error && !data ? (
          <ErrorState error={error} onRetry={refetch} />
        ) : !sessions ? (
          <SkeletonRows label="Reading sessions" rows={2} />
        ) : (
          <ul aria-label="Sessions" className="divide-y divide-line">
            {sessions.map((session) => (
              <SessionRow key={session.id} session={session} onEnd={() => end(session)} />
            ))}
          </ul>
        )}
      </Panel>
      {hasNextPage && (
        <Button size="small" variant="quiet" className="mt-3" busy={isFetchingNextPage} onClick={() => fetchNextPage()}>
          Show older sessions
        </Button>
      )}
      {isEndingAll && (
        <ConfirmDialog
          title="End all other sessions"
          action="End other sessions"
          onClose={() => setEndingAll(false)}
          run={async () => {
            const { count } = await api.delete('/api/v1/auth/sessions')
            await readAgain()
            toast({ title: count === 1 ? '1 session has ended' : `${count} sessions have ended` })
          }}
        >
          <p>You stay logged in here. Every other browser has to log in again.</p>
        </ConfirmDialog>
      )}
    </Page>
  )
}

const SessionRow = ({ session, onEnd }: { session: SessionEntry; onEnd: () => Promise<void> }) => {
  const [isBusy, setBusy] = useState(false)
  const { device, address, current, created_at, last_used_at } = session
  const Icon = /android|ios|iphone|ipad|phone/i.test(device ?? '') ? Smartphone : Monitor
  const name = device ?? 'Unknown device'
  return (
    <li className="flex items-center gap-3.5 px-4 py-3">
      <Icon aria-hidden className="size-5 shrink-0 text-muted" />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
          {name}
          {current && <Badge tone="good">This session</Badge>}
        </p>
        <p className="text-small text-muted">
          {address !== null && <>{address} · </>}
          {current ? (
            'In use now'
          ) : (
            <>
              Last used <RelativeTime at={last_used_at} />
            </>
          )}{' '}
          · Logged in <RelativeTime at={created_at} />
        </p>
      </div>
      {!current && (
        <Button
          size="small"
          busy={isBusy}
          aria-label={`End the session of ${name}`}
          onClick={() => {
            setBusy(true)
            onEnd().finally(() => setBusy(false))
          }}
        >
          End
        </Button>
      )}
    </li>
  )
}
