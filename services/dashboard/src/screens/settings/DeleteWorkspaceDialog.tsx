import { DeleteWorkspace } from '@postrider/contracts/http/workspace.ts'
import { z } from 'zod'
import { useApi } from '../../api/ApiProvider.tsx'
import type { Workspace } from '../../api/workspaces.ts'
import { useApiForm } from '../../app/useApiForm.ts'
import { Button } from '../../ui/Button.tsx'
import { TextInput } from '../../ui/controls.tsx'
import { Dialog, DialogActions } from '../../ui/Dialog.tsx'
import { ErrorNote } from '../../ui/ErrorState.tsx'
import { Field } from '../../ui/Field.tsx'
import { useNow } from '../../ui/RelativeTime.tsx'
import { absoluteTime } from '../../ui/times.ts'
import { PasswordInput } from '../account/PasswordInput.tsx'

type Values = { name: string; password: string }

const bodyOf = ({ password }: Values) => ({ password })
const schema = z.preprocess((values) => bodyOf(values as Values), DeleteWorkspace)

const waitMs = 7 * 86_400_000

/** Schedules the deletion of the workspace: what is removed and when, its name and the password of the owner. */
export const DeleteWorkspaceDialog = ({
  workspace,
  onClose,
  onDeleted,
}: {
  workspace: Workspace
  onClose: () => void
  onDeleted: (workspace: Workspace) => Promise<unknown>
}) => {
  const api = useApi()
  const at = new Date(useNow() + waitMs).toISOString()
  const form = useApiForm<Values>({
    schema,
    values: { name: '', password: '' },
    submit: async (values) => {
      await onDeleted(await api.delete('/api/v1/workspace', { body: bodyOf(values) }))
      onClose()
    },
  })
  return (
    <Dialog open onClose={onClose} title="Delete workspace">
      <form onSubmit={form.onSubmit} noValidate className="flex flex-col gap-4">
        <div className="text-muted">
          <ul className="flex list-disc flex-col gap-1.5 pl-4">
            <li>
              <b className="font-medium text-ink">Immediately:</b> mail that waits is not sent any more, and API keys
              cannot send.
            </li>
            <li>
              <b className="font-medium text-ink">On {absoluteTime(at)}:</b> emails, templates, domains, API keys,
              webhooks, members and the audit log are removed. This cannot be undone.
            </li>
            <li>
              Every owner gets an email about it. Until that day, the operator of this service can restore everything.
            </li>
          </ul>
        </div>
        {form.formError && <ErrorNote>{form.formError}</ErrorNote>}
        <Field
          label={
            <>
              Type <span className="font-mono text-tiny">{workspace.name}</span> to confirm
            </>
          }
        >
          <TextInput autoComplete="off" autoFocus {...form.register('name')} />
        </Field>
        <Field label="Your password" error={form.errorAt('password')}>
          <PasswordInput autoComplete="current-password" {...form.register('password')} />
        </Field>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            variant="danger"
            busy={form.isBusy}
            disabled={form.watch('name').trim() !== workspace.name}
          >
            Delete workspace
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
