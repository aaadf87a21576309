import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { ParkedEmail } from '../../api/operator.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { Id } from '../../ui/Id.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { useRowKeys } from '../../ui/useRowKeys.ts'
import { StatusBadge } from '../emails/StatusBadge.tsx'
import { count } from '../overview/figures.ts'
import { recipientsText, unknownText } from './parkedTexts.ts'
import { laneName } from './queuesTexts.ts'

type Decide = { onRelease: (email: ParkedEmail) => void; onDrop: (email: ParkedEmail) => void }

/** Parked emails, each with what a decision about it needs. */
export const ParkedRows = ({ emails, ...decide }: { emails: readonly ParkedEmail[] } & Decide) => {
  const keys = useRowKeys<HTMLUListElement>()
  return (
    <ul aria-label="Parked mail" className="divide-y divide-line" {...keys}>
      {emails.map((email) => (
        <ParkedRow key={email.id} email={email} {...decide} />
      ))}
    </ul>
  )
}

const ParkedRow = ({ email, onRelease, onDrop }: { email: ParkedEmail } & Decide) => (
  <li className="grid grid-cols-[minmax(0,1fr)] gap-x-4 gap-y-3.5 p-4 sm:grid-cols-[minmax(0,1fr)_auto]">
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <h2 className="min-w-0">
        <Id id={email.id} label="id of the email" />
      </h2>
      <StatusBadge status={email.status} />
      {email.mode === 'test' && <Badge tone="warn">Test</Badge>}
      {email.may_have_arrived && <Badge tone="warn">May have arrived</Badge>}
    </div>
    <div className="sm:col-span-2">
      <Facts stacked facts={factsOf(email)} />
    </div>
    <div className="flex gap-2 sm:col-start-2 sm:row-start-1">
      <Button size="small" className="max-sm:h-10 max-sm:flex-1" data-row-link onClick={() => onRelease(email)}>
        Release…<span className="sr-only"> {email.id}</span>
      </Button>
      <Button size="small" variant="danger" className="max-sm:h-10 max-sm:flex-1" onClick={() => onDrop(email)}>
        Drop…<span className="sr-only"> {email.id}</span>
      </Button>
    </div>
  </li>
)

const factsOf = (email: ParkedEmail): (readonly [string, ReactNode])[] => [
  ['Parked', <Times key="times" email={email} />],
  ['Workspace', <WorkspaceLink key="workspace" id={email.workspace_id} />],
  [
    'Recipients that wait',
    <span key="recipients" title={email.domains.join('\n')}>
      {recipientsText(email)}
    </span>,
  ],
  ['Lane', laneName(email.category)],
  ['Attempts', <Attempts key="attempts" email={email} />],
  ['May have arrived', email.may_have_arrived ? 'Yes, an attempt ended without a reply' : 'No'],
  ['After a lost reply', unknownText(email)],
]

const Times = ({ email: { parked_at, created_at } }: { email: ParkedEmail }) => (
  <>
    {parked_at !== null && (
      <>
        <RelativeTime at={parked_at} />,{' '}
      </>
    )}
    accepted <RelativeTime at={created_at} />
  </>
)

const WorkspaceLink = ({ id }: { id: string }) => (
  <Link
    to="/operator/workspaces/$id"
    params={{ id }}
    className="font-mono text-tiny underline underline-offset-2 wrap-anywhere"
  >
    {id}
  </Link>
)

const Attempts = ({ email: { attempts, last_attempt_at } }: { email: ParkedEmail }) => (
  <>
    {attempts === 0 ? 'None' : count(attempts)}
    {last_attempt_at !== null && (
      <>
        , the last <RelativeTime at={last_attempt_at} />
      </>
    )}
  </>
)
