import { Search } from 'lucide-react'
import { useEffect, useState } from 'react'
import { TextInput } from '../ui/controls.tsx'
import { Field } from '../ui/Field.tsx'

/** Time after the last key until a text filters the list. */
const typingMs = 250

/** A text that filters when the person stops typing, or immediately with Enter. */
export const TextFilter = ({
  label,
  placeholder,
  value = '',
  onChange,
  className,
  withIcon = false,
  showLabel = false,
}: {
  label: string
  placeholder: string
  value: string | undefined
  onChange: (value: string | undefined) => void
  className?: string
  withIcon?: boolean
  showLabel?: boolean
}) => {
  const [typed, setTyped] = useState(value)
  useEffect(() => setTyped(value), [value])
  // biome-ignore lint/correctness/useExhaustiveDependencies: `onChange` is made with each rendering
  useEffect(() => {
    if (typed.trim() === value) return undefined
    const timer = setTimeout(() => onChange(typed.trim() || undefined), typingMs)
    return () => clearTimeout(timer)
  }, [typed])
  return (
    <Field label={label} hideLabel={!showLabel} {...(className !== undefined && { className })}>
      <span className="relative block">
        {withIcon && <Search aria-hidden className="pointer-events-none absolute top-2.5 left-3 size-4 text-faint" />}
        <TextInput
          type="search"
          value={typed}
          placeholder={placeholder}
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={(event) => event.key === 'Enter' && onChange(typed.trim() || undefined)}
          className={withIcon ? 'pl-9' : ''}
        />
      </span>
    </Field>
  )
}
