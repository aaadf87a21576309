import { DisableTotp } from '@postrider/contracts/http/ownAccount.ts'
import { useQueryClient } from '@tanstack/react-query'
import { z } from 'zod'
import { useApi } from '../../api/ApiProvider.tsx'
import { useSession } from '../../api/session.ts'
import { useApiForm } from '../../app/useApiForm.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog, DialogActions } from '../../ui/Dialog.tsx'
import { ErrorNote } from '../../ui/ErrorState.tsx'
import { useToast } from '../../ui/Toast.tsx'
import { CodeField } from './CodeField.tsx'

type Values = { code: string }

const bodyOf = ({ code }: Values) => ({ code: code.trim() })
const schema = z.preprocess((values) => bodyOf(values as Values), DisableTotp)

/** Switches two-factor authentication off, with a code. */
export const DisableTotpDialog = ({ onClose }: { onClose: () => void }) => {
  const api = useApi()
  const queries = useQueryClient()
  const toast = useToast()
  const { workspace } = useSession()
  const form = useApiForm<Values>({
    schema,
    values: { code: '' },
    submit: async (values) => {
      await api.delete('/api/v1/auth/totp', { body: bodyOf(values) })
      await queries.invalidateQueries({ queryKey: ['session'] })
      toast({ title: 'Two-factor authentication is off' })
      onClose()
    },
  })
  return (
    <Dialog open onClose={onClose} title="Turn off two-factor authentication">
      <form onSubmit={form.onSubmit} noValidate className="flex flex-col gap-4">
        <p className="text-muted">
          Logins need only your password then. The recovery codes end.
          {workspace.require_totp &&
            ` ${workspace.name} requires it: you cannot open the workspace until it is on again.`}
        </p>
        {form.formError && <ErrorNote>{form.formError}</ErrorNote>}
        <CodeField error={form.errorAt('code')} {...form.register('code')} />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="danger" busy={form.isBusy}>
            Turn off
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
