import { ConfirmTotp } from '@postrider/contracts/http/ownAccount.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { z } from 'zod'
import { useApi } from '../../api/ApiProvider.tsx'
import type { TotpSecret } from '../../api/account.ts'
import { storeSession } from '../../api/session.ts'
import { useApiForm } from '../../app/useApiForm.ts'
import { Button } from '../../ui/Button.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { TextInput } from '../../ui/controls.tsx'
import { Dialog, DialogActions } from '../../ui/Dialog.tsx'
import { ErrorNote, ErrorState } from '../../ui/ErrorState.tsx'
import { Field } from '../../ui/Field.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'

type Values = { code: string }

/** Apps show the code in two groups. */
const bodyOf = ({ code }: Values) => ({ code: code.replaceAll(/\s/g, '') })
const schema = z.preprocess((values) => bodyOf(values as Values), ConfirmTotp)

/** Adds an app: its secret as a picture and as text, then the first code of the app. */
export const SetUpTotpDialog = ({
  onClose,
  onEnabled,
}: {
  onClose: () => void
  onEnabled: (recoveryCodes: readonly string[]) => void
}) => {
  const api = useApi()
  // Each request makes another secret, so it is made once for each opening and never stored.
  const { data, error, refetch } = useQuery({
    queryKey: ['account', 'totp-secret'],
    queryFn: () => api.post('/api/v1/auth/totp'),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  })
  return (
    <Dialog open onClose={onClose} title="Set up two-factor authentication">
      {error ? (
        <div className="pb-5">
          <ErrorState error={error} onRetry={refetch} />
        </div>
      ) : (
        <ConfirmForm secret={data} onClose={onClose} onEnabled={onEnabled} />
      )}
    </Dialog>
  )
}

const ConfirmForm = ({
  secret,
  onClose,
  onEnabled,
}: {
  secret: TotpSecret | undefined
  onClose: () => void
  onEnabled: (recoveryCodes: readonly string[]) => void
}) => {
  const api = useApi()
  const queries = useQueryClient()
  const form = useApiForm<Values>({
    schema,
    values: { code: '' },
    submit: async (values) => {
      const { recovery_codes, ...session } = await api.post('/api/v1/auth/totp/confirm', { body: bodyOf(values) })
      storeSession(api, queries, session)
      onEnabled(recovery_codes)
    },
  })
  return (
    <form onSubmit={form.onSubmit} noValidate className="flex flex-col gap-4">
      <p className="text-muted">1. Scan this picture with the app, or enter the key by hand.</p>
      <div className="flex flex-wrap items-center gap-4 max-sm:flex-col">
        {secret ? (
          <img
            src={`data:image/svg+xml,${encodeURIComponent(secret.qr_svg)}`}
            alt="QR code for the app"
            className="size-44 rounded-lg border border-line bg-white p-2"
          />
        ) : (
          <Skeleton className="size-44" />
        )}
        <div className="min-w-0 flex-1 max-sm:w-full">
          <p className="text-tiny text-faint">Key</p>
          {secret ? (
            <p className="flex items-start gap-1">
              <span className="min-w-0 flex-1 py-1 font-mono text-small select-all">
                {secret.secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}
              </span>
              <CopyButton text={secret.secret} label="key" />
            </p>
          ) : (
            <Skeleton className="mt-2 h-4 w-full" />
          )}
        </div>
      </div>
      <Field label="2. Enter the code that the app shows" error={form.errorAt('code')}>
        <TextInput
          autoComplete="one-time-code"
          inputMode="numeric"
          spellCheck={false}
          placeholder="123456"
          className="font-mono tracking-widest"
          {...form.register('code')}
        />
      </Field>
      {form.formError && <ErrorNote>{form.formError}</ErrorNote>}
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="solid" busy={form.isBusy} disabled={!secret}>
          Turn on
        </Button>
      </DialogActions>
    </form>
  )
}
