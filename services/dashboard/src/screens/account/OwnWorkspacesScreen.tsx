import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useApi } from '../../api/ApiProvider.tsx'
import { problemText } from '../../api/problem.ts'
import type { Membership } from '../../api/types.ts'
import { enterWorkspace, workspacesQuery } from '../../api/workspaces.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { Page } from '../../ui/Page.tsx'
import { SkeletonRows } from '../../ui/Skeleton.tsx'
import { Panel } from '../../ui/Table.tsx'
import { useToast } from '../../ui/Toast.tsx'
import { roleName } from '../settings/roleLabels.ts'

/** Loaded when it opens: it contains the schema of a request body. */
const CreateWorkspaceDialog = lazy(() =>
  import('./CreateWorkspaceDialog.tsx').then((module) => ({ default: module.CreateWorkspaceDialog })),
)

const route = getRouteApi('/member/settings/workspaces')

/** The workspaces of the person. */
export const OwnWorkspacesScreen = () => {
  const { create } = route.useSearch()
  const navigate = route.useNavigate()
  const { data, error, refetch } = useQuery(workspacesQuery(useApi()))
  const setCreating = (isCreating: boolean) => navigate({ search: isCreating ? { create: true } : {}, replace: true })
  return (
    <Page
      title="Workspaces"
      intro="Each has its own mail, keys, domains, members and plan."
      actions={
        <Button variant="solid" onClick={() => setCreating(true)}>
          <Plus aria-hidden className="size-4" />
          Create workspace
        </Button>
      }
    >
      <Panel className="overflow-hidden">
        {error && !data ? (
          <ErrorState error={error} onRetry={refetch} />
        ) : !data ? (
          <SkeletonRows label="Reading workspaces" rows={2} />
        ) : (
          <ul aria-label="Workspaces" className="divide-y divide-line">
            {data.data.map((membership) => (
              <WorkspaceRow key={membership.id} membership={membership} />
            ))}
          </ul>
        )}
      </Panel>
      <Suspense>{create && <CreateWorkspaceDialog onClose={() => setCreating(false)} />}</Suspense>
    </Page>
  )
}

const WorkspaceRow = ({ membership: { id, name, role, plan, current } }: { membership: Membership }) => {
  const api = useApi()
  const queries = useQueryClient()
  const toast = useToast()
  const [isLeaving, setLeaving] = useState(false)
  const open = () =>
    enterWorkspace(api, id).catch((thrown: unknown) =>
      toast({ tone: 'bad', title: 'The workspace was not opened', detail: problemText(thrown) }),
    )
  const leave = async () => {
    await api.post('/api/v1/workspaces/{id}/leave', { path: { id } })
    // The session was in the workspace and has ended with the membership.
    if (current) location.assign('/login')
    else await queries.invalidateQueries({ queryKey: ['workspaces'] })
  }
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
      <div className="min-w-0 flex-1 basis-48">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
          <span className="min-w-0 break-words">{name}</span>
          {current && <Badge tone="good">Current</Badge>}
        </p>
        <p className="text-small text-muted">
          {roleName(role)} · <span className="capitalize">{plan}</span> plan
        </p>
      </div>
      <div className="flex gap-2">
        {!current && (
          <Button size="small" onClick={open} aria-label={`Open ${name}`}>
            Open
          </Button>
        )}
        <Button size="small" variant="quiet" onClick={() => setLeaving(true)} aria-label={`Leave ${name}`}>
          Leave…
        </Button>
      </div>
      {isLeaving && (
        <ConfirmDialog
          title="Leave workspace"
          action="Leave workspace"
          name={name}
          onClose={() => setLeaving(false)}
          run={leave}
        >
          <p>
            You lose access to <b className="font-medium text-ink">{name}</b> immediately. To come back, you need a new
            invitation. API keys that you created stay valid.
            {current && ' You are logged out.'}
          </p>
        </ConfirmDialog>
      )}
    </li>
  )
}
