import type { LucideIcon } from 'lucide-react'
import type { ComponentProps } from 'react'
import { classes } from './classes.ts'

/** A button that shows an icon alone. `label` names it for everyone: as a tip and for screen readers. */
export const IconButton = ({
  icon: Icon,
  label,
  className,
  ...props
}: ComponentProps<'button'> & { icon: LucideIcon; label: string }) => (
  <button
    type="button"
    aria-label={label}
    title={label}
    {...props}
    className={classes(
      'inline-flex size-8 shrink-0 items-center justify-center rounded-md text-muted transition-colors hover:bg-hover hover:text-ink disabled:opacity-50',
      className,
    )}
  >
    <Icon aria-hidden className="size-4" />
  </button>
)
