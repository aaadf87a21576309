import { useBlocker } from '@tanstack/react-router'
import { Button } from '../../ui/Button.tsx'
import { Dialog, DialogActions } from '../../ui/Dialog.tsx'

/** Requests confirmation before the person leaves the screen with unsaved changes. */
export const LeaveDialog = ({ isChanged }: { isChanged: boolean }) => {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isChanged && current.pathname !== next.pathname,
    enableBeforeUnload: () => isChanged,
    withResolver: true,
  })
  if (blocker.status !== 'blocked') return null
  return (
    <Dialog open onClose={blocker.reset} title="Leave without saving?">
      <p className="text-muted">Your changes of this template are not saved.</p>
      <DialogActions>
        <Button onClick={blocker.reset}>Stay</Button>
        <Button variant="danger" onClick={blocker.proceed}>
          Leave
        </Button>
      </DialogActions>
    </Dialog>
  )
}
