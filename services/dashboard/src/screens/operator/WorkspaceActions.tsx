import { deletionDelayMs, durationText } from '@postrider/contracts/http/values.ts'
import { useQueryClient } from '@tanstack/react-query'
import { CirclePause, CirclePlay, Ellipsis, RotateCcw, Trash2 } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useApi } from '../../api/ApiProvider.tsx'
import { type Controls, storeControls } from '../../api/operator.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { Menu, MenuItem } from '../../ui/Menu.tsx'
import { useToast } from '../../ui/Toast.tsx'
import { useChangeControls } from './useChangeControls.ts'

/** Loaded when it opens: it contains the schema of a request body. */
const StopDialog = lazy(() => import('./StopDialog.tsx').then((module) => ({ default: module.StopDialog })))

type Step = 'stop' | 'resume' | 'delete' | 'restore'

/** Stops, resumes, deletes and restores a workspace. */
export const WorkspaceActions = ({ workspace }: { workspace: Controls }) => {
  const api = useApi()
  const queries = useQueryClient()
  const toast = useToast()
  const change = useChangeControls(workspace)
  const [step, setStep] = useState<Step | null>(null)
  const close = () => setStep(null)
  const path = { id: workspace.id }
  const isDeleting = workspace.deletes_at !== null
  return (
    <>
      <MainButton workspace={workspace} onStep={setStep} />
      {!isDeleting && (
        <Menu trigger={<IconButton icon={Ellipsis} label="More actions" className="border border-line bg-surface" />}>
          {workspace.suspended && (
            <MenuItem icon={CirclePause} onSelect={() => setStep('stop')}>
              Change the reason…
            </MenuItem>
          )}
          <MenuItem icon={Trash2} danger onSelect={() => setStep('delete')}>
            Delete workspace…
          </MenuItem>
        </Menu>
      )}
      <Suspense>{step === 'stop' && <StopDialog workspace={workspace} onClose={close} />}</Suspense>
      {step === 'resume' && (
        <ConfirmDialog
          title="Resume mail"
          action="Resume mail"
          onClose={close}
          run={() => change({ suspended: false }, `The mail of ${workspace.name} leaves again`)}
        >
          <p>Mail that waits leaves immediately, and new sends are accepted. The reason is removed.</p>
        </ConfirmDialog>
      )}
      {step === 'delete' && (
        <ConfirmDialog
          title="Delete workspace"
          action="Delete workspace"
          name={workspace.name}
          onClose={close}
          run={async () => {
            await storeControls(queries, await api.delete('/api/v1/operator/workspaces/{id}', { path }))
            toast({ title: `The workspace is deleted in ${durationText(deletionDelayMs)}` })
          }}
        >
          <p>
            Its mail is stopped immediately. In {durationText(deletionDelayMs)} its emails, templates, domains, API
            keys, webhooks, members and audit log are removed. Until then you can restore it.
          </p>
        </ConfirmDialog>
      )}
      {step === 'restore' && (
        <ConfirmDialog
          title="Restore workspace"
          action="Restore workspace"
          onClose={close}
          run={async () => {
            await storeControls(queries, await api.post('/api/v1/operator/workspaces/{id}/restore', { path }))
            toast({ title: 'The workspace is restored' })
          }}
        >
          <p>It is not deleted. Its mail leaves again, unless it was stopped before the deletion was scheduled.</p>
        </ConfirmDialog>
      )}
    </>
  )
}

/** What is done most in this state. */
const MainButton = ({ workspace, onStep }: { workspace: Controls; onStep: (step: Step) => void }) =>
  workspace.deletes_at !== null ? (
    <Button variant="solid" onClick={() => onStep('restore')}>
      <RotateCcw aria-hidden className="size-4" />
      Restore…
    </Button>
  ) : workspace.suspended ? (
    <Button variant="solid" onClick={() => onStep('resume')}>
      <CirclePlay aria-hidden className="size-4" />
      Resume mail…
    </Button>
  ) : (
    <Button variant="danger" onClick={() => onStep('stop')}>
      <CirclePause aria-hidden className="size-4" />
      Stop mail…
    </Button>
  )
