import { getRouteApi, Link } from '@tanstack/react-router'
import type { CapturedEmailDetail } from '../../api/mailbox.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { AbsoluteTime } from '../../ui/RelativeTime.tsx'

const route = getRouteApi('/mailbox-area')

/** Shows what identifies a captured message, and where it would have gone. */
export const CapturedFacts = ({ mail }: { mail: CapturedEmailDetail }) => {
  const { hasSession } = route.useRouteContext()
  return (
    <aside aria-label="Details" className="flex flex-col gap-6">
      {mail.mode === 'live' && (
        <p className="rounded-md bg-warn-tint px-3 py-2 text-small text-warn">
          This live message was not sent. The mail route of the service was{' '}
          <code className="font-mono text-tiny">mailbox:</code>; its operator sets{' '}
          <code className="font-mono text-tiny">POSTRIDER_ROUTE</code> to send mail.
        </p>
      )}
      <Facts
        stacked
        facts={[
          ['Envelope sender', mail.from || '<>'],
          [mail.to.length === 1 ? 'Recipient' : 'Recipients', mail.to.join(', ')],
          ['Captured', <AbsoluteTime key="at" at={mail.at} />],
          [
            'Email',
            <span key="email" className="-my-1.5 flex items-center gap-1">
              {hasSession ? (
                <Link
                  to="/emails/$id"
                  params={{ id: mail.email_id }}
                  className="min-w-0 truncate font-mono text-tiny underline underline-offset-3"
                >
                  {mail.email_id}
                </Link>
              ) : (
                <span className="min-w-0 truncate font-mono text-tiny">{mail.email_id}</span>
              )}
              <CopyButton text={mail.email_id} label="id of the email" className="size-7" />
            </span>,
          ],
        ]}
      />
    </aside>
  )
}
