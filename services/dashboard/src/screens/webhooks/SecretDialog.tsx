import type { WebhookWithSecret } from '../../api/webhooks.ts'
import { Button } from '../../ui/Button.tsx'
import { CopyTextButton } from '../../ui/CopyButton.tsx'
import { Dialog, DialogActions } from '../../ui/Dialog.tsx'
import { AbsoluteTime } from '../../ui/RelativeTime.tsx'

/** Shows the secret of an endpoint, which is possible once. Only its button closes it. */
export const SecretDialog = ({
  webhook,
  title,
  onClose,
}: {
  webhook: WebhookWithSecret
  title: string
  onClose: () => void
}) => (
  <Dialog
    open
    keepOpen
    onClose={onClose}
    title={title}
    description="Copy the secret now and store it where your server reads its secrets. It cannot be shown again."
  >
    <p className="rounded-lg border border-line bg-sunken p-3 font-mono text-small break-all select-all">
      {webhook.secret}
    </p>
    <p className="mt-3 text-small text-muted">
      Your server verifies the header <span className="font-mono text-tiny">webhook-signature</span> of each request
      with it, as Standard Webhooks describes.
    </p>
    {webhook.former_secret_expires_at !== null && (
      <p className="mt-3 rounded-md bg-info-tint px-3 py-2 text-small text-info">
        The former secret also signs until <AbsoluteTime at={webhook.former_secret_expires_at} />, so your server can
        change at any time before.
      </p>
    )}
    <DialogActions>
      <Button onClick={onClose}>I have stored it</Button>
      <CopyTextButton text={webhook.secret} label="secret" />
    </DialogActions>
  </Dialog>
)
