import { durationText, linkLifeMs } from '@postrider/contracts/http/values.ts'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { Ellipsis, Send, Trash2, UserPlus } from 'lucide-react'
import { useState } from 'react'
import { useApi } from '../../api/ApiProvider.tsx'
import { type Invitation, invitationPages } from '../../api/members.ts'
import { problemText } from '../../api/problem.ts'
import { useMay } from '../../api/session.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../ui/Menu.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { SkeletonRows } from '../../ui/Skeleton.tsx'
import { type Column, Panel, Table } from '../../ui/Table.tsx'
import { useToast } from '../../ui/Toast.tsx'
import { roleName } from './roleLabels.ts'

/** The people who have not accepted their invitation yet. @param invite opens the form for another one */
export const Invitations = ({ invite }: { invite: () => void }) => {
  const mayWrite = useMay('admin')
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    invitationPages(useApi()),
  )
  const invitations = data?.pages.flatMap((page) => page.data)
  return (
    <section aria-labelledby="invitations" className="mt-8">
      <h2 id="invitations" className="mb-3 font-semibold">
        Invitations
      </h2>
      <Panel className="overflow-hidden">
        {error && !data ? (
          <ErrorState error={error} onRetry={refetch} />
        ) : !invitations ? (
          <SkeletonRows label="Reading invitations" rows={1} />
        ) : invitations.length === 0 ? (
          <EmptyState
            icon={UserPlus}
            title="No open invitation"
            action={mayWrite && <Button onClick={invite}>Invite a person</Button>}
          >
            {mayWrite
              ? `Who you invite gets an email with a link that works for ${durationText(linkLifeMs.invitation)}.`
              : 'Owners and admins invite people. Who is invited appears here until they accept.'}
          </EmptyState>
        ) : (
          <Table label="Invitations" columns={columns} rows={invitations} rowKey={({ id }) => id} />
        )}
      </Panel>
      {hasNextPage && (
        <Button size="small" variant="quiet" className="mt-3" busy={isFetchingNextPage} onClick={() => fetchNextPage()}>
          Show older invitations
        </Button>
      )}
    </section>
  )
}

const Ends = ({ invitation: { status, expires_at } }: { invitation: Invitation }) =>
  status === 'expired' ? <Badge tone="warn">Expired</Badge> : <RelativeTime at={expires_at} className="text-muted" />

const columns: readonly Column<Invitation>[] = [
  {
    name: 'email',
    header: 'Email',
    cell: (invitation) => (
      <>
        <span className="block truncate leading-7 font-medium" title={invitation.email}>
          {invitation.email}
        </span>
        <span className="flex items-center gap-2 text-tiny text-faint sm:hidden">
          {roleName(invitation.role)} · ends <Ends invitation={invitation} />
        </span>
      </>
    ),
  },
  {
    name: 'role',
    header: 'Role',
    from: 'sm',
    className: 'w-24',
    cell: ({ role }) => <span className="leading-7">{roleName(role)}</span>,
  },
  {
    name: 'sent',
    header: 'Sent',
    from: 'sm',
    className: 'w-24',
    cell: ({ sent_at }) => <RelativeTime at={sent_at} className="leading-7 text-muted" />,
  },
  {
    name: 'ends',
    header: 'Link ends',
    from: 'sm',
    className: 'w-32',
    cell: (invitation) => (
      <span className="flex h-7 items-center">
        <Ends invitation={invitation} />
      </span>
    ),
  },
  {
    name: 'actions',
    header: <span className="sr-only">Actions</span>,
    className: 'w-14 text-right',
    cell: (invitation) => (
      <span className="-my-0.5 inline-flex">
        <InvitationActions invitation={invitation} />
      </span>
    ),
  },
]

const InvitationActions = ({ invitation: { id, email } }: { invitation: Invitation }) => {
  const api = useApi()
  const queries = useQueryClient()
  const toast = useToast()
  const mayWrite = useMay('admin')
  const [isRevoking, setRevoking] = useState(false)
  if (!mayWrite) return null
  const readAgain = () => queries.invalidateQueries({ queryKey: ['members', 'invitations'] })
  const resend = async () => {
    try {
      await api.post('/api/v1/members/invitations/{id}/resend', { path: { id } })
      await readAgain()
      toast({
        title: `Sent to ${email} again`,
        detail: `The new link works for ${durationText(linkLifeMs.invitation)}; the former one ended.`,
      })
    } catch (thrown) {
      toast({ tone: 'bad', title: 'The invitation was not sent', detail: problemText(thrown) })
    }
  }
  return (
    <>
      <Menu trigger={<IconButton icon={Ellipsis} label={`Actions for the invitation of ${email}`} />}>
        <MenuItem icon={Send} onSelect={resend}>
          Send again
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon={Trash2} danger onSelect={() => setRevoking(true)}>
          Revoke…
        </MenuItem>
      </Menu>
      {isRevoking && (
        <ConfirmDialog
          title="Revoke invitation"
          action="Revoke invitation"
          onClose={() => setRevoking(false)}
          run={async () => {
            await api.delete('/api/v1/members/invitations/{id}', { path: { id } })
            await readAgain()
          }}
        >
          <p>
            The link that was mailed to <b className="font-medium text-ink">{email}</b> stops working.
          </p>
        </ConfirmDialog>
      )}
    </>
  )
}
