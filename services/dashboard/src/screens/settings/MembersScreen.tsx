import { useInfiniteQuery, usePrefetchInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { UserPlus } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { useApi } from '../../api/ApiProvider.tsx'
import { invitationPages, memberPages } from '../../api/members.ts'
import { useMay, useSession } from '../../api/session.ts'
import { Button } from '../../ui/Button.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { Page } from '../../ui/Page.tsx'
import { SkeletonRows } from '../../ui/Skeleton.tsx'
import { Panel, Table } from '../../ui/Table.tsx'
import { Invitations } from './Invitations.tsx'
import { memberColumns } from './memberColumns.tsx'

/** Loaded when it opens: it contains the schema of a request body. */
const InviteDialog = lazy(() => import('./InviteDialog.tsx').then((module) => ({ default: module.InviteDialog })))

const route = getRouteApi('/member/settings/members')

/** The people of the workspace, and those who are invited. */
export const MembersScreen = () => {
  const { invite } = route.useSearch()
  const navigate = route.useNavigate()
  const mayWrite = useMay('admin')
  const { user } = useSession()
  const api = useApi()
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(memberPages(api))
  usePrefetchInfiniteQuery(invitationPages(api))
  const members = data?.pages.flatMap((page) => page.data)
  const setInviting = (isInviting: boolean) => navigate({ search: isInviting ? { invite: true } : {}, replace: true })
  return (
    <Page
      title="Members"
      intro="API keys belong to the workspace, not to a person: they stay when a member leaves."
      actions={
        mayWrite && (
          <Button variant="solid" onClick={() => setInviting(true)}>
            <UserPlus aria-hidden className="size-4" />
            Invite a person
          </Button>
        )
      }
    >
      <Panel className="overflow-hidden">
        {error && !data ? (
          <ErrorState error={error} onRetry={refetch} />
        ) : !members ? (
          <SkeletonRows label="Reading members" rows={3} />
        ) : (
          <Table
            label="Members"
            columns={memberColumns({ self: user.id, showsTotp: mayWrite })}
            rows={members}
            rowKey={(member) => member.user.id}
          />
        )}
      </Panel>
      {hasNextPage && (
        <Button size="small" variant="quiet" className="mt-3" busy={isFetchingNextPage} onClick={() => fetchNextPage()}>
          Show older members
        </Button>
      )}
      {/* They are below the members, so their position is not known before the members are. */}
      {(members || error) && <Invitations invite={() => setInviting(true)} />}
      <Suspense>{invite && mayWrite && <InviteDialog onClose={() => setInviting(false)} />}</Suspense>
    </Page>
  )
}
