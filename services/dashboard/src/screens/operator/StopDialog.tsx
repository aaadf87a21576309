import { UpdateControls } from '@postrider/contracts/http/workspace.ts'
import { z } from 'zod'
import type { Controls } from '../../api/operator.ts'
import { useApiForm } from '../../app/useApiForm.ts'
import { Button } from '../../ui/Button.tsx'
import { TextArea } from '../../ui/controls.tsx'
import { Dialog, DialogActions } from '../../ui/Dialog.tsx'
import { ErrorNote } from '../../ui/ErrorState.tsx'
import { Field } from '../../ui/Field.tsx'
import { useChangeControls } from './useChangeControls.ts'

type Values = { reason: string }

const bodyOf = ({ reason }: Values) => ({ suspended: true, reason: reason.trim() })
const schema = z.preprocess((values) => bodyOf(values as Values), UpdateControls)

/** Stops the mail of a workspace, with a reason for its users. */
export const StopDialog = ({ workspace, onClose }: { workspace: Controls; onClose: () => void }) => {
  const change = useChangeControls(workspace)
  const form = useApiForm<Values>({
    schema,
    values: { reason: workspace.suspended_reason ?? '' },
    submit: async (values) => {
      await change(bodyOf(values), `The mail of ${workspace.name} is stopped`)
      onClose()
    },
  })
  return (
    <Dialog
      open
      onClose={onClose}
      title={workspace.suspended ? 'Change the reason' : 'Stop mail'}
      description="Sends are refused with the reason, and accepted mail waits until the mail is resumed. Nothing is lost."
    >
      <form onSubmit={form.onSubmit} noValidate className="flex flex-col gap-4">
        {form.formError && <ErrorNote>{form.formError}</ErrorNote>}
        <Field
          label="Reason"
          optional
          hint="Users of the workspace see it. At most 500 characters."
          error={form.errorAt('reason')}
        >
          <TextArea rows={3} autoFocus {...form.register('reason')} />
        </Field>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="danger" busy={form.isBusy}>
            {workspace.suspended ? 'Change reason' : 'Stop mail'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
