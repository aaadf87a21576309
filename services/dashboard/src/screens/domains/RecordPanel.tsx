import { ChevronRight, LoaderCircle } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { DnsRecord } from '../../api/domains.ts'
import { Badge, LabelBadge } from '../../ui/Badge.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { classes } from '../../ui/classes.ts'
import { purposeOf, recordLabel } from './domainLabels.ts'

/**
 * One record to set: what it is for, what to copy, what DNS has, and how to correct it. A record that was found when
 * the page was opened is closed, because nothing has to be copied from it.
 */
export const RecordPanel = ({ record, isChecking }: { record: DnsRecord; isChecking: boolean }) => {
  const { title, text } = purposeOf(record)
  const [isOpenAtFirst] = useState(record.status !== 'found' || record.problem !== undefined)
  return (
    <li>
      <details open={isOpenAtFirst} className="group">
        <summary className="flex list-none items-start gap-3 rounded-lg px-4 py-3.5 transition-colors hover:bg-hover focus-visible:-outline-offset-2 sm:px-5 [&::-webkit-details-marker]:hidden">
          <ChevronRight
            aria-hidden
            className="mt-0.5 size-4 shrink-0 text-faint transition-transform group-open:rotate-90"
          />
          <span className="min-w-0 flex-1">
            <span className="block font-medium">{title}</span>
            <span className="block text-small text-muted">{text}</span>
          </span>
          <RecordState record={record} isChecking={isChecking} />
        </summary>
        <div className="px-4 pb-4 sm:pr-5 sm:pl-12">
          <dl className="grid grid-cols-[4.5rem_minmax(0,1fr)] gap-y-1 rounded-md border border-line bg-sunken py-1.5 pr-1.5 pl-3 text-small">
            <Line name="Type">{record.type}</Line>
            <Line name="Name" copied={record.name} label={`name of the ${title} record`}>
              {record.name}
            </Line>
            {record.priority !== undefined && (
              <Line name="Priority" copied={String(record.priority)} label={`priority of the ${title} record`}>
                {record.priority}
              </Line>
            )}
            <Line name="Value" copied={record.value} label={`value of the ${title} record`}>
              {record.value}
            </Line>
          </dl>
          {record.problem !== undefined && <Correction record={record} problem={record.problem} />}
          {record.found !== null && (
            <div className="mt-2 text-small">
              <p className="font-medium">DNS has</p>
              <Found text={record.found} />
            </div>
          )}
        </div>
      </details>
    </li>
  )
}

const RecordState = ({ record, isChecking }: { record: DnsRecord; isChecking: boolean }) => {
  if (isChecking) {
    return (
      <Badge tone="info">
        <LoaderCircle aria-hidden className="size-3 animate-spin" />
        Checking
      </Badge>
    )
  }
  return <LabelBadge state={recordLabel(record)} />
}

/** What to do. A record that is found may still have a note, such as until when an old key is needed. */
const Correction = ({ record: { status, required }, problem }: { record: DnsRecord; problem: string }) => (
  <p
    className={classes(
      'mt-2 rounded-md px-3 py-2 text-small break-words',
      status === 'wrong' && 'bg-bad-tint text-bad',
      status === 'missing' && (required ? 'bg-warn-tint text-warn' : 'bg-idle-tint text-idle'),
      (status === 'found' || status === 'unknown') && 'bg-info-tint text-info',
    )}
  >
    {problem}
  </p>
)

const Found = ({ text }: { text: string }) => (
  <ul className="mt-1 flex flex-col gap-1 font-mono text-tiny text-ink">
    {[...new Set(text.split('\n'))].map((line) => (
      <li key={line} className="rounded-md border border-line bg-surface px-2.5 py-1.5 break-all">
        {line}
      </li>
    ))}
  </ul>
)

const Line = ({
  name,
  copied,
  label,
  children,
}: {
  name: string
  copied?: string
  label?: string
  children: ReactNode
}) => (
  <div className="contents">
    <dt className="py-1 text-muted">{name}</dt>
    <dd className="flex min-w-0 items-start gap-2">
      <span className="min-w-0 flex-1 py-1 font-mono text-tiny leading-5 break-all">{children}</span>
      {copied !== undefined && <CopyButton text={copied} label={label ?? name} className="size-7 bg-sunken" />}
    </dd>
  </div>
)
