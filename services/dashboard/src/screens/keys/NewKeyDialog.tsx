import type { CreatedApiKey } from '../../api/types.ts'
import { Button } from '../../ui/Button.tsx'
import { CopyTextButton } from '../../ui/CopyButton.tsx'
import { Dialog, DialogActions } from '../../ui/Dialog.tsx'

/** Shows a key, which is possible once. Only its button closes it. */
export const NewKeyDialog = ({ made, onClose }: { made: CreatedApiKey; onClose: () => void }) => (
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
