import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CircleCheck, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { useApi } from '../../api/ApiProvider.tsx'
import { problemText } from '../../api/problem.ts'
import { useSession } from '../../api/session.ts'
import { usageQuery } from '../../api/stats.ts'
import { Dot } from '../../ui/Badge.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { classes } from '../../ui/classes.ts'
import { ErrorNote } from '../../ui/ErrorState.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { Panel } from '../../ui/Table.tsx'
import type { AttentionItem } from './attention.ts'
import { count } from './figures.ts'

const Section = ({
  id,
  title,
  note,
  children,
}: {
  id: string
  title: string
  note?: ReactNode
  children: ReactNode
}) => (
  <Panel className="min-w-0">
    <section aria-labelledby={id} className="p-4">
      <div className="mb-3 flex items-center justify-between gap-2">
        <h2 id={id} className="scroll-mt-16 font-semibold">
          {title}
        </h2>
        {note}
      </div>
      {children}
    </section>
  </Panel>
)

const attentionClasses = 'flex h-8 w-14 items-center justify-center gap-1.5 rounded-full max-sm:order-last max-sm:h-10'

/** Links to what needs attention. Its area is reserved before the data is known, so nothing moves. */
export const AttentionLink = ({ count: all }: { count: number }) => {
  if (all === 0) return <span aria-hidden className={attentionClasses} />
  const text = all === 1 ? '1 thing needs attention' : `${all} things need attention`
  return (
    <a
      href="#attention"
      aria-label={text}
      title={text}
      className={classes(attentionClasses, 'bg-warn-tint text-small font-medium text-warn tabular-nums')}
    >
      <TriangleAlert aria-hidden className="size-4" />
      {all}
    </a>
  )
}

/** @param items null: they are being read */
export const Attention = ({ items, error }: { items: readonly AttentionItem[] | null; error: unknown }) => (
  <Section id="attention" title="Needs attention">
    {error ? (
      <ErrorNote>{problemText(error)}</ErrorNote>
    ) : items === null ? (
      <div role="status" aria-label="Reading what needs attention">
        <Skeleton className="h-5 w-2/3" />
      </div>
    ) : items.length === 0 ? (
      <p className="flex items-center gap-2 text-small text-muted">
        <CircleCheck aria-hidden className="size-4 text-good" />
        Nothing needs attention.
      </p>
    ) : (
      <ul className="-mx-2 flex flex-col gap-1">
        {items.map((item) => (
          <li key={item.name} className="relative flex gap-2.5 rounded-md px-2 py-1.5 has-[a]:hover:bg-hover">
            <span className="flex h-5 items-center">
              <Dot tone={item.tone} />
            </span>
            <div className="min-w-0 text-small">
              {item.link ? (
                <Link {...item.link} className="font-medium wrap-anywhere after:absolute after:inset-0">
                  {item.title}
                </Link>
              ) : (
                <span className="font-medium">{item.title}</span>
              )}
              <p className="wrap-anywhere text-muted">{item.text}</p>
            </div>
          </li>
        ))}
      </ul>
    )}
  </Section>
)

type Quota = { used: number; limit: number | null }

const Meter = ({ label, quota: { used, limit }, resetsAt }: { label: string; quota: Quota; resetsAt: string }) => {
  const share = limit === null || limit === 0 ? 0 : Math.min(1, used / limit)
  const tone = share >= 1 ? 'bg-bad' : share >= 0.8 ? 'bg-warn' : 'bg-accent'
  return (
    <div className="text-small">
      <div className="flex justify-between gap-2">
        <span>{label}</span>
        <span className="text-muted tabular-nums">
          {count(used)} {limit === null ? '· no limit' : `of ${count(limit)}`}
        </span>
      </div>
      <div aria-hidden className="mt-1.5 h-1.5 overflow-hidden rounded-full bg-hover">
        <div className={classes('h-full rounded-full', tone)} style={{ width: `${share * 100}%` }} />
      </div>
      <p className="mt-1 text-tiny text-faint">
        Resets <RelativeTime at={resetsAt} />
      </p>
    </div>
  )
}

const planName = (plan: string): string => plan.charAt(0).toUpperCase() + plan.slice(1)

/** Shows how much of its plan the workspace has used. */
export const Quotas = () => {
  const { data, error } = useQuery(usageQuery(useApi()))
  return (
    <Section
      id="quotas"
      title="Live sends"
      note={
        data && (
          <Link to="/billing" className="text-tiny text-muted underline underline-offset-2 hover:text-ink">
            {planName(data.plan)} plan<span className="sr-only">: usage and billing</span>
          </Link>
        )
      }
    >
      {error && !data ? (
        <ErrorNote>{problemText(error)}</ErrorNote>
      ) : (
        <div className="flex min-h-30 flex-col gap-3">
          {data ? (
            <>
              <Meter label="Today" quota={data.daily} resetsAt={data.daily.resets_at} />
              <Meter label="This month" quota={data.monthly} resetsAt={data.period.end} />
            </>
          ) : (
            <>
              <Skeleton className="h-5" />
              <Skeleton className="mt-6 h-5" />
            </>
          )}
        </div>
      )}
    </Section>
  )
}

/** The address that mail leaves from without a domain of one's own. */
export const SharedSender = () => {
  const { sender } = useSession().workspace
  return (
    <Section id="sender" title="Shared sender address">
      <p className="flex h-10 items-center justify-between gap-2 rounded-lg border border-line bg-sunken py-1 pr-1 pl-3 text-small">
        <span className="truncate" title={sender}>
          {sender}
        </span>
        <CopyButton text={sender} label="shared address" />
      </p>
    </Section>
  )
}
