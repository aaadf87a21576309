import type { ReactNode } from 'react'
import { ClearButton } from '../../ui/ClearButton.tsx'
import { Select } from '../../ui/controls.tsx'
import { Field } from '../../ui/Field.tsx'

/** The filters of a list. @param clear absent: nothing is filtered */
export const FilterBar = ({ clear, children }: { clear: (() => void) | undefined; children: ReactNode }) => (
  <search className="mb-4 flex flex-wrap gap-2">
    {children}
    {clear && <ClearButton onClick={clear} />}
  </search>
)

/** One of several values, or any. */
export const ChoiceFilter = ({
  label,
  any,
  value,
  choices,
  onChange,
}: {
  label: string
  any: string
  value: string | undefined
  choices: readonly (readonly [string, string])[]
  onChange: (value: string | undefined) => void
}) => (
  <Field label={label} hideLabel className="w-40 max-sm:flex-1">
    <Select value={value ?? ''} onChange={(event) => onChange(event.target.value || undefined)}>
      <option value="">{any}</option>
      {choices.map(([name, text]) => (
        <option key={name} value={name}>
          {text}
        </option>
      ))}
    </Select>
  </Field>
)
