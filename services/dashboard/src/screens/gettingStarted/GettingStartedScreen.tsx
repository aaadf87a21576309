import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useApi } from '../../api/ApiProvider.tsx'
import { problemText } from '../../api/problem.ts'
import { useMay, useSession } from '../../api/session.ts'
import type { CreatedApiKey, Email, Mode } from '../../api/types.ts'
import { ModeBadge, useMode } from '../../app/mode.tsx'
import { Button } from '../../ui/Button.tsx'
import { CodeBlock } from '../../ui/CodeBlock.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { ErrorNote } from '../../ui/ErrorState.tsx'
import { Page } from '../../ui/Page.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { useAction } from '../../ui/useAction.ts'
import { StatusBadge } from '../emails/StatusBadge.tsx'
import { Step } from './Step.tsx'
import { type Snippet, snippets } from './snippets.ts'
import { useProgress } from './useProgress.ts'

/** The first steps, which are ticked off automatically. */
export const GettingStartedScreen = () => {
  const { workspace } = useSession()
  const { mode } = useMode()
  const { key, email, domains, webhooks, error } = useProgress()
  const made = useMadeKey(mode)
  const isVerified = domains?.some(({ status }) => status === 'verified')
  const hasWebhook = webhooks && webhooks.length > 0
  // How high a step is depends on whether it is done.
  const isKnown = key !== undefined && email !== undefined && domains !== undefined && webhooks !== undefined
  return (
    <Page
      title="Getting started"
      intro={`Set up ${workspace.name}. Steps are ticked off automatically.`}
      width="read"
      badge={<ModeBadge />}
    >
      {error && <ErrorNote>{problemText(error)}</ErrorNote>}
      {isKnown ? (
        <ol className="mt-8">
          <Step
            number={1}
            title="Create an API key"
            isDone={key === undefined ? null : key !== null}
            isOpen={key === null || made.key !== null}
            summary={key && made.key === null && `${key.name}, ${key.prefix}…${key.last_four}`}
          >
            <KeyStep made={made.key} onMade={made.store} />
          </Step>
          <Step
            number={2}
            title={mode === 'test' ? 'Send a test email' : 'Send the first email'}
            isDone={email === undefined ? null : email !== null}
            isOpen={key !== null && key !== undefined}
          >
            <SendStep apiKey={made.key} />
            {email ? <FirstEmail email={email} /> : <Waiting />}
          </Step>
          <Step
            number={3}
            title="Send from your own domain"
            isDone={isVerified ?? null}
            isOpen={email !== null && email !== undefined}
            summary={domains?.find(({ status }) => status === 'verified')?.name}
          >
            <p>
              Add your domain and set its DNS records; mail is then signed as yours. Until then it leaves from the
              shared address.
            </p>
            <SharedSender />
          </Step>
          <Step
            number={4}
            title="Follow what happens with a webhook"
            isDone={hasWebhook ?? null}
            isOpen={isVerified === true}
            summary={webhooks?.[0]?.url}
          >
            <p>
              Your program gets each delivery, bounce and complaint as it happens, signed so that it can check the
              sender.
            </p>
          </Step>
        </ol>
      ) : (
        !error && <StepsSkeleton />
      )}
    </Page>
  )
}

const FirstEmail = ({ email }: { email: Email }) => (
  <Link
    to="/emails/$id"
    params={{ id: email.id }}
    className="flex flex-wrap items-center gap-x-3 gap-y-1 rounded-lg border border-line bg-surface px-4 py-3 text-small shadow-raised hover:bg-hover"
  >
    <StatusBadge status={email.status} />
    <span className="min-w-0 flex-1 truncate font-medium text-ink">{email.subject}</span>
    <span className="truncate">{email.to[0]}</span>
    <RelativeTime at={email.created_at} className="text-faint" />
  </Link>
)

const Waiting = () => (
  <p role="status" className="flex items-center gap-2 text-small">
    <span aria-hidden className="size-2 animate-pulse rounded-full bg-info" />
    Waiting for the first email…
  </p>
)

