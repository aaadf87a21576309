import { ChevronDown } from 'lucide-react'
import type { ComponentProps } from 'react'
import { classes } from './classes.ts'
import { useFieldLink } from './Field.tsx'

const box =
  'w-full rounded-md border border-edge/60 bg-surface text-ink shadow-raised transition-colors hover:border-edge focus-visible:border-accent focus-visible:outline-offset-0 disabled:opacity-60 aria-invalid:border-bad'

/** A text of one line. On a phone its text is large enough that the browser does not zoom. */
export const TextInput = ({ className, ...props }: ComponentProps<'input'>) => (
  <input {...useFieldLink()} {...props} className={classes(box, 'h-9 px-3 text-body max-sm:text-lead', className)} />
)

export const TextArea = ({ className, ...props }: ComponentProps<'textarea'>) => (
  <textarea
    {...useFieldLink()}
    {...props}
    className={classes(box, 'min-h-20 px-3 py-2 text-body max-sm:text-lead', className)}
  />
)

/** A choice of few values. It is the browser's own, which works with every keyboard, screen reader and phone. */
export const Select = ({ className, children, ...props }: ComponentProps<'select'>) => (
  <span className={classes('relative inline-flex w-full', className)}>
    <select
      {...useFieldLink()}
      {...props}
      className={classes(box, 'h-9 appearance-none truncate pr-8 pl-3 text-body max-sm:text-lead')}
    >
      {children}
    </select>
    <ChevronDown aria-hidden className="pointer-events-none absolute top-2.5 right-2.5 size-4 text-muted" />
  </span>
)

/** A box to tick, with what it means as its children. */
export const Checkbox = ({ children, ...props }: ComponentProps<'input'>) => (
  <label className="flex gap-2">
    <input {...props} type="checkbox" className="mt-0.5 size-4 shrink-0" />
    <span>{children}</span>
  </label>
)

/** A choice among cards, each with a title and a sentence. */
export const RadioCard = ({ title, text, ...props }: ComponentProps<'input'> & { title: string; text: string }) => (
  <label className="flex cursor-pointer gap-3 rounded-lg border border-line p-3 transition-colors hover:bg-hover has-checked:border-ink has-checked:bg-sunken has-focus-visible:outline-2 has-focus-visible:outline-accent">
    <input {...props} type="radio" className="mt-0.75 size-4 shrink-0 focus-visible:outline-none" />
    <span>
      <span className="block font-medium">{title}</span>
      <span className="block text-small text-muted">{text}</span>
    </span>
  </label>
)
