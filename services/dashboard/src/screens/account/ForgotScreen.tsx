import { RequestPasswordReset } from '@postrider/contracts/http/ownAccount.ts'
import { durationText, linkLifeMs } from '@postrider/contracts/http/values.ts'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useApi } from '../../api/ApiProvider.tsx'
import { useApiForm } from '../../app/useApiForm.ts'
import { Button } from '../../ui/Button.tsx'
import { TextInput } from '../../ui/controls.tsx'
import { ErrorNote } from '../../ui/ErrorState.tsx'
import { Field } from '../../ui/Field.tsx'
import { AccountPage, textLink } from './AccountPage.tsx'

/** Requests an email with a link for a new password. The response is the same for every address. */
export const ForgotScreen = () => {
  const api = useApi()
  const [sentTo, setSentTo] = useState<string | null>(null)
  const form = useApiForm<{ email: string }>({
    schema: RequestPasswordReset,
    values: { email: '' },
    submit: async (body) => {
      await api.post('/api/v1/auth/password-reset', { body })
      setSentTo(body.email)
    },
  })
  const footer = (
    <Link to="/login" className={textLink}>
      Back to login
    </Link>
  )
  if (sentTo !== null) {
    return (
      <AccountPage title="Check your mail" footer={footer}>
        <p role="status" className="text-muted">
          If {sentTo} has an account, an email with a link is on its way. The link works once, for{' '}
          {durationText(linkLifeMs.reset_password)}.
        </p>
      </AccountPage>
    )
  }
  return (
    <AccountPage title="New password" intro="We mail you a link to set one." footer={footer}>
      <form onSubmit={form.onSubmit} noValidate className="flex flex-col gap-4">
        {form.formError && <ErrorNote>{form.formError}</ErrorNote>}
        <Field label="Email" error={form.errorAt('email')}>
          <TextInput type="email" autoComplete="username" autoFocus {...form.register('email')} />
        </Field>
        <Button type="submit" variant="solid" busy={form.isBusy}>
          Send the link
        </Button>
      </form>
    </AccountPage>
  )
}
