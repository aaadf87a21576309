import { ChangePassword } from '@postrider/contracts/http/ownAccount.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useApi } from '../../api/ApiProvider.tsx'
import { storeSession, useSession } from '../../api/session.ts'
import { useApiForm } from '../../app/useApiForm.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog, DialogActions } from '../../ui/Dialog.tsx'
import { ErrorNote } from '../../ui/ErrorState.tsx'
import { Field } from '../../ui/Field.tsx'
import { useToast } from '../../ui/Toast.tsx'
import { PasswordInput } from './PasswordInput.tsx'

/** Changes the password. The other sessions end; this one continues with a new cookie. */
export const ChangePasswordDialog = ({ onClose }: { onClose: () => void }) => {
  const api = useApi()
  const queries = useQueryClient()
  const toast = useToast()
  const { user } = useSession()
  const form = useApiForm<{ current: string; password: string }>({
    schema: ChangePassword,
    values: { current: '', password: '' },
    submit: async (body) => {
      storeSession(api, queries, await api.post('/api/v1/auth/password', { body }))
      await queries.invalidateQueries({ queryKey: ['account', 'sessions'] })
      toast({ title: 'The password is changed', detail: 'Your other sessions have ended.' })
      onClose()
    },
  })
  return (
    <Dialog open onClose={onClose} title="Change password">
      <form onSubmit={form.onSubmit} noValidate className="flex flex-col gap-4">
        {form.formError && <ErrorNote>{form.formError}</ErrorNote>}
        {/* Programs that store passwords need the name of the account. */}
        <input type="text" name="username" autoComplete="username" value={user.email} readOnly hidden />
        <Field label="Current password" error={form.errorAt('current')}>
          <PasswordInput autoComplete="current-password" autoFocus {...form.register('current')} />
        </Field>
        <Field
          label="New password"
          hint="At least 8 characters. Some random words are a good password."
          error={form.errorAt('password')}
        >
          <PasswordInput autoComplete="new-password" {...form.register('password')} />
        </Field>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="solid" busy={form.isBusy}>
            Change password
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
