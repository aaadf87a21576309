import { getRouteApi, Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useMakeOperatorApi } from '../../api/OperatorApiProvider.tsx'
import { storeOperatorToken } from '../../api/operatorToken.ts'
import { problemOf, problemText } from '../../api/problem.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { AccountPage, textLink } from '../account/AccountPage.tsx'
import { PasswordInput } from '../account/PasswordInput.tsx'

const route = getRouteApi('/visitor/operator/login')

/** The form shows a refusal itself. */
const ignored = (): void => {}

/** What a header can carry. */
const isToken = (text: string): boolean => /^[\x21-\x7e]+$/.test(text)

const switchedOff =
  'The operator API of this service is switched off. Set POSTRIDER_OPERATOR_TOKEN and start the service again.'

/** Prompts for the operator's token, and stores it in this tab after the service has accepted it. */
export const OperatorLogInScreen = () => {
  const { next, ended } = route.useSearch()
  const makeApi = useMakeOperatorApi()
  const [token, setToken] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const given = token.trim()
    if (!isToken(given)) {
      setError(given === '' ? 'Enter the token.' : 'The token may contain only printable ASCII characters.')
      return
    }
    setBusy(true)
    setError(null)
    try {
      const api = makeApi({ token: given, onRefused: ignored, onFactorMissing: ignored, onSessionChanged: ignored })
      await api.get('/api/v1/operator/workspaces', { query: { limit: 1 } })
      storeOperatorToken(given)
      location.assign(next ?? '/operator/workspaces')
    } catch (thrown) {
      const { status } = problemOf(thrown)
      setError(
        status === 401 ? 'The service does not accept this token.' : status === 404 ? switchedOff : problemText(thrown),
      )
      setBusy(false)
    }
  }
  return (
    <AccountPage
      title="Operator"
      intro={
        ended
          ? 'The service does not accept the token of this tab, or your account as an operator, any more.'
          : 'For the people who run this service.'
      }
      footer={
        <>
          Looking for your workspace?{' '}
          <Link to="/" className={textLink}>
            Open the dashboard
          </Link>
        </>
      }
    >
      <form onSubmit={submit} noValidate className="flex flex-col gap-4">
        <Field
          label="Operator token"
          hint="The value of POSTRIDER_OPERATOR_TOKEN, or of the file operator-token in the data directory. It stays in this tab until you leave or close it."
          error={error ?? undefined}
        >
          <PasswordInput
            secret="token"
            autoComplete="off"
            spellCheck={false}
            autoFocus
            value={token}
            onChange={(event) => setToken(event.target.value)}
          />
        </Field>
        <Button type="submit" variant="solid" busy={isBusy}>
          Continue
        </Button>
      </form>
    </AccountPage>
  )
}
