import { Button } from '../../ui/Button.tsx'
import { CopyTextButton } from '../../ui/CopyButton.tsx'
import { Dialog, DialogActions } from '../../ui/Dialog.tsx'

/** Shows the recovery codes, which is possible once. Only its button closes it. */
export const RecoveryCodesDialog = ({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) => (
  <Dialog
    open
    keepOpen
    onClose={onClose}
    title="Recovery codes"
    description="Two-factor authentication is on. Without your phone, each of these codes logs you in once. Store them where you store passwords: they cannot be shown again."
  >
    <ul
      aria-label="Recovery codes"
      className="grid grid-cols-2 gap-x-6 gap-y-1 rounded-lg border border-line bg-sunken p-4 font-mono text-small"
    >
      {codes.map((code) => (
        <li key={code}>{code}</li>
      ))}
    </ul>
    <DialogActions>
      <Button onClick={onClose}>I have stored them</Button>
      <CopyTextButton text={codes.join('\n')} label="codes" />
    </DialogActions>
  </Dialog>
)
