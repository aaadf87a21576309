import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { ChevronLeft } from 'lucide-react'
import { useApi } from '../../api/ApiProvider.tsx'
import { type CapturedEmailDetail, capturedPaths, capturedQuery, capturedRawQuery } from '../../api/mailbox.ts'
import { CodeBlock } from '../../ui/CodeBlock.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { Page } from '../../ui/Page.tsx'
import { Skeleton, SkeletonRows } from '../../ui/Skeleton.tsx'
import { Panel } from '../../ui/Table.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { HeaderFacts, RawMessage, Read } from '../emails/MessageViews.tsx'
import { FramedHtml } from '../emails/Preview.tsx'
import { Attachments } from './Attachments.tsx'
import { CapturedFacts } from './CapturedFacts.tsx'
import { CapturedMark } from './mailboxColumns.tsx'

const route = getRouteApi('/mailbox-area/mailbox/$id')

/** One captured message: its HTML, text, files, head and bytes. */
export const CapturedScreen = () => {
  const { id } = route.useParams()
  const { data: mail, error, refetch } = useQuery(capturedQuery(useApi(), id))
  const title = mail ? mail.subject || 'No subject' : 'Captured message'
  return (
    <Page
      title={title}
      heading={mail ? title : <Skeleton className="h-7 w-72 max-w-full" />}
      back={
        <Link to="/mailbox" className="inline-flex items-center gap-1 text-muted hover:text-ink">
          <ChevronLeft aria-hidden className="size-4" />
          Mailbox
        </Link>
      }
      intro={
        mail && (
          <span className="flex flex-wrap items-center gap-2 pt-1">
            <CapturedMark mode={mail.mode} />
            <span className="wrap-anywhere">to {mail.to.join(', ')}</span>
          </span>
        )
      }
    >
      {mail ? (
        <div className="grid gap-8 lg:grid-cols-[minmax(0,1fr)_17rem]">
          <Views mail={mail} />
          <CapturedFacts mail={mail} />
        </div>
      ) : error ? (
        <ErrorState error={error} onRetry={refetch} />
      ) : (
        <Panel>
          <SkeletonRows label="Reading the message" rows={6} />
        </Panel>
      )}
    </Page>
  )
}

type ViewName = 'html' | 'text' | 'files' | 'headers' | 'raw'

/** The views that the message has, the first one shown first. */
const viewsOf = ({ has_html, text, attachments }: CapturedEmailDetail): { name: ViewName; label: string }[] => [
  ...(has_html ? [{ name: 'html' as const, label: 'HTML' }] : []),
  ...(text === null && has_html ? [] : [{ name: 'text' as const, label: 'Text' }]),
  ...(attachments.length > 0 ? [{ name: 'files' as const, label: `Files (${attachments.length})` }] : []),
  { name: 'headers', label: 'Headers' },
  { name: 'raw', label: 'Raw' },
]

const Views = ({ mail }: { mail: CapturedEmailDetail }) => {
  const { tab } = route.useSearch()
  const navigate = route.useNavigate()
  const views = viewsOf(mail)
  const first = views[0]?.name ?? 'raw'
  const shown = views.find(({ name }) => name === tab)?.name ?? first
  const show = (name: ViewName) =>
    navigate({ search: name === first ? {} : { tab: name }, replace: true, resetScroll: false })
  return (
    <div className="min-w-0">
      <Tabs label="Views of the message" value={shown} onChange={show} tabs={views}>
        {shown === 'html' && <FramedHtml path={capturedPaths(mail.id).html} />}
        {shown === 'text' && <TextPart text={mail.text} />}
        {shown === 'files' && <Attachments mail={mail} />}
        {(shown === 'headers' || shown === 'raw') && <Source id={mail.id} view={shown} />}
      </Tabs>
    </div>
  )
}

const TextPart = ({ text }: { text: string | null }) =>
  text === null ? (
    <p className="py-8 text-center text-muted">This message has no text part.</p>
  ) : (
    <CodeBlock code={text} label="text of the message" wrap />
  )

const Source = ({ id, view }: { id: string; view: 'headers' | 'raw' }) => {
  const query = useQuery(capturedRawQuery(useApi(), id))
  return (
    <Read query={query}>
      {(raw) =>
        view === 'headers' ? <HeaderFacts raw={raw} /> : <RawMessage raw={raw} path={capturedPaths(id).raw} name={id} />
      }
    </Read>
  )
}
