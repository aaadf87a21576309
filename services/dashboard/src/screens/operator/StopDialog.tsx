import { UpdateControls } from '@postrider/contracts/http/workspace.ts'
import type { Controls } from '../../api/operator.ts'
import { ReasonDialog } from './ReasonDialog.tsx'
import { useChangeControls } from './useChangeControls.ts'

/** Stops the mail of a workspace, with a reason for its users. */
export const StopDialog = ({ workspace, onClose }: { workspace: Controls; onClose: () => void }) => {
  const change = useChangeControls(workspace)
  return (
    <ReasonDialog
      title={workspace.suspended ? 'Change the reason' : 'Stop mail'}
      description="Sends are refused with the reason, and accepted mail waits until the mail is resumed. Nothing is lost."
      hint="Users of the workspace see it. At most 500 characters."
      action={workspace.suspended ? 'Change reason' : 'Stop mail'}
      reason={workspace.suspended_reason ?? ''}
      schema={UpdateControls}
      bodyOf={(reason) => ({ suspended: true, reason })}
      submit={(body) => change(body, `The mail of ${workspace.name} is stopped`)}
      onClose={onClose}
    />
  )
}
