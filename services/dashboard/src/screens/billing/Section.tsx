import type { ReactNode } from 'react'
import { classes } from '../../ui/classes.ts'
import { Panel } from '../../ui/Table.tsx'

/** A part of the screen in a frame, with its heading, and its buttons at the lower edge. */
export const Section = ({
  id,
  title,
  note,
  actions,
  className,
  children,
}: {
  id: string
  title: string
  note?: ReactNode
  actions?: ReactNode
  className?: string
  children: ReactNode
}) => (
  <Panel className={classes('min-w-0', className)}>
    <section aria-labelledby={id} className="flex h-full flex-col p-4">
      <div className="mb-3 flex min-h-6 items-center justify-between gap-3">
        <h2 id={id} className="font-semibold">
          {title}
        </h2>
        {note && <span className="shrink-0 text-tiny text-faint">{note}</span>}
      </div>
      <div className="flex-1">{children}</div>
      {actions && <div className="mt-4 flex flex-wrap gap-2">{actions}</div>}
    </section>
  </Panel>
)
