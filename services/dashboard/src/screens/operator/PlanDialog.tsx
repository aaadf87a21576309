import { planNames } from '@postrider/contracts/http/values.ts'
import { UpdateControls } from '@postrider/contracts/http/workspace.ts'
import type { Controls, PlanId } from '../../api/operator.ts'
import { useApiForm } from '../../app/useApiForm.ts'
import { Button } from '../../ui/Button.tsx'
import { Select } from '../../ui/controls.tsx'
import { Dialog, DialogActions } from '../../ui/Dialog.tsx'
import { ErrorNote } from '../../ui/ErrorState.tsx'
import { Field } from '../../ui/Field.tsx'
import { planLabels } from './controlsLabels.ts'
import { useChangeControls } from './useChangeControls.ts'

type Values = { plan: PlanId }

/** Sets the plan of a workspace. */
export const PlanDialog = ({ workspace, onClose }: { workspace: Controls; onClose: () => void }) => {
  const change = useChangeControls(workspace)
  const form = useApiForm<Values>({
    schema: UpdateControls,
    values: { plan: workspace.plan },
    submit: async ({ plan }) => {
      await change({ plan }, `${workspace.name} is on the ${planLabels[plan]} plan`)
      onClose()
    },
  })
  return (
    <Dialog open onClose={onClose} title="Change plan">
      <form onSubmit={form.onSubmit} noValidate className="flex flex-col gap-4">
        {form.formError && <ErrorNote>{form.formError}</ErrorNote>}
        <Field
          label="Plan"
          hint="It begins immediately, a lower one too. A higher price is invoiced by days, as for an owner; nothing is paid back by itself."
          error={form.errorAt('plan')}
        >
          <Select {...form.register('plan')}>
            {planNames.map((plan) => (
              <option key={plan} value={plan}>
                {planLabels[plan]}
              </option>
            ))}
          </Select>
        </Field>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="solid" busy={form.isBusy} disabled={form.watch('plan') === workspace.plan}>
            Change plan
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
