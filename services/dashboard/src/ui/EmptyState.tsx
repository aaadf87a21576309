import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

/** Shows the text of a list without entries: what would be here, and the exact next step. */
export const EmptyState = ({
  icon: Icon,
  title,
  children,
  action,
}: {
  icon: LucideIcon
  title: string
  children: ReactNode
  action?: ReactNode
}) => (
  <div className="flex flex-col items-center gap-1 px-6 py-16 text-center">
    <span className="mb-3 flex size-10 items-center justify-center rounded-full bg-hover text-muted">
      <Icon aria-hidden className="size-5" />
    </span>
    <h2 className="font-semibold">{title}</h2>
    <div className="max-w-md text-muted">{children}</div>
    {action && <div className="mt-4 flex flex-wrap justify-center gap-2">{action}</div>}
  </div>
)
