import type { Controls } from '../../api/operator.ts'
import { AbsoluteTime, RelativeTime } from '../../ui/RelativeTime.tsx'

const strip = 'mb-6 rounded-lg px-4 py-3 text-small wrap-anywhere'

/** Shows why a workspace does not send. */
export const WorkspaceNotice = ({
  workspace: { suspended, suspended_reason, deletes_at },
}: {
  workspace: Controls
}) => {
  if (!suspended) return null
  const reason = suspended_reason ? `Its users see the reason: ${suspended_reason}` : 'Its users see no reason.'
  if (deletes_at === null) {
    return (
      <p className={`${strip} bg-warn-tint text-warn`}>
        <b className="font-medium">Its mail is stopped.</b> Sends are refused, and accepted mail waits. {reason}
      </p>
    )
  }
  return (
    <p className={`${strip} bg-bad-tint text-bad`}>
      <b className="font-medium">
        It is deleted <RelativeTime at={deletes_at} />, on <AbsoluteTime at={deletes_at} />.
      </b>{' '}
      Its mail is stopped. Until then it can be restored with everything in it.
    </p>
  )
}
