import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useApi } from '../../api/ApiProvider.tsx'
import { memberPages } from '../../api/members.ts'
import { useMay, useSession } from '../../api/session.ts'
import { storeWorkspace, workspaceQuery } from '../../api/workspaces.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { Page } from '../../ui/Page.tsx'
import { SkeletonRows } from '../../ui/Skeleton.tsx'
import { Panel } from '../../ui/Table.tsx'
import { useToast } from '../../ui/Toast.tsx'
import { Part, SettingRow } from './Part.tsx'

/** Shows and changes what the workspace requires of its members. */
export const SecurityScreen = () => {
  const { data: workspace, error, refetch } = useQuery(workspaceQuery(useApi()))
  return (
    <Page title="Security" intro="What the workspace requires of its members.">
      <Part
        title="Two-factor authentication"
        intro="A code of an app in addition to the password, so that a stolen password alone opens nothing."
      >
        <Panel>
          {error && !workspace ? (
            <ErrorState error={error} onRetry={refetch} />
          ) : !workspace ? (
            <SkeletonRows label="Reading the settings" rows={1} />
          ) : (
            <RequireTotp isRequired={workspace.require_totp} />
          )}
        </Panel>
        {workspace && <WithoutTotp />}
      </Part>
    </Page>
  )
}

const RequireTotp = ({ isRequired }: { isRequired: boolean }) => {
  const api = useApi()
  const queries = useQueryClient()
  const toast = useToast()
  const isOwner = useMay('owner')
  const { user } = useSession()
  const [isDialogOpen, setDialogOpen] = useState(false)
  const require = async (require_totp: boolean) => {
    await storeWorkspace(queries, await api.patch('/api/v1/workspace', { body: { require_totp } }))
    toast({ title: require_totp ? 'Two-factor authentication is required' : 'It is not required any more' })
  }
  const action = !isOwner ? null : !user.totp_enabled && !isRequired ? (
    <Button asChild>
      <Link to="/settings/two-factor">Set up your own first</Link>
    </Button>
  ) : (
    <Button onClick={() => setDialogOpen(true)}>{isRequired ? 'Stop requiring…' : 'Require…'}</Button>
  )
  return (
    <>
      <SettingRow
        title={
          <>
            Required of all members
            <Badge tone={isRequired ? 'good' : 'idle'}>{isRequired ? 'On' : 'Off'}</Badge>
          </>
        }
        action={action}
      >
        {isRequired ? 'Members without it reach only their own account until they set it up.' : 'Each member decides.'}
        {!isOwner && ' Owners change this.'}
      </SettingRow>
      {isDialogOpen && (
        <ConfirmDialog
          title={isRequired ? 'Stop requiring two-factor authentication' : 'Require two-factor authentication'}
          action={isRequired ? 'Stop requiring it' : 'Require it'}
          onClose={() => setDialogOpen(false)}
          run={() => require(!isRequired)}
        >
          {isRequired ? (
            <p>Members may switch it off for their accounts again.</p>
          ) : (
            <p>
              Members without it reach only their own account from now on, until they have set it up. API keys are not
              affected.
            </p>
          )}
        </ConfirmDialog>
      )}
    </>
  )
}

/** The members who have no second factor, for those who may see it. */
const WithoutTotp = () => {
  const mayRead = useMay('admin')
  const { data } = useInfiniteQuery({ ...memberPages(useApi()), enabled: mayRead })
  const without = data?.pages.flatMap((page) => page.data).filter((member) => member.totp_enabled === false) ?? []
  if (without.length === 0) return null
  return (
    <p className="mt-3 text-small text-muted">
      {without.length === 1 ? '1 member has' : `${without.length} members have`} not set it up:{' '}
      {without
        .slice(0, 5)
        .map(({ user }) => user.email)
        .join(', ')}
      {without.length > 5 && ` and ${without.length - 5} more`}.{' '}
      <Link to="/settings/members" className="font-medium text-ink underline underline-offset-3">
        Open members
      </Link>
    </p>
  )
}
