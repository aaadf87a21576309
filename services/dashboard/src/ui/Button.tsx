import { LoaderCircle } from 'lucide-react'
import { Slot } from 'radix-ui'
import type { ComponentProps } from 'react'
import { classes } from './classes.ts'

type Variant = 'solid' | 'plain' | 'quiet' | 'danger'

const variants: Record<Variant, string> = {
  solid: 'bg-solid text-on-solid enabled:hover:bg-solid-hover shadow-raised',
  plain: 'border border-line bg-surface text-ink enabled:hover:bg-hover shadow-raised',
  quiet: 'text-muted enabled:hover:bg-hover enabled:hover:text-ink',
  danger: 'border border-bad/40 bg-surface text-bad enabled:hover:bg-bad-tint',
}

export type ButtonProps = ComponentProps<'button'> & {
  variant?: Variant
  size?: 'small' | 'medium'
  /** Whether its work is under way: it shows that, and cannot be pressed again. */
  busy?: boolean
  /** Whether its only child, such as a link, gets the style of the button. */
  asChild?: boolean
}

/** A button, or with `asChild` a link that looks like one. At most one on a screen is `solid`. */
export const Button = ({
  variant = 'plain',
  size = 'medium',
  busy = false,
  asChild = false,
  className,
  children,
  ...props
}: ButtonProps) => {
  const style = classes(
    'inline-flex shrink-0 items-center justify-center gap-1.5 whitespace-nowrap rounded-md font-medium transition-colors disabled:opacity-55',
    size === 'small' ? 'h-8 px-2.5 text-small' : 'h-9 px-3.5 text-body',
    variants[variant],
    className,
  )
  if (asChild) {
    return (
      <Slot.Root className={style.replaceAll('enabled:', '')} {...props}>
        {children}
      </Slot.Root>
    )
  }
  return (
    <button type="button" {...props} className={style} disabled={props.disabled || busy} aria-busy={busy || undefined}>
      {busy && <LoaderCircle aria-hidden className="size-4 animate-spin" />}
      {children}
    </button>
  )
}
