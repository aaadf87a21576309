import { Link } from '@tanstack/react-router'
import { useSession } from '../../api/session.ts'
import { useLogOut } from '../../app/shell/useLogOut.ts'
import { Button } from '../../ui/Button.tsx'
import { AccountPage, textLink } from '../account/AccountPage.tsx'

/** Prompts an operator for a second factor if the session has not passed one. */
export const SecondFactorScreen = () => {
  const { user } = useSession()
  return (
    <AccountPage
      title="Operator"
      intro={
        user.totp_enabled
          ? 'Operators need a session that was opened with a code of their two-factor authentication. Yours was opened without one: log in again.'
          : 'Operators need two-factor authentication, because they act on all workspaces. Switch it on for your account, then come back.'
      }
      footer={
        <>
          Logged in as {user.email}.{' '}
          <Link to="/" className={textLink}>
            Open the dashboard
          </Link>
        </>
      }
    >
      {user.totp_enabled ? (
        <LogInAgain />
      ) : (
        <Button asChild variant="solid" className="w-full">
          <Link to="/settings/two-factor">Set up two-factor authentication</Link>
        </Button>
      )}
    </AccountPage>
  )
}

const LogInAgain = () => {
  const logOut = useLogOut()
  return (
    <Button variant="solid" className="w-full" onClick={logOut}>
      Log out and log in again
    </Button>
  )
}
