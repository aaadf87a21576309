import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useApi } from '../../api/ApiProvider.tsx'
import { type NotificationPreferences, notificationsQuery } from '../../api/account.ts'
import { problemText } from '../../api/problem.ts'
import { useSession } from '../../api/session.ts'
import { Checkbox } from '../../ui/controls.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { Page } from '../../ui/Page.tsx'
import { SkeletonRows } from '../../ui/Skeleton.tsx'
import { Panel } from '../../ui/Table.tsx'
import { useToast } from '../../ui/Toast.tsx'
import { Part } from '../settings/Part.tsx'

type Kind = Exclude<keyof NotificationPreferences, 'object' | 'workspace'>

const ofWorkspace: readonly { kind: Kind; title: string; text: string }[] = [
  { kind: 'quota', title: 'Quota', text: 'A quota is at 80 % or used up.' },
  { kind: 'domains', title: 'Domains', text: 'DNS records of a sending domain are missing or wrong.' },
  { kind: 'webhooks', title: 'Webhooks', text: 'An endpoint fails or was disabled.' },
  { kind: 'reputation', title: 'Reputation', text: 'Many recipients bounce, or complain.' },
]

const ofAccount: typeof ofWorkspace = [
  { kind: 'sign_in', title: 'New devices', text: 'Your account was used on a new device.' },
]

/** Which mails the person gets. A choice is shown at once and saved at once. */
export const NotificationsScreen = () => {
  const { user, workspace } = useSession()
  const { data, error, refetch } = useQuery(notificationsQuery(useApi()))
  const panel = (kinds: typeof ofWorkspace) => (
    <Panel className="divide-y divide-line">
      {error && !data ? (
        <ErrorState error={error} onRetry={refetch} />
      ) : !data ? (
        <SkeletonRows label="Reading notifications" rows={kinds.length} />
      ) : (
        kinds.map((kind) => <Choice key={kind.kind} {...kind} preferences={data} />)
      )}
    </Panel>
  )
  return (
    <Page
      title="Notifications"
      intro={`Mails to ${user.email}. The first about a kind of event comes at once; those of the next hour come together.`}
    >
      <Part title={`About ${workspace.name}`} intro="Each workspace has its own choice.">
        {panel(ofWorkspace)}
      </Part>
      <Part title="About your account" intro="The same in all your workspaces.">
        {panel(ofAccount)}
      </Part>
    </Page>
  )
}

const Choice = ({
  kind,
  title,
  text,
  preferences,
}: (typeof ofWorkspace)[number] & { preferences: NotificationPreferences }) => {
  const api = useApi()
  const queries = useQueryClient()
  const toast = useToast()
  const save = useMutation({
    mutationFn: (isWanted: boolean) => api.patch('/api/v1/account/notifications', { body: { [kind]: isWanted } }),
    // Of several changes in flight each answers with all kinds, so only its own is stored.
    onSuccess: (changed) =>
      queries.setQueryData<NotificationPreferences>(
        ['account', 'notifications'],
        (shown) => shown && { ...shown, [kind]: changed[kind] },
      ),
    onError: (thrown) => toast({ tone: 'bad', title: 'The choice was not saved', detail: problemText(thrown) }),
  })
  return (
    <div className="px-4 py-3">
      <Checkbox
        checked={save.isPending ? save.variables : preferences[kind]}
        onChange={(event) => save.mutate(event.target.checked)}
      >
        <span className="block font-medium">{title}</span>
        <span className="block text-small text-muted">{text}</span>
      </Checkbox>
    </div>
  )
}
