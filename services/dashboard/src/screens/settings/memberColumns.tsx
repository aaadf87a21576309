import type { Member } from '../../api/members.ts'
import { Badge } from '../../ui/Badge.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { aboveRowLink, type Column } from '../../ui/Table.tsx'
import { MemberActions } from './MemberActions.tsx'
import { roleName } from './roleLabels.ts'

const Seen = ({ at }: { at: string | null }) => (at === null ? <>No open session</> : <RelativeTime at={at} />)

/** @param self id of the viewer @param showsTotp whether the API reports the second factor of all members */
export const memberColumns = ({ self, showsTotp }: { self: string; showsTotp: boolean }): readonly Column<Member>[] => [
  {
    name: 'person',
    header: 'Person',
    cell: ({ user, role, last_seen_at, totp_enabled }) => (
      <span className="flex items-center gap-3">
        <span
          aria-hidden
          className="flex size-7 shrink-0 items-center justify-center rounded-full bg-hover text-tiny font-semibold uppercase"
        >
          {user.email.slice(0, 1)}
        </span>
        <span className="min-w-0">
          <span className="flex items-center gap-2">
            <span className="truncate font-medium" title={user.email}>
              {user.email}
            </span>
            {user.id === self && <Badge>You</Badge>}
          </span>
          <span className="block text-tiny text-faint sm:hidden">
            {roleName(role)}
            {totp_enabled === false && ' · no second factor'} · <Seen at={last_seen_at} />
          </span>
        </span>
      </span>
    ),
  },
  {
    name: 'role',
    header: 'Role',
    from: 'sm',
    className: 'w-24',
    cell: ({ role }) => <span className="leading-7">{roleName(role)}</span>,
  },
  ...(showsTotp
    ? [
        {
          name: 'totp',
          header: 'Two-factor',
          from: 'sm',
          className: 'w-24',
          cell: ({ totp_enabled }) => (
            <span className="flex h-7 items-center">
              {totp_enabled === null ? (
                '–'
              ) : (
                <Badge tone={totp_enabled ? 'good' : 'warn'}>{totp_enabled ? 'On' : 'Off'}</Badge>
              )}
            </span>
          ),
        } satisfies Column<Member>,
      ]
    : []),
  {
    name: 'seen',
    header: 'Last seen',
    from: 'sm',
    className: 'w-32',
    cell: ({ last_seen_at }) => (
      <span className="leading-7 text-muted">
        <Seen at={last_seen_at} />
      </span>
    ),
  },
  {
    name: 'actions',
    header: <span className="sr-only">Actions</span>,
    className: 'w-14 text-right',
    cell: (member) => (
      <span className={`${aboveRowLink} -my-0.5 inline-flex`}>
        <MemberActions member={member} isSelf={member.user.id === self} />
      </span>
    ),
  },
]
