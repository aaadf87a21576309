import { UpdateControls } from '@postrider/contracts/http/workspace.ts'
import type { Controls } from '../../api/operator.ts'
import { useApiForm } from '../../app/useApiForm.ts'
import { Button } from '../../ui/Button.tsx'
import { TextArea } from '../../ui/controls.tsx'
import { Dialog, DialogActions } from '../../ui/Dialog.tsx'
import { ErrorNote } from '../../ui/ErrorState.tsx'
import { Field } from '../../ui/Field.tsx'
import { useChangeControls } from './useChangeControls.ts'

/** Changes the operator's note of a workspace. */
export const NoteDialog = ({ workspace, onClose }: { workspace: Controls; onClose: () => void }) => {
  const change = useChangeControls(workspace)
  const form = useApiForm<{ note: string }>({
    schema: UpdateControls,
    values: { note: workspace.note },
    submit: async ({ note }) => {
      await change({ note }, 'The note was saved')
      onClose()
    },
  })
  return (
    <Dialog open onClose={onClose} title="Change note">
      <form onSubmit={form.onSubmit} noValidate className="flex flex-col gap-4">
        {form.formError && <ErrorNote>{form.formError}</ErrorNote>}
        <Field label="Note" hint="For operators only. Empty: no note." error={form.errorAt('note')}>
          <TextArea rows={5} {...form.register('note')} />
        </Field>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="solid" busy={form.isBusy}>
            Save
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
