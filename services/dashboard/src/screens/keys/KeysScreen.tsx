import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { KeyRound, Plus } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useApi } from '../../api/ApiProvider.tsx'
import { keyPages } from '../../api/keys.ts'
import { useMay } from '../../api/session.ts'
import type { ApiKey, CreatedApiKey } from '../../api/types.ts'
import { ModeBadge, useMode } from '../../app/mode.tsx'
import { Button } from '../../ui/Button.tsx'
import { CopyTextButton } from '../../ui/CopyButton.tsx'
import { Checkbox } from '../../ui/controls.tsx'
import { Dialog, DialogActions } from '../../ui/Dialog.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { Page } from '../../ui/Page.tsx'
import { useNow } from '../../ui/RelativeTime.tsx'
import { SkeletonRows } from '../../ui/Skeleton.tsx'
import { Panel, Table } from '../../ui/Table.tsx'
import { KeyDialog } from './KeyDialog.tsx'
import { keyColumns, stateOf } from './keyColumns.tsx'

/** Loaded when it is opened: the list needs no forms. */
const CreateKeyDialog = lazy(async () => ({ default: (await import('./CreateKeyDialog.tsx')).CreateKeyDialog }))

const route = getRouteApi('/member/keys')

/** The API keys of the workspace in the mode of this tab. */
export const KeysScreen = () => {
  const api = useApi()
  const { mode } = useMode()
  const { create } = route.useSearch()
  const navigate = route.useNavigate()
  const mayWrite = useMay('admin')
  const [isShowingEnded, setShowingEnded] = useState(false)
  const [opened, setOpened] = useState<ApiKey | null>(null)
  const [made, setMade] = useState<CreatedApiKey | null>(null)
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(keyPages(api))
  const now = useNow()
  const all = data?.pages.flatMap((page) => page.data).filter((key) => key.mode === mode)
  const keys = all?.filter((key) => isShowingEnded || stateOf(key, now) === 'active')
  const ended = (all?.length ?? 0) - (all?.filter((key) => stateOf(key, now) === 'active').length ?? 0)
  const setCreating = (isCreating: boolean) => navigate({ search: isCreating ? { create: true } : {}, replace: true })
  return (
    <Page
      title="API keys"
      badge={<ModeBadge />}
      intro="Your programs use a key to send mail. A key is shown once, when you create it."
      actions={
        mayWrite && (
          <Button variant="solid" onClick={() => setCreating(true)}>
            <Plus aria-hidden className="size-4" />
            Create API key
          </Button>
        )
      }
    >
      <Panel className="overflow-hidden">
        {error && !data ? (
          <ErrorState error={error} onRetry={refetch} />
        ) : !keys ? (
          <SkeletonRows label="Reading API keys" rows={4} />
        ) : keys.length === 0 ? (
          <EmptyState
            icon={KeyRound}
            title={`No ${mode} keys`}
            action={
              mayWrite && (
                <Button variant="solid" onClick={() => setCreating(true)}>
                  Create a {mode} key
                </Button>
              )
            }
          >
            {mode === 'live'
              ? 'A live key sends mail to real people. Create a test key first if you only want to try things.'
              : 'With a test key nothing leaves the service and nothing is counted.'}
          </EmptyState>
        ) : (
          <Table label="API keys" columns={keyColumns(setOpened, now)} rows={keys} rowKey={(key) => key.id} />
        )}
      </Panel>
      <div className="mt-3 flex items-center gap-4 text-small text-muted">
        {ended > 0 && (
          <Checkbox checked={isShowingEnded} onChange={(event) => setShowingEnded(event.target.checked)}>
            Show {ended} ended {ended === 1 ? 'key' : 'keys'}
          </Checkbox>
        )}
        {hasNextPage && (
          <Button size="small" variant="quiet" busy={isFetchingNextPage} onClick={() => fetchNextPage()}>
            Show older keys
          </Button>
        )}
      </div>
      {create && mayWrite && (
        <Suspense>
          <CreateKeyDialog onClose={() => setCreating(false)} onMade={setMade} />
        </Suspense>
      )}
      {opened && <KeyDialog apiKey={opened} onClose={() => setOpened(null)} onMade={setMade} />}
      {made && <NewKeyDialog made={made} onClose={() => setMade(null)} />}
    </Page>
  )
}

/** Shows a key, which is possible once. Only its button closes it. */
const NewKeyDialog = ({ made, onClose }: { made: CreatedApiKey; onClose: () => void }) => (
  <Dialog
    open
    keepOpen
    onClose={onClose}
    title={`Key “${made.name}”`}
    description="Copy it now and store it where your program reads its secrets. It cannot be shown again."
  >
    <p className="rounded-lg border border-line bg-sunken p-3 font-mono text-small break-all select-all">{made.key}</p>
    <DialogActions>
      <Button onClick={onClose}>I have stored it</Button>
      <CopyTextButton text={made.key} label="key" />
    </DialogActions>
  </Dialog>
)
