import { lazy, Suspense, useState } from 'react'
import { useApi } from '../../api/ApiProvider.tsx'
import { problemText } from '../../api/problem.ts'
import { useSession } from '../../api/session.ts'
import { isLocalAddress } from '../../app/localAddress.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { Page } from '../../ui/Page.tsx'
import { Panel } from '../../ui/Table.tsx'
import { useToast } from '../../ui/Toast.tsx'
import { Part, SettingRow } from '../settings/Part.tsx'

/** Loaded when they open: they contain the schemas of request bodies. */
const ChangeEmailDialog = lazy(() =>
  import('./ChangeEmailDialog.tsx').then((module) => ({ default: module.ChangeEmailDialog })),
)
const ChangePasswordDialog = lazy(() =>
  import('./ChangePasswordDialog.tsx').then((module) => ({ default: module.ChangePasswordDialog })),
)

/** Shows and changes the credentials of the person. */
export const ProfileScreen = () => {
  const [step, setStep] = useState<'email' | 'password' | null>(null)
  const close = () => setStep(null)
  return (
    <Page title="Profile" intro="What you log in with. It is the same in all your workspaces.">
      <Part title="Email address">
        <Panel>
          <Address onChange={() => setStep('email')} />
        </Panel>
      </Part>
      <Part title="Password">
        <Panel>
          <SettingRow title="Password" action={<Button onClick={() => setStep('password')}>Change password…</Button>}>
            A change ends your other sessions.
          </SettingRow>
        </Panel>
      </Part>
      <Suspense>
        {step === 'email' && <ChangeEmailDialog onClose={close} />}
        {step === 'password' && <ChangePasswordDialog onClose={close} />}
      </Suspense>
    </Page>
  )
}

const Address = ({ onChange }: { onChange: () => void }) => {
  const api = useApi()
  const toast = useToast()
  const { user } = useSession()
  const [isSent, setSent] = useState(false)
  const isLocal = isLocalAddress(user.email)
  const resend = () => {
    api.post('/api/v1/auth/email/resend').then(
      () => setSent(true),
      (thrown: unknown) => toast({ tone: 'bad', title: 'The mail was not sent', detail: problemText(thrown) }),
    )
  }
  return (
    <SettingRow
      title={
        <>
          <span className="min-w-0 break-all">{user.email}</span>
          {!isLocal && (
            <Badge tone={user.email_confirmed ? 'good' : 'warn'}>
              {user.email_confirmed ? 'Confirmed' : 'Not confirmed'}
            </Badge>
          )}
        </>
      }
      action={
        <div className="flex flex-wrap gap-2">
          {!user.email_confirmed && !isLocal && (
            <Button onClick={resend} disabled={isSent}>
              {isSent ? 'Link sent' : 'Send the link again'}
            </Button>
          )}
          <Button onClick={onChange}>Change email…</Button>
        </div>
      }
    >
      {isLocal
        ? 'Postrider made this address for the first owner. No mail reaches it: change it to your own, so that you can set a new password by mail.'
        : user.email_confirmed
          ? 'Notices about your account go there.'
          : 'Open the link in the mail to confirm that you read this address.'}
    </SettingRow>
  )
}
