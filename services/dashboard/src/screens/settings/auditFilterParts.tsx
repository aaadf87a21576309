import { Select, TextInput } from '../../ui/controls.tsx'
import { Field } from '../../ui/Field.tsx'
import { actionGroups } from './auditTexts.ts'

/** Kinds of actors that change something. */
export const actorKinds = [
  ['user', 'All people'],
  ['key', 'All API keys'],
  ['operator', 'Operator'],
  ['system', 'Postrider itself'],
] as const

/** An action, or all of a noun. */
export const ActionFilter = ({
  value,
  onChange,
}: {
  value: string | undefined
  onChange: (action: string | undefined) => void
}) => (
  <Field label="Action" hideLabel className="w-44 max-sm:basis-full">
    <Select value={value ?? ''} onChange={(event) => onChange(event.target.value || undefined)}>
      <option value="">Any action</option>
      {actionGroups.map(({ label, choices }) => (
        <optgroup key={label} label={label}>
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.label}
            </option>
          ))}
        </optgroup>
      ))}
    </Select>
  </Field>
)

/** A day of the calendar. Its name is in front of it. */
export const DayField = ({
  label,
  value,
  min,
  max,
  onChange,
}: {
  label: string
  value: string
  min?: string
  max?: string
  onChange: (day: string | undefined) => void
}) => (
  <span className="flex items-center gap-2 max-sm:flex-1">
    <span aria-hidden className="text-small text-muted">
      {label}
    </span>
    <Field label={label} hideLabel className="w-36 max-sm:flex-1">
      <TextInput
        type="date"
        value={value}
        min={min || undefined}
        max={max || undefined}
        onChange={(event) => onChange(event.target.value || undefined)}
      />
    </Field>
  </span>
)
