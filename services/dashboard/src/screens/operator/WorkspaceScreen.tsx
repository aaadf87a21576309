import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { ChevronLeft } from 'lucide-react'
import { useApi } from '../../api/ApiProvider.tsx'
import { type Controls, controlsQuery } from '../../api/operator.ts'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { Id } from '../../ui/Id.tsx'
import { Page } from '../../ui/Page.tsx'
import { AbsoluteTime, RelativeTime } from '../../ui/RelativeTime.tsx'
import { Skeleton, SkeletonRows } from '../../ui/Skeleton.tsx'
import { Panel } from '../../ui/Table.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { planLabels } from './controlsLabels.ts'
import { InvoiceList } from './InvoiceList.tsx'
import { OperatorAuditEntries } from './OperatorAuditEntries.tsx'
import { StateBadge } from './StateBadge.tsx'
import { WorkspaceActions } from './WorkspaceActions.tsx'
import { WorkspaceSettings } from './WorkspaceSettings.tsx'

const route = getRouteApi('/operator-area/operator/workspaces/$id')

/** One workspace: whether it sends, its plan and limits, its invoices and what happened in it. */
export const WorkspaceScreen = () => {
  const { id } = route.useParams()
  const { data: workspace, error, refetch } = useQuery(controlsQuery(useApi(), id))
  if (workspace) return <WorkspaceView workspace={workspace} />
  return (
    <Page title="Workspace" heading={<Skeleton className="h-7 w-56 max-w-full" />} back={<Back />}>
      {error ? (
        <ErrorState error={error} onRetry={refetch} />
      ) : (
        <Panel>
          <SkeletonRows label="Reading the workspace" rows={6} />
        </Panel>
      )}
    </Page>
  )
}

const Back = () => (
  <Link to="/operator/workspaces" className="inline-flex items-center gap-1 text-muted hover:text-ink">
    <ChevronLeft aria-hidden className="size-4" />
    Workspaces
  </Link>
)

const WorkspaceView = ({ workspace }: { workspace: Controls }) => {
  const { tab = 'settings' } = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <Page
      title={workspace.name}
      back={<Back />}
      badge={<StateBadge workspace={workspace} />}
      intro={
        <span className="flex flex-wrap items-center gap-x-4 gap-y-1 pt-1 text-small">
          <Id id={workspace.id} label="id of the workspace" />
          <span>{planLabels[workspace.plan] ?? workspace.plan} plan</span>
          <span>
            Created <RelativeTime at={workspace.created_at} />
          </span>
        </span>
      }
      actions={<WorkspaceActions workspace={workspace} />}
    >
      <WorkspaceNotice workspace={workspace} />
      <Tabs
        label="Views of the workspace"
        value={tab}
        onChange={(name) =>
          navigate({ search: name === 'settings' ? {} : { tab: name }, replace: true, resetScroll: false })
        }
        tabs={[
          { name: 'settings', label: 'Plan and limits' },
          { name: 'invoices', label: 'Invoices' },
          { name: 'audit-log', label: 'Audit log' },
        ]}
      >
        {tab === 'settings' && <WorkspaceSettings workspace={workspace} />}
        {tab === 'invoices' && <InvoiceList filters={{ workspace: workspace.id }} ofOneWorkspace />}
        {tab === 'audit-log' && <OperatorAuditEntries filters={{ workspace: workspace.id }} />}
      </Tabs>
    </Page>
  )
}

const strip = 'mb-6 rounded-lg px-4 py-3 text-small wrap-anywhere'

/** Shows why a workspace does not send. */
const WorkspaceNotice = ({ workspace: { suspended, suspended_reason, deletes_at } }: { workspace: Controls }) => {
  if (!suspended) return null
  const reason = suspended_reason ? `Its users see the reason: ${suspended_reason}` : 'Its users see no reason.'
  if (deletes_at === null) {
    return (
      <p className={`${strip} bg-warn-tint text-warn`}>
        <b className="font-medium">Its mail is stopped.</b> Sends are refused, and accepted mail waits. {reason}
      </p>
    )
  }
  return (
    <p className={`${strip} bg-bad-tint text-bad`}>
      <b className="font-medium">
        It is deleted <RelativeTime at={deletes_at} />, on <AbsoluteTime at={deletes_at} />.
      </b>{' '}
      Its mail is stopped. Until then it can be restored with everything in it.
    </p>
  )
}
