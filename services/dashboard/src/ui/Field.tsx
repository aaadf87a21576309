import { createContext, type ReactNode, use, useId } from 'react'
import { classes } from './classes.ts'

/** What a control needs from its field. */
type FieldLink = { id: string; describedBy: string | undefined; invalid: boolean }

const FieldContext = createContext<FieldLink | null>(null)

/** Returns the attributes that link a control to its label, its hint and its error. */
export const useFieldLink = () => {
  const link = use(FieldContext)
  if (link === null) return {}
  return {
    id: link.id,
    'aria-describedby': link.describedBy,
    'aria-invalid': link.invalid || undefined,
  }
}

/** A label with its control, a hint below it, and the error of the last check. */
export const Field = ({
  label,
  hint,
  error,
  optional = false,
  hideLabel = false,
  className,
  children,
}: {
  label: ReactNode
  hint?: ReactNode
  error?: string | undefined
  optional?: boolean
  hideLabel?: boolean
  className?: string
  children: ReactNode
}) => {
  const id = useId()
  const describedBy = [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`]
  return (
    <div className={classes('flex flex-col gap-1.5', className)}>
      <label htmlFor={id} className={hideLabel ? 'sr-only' : 'text-small font-medium'}>
        {label}
        {optional && <span className="font-normal text-faint"> (optional)</span>}
      </label>
      <FieldContext
        value={{ id, describedBy: describedBy.filter(Boolean).join(' ') || undefined, invalid: error !== undefined }}
      >
        {children}
      </FieldContext>
      {hint !== undefined && (
        <p id={`${id}-hint`} className="text-small text-muted">
          {hint}
        </p>
      )}
      {error !== undefined && (
        <p id={`${id}-error`} role="alert" className="text-small text-bad">
          {error}
        </p>
      )}
    </div>
  )
}
