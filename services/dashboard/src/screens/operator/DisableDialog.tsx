import { UpdateUser } from '@postrider/contracts/http/operator.ts'
import { useQueryClient } from '@tanstack/react-query'
import { z } from 'zod'
import { useApi } from '../../api/ApiProvider.tsx'
import { storeUser, type User } from '../../api/operator.ts'
import { useApiForm } from '../../app/useApiForm.ts'
import { Button } from '../../ui/Button.tsx'
import { TextArea } from '../../ui/controls.tsx'
import { Dialog, DialogActions } from '../../ui/Dialog.tsx'
import { ErrorNote } from '../../ui/ErrorState.tsx'
import { Field } from '../../ui/Field.tsx'
import { useToast } from '../../ui/Toast.tsx'

type Values = { reason: string }

const bodyOf = ({ reason }: Values) => ({ disabled: true, reason: reason.trim() })
const schema = z.preprocess((values) => bodyOf(values as Values), UpdateUser)

/** Disables a user, with a reason that the person sees. */
export const DisableDialog = ({ user, onClose }: { user: User; onClose: () => void }) => {
  const api = useApi()
  const queries = useQueryClient()
  const toast = useToast()
  const form = useApiForm<Values>({
    schema,
    values: { reason: '' },
    submit: async (values) => {
      const path = { id: user.id }
      await storeUser(queries, await api.patch('/api/v1/operator/users/{id}', { path, body: bodyOf(values) }))
      toast({ title: `${user.email} is disabled` })
      onClose()
    },
  })
  return (
    <Dialog
      open
      onClose={onClose}
      title="Disable user"
      description="The sessions of the person end at once, and the person cannot log in. Workspaces and API keys are not affected."
    >
      <form onSubmit={form.onSubmit} noValidate className="flex flex-col gap-4">
        {form.formError && <ErrorNote>{form.formError}</ErrorNote>}
        <Field
          label="Reason"
          optional
          hint="The person sees it after a log-in with the right password. At most 500 characters."
          error={form.errorAt('reason')}
        >
          <TextArea rows={3} autoFocus {...form.register('reason')} />
        </Field>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="danger" busy={form.isBusy}>
            Disable user
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
