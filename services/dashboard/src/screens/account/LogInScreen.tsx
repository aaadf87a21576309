import { LogIn } from '@postrider/contracts/http/account.ts'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useApi } from '../../api/ApiProvider.tsx'
import { problemOf } from '../../api/problem.ts'
import { useApiForm } from '../../app/useApiForm.ts'
import { Button } from '../../ui/Button.tsx'
import { TextInput } from '../../ui/controls.tsx'
import { ErrorNote } from '../../ui/ErrorState.tsx'
import { Field } from '../../ui/Field.tsx'
import { AccountPage, textLink } from './AccountPage.tsx'
import { CodeField } from './CodeField.tsx'
import { PasswordInput } from './PasswordInput.tsx'

const route = getRouteApi('/visitor/login')

type Values = { email: string; password: string; code: string }

/** Login: address and password, then the code of the second factor where one is on. */
export const LogInScreen = () => {
  const api = useApi()
  const { next, ended } = route.useSearch()
  const [needsCode, setNeedsCode] = useState(false)
  const form = useApiForm<Values>({
    schema: LogIn,
    values: { email: '', password: '', code: '' },
    submit: async ({ email, password, code }) => {
      try {
        await api.post('/api/v1/auth/login', { body: { email, password, ...(needsCode && { code: code.trim() }) } })
        // The page is loaded again, so nothing of an earlier session stays in memory.
        location.assign(next ?? '/')
      } catch (thrown) {
        const asksForCode = problemOf(thrown).errors.some((error) => error.code === 'totp_required')
        if (!asksForCode) throw thrown
        setNeedsCode(true)
      }
    },
  })
  if (needsCode) {
    return (
      <AccountPage title="Second factor" intro={`Log in as ${form.getValues('email')}`}>
        <form onSubmit={form.onSubmit} noValidate className="flex flex-col gap-4">
          {form.formError && <ErrorNote>{form.formError}</ErrorNote>}
          <CodeField error={form.errorAt('code')} {...form.register('code')} />
          <Button type="submit" variant="solid" busy={form.isBusy}>
            Log in
          </Button>
          <Button variant="quiet" onClick={() => setNeedsCode(false)}>
            Back
          </Button>
        </form>
      </AccountPage>
    )
  }
  return (
    <AccountPage
      title="Log in"
      intro={ended && next ? 'Your session has ended. Log in to continue where you were.' : undefined}
      footer={
        <>
          No account yet?{' '}
          <Link to="/signup" className={textLink}>
            Sign up
          </Link>
        </>
      }
    >
      <form onSubmit={form.onSubmit} noValidate className="flex flex-col gap-4">
        {form.formError && <ErrorNote>{form.formError}</ErrorNote>}
        <Field label="Email" error={form.errorAt('email')}>
          <TextInput type="email" autoComplete="username" autoFocus {...form.register('email')} />
        </Field>
        <div className="relative">
          <Field label="Password" error={form.errorAt('password')}>
            <PasswordInput autoComplete="current-password" {...form.register('password')} />
          </Field>
          <Link
            to="/forgot"
            className="absolute top-0 right-0 text-small text-muted underline-offset-3 hover:underline"
          >
            Forgot it?
          </Link>
        </div>
        <Button type="submit" variant="solid" busy={form.isBusy}>
          Log in
        </Button>
      </form>
    </AccountPage>
  )
}
