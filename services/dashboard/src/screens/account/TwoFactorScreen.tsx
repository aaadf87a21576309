import { ShieldAlert } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { needsTotp, useSession } from '../../api/session.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { Page } from '../../ui/Page.tsx'
import { Panel } from '../../ui/Table.tsx'
import { SettingRow } from '../settings/Part.tsx'
import { RecoveryCodesDialog } from './RecoveryCodesDialog.tsx'

/** They bring the schemas of the API's bodies, which the screen does not need before. */
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
