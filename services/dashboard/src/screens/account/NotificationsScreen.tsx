import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useApi } from '../../api/ApiProvider.tsx'
import { type NotificationPreferences, notificationsQuery } from '../../api/account.ts'
import { problemText } from '../../api/problem.ts'
import { useSession } from '../../api/session.ts'
import { showStored } from '../../api/showStored.ts'
import { Checkbox } from '../../ui/controls.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { Page } from '../../ui/Page.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
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

/** Shows and changes which emails the person gets. A choice is shown immediately and saved immediately. */
export const NotificationsScreen = () => {
  const { user, workspace } = useSession()
  const { data, error, refetch } = useQuery(notificationsQuery(useApi()))
  const panel = (kinds: typeof ofWorkspace) => (
    <Panel className="divide-y divide-line">
      {error && !data ? (
        <ErrorState error={error} onRetry={refetch} />
      ) : data ? (
        kinds.map((kind) => <Choice key={kind.kind} {...kind} preferences={data} />)
      ) : (
        kinds.map((kind) => <SectionSkeleton key={kind.kind} {...kind} />)
      )}
    </Panel>
  )
  return (
    <Page
      title="Notifications"
      intro={`Emails to ${user.email}. The first about a kind of event comes immediately; those of the next hour come together.`}
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

/** A choice that is being read. */
const SectionSkeleton = ({ title, text }: (typeof ofWorkspace)[number]) => (
  <div className="flex gap-2 px-4 py-3">
    <Skeleton className="mt-0.5 size-4 shrink-0" />
    <Words title={title} text={text} />
  </div>
)

const Words = ({ title, text }: Pick<(typeof ofWorkspace)[number], 'title' | 'text'>) => (
  <span>
    <span className="block font-medium">{title}</span>
    <span className="block text-small text-muted">{text}</span>
  </span>
)

const Choice = ({
  kind,
  title,
  text,
  preferences,
}: (typeof ofWorkspace)[number] & { preferences: NotificationPreferences }) => {
  const api = useApi()
  const queries = useQueryClient()
  const toast = useToast()
  // The state of a mutation arrives a moment after the click; until then the box would show its former state.
  const [chosen, setChosen] = useState<boolean | null>(null)
  const { mutate, isPending } = useMutation({
    // One change is saved after the other, so the last response has all of them.
    scope: { id: 'notifications' },
    mutationFn: (isWanted: boolean) => api.patch('/api/v1/account/notifications', { body: { [kind]: isWanted } }),
    onSuccess: (saved) => showStored<NotificationPreferences>(queries, ['account', 'notifications'], saved),
    onError: (thrown) => toast({ tone: 'bad', title: 'The choice was not saved', detail: problemText(thrown) }),
  })
  // When the last change was saved or refused, the box follows what the API has, also what another tab changes.
  useEffect(() => {
    if (!isPending) setChosen(null)
  }, [isPending])
  return (
    <div className="px-4 py-3">
      <Checkbox
        checked={chosen ?? preferences[kind]}
        onChange={(event) => {
          setChosen(event.target.checked)
          mutate(event.target.checked)
        }}
      >
        <Words title={title} text={text} />
      </Checkbox>
    </div>
  )
}
