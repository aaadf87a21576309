import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import { classes } from '../../ui/classes.ts'

/** One step of the start. It ticks when the service has seen that it was done. */
export const Step = ({
  number,
  title,
  isDone,
  isOpen,
  summary,
  children,
}: {
  number: number
  title: string
  /** Null: it is not known yet. */
  isDone: boolean | null
  isOpen: boolean
  /** What is shown of a step that is done. */
  summary?: ReactNode
  children: ReactNode
}) => (
  <li className="group relative grid grid-cols-[1.75rem_minmax(0,1fr)] gap-x-4 pb-9 last:pb-0">
    <span aria-hidden className="absolute top-8 bottom-1 left-3.5 w-px bg-line group-last:hidden" />
    <span
      aria-hidden
      className={classes(
        'flex size-7 items-center justify-center rounded-full text-tiny font-semibold transition-colors',
        isDone ? 'bg-good text-page' : isOpen ? 'bg-solid text-on-solid' : 'border border-line bg-surface text-faint',
      )}
    >
      {isDone ? <Check className="size-4" strokeWidth={2.5} /> : number}
    </span>
    <div className="min-w-0">
      <h2 className="flex min-h-7 flex-wrap items-center gap-x-3 text-lead font-semibold">
        {title}
        {isDone && <span className="sr-only">, done</span>}
        {isDone && summary && <span className="min-w-0 text-small font-normal text-muted">{summary}</span>}
      </h2>
      {!isDone || isOpen ? <div className="mt-1.5 flex flex-col gap-4 text-muted">{children}</div> : null}
    </div>
  </li>
)
