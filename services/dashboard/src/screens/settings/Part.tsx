import { type ReactNode, useId } from 'react'

/** A part of a section: its heading, what it is for, and its controls. */
export const Part = ({
  title,
  intro,
  actions,
  children,
}: {
  title: string
  intro?: ReactNode
  /** Controls at the right of the heading. */
  actions?: ReactNode
  children: ReactNode
}) => {
  const id = useId()
  return (
    <section aria-labelledby={id} className="border-t border-line py-7 first-of-type:border-0 first-of-type:pt-0">
      <div className="mb-4 flex flex-wrap items-start gap-x-6 gap-y-3">
        <div className="min-w-0 flex-1 basis-64">
          <h2 id={id} className="font-semibold">
            {title}
          </h2>
          {intro !== undefined && <p className="mt-0.5 max-w-prose text-pretty text-muted">{intro}</p>}
        </div>
        {actions}
      </div>
      {children}
    </section>
  )
}

/** A setting in a list: what it is at the left, its control at the right. */
export const SettingRow = ({
  title,
  children,
  action,
}: {
  title: ReactNode
  children?: ReactNode
  action?: ReactNode
}) => (
  <div className="flex flex-wrap items-center gap-x-6 gap-y-3 px-4 py-3.5">
    <div className="min-w-0 flex-1 basis-64">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">{title}</p>
      {children !== undefined && <div className="mt-0.5 text-small text-muted">{children}</div>}
    </div>
    {action}
  </div>
)
