import { ShieldAlert } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { needsTotp, useSession } from '../../api/session.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { CopyTextButton } from '../../ui/CopyButton.tsx'
import { Dialog, DialogActions } from '../../ui/Dialog.tsx'
import { Page } from '../../ui/Page.tsx'
import { Panel } from '../../ui/Table.tsx'
import { SettingRow } from '../settings/Part.tsx'

/** Loaded when they open: they contain the schemas of request bodies. */
const SetUpTotpDialog = lazy(() =>
  import('./SetUpTotpDialog.tsx').then((module) => ({ default: module.SetUpTotpDialog })),
)
const DisableTotpDialog = lazy(() =>
  import('./DisableTotpDialog.tsx').then((module) => ({ default: module.DisableTotpDialog })),
)

/** The second factor of the person. */
export const TwoFactorScreen = () => {
  const session = useSession()
  const { user, workspace } = session
  const [step, setStep] = useState<'set-up' | 'disable' | null>(null)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const close = () => setStep(null)
  return (
    <Page title="Two-factor authentication" intro="A code of an app on your phone in addition to your password.">
      {needsTotp(session) && (
        <p className="mb-4 flex gap-2.5 rounded-lg bg-warn-tint px-4 py-3 text-warn">
          <ShieldAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          <span>
            {workspace.name} requires two-factor authentication. Set it up to open the workspace; until then you reach
            only your account.
          </span>
        </p>
      )}
      <Panel>
        <SettingRow
          title={
            <>
              Authenticator app
              <Badge tone={user.totp_enabled ? 'good' : 'idle'}>{user.totp_enabled ? 'On' : 'Off'}</Badge>
            </>
          }
          action={
            user.totp_enabled ? (
              <Button variant="danger" onClick={() => setStep('disable')}>
                Turn off…
              </Button>
            ) : (
              <Button variant="solid" onClick={() => setStep('set-up')}>
                Set up…
              </Button>
            )
          }
        >
          {user.totp_enabled
            ? 'Each login requires a code. To change the phone, or for new recovery codes, turn it off and set it up again.'
            : 'Works with every app for one-time codes, such as 1Password, Aegis or Google Authenticator.'}
        </SettingRow>
      </Panel>
      <Suspense>
        {step === 'set-up' && (
          <SetUpTotpDialog
            onClose={close}
            onEnabled={(recoveryCodes) => {
              close()
              setCodes(recoveryCodes)
            }}
          />
        )}
        {step === 'disable' && <DisableTotpDialog onClose={close} />}
      </Suspense>
      {codes !== null && <RecoveryCodesDialog codes={codes} onClose={() => setCodes(null)} />}
    </Page>
  )
}

/** Shows the recovery codes, which is possible once. Only its button closes it. */
const RecoveryCodesDialog = ({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) => (
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
