import type { Mode } from '../../api/types.ts'
import { classes } from '../../ui/classes.ts'
import { useMode } from '../mode.tsx'

const modes: readonly { value: Mode; label: string }[] = [
  { value: 'live', label: 'Live' },
  { value: 'test', label: 'Test' },
]

/** Chooses whether this tab shows live or test mail. */
export const ModeSwitch = () => {
  const { mode, setMode } = useMode()
  return (
    <fieldset className="flex rounded-md bg-well p-0.5">
      <legend className="sr-only">Mode</legend>
      {modes.map(({ value, label }) => (
        <label
          key={value}
          className={classes(
            'flex h-7 flex-1 cursor-pointer items-center justify-center gap-1.5 rounded-[5px] text-small font-medium transition-colors has-focus-visible:outline-2 has-focus-visible:outline-accent',
            mode === value ? 'bg-chosen text-ink shadow-raised' : 'text-muted hover:text-ink',
          )}
        >
          <input
            type="radio"
            name="mode"
            className="sr-only"
            checked={mode === value}
            onChange={() => setMode(value)}
          />
          <span
            aria-hidden
            className={classes(
              'size-1.5 rounded-full',
              value === 'live' ? 'bg-good' : 'bg-warn',
              mode !== value && 'opacity-40',
            )}
          />
          {label}
        </label>
      ))}
    </fieldset>
  )
}