const StepsSkeleton = () => (
  <div role="status" aria-label="Reading what is done" className="mt-8 flex flex-col gap-9">
    {[1, 2, 3, 4].map((number) => (
      <div key={number} className="flex items-start gap-4">
        <Skeleton className="size-7 shrink-0 rounded-full" />
        <div className="flex flex-1 flex-col gap-3">
          <Skeleton className="mt-1 h-5 w-56" />
          <Skeleton className="h-4 w-4/5" />
        </div>
      </div>
    ))}
  </div>
)

const SharedSender = () => {
  const { workspace } = useSession()
  return (
    <p className="flex h-10 items-center justify-between gap-2 rounded-lg border border-line bg-sunken py-1 pr-1 pl-4 text-small text-ink">
      <span className="truncate">{workspace.sender}</span>
      <CopyButton text={workspace.sender} label="shared address" />
    </p>
  )
}

/** The key that was made on this screen. It is in the memory of this tab alone, so a reload loses it. */
const useMadeKey = (mode: Mode) => {
  const queries = useQueryClient()
  const queryKey = ['start', 'made', mode]
  const { data } = useQuery<CreatedApiKey | null>({
    queryKey,
    queryFn: () => null,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  })
  return { key: data ?? null, store: (key: CreatedApiKey) => queries.setQueryData(queryKey, key) }
}

const KeyStep = ({ made, onMade }: { made: CreatedApiKey | null; onMade: (key: CreatedApiKey) => void }) => {
  const api = useApi()
  const queries = useQueryClient()
  const { mode, setMode } = useMode()
  const mayWrite = useMay('admin')
  const { run, isBusy, error } = useAction()
  if (made) {
    return (
      <>
        <p>Store it where your program reads its secrets. It is shown only now.</p>
        <div className="flex items-center gap-2 rounded-lg border border-line bg-sunken py-1.5 pr-1.5 pl-4">
          <code className="min-w-0 flex-1 font-mono text-small break-all text-ink">{made.key}</code>
          <CopyButton text={made.key} label="API key" />
        </div>
      </>
    )
  }
  const make = () =>
    run(async () => {
      onMade(await api.post('/api/v1/api-keys', { body: { name: `First ${mode} key`, mode } }))
      await queries.invalidateQueries({ queryKey: ['start', 'keys'] })
    })
  return (
    <>
      <p>
        {mode === 'test'
          ? 'A test key accepts mail and simulates its delivery. Nothing leaves, nothing counts.'
          : 'A live key sends mail to real people.'}{' '}
        <button
          type="button"
          onClick={() => setMode(mode === 'test' ? 'live' : 'test')}
          className="font-medium text-ink underline decoration-edge/60 underline-offset-3"
        >
          {mode === 'test' ? 'Use a live key' : 'Try it with a test key first'}
        </button>
      </p>
      {error !== null && <ErrorNote>{problemText(error)}</ErrorNote>}
      {mayWrite ? (
        <div className="flex flex-wrap gap-2">
          <Button variant="solid" busy={isBusy} onClick={make}>
            Create a {mode} key
          </Button>
          <Button asChild variant="quiet">
            <Link to="/keys" search={{ create: true }}>
              More options
            </Link>
          </Button>
        </div>
      ) : (
        <p>Ask an owner or admin of the workspace to make a key for you.</p>
      )}
    </>
  )
}

const SendStep = ({ apiKey }: { apiKey: CreatedApiKey | null }) => {
  const { user } = useSession()
  const { mode } = useMode()
  const [language, setLanguage] = useState<Snippet['name']>('curl')
  const to = mode === 'test' ? 'delivered@simulator.postrider.dev' : user.email
  const programs = snippets({ url: location.origin, key: apiKey?.key ?? `pr_${mode}_YOUR_KEY`, to })
  const program = programs.find(({ name }) => name === language) ?? programs[0]
  return (
    <div className="min-w-0">
      <Tabs
        label="Language"
        value={language}
        onChange={setLanguage}
        tabs={programs.map(({ name, label }) => ({ name, label }))}
      >
        {program && <CodeBlock code={program.code} label={`${program.label} program`} />}
      </Tabs>
      {apiKey === null && (
        <p className="mt-2 text-small">
          Replace <code className="font-mono text-tiny">pr_{mode}_YOUR_KEY</code> with your key.
        </p>
      )}
    </div>
  )
}
