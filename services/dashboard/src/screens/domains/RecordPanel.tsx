import { LoaderCircle } from 'lucide-react'
import type { ReactNode } from 'react'
import type { DnsRecord } from '../../api/domains.ts'
import { Badge } from '../../ui/Badge.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { classes } from '../../ui/classes.ts'
import { purposeOf, recordLook } from './domainLook.ts'

/** One record to set: what it is for, what to copy, what DNS has, and how to mend it. */
export const RecordPanel = ({ record, isChecking }: { record: DnsRecord; isChecking: boolean }) => {
  const { title, text } = purposeOf(record)
  return (
    <li className="px-4 py-4 sm:px-5">
      <div className="flex flex-wrap items-start gap-x-3 gap-y-1">
        <div className="min-w-0 flex-1 basis-48">
          <h3 className="font-medium">{title}</h3>
          <p className="text-small text-muted">{text}</p>
        </div>
        <RecordState record={record} isChecking={isChecking} />
      </div>
      <dl className="mt-3 grid grid-cols-[4.5rem_minmax(0,1fr)] gap-y-1 rounded-md border border-line bg-sunken py-1.5 pr-1.5 pl-3 text-small">
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
      {record.problem !== undefined && <Mend record={record} problem={record.problem} />}
      {record.status !== 'wrong' && record.found !== null && (
        <details className="mt-2 text-small text-muted">
          <summary className="w-fit rounded hover:text-ink">What DNS has</summary>
          <Found text={record.found} />
        </details>
      )}
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
  const { label, tone } = recordLook(record)
  return (
    <Badge tone={tone} dot>
      {label}
    </Badge>
  )
}

/** What to do. A record that is found may still have a note, such as until when an old key is needed. */
const Mend = ({ record, problem }: { record: DnsRecord; problem: string }) => {
  const isNote = record.status === 'found' || record.status === 'unknown'
  return (
    <div
      className={classes(
        'mt-2 rounded-md px-3 py-2 text-small',
        isNote
          ? 'bg-info-tint text-info'
          : record.status === 'wrong'
            ? 'bg-bad-tint text-bad'
            : 'bg-warn-tint text-warn',
      )}
    >
      <p className="break-words">{problem}</p>
      {record.status === 'wrong' && record.found !== null && (
        <>
          <p className="mt-2 font-medium">DNS has:</p>
          <Found text={record.found} />
        </>
      )}
    </div>
  )
}

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
