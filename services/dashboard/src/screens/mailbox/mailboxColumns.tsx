import { Link } from '@tanstack/react-router'
import type { CapturedEmail } from '../../api/mailbox.ts'
import { Badge } from '../../ui/Badge.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { type Column, rowLink } from '../../ui/Table.tsx'

/** Live mail that was captured looks delivered to its sender, so its mark states that it was not. */
export const CapturedMark = ({ mode }: Pick<CapturedEmail, 'mode'>) =>
  mode === 'test' ? <Badge tone="warn">Test</Badge> : <Badge>Live, not sent</Badge>

/** The columns of the list. A phone shows recipient, mark and time below the subject. */
export const mailboxColumns: readonly Column<CapturedEmail>[] = [
  {
    name: 'message',
    header: 'Message',
    className: 'max-sm:pr-4',
    cell: ({ id, subject, to, mode, at }) => (
      <>
        <Link to="/mailbox/$id" params={{ id }} data-row-link className={`${rowLink} block truncate font-medium`}>
          {subject || 'No subject'}
        </Link>
        <span className="mt-0.5 block truncate text-muted sm:hidden">{to.join(', ')}</span>
        <span className="mt-1.5 flex items-center justify-between sm:hidden">
          <CapturedMark mode={mode} />
          <RelativeTime at={at} className="text-tiny text-faint" />
        </span>
      </>
    ),
  },
  {
    name: 'to',
    header: 'To',
    from: 'sm',
    className: 'w-[27%]',
    cell: ({ to }) => <span className="block truncate text-muted">{to.join(', ')}</span>,
  },
  {
    name: 'from',
    header: 'Envelope sender',
    from: 'lg',
    className: 'w-[22%]',
    cell: ({ from }) => <span className="block truncate text-muted">{from || '<>'}</span>,
  },
  {
    name: 'mode',
    header: 'Mode',
    from: 'sm',
    className: 'w-34',
    cell: ({ mode }) => (
      <span className="-my-px block">
        <CapturedMark mode={mode} />
      </span>
    ),
  },
  {
    name: 'at',
    header: 'Captured',
    from: 'sm',
    className: 'w-26 text-right',
    cell: ({ at }) => <RelativeTime at={at} className="whitespace-nowrap text-faint" />,
  },
]
