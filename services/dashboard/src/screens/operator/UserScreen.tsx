import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { ChevronLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { useApi } from '../../api/ApiProvider.tsx'
import { type User, userQuery } from '../../api/operator.ts'
import { Badge } from '../../ui/Badge.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { Id } from '../../ui/Id.tsx'
import { Page } from '../../ui/Page.tsx'
import { AbsoluteTime } from '../../ui/RelativeTime.tsx'
import { Skeleton, SkeletonRows } from '../../ui/Skeleton.tsx'
import { Panel } from '../../ui/Table.tsx'
import { LastSeen } from './LastSeen.tsx'
import { UserBadge } from './StateBadge.tsx'
import { UserActions } from './UserActions.tsx'

const route = getRouteApi('/operator-area/operator/users/$id')

/** One user: whether the person can log in, and to which workspaces. */
export const UserScreen = () => {
  const { id } = route.useParams()
  const { data: user, error, refetch } = useQuery(userQuery(useApi(), id))
  if (user) return <UserView user={user} />
  return (
    <Page title="User" width="read" heading={<Skeleton className="h-7 w-56 max-w-full" />} back={<Back />}>
      {error ? (
        <ErrorState error={error} onRetry={refetch} />
      ) : (
        <Panel>
          <SkeletonRows label="Reading the user" rows={4} />
        </Panel>
      )}
    </Page>
  )
}

const Back = () => (
  <Link to="/operator/users" className="inline-flex items-center gap-1 text-muted hover:text-ink">
    <ChevronLeft aria-hidden className="size-4" />
    Users
  </Link>
)

const UserView = ({ user }: { user: User }) => (
  <Page
    title={user.email}
    width="read"
    back={<Back />}
    badge={<UserBadge disabled={user.disabled} />}
    actions={<UserActions user={user} />}
  >
    {user.disabled && (
      <p className="mb-6 rounded-lg bg-bad-tint px-4 py-3 text-small wrap-anywhere text-bad">
        <b className="font-medium">This person cannot log in.</b>{' '}
        {user.disabled_reason === null
          ? 'No reason is given.'
          : `After the right password the person sees: ${user.disabled_reason}`}
      </p>
    )}
    <Facts stacked facts={factsOf(user)} />
    <section aria-labelledby="workspaces" className="mt-8">
      <h2 id="workspaces" className="mb-2 font-semibold">
        Workspaces
      </h2>
      <Panel>
        {user.workspaces.length === 0 ? (
          <p className="px-4 py-3.5 text-muted">The person belongs to no workspace.</p>
        ) : (
          <ul className="divide-y divide-line">
            {user.workspaces.map(({ id, name, role }) => (
              <li key={id} className="flex items-center gap-4 px-4 py-3">
                <span className="min-w-0 flex-1">
                  <Link
                    to="/operator/workspaces/$id"
                    params={{ id }}
                    className="block truncate font-medium hover:underline"
                  >
                    {name}
                  </Link>
                  <span className="block truncate font-mono text-tiny text-faint">{id}</span>
                </span>
                <Badge>
                  <span className="capitalize">{role}</span>
                </Badge>
              </li>
            ))}
          </ul>
        )}
      </Panel>
    </section>
  </Page>
)

const factsOf = ({ id, last_seen_at, created_at }: User): readonly (readonly [string, ReactNode])[] => [
  ['Id', <Id key="id" id={id} label="id of the user" />],
  ['Last seen', last_seen_at === null ? 'Not recorded' : <LastSeen key="seen" at={last_seen_at} />],
  ['Signed up', <AbsoluteTime key="created" at={created_at} />],
]
