import { z } from 'zod'
import { useApiForm } from '../../app/useApiForm.ts'
import { Button } from '../../ui/Button.tsx'
import { TextArea } from '../../ui/controls.tsx'
import { Dialog, DialogActions } from '../../ui/Dialog.tsx'
import { ErrorNote } from '../../ui/ErrorState.tsx'
import { Field } from '../../ui/Field.tsx'

/**
 * Prompts for the reason of a decision, and makes it.
 * @param schema of the request
 * @param bodyOf returns the request with a reason without space around it
 * @param isRequired whether the decision needs a reason; otherwise the field is marked as optional
 * @param submit makes the request; the dialog closes after it
 */
export const ReasonDialog = <Body extends object>({
  title,
  description,
  hint,
  action,
  reason = '',
  isRequired = false,
  rows = 3,
  schema,
  bodyOf,
  submit,
  onClose,
}: {
  title: string
  description: string
  hint: string
  /** Text of the button. */
  action: string
  /** The former reason. */
  reason?: string
  isRequired?: boolean
  rows?: number
  schema: z.ZodType
  bodyOf: (reason: string) => Body
  submit: (body: Body) => Promise<void>
  onClose: () => void
}) => {
  const form = useApiForm<{ reason: string }>({
    schema: z.preprocess((values) => bodyOf((values as { reason: string }).reason.trim()), schema),
    values: { reason },
    submit: async (values) => {
      await submit(bodyOf(values.reason.trim()))
      onClose()
    },
  })
  return (
    <Dialog open onClose={onClose} title={title} description={description}>
      <form onSubmit={form.onSubmit} noValidate className="flex flex-col gap-4">
        {form.formError && <ErrorNote>{form.formError}</ErrorNote>}
        <Field label="Reason" optional={!isRequired} hint={hint} error={form.errorAt('reason')}>
          <TextArea rows={rows} autoFocus {...form.register('reason')} />
        </Field>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            variant="danger"
            busy={form.isBusy}
            disabled={isRequired && form.watch('reason').trim() === ''}
          >
            {action}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
