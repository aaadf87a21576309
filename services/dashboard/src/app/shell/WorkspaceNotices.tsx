import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useApi } from '../../api/ApiProvider.tsx'
import { problemText } from '../../api/problem.ts'
import { needsTotp, useSession } from '../../api/session.ts'
import { workspaceQuery } from '../../api/workspaces.ts'
import { useToast } from '../../ui/Toast.tsx'
import { absoluteTime } from '../../ui/times.ts'
import { isLocalAddress } from '../localAddress.ts'

const notice = 'mt-4 flex flex-wrap items-center gap-x-3 gap-y-1 rounded-lg border px-4 py-2 text-small'

/**
 * Shows what stops mail or needs the person: an address that is not confirmed, a suspended workspace, a planned
 * deletion.
 */
export const WorkspaceNotices = () => {
  const api = useApi()
  const session = useSession()
  const { user } = session
  const { data: workspace } = useQuery({ ...workspaceQuery(api), enabled: !needsTotp(session) })
  return (
    <>
      {workspace?.deletes_at && (
        <p className={`${notice} border-bad/25 bg-bad-tint text-bad`}>
          This workspace is deleted on {absoluteTime(workspace.deletes_at)}. Its mail is stopped.
        </p>
      )}
      {workspace?.suspended && !workspace.deletes_at && (
        <p className={`${notice} border-bad/25 bg-bad-tint text-bad`}>
          The operator stopped the mail of this workspace.
          {workspace.suspended_reason && ` Reason: ${workspace.suspended_reason}`}
        </p>
      )}
      {!user.email_confirmed && !isLocalAddress(user.email) && <ConfirmNotice email={user.email} />}
    </>
  )
}

const ConfirmNotice = ({ email }: { email: string }) => {
  const api = useApi()
  const toast = useToast()
  const [isSent, setSent] = useState(false)
  const send = () => {
    api.post('/api/v1/auth/email/resend').then(
      () => setSent(true),
      (error: unknown) => toast({ tone: 'bad', title: problemText(error) }),
    )
  }
  return (
    <div className={`${notice} border-line bg-surface text-muted`}>
      <span>
        Confirm your address: open the link in the mail to <span className="text-ink">{email}</span>.
      </span>
      {isSent ? (
        <span role="status">Sent again.</span>
      ) : (
        <button type="button" onClick={send} className="font-medium text-ink underline underline-offset-2">
          Send it again
        </button>
      )}
    </div>
  )
}
