import { AbsoluteTime } from '../../ui/RelativeTime.tsx'

/** Replaces content that is no longer stored. */
export const Removed = ({ at }: { at: string }) => (
  <p className="py-10 text-center text-muted">
    The content was removed on <AbsoluteTime at={at} />, at the end of the retention of the email or its workspace.
  </p>
)
