import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { ChevronLeft } from 'lucide-react'
import { useApi } from '../../api/ApiProvider.tsx'
import { emailQuery } from '../../api/emails.ts'
import type { EmailDetail } from '../../api/types.ts'
import { Badge } from '../../ui/Badge.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { Page } from '../../ui/Page.tsx'
import { Skeleton, SkeletonRows } from '../../ui/Skeleton.tsx'
import { Panel } from '../../ui/Table.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { Conversation } from './Conversation.tsx'
import { EmailActions } from './EmailActions.tsx'
import { EmailFacts } from './EmailFacts.tsx'
import { HeadersView, RawView, TextView } from './MessageViews.tsx'
import { Preview } from './Preview.tsx'
import { recipientsText } from './recipientsText.ts'
import { StatusBadge } from './StatusBadge.tsx'
import { Timeline } from './Timeline.tsx'

const route = getRouteApi('/member/emails/$id')

const tabs = [
  { name: 'timeline', label: 'Timeline' },
  { name: 'preview', label: 'Preview' },
  { name: 'text', label: 'Text' },
  { name: 'headers', label: 'Headers' },
  { name: 'raw', label: 'Raw' },
  { name: 'smtp', label: 'SMTP' },
] as const

type TabName = (typeof tabs)[number]['name']

/** One email: what became of it for each recipient, what was sent, and what can still be done. */
export const EmailScreen = () => {
  const { id } = route.useParams()
  const { data: email, error, refetch } = useQuery(emailQuery(useApi(), id))
  const title = email ? email.subject || (email.content_removed_at ? 'Content removed' : 'No subject') : 'Email'
  return (
    <Page
      title={title}
      heading={email ? title : <Skeleton className="h-7 w-72 max-w-full" />}
      back={
        <Link to="/emails" className="inline-flex items-center gap-1 text-muted hover:text-ink">
          <ChevronLeft aria-hidden className="size-4" />
          Emails
        </Link>
      }
      intro={
        email && (
          <span className="flex flex-wrap items-center gap-2 pt-1">
            <StatusBadge status={email.status} />
            {email.mode === 'test' && <Badge tone="warn">Test</Badge>}
            <span className="wrap-anywhere">to {recipientsText(email)}</span>
          </span>
        )
      }
      actions={email && <EmailActions email={email} />}
    >
      {error && !email ? (
        <ErrorState error={error} onRetry={refetch} />
      ) : !email ? (
        <Panel>
          <SkeletonRows label="Reading the email" rows={6} />
        </Panel>
      ) : (
        <div className="grid gap-8 lg:grid-cols-[minmax(0,1fr)_17rem]">
          <EmailTabs email={email} />
          <EmailFacts email={email} />
        </div>
      )}
    </Page>
  )
}

const EmailTabs = ({ email }: { email: EmailDetail }) => {
  const { tab } = route.useSearch()
  const navigate = route.useNavigate()
  const shown = tabs.find(({ name }) => name === tab)?.name ?? 'timeline'
  const show = (name: TabName) =>
    navigate({ search: name === 'timeline' ? {} : { tab: name }, replace: true, resetScroll: false })
  return (
    <div className="min-w-0">
      <Tabs label="Views of the email" value={shown} onChange={show} tabs={tabs}>
        {shown === 'timeline' && <Timeline email={email} />}
        {shown === 'preview' && <Preview email={email} />}
        {shown === 'text' && <TextView email={email} />}
        {shown === 'headers' && <HeadersView email={email} />}
        {shown === 'raw' && <RawView email={email} />}
        {shown === 'smtp' && <Conversation email={email} />}
      </Tabs>
    </div>
  )
}
