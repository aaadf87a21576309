import { CreateWorkspace } from '@postrider/contracts/http/members.ts'
import { useApi } from '../../api/ApiProvider.tsx'
import { enterWorkspace } from '../../api/workspaces.ts'
import { useApiForm } from '../../app/useApiForm.ts'
import { Button } from '../../ui/Button.tsx'
import { TextInput } from '../../ui/controls.tsx'
import { Dialog, DialogActions } from '../../ui/Dialog.tsx'
import { ErrorNote } from '../../ui/ErrorState.tsx'
import { Field } from '../../ui/Field.tsx'

/** Creates another workspace, which the person owns, and opens it. */
export const CreateWorkspaceDialog = ({ onClose }: { onClose: () => void }) => {
  const api = useApi()
  const form = useApiForm<{ name: string }>({
    schema: CreateWorkspace,
    values: { name: '' },
    submit: async (body) => {
      const { id } = await api.post('/api/v1/workspaces', { body })
      await enterWorkspace(api, id)
    },
  })
  return (
    <Dialog open onClose={onClose} title="Create workspace">
      <form onSubmit={form.onSubmit} noValidate className="flex flex-col gap-4">
        {form.formError && <ErrorNote>{form.formError}</ErrorNote>}
        <Field label="Name" hint="Your company or product. You own the workspace." error={form.errorAt('name')}>
          <TextInput autoComplete="off" autoFocus placeholder="Acme Labs" {...form.register('name')} />
        </Field>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="solid" busy={form.isBusy}>
            Create workspace
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
