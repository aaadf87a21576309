import { SignUp } from '@postrider/contracts/http/account.ts'
import { Link } from '@tanstack/react-router'
import { useApi } from '../../api/ApiProvider.tsx'
import { useApiForm } from '../../app/useApiForm.ts'
import { Button } from '../../ui/Button.tsx'
import { TextInput } from '../../ui/controls.tsx'
import { ErrorNote } from '../../ui/ErrorState.tsx'
import { Field } from '../../ui/Field.tsx'
import { AccountPage, textLink } from './AccountPage.tsx'
import { PasswordInput } from './PasswordInput.tsx'

type Values = { email: string; password: string; workspace_name: string }

/** Sign-up: a person and their first workspace. */
export const SignUpScreen = () => {
  const api = useApi()
  const form = useApiForm<Values>({
    schema: SignUp,
    values: { email: '', password: '', workspace_name: '' },
    submit: async (body) => {
      await api.post('/api/v1/auth/signup', { body })
      location.assign('/getting-started')
    },
  })
  return (
    <AccountPage
      title="Create your account"
      intro="Send the first email in about a minute."
      footer={
        <>
          Already have an account?{' '}
          <Link to="/login" className={textLink}>
            Log in
          </Link>
        </>
      }
    >
      <form onSubmit={form.onSubmit} noValidate className="flex flex-col gap-4">
        {form.formError && <ErrorNote>{form.formError}</ErrorNote>}
        <Field label="Email" error={form.errorAt('email')}>
          <TextInput type="email" autoComplete="username" autoFocus {...form.register('email')} />
        </Field>
        <Field label="Password" hint="At least 8 characters; longer is better." error={form.errorAt('password')}>
          <PasswordInput autoComplete="new-password" {...form.register('password')} />
        </Field>
        <Field
          label="Workspace"
          hint="Your company or product. You can change it later."
          error={form.errorAt('workspace_name')}
        >
          <TextInput autoComplete="organization" placeholder="Acme" {...form.register('workspace_name')} />
        </Field>
        <Button type="submit" variant="solid" busy={form.isBusy} className="mt-1">
          Create account
        </Button>
      </form>
    </AccountPage>
  )
}
