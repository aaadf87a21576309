import { ChangeEmail } from '@postrider/contracts/http/ownAccount.ts'
import { durationText, linkLifeMs } from '@postrider/contracts/http/values.ts'
import { useState } from 'react'
import { useApi } from '../../api/ApiProvider.tsx'
import { useApiForm } from '../../app/useApiForm.ts'
import { Button } from '../../ui/Button.tsx'
import { TextInput } from '../../ui/controls.tsx'
import { Dialog, DialogActions } from '../../ui/Dialog.tsx'
import { ErrorNote } from '../../ui/ErrorState.tsx'
import { Field } from '../../ui/Field.tsx'
import { PasswordInput } from './PasswordInput.tsx'

/** Requests another address. It changes when the link in the mail to it is used. */
export const ChangeEmailDialog = ({ onClose }: { onClose: () => void }) => {
  const api = useApi()
  const [sentTo, setSentTo] = useState<string | null>(null)
  const form = useApiForm<{ email: string; password: string }>({
    schema: ChangeEmail,
    values: { email: '', password: '' },
    submit: async (body) => {
      await api.post('/api/v1/auth/email', { body })
      setSentTo(body.email)
    },
  })
  if (sentTo !== null) {
    return (
      <Dialog open onClose={onClose} title="Check your mail">
        <p role="status" className="text-muted">
          A link was sent to <b className="font-medium break-all text-ink">{sentTo}</b>. Your address changes when you
          open it and press the button. The link works for {durationText(linkLifeMs.change_email)}; until then you log
          in with the present address.
        </p>
        <DialogActions>
          <Button variant="solid" onClick={onClose}>
            Done
          </Button>
        </DialogActions>
      </Dialog>
    )
  }
  return (
    <Dialog open onClose={onClose} title="Change email">
      <form onSubmit={form.onSubmit} noValidate className="flex flex-col gap-4">
        {form.formError && <ErrorNote>{form.formError}</ErrorNote>}
        <Field label="New email" error={form.errorAt('email')}>
          <TextInput type="email" autoComplete="email" autoFocus {...form.register('email')} />
        </Field>
        <Field label="Your password" error={form.errorAt('password')}>
          <PasswordInput autoComplete="current-password" {...form.register('password')} />
        </Field>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="solid" busy={form.isBusy}>
            Send the link
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
