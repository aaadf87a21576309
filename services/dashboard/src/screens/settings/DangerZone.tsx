import { deletionDelayMs, durationText } from '@postrider/contracts/http/values.ts'
import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useApi } from '../../api/ApiProvider.tsx'
import { useMay, useSession } from '../../api/session.ts'
import { storeWorkspace, type Workspace } from '../../api/workspaces.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { AbsoluteTime } from '../../ui/RelativeTime.tsx'
import { Part, SettingRow } from './Part.tsx'

/** Loaded when it opens: it contains the schema of a request body. */
const DeleteWorkspaceDialog = lazy(() =>
  import('./DeleteWorkspaceDialog.tsx').then((module) => ({ default: module.DeleteWorkspaceDialog })),
)

/** Offers the actions that end the membership of the person, or the workspace. */
export const DangerZone = ({ workspace }: { workspace: Workspace }) => {
  const api = useApi()
  const queries = useQueryClient()
  const isOwner = useMay('owner')
  const { user } = useSession()
  const [step, setStep] = useState<'leave' | 'delete' | null>(null)
  const close = () => setStep(null)
  return (
    <Part title="Danger zone">
      <div className="divide-y divide-line rounded-lg border border-bad/40 bg-surface">
        <SettingRow
          title="Leave this workspace"
          action={
            <Button variant="danger" onClick={() => setStep('leave')}>
              Leave…
            </Button>
          }
        >
          You lose access immediately. The last owner cannot leave.
        </SettingRow>
        {isOwner && (
          <SettingRow
            title="Delete this workspace"
            action={
              workspace.deletes_at === null && (
                <Button variant="danger" onClick={() => setStep('delete')}>
                  Delete…
                </Button>
              )
            }
          >
            {workspace.deletes_at === null ? (
              `Stops its mail immediately, and removes everything in it after ${durationText(deletionDelayMs)}.`
            ) : (
              <>
                It is deleted on <AbsoluteTime at={workspace.deletes_at} />. Until then, the operator of this service
                can restore it.
              </>
            )}
          </SettingRow>
        )}
      </div>
      {step === 'leave' && (
        <ConfirmDialog
          title="Leave workspace"
          action="Leave workspace"
          name={workspace.name}
          onClose={close}
          run={async () => {
            await api.delete('/api/v1/members/{user_id}', { path: { user_id: user.id } })
            location.assign('/login')
          }}
        >
          <p>
            You are logged out of <b className="font-medium text-ink">{workspace.name}</b>. To come back, you need a new
            invitation. API keys that you created stay valid.
          </p>
        </ConfirmDialog>
      )}
      <Suspense>
        {step === 'delete' && (
          <DeleteWorkspaceDialog
            workspace={workspace}
            onClose={close}
            onDeleted={(deleted) => storeWorkspace(queries, deleted)}
          />
        )}
      </Suspense>
    </Part>
  )
}
