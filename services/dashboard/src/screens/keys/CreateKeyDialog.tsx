import { CreateKey } from '@postrider/contracts/http/apiKey.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { z } from 'zod'
import { useApi } from '../../api/ApiProvider.tsx'
import type { CreatedApiKey, Mode, Scope } from '../../api/types.ts'
import { useMode } from '../../app/mode.tsx'
import { useApiForm } from '../../app/useApiForm.ts'
import { Button } from '../../ui/Button.tsx'
import { RadioCard, Select, TextInput } from '../../ui/controls.tsx'
import { Dialog, DialogActions } from '../../ui/Dialog.tsx'
import { ErrorNote } from '../../ui/ErrorState.tsx'
import { Field } from '../../ui/Field.tsx'
import { dayMs } from '../../ui/times.ts'
import { KeyLimits, type LimitTexts, limitLists } from './KeyLimits.tsx'
import { presets } from './presets.ts'
import { ScopeChoice } from './ScopeChoice.tsx'

type Values = { name: string; mode: Mode; scopes: Scope[]; expires_at: string } & LimitTexts

/** How long a new key works. */
const expiries = [
  { value: 'never', label: 'Never', days: null },
  { value: '30d', label: 'After 30 days', days: 30 },
  { value: '90d', label: 'After 90 days', days: 90 },
  { value: '365d', label: 'After a year', days: 365 },
] as const

/** Returns the time when a key of this choice expires; null: never. @param now in milliseconds */
const expiryTime = (value: string, now: number): string | null => {
  const days = expiries.find((expiry) => expiry.value === value)?.days ?? null
  return days === null ? null : new Date(now + days * dayMs).toISOString()
}

/** Returns the body that the API gets. */
const bodyOf = ({ name, mode, scopes, expires_at, ...limits }: Values) => {
  const until = expiryTime(expires_at, Date.now())
  return { name, mode, scopes, ...limitLists(limits), ...(until !== null && { expires_at: until }) }
}

const schema = z.preprocess((values) => bodyOf(values as Values), CreateKey)

/** Makes a key: name, mode, what it may do, how long, and from and to where. */
export const CreateKeyDialog = ({ onClose, onMade }: { onClose: () => void; onMade: (key: CreatedApiKey) => void }) => {
  const api = useApi()
  const queries = useQueryClient()
  const { mode: shownMode, setMode } = useMode()
  const form = useApiForm<Values>({
    schema,
    values: {
      name: '',
      mode: shownMode,
      scopes: [...(presets[1]?.scopes ?? [])],
      expires_at: 'never',
      domains: '',
      networks: '',
      recipients: '',
    },
    submit: async (values) => {
      const made = await api.post('/api/v1/api-keys', { body: bodyOf(values) })
      await queries.invalidateQueries({ queryKey: ['keys'] })
      setMode(values.mode)
      onClose()
      onMade(made)
    },
  })
  return (
    <Dialog open wide onClose={onClose} title="Create API key">
      <form onSubmit={form.onSubmit} noValidate className="flex flex-col gap-5">
        {form.formError && <ErrorNote>{form.formError}</ErrorNote>}
        <Field label="Name" hint="Where the key is used, such as “production server”." error={form.errorAt('name')}>
          <TextInput autoFocus autoComplete="off" {...form.register('name')} />
        </Field>
        <fieldset>
          <legend className="mb-1.5 text-small font-medium">Mode</legend>
          <div className="grid gap-2 sm:grid-cols-2">
            <RadioCard
              value="live"
              title="Live"
              text="Sends to real people. Counts against the quota."
              {...form.register('mode')}
            />
            <RadioCard
              value="test"
              title="Test"
              text="No mail leaves. Nothing counts against the quota."
              {...form.register('mode')}
            />
          </div>
        </fieldset>
        <Permissions
          scopes={form.watch('scopes')}
          onChange={(scopes) => form.setValue('scopes', scopes, { shouldValidate: true })}
          error={form.errorAt('scopes')}
        />
        <Field label="Expires" error={form.errorAt('expires_at')}>
          <Select {...form.register('expires_at')}>
            {expiries.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
        </Field>
        <KeyLimits register={form.register} errorAt={form.errorAt} />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="solid" busy={form.isBusy}>
            Create key
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

type PermissionsProps = { scopes: Scope[]; onChange: (scopes: Scope[]) => void; error: string | undefined }

/** What the key may do: a preset, or scopes one by one. */
const Permissions = ({ scopes, onChange, error }: PermissionsProps) => {
  const [preset, setPreset] = useState('app')
  const choosePreset = (name: string) => {
    setPreset(name)
    const chosen = presets.find((known) => known.name === name)
    if (chosen) onChange([...chosen.scopes])
  }
  return (
    <fieldset>
      <legend className="mb-1.5 text-small font-medium">Permissions</legend>
      <div className="grid gap-2 sm:grid-cols-2">
        {presets.map(({ name, title, text }) => (
          <RadioCard
            key={name}
            name="preset"
            value={name}
            title={title}
            text={text}
            checked={preset === name}
            onChange={() => choosePreset(name)}
          />
        ))}
      </div>
      <ScopeChoice
        scopes={scopes}
        onChange={(own) => {
          onChange(own)
          setPreset('own')
        }}
        error={error}
      />
    </fieldset>
  )
}
