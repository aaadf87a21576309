import { reservedEventTypes } from '@postrider/contracts/http/values.ts'
import type { EventType } from '../../api/events.ts'
import { Checkbox } from '../../ui/controls.tsx'
import { eventGroups, labelOf } from '../events/eventTypes.ts'

/** Selects which events are sent. */
export const EventTypeChoice = ({
  chosen,
  onChange,
  error,
}: {
  chosen: readonly EventType[]
  onChange: (chosen: EventType[]) => void
  error: string | undefined
}) => {
  const toggle = (type: EventType, isOn: boolean) =>
    onChange(isOn ? [...chosen, type] : chosen.filter((other) => other !== type))
  const group = ({ title, types }: (typeof eventGroups)[number]) => (
    <fieldset key={title}>
      <legend className="mb-1 text-tiny font-medium text-faint">{title}</legend>
      {types
        // An endpoint may name a reserved type, but none is offered.
        .filter((type) => !reservedEventTypes.includes(type) || chosen.includes(type))
        .map((type) => (
          <label key={type} htmlFor={`type-${type}`} className="flex gap-2 py-0.5 text-small">
            <Checkbox
              id={`type-${type}`}
              checked={chosen.includes(type)}
              onChange={(event) => toggle(type, event.target.checked)}
            />
            <span className="min-w-0">
              {labelOf(type).label} <span className="block font-mono text-tiny text-muted">{type}</span>
            </span>
          </label>
        ))}
    </fieldset>
  )
  const [first, ...others] = eventGroups
  return (
    <div className="mt-3 rounded-lg border border-line bg-sunken p-3">
      <div className="grid gap-x-6 gap-y-4 sm:grid-cols-2">
        {first && group(first)}
        <div className="flex flex-col gap-4">{others.map(group)}</div>
      </div>
      {error !== undefined && (
        <p role="alert" className="mt-3 text-small text-bad">
          {error}
        </p>
      )}
    </div>
  )
}
