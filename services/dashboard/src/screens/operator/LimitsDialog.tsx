import { UpdateControls } from '@postrider/contracts/http/workspace.ts'
import { type FormEvent, useState } from 'react'
import type { Controls } from '../../api/operator.ts'
import { Button } from '../../ui/Button.tsx'
import { Select, TextInput } from '../../ui/controls.tsx'
import { Dialog, DialogActions } from '../../ui/Dialog.tsx'
import { ProblemNote } from '../../ui/ErrorState.tsx'
import { Field } from '../../ui/Field.tsx'
import { useAction } from '../../ui/useAction.ts'
import { type LimitName, limits } from './controlsLabels.ts'
import { changedLimits, type LimitKind, type LimitValue, valuesOf } from './limitValues.ts'
import { useChangeControls } from './useChangeControls.ts'

type Errors = Partial<Record<LimitName, string>>

/** Sets the limits of a workspace: each as its plan has it, without limit, or as a number. */
export const LimitsDialog = ({ workspace, onClose }: { workspace: Controls; onClose: () => void }) => {
  const change = useChangeControls(workspace)
  const [values, setValues] = useState(() => valuesOf(workspace))
  const [errors, setErrors] = useState<Errors>({})
  const { run, isBusy, error } = useAction()
  const changed = changedLimits(workspace, values)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const checked = UpdateControls.safeParse({ limits: changed })
    setErrors(errorsOf(checked.error?.issues ?? []))
    run(async () => {
      if (!checked.success) return
      await change({ limits: changed }, 'The limits were changed')
      onClose()
    })
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title="Change limits"
      description="They apply immediately. Sends above them are refused, or billed where the plan bills what is beyond it."
    >
      <form onSubmit={submit} noValidate className="flex flex-col gap-4">
        {error !== null && <ProblemNote error={error} />}
        {limits.map(({ name, label, ofPlan }) => (
          <LimitField
            key={name}
            label={label}
            ofPlan={ofPlan}
            value={values[name]}
            error={errors[name]}
            onChange={(value) => setValues({ ...values, [name]: value })}
          />
        ))}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="solid" busy={isBusy} disabled={Object.keys(changed).length === 0}>
            Change limits
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

/** Returns the errors of a check by limit. */
const errorsOf = (issues: readonly { path: readonly PropertyKey[]; message: string }[]): Errors =>
  Object.fromEntries(
    issues.map(({ path, message }) => {
      const name = String(path[1] ?? '')
      return [name, message.includes('"plan"') ? 'Enter a number.' : message]
    }),
  )

const LimitField = ({
  label,
  ofPlan,
  value,
  error,
  onChange,
}: {
  label: string
  ofPlan: string
  value: LimitValue
  error: string | undefined
  onChange: (value: LimitValue) => void
}) => (
  <div className="flex flex-wrap items-end gap-2">
    <Field label={label} className="min-w-44 flex-1">
      <Select value={value.kind} onChange={(event) => onChange({ ...value, kind: event.target.value as LimitKind })}>
        <option value="plan">{ofPlan}</option>
        <option value="number">A number</option>
        <option value="none">No limit</option>
      </Select>
    </Field>
    {value.kind === 'number' && (
      <Field label={`Number: ${label}`} hideLabel error={error} className="w-36">
        <TextInput
          inputMode="decimal"
          autoComplete="off"
          value={value.number}
          onChange={(event) => onChange({ ...value, number: event.target.value })}
        />
      </Field>
    )}
  </div>
)
