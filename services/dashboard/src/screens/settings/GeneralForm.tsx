import { UpdateWorkspace } from '@postrider/contracts/http/workspace.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useApi } from '../../api/ApiProvider.tsx'
import { useMay } from '../../api/session.ts'
import { storeWorkspace, type Workspace } from '../../api/workspaces.ts'
import { useApiForm } from '../../app/useApiForm.ts'
import { Button } from '../../ui/Button.tsx'
import { Select, TextArea, TextInput } from '../../ui/controls.tsx'
import { ErrorNote } from '../../ui/ErrorState.tsx'
import { Field } from '../../ui/Field.tsx'
import { useToast } from '../../ui/Toast.tsx'

type Values = Pick<Workspace, 'name' | 'sender_name' | 'postal_address' | 'on_unknown'>

const valuesOf = ({ name, sender_name, postal_address, on_unknown }: Workspace): Values => ({
  name,
  sender_name,
  postal_address,
  on_unknown,
})

const policies: readonly { value: Values['on_unknown']; label: string }[] = [
  { value: 'retry', label: 'Send again: a second copy is possible' },
  { value: 'hold', label: 'Ask: the email waits for a decision' },
]

/** The texts of the workspace. Only what was changed is sent. */
export const GeneralForm = ({ workspace }: { workspace: Workspace }) => {
  const api = useApi()
  const queries = useQueryClient()
  const toast = useToast()
  const mayWrite = useMay('admin')
  const form = useApiForm<Values>({
    schema: UpdateWorkspace,
    values: valuesOf(workspace),
    submit: async (values) => {
      const before = valuesOf(workspace)
      const names = Object.keys(before) as (keyof Values)[]
      const body = Object.fromEntries(
        names.filter((name) => values[name] !== before[name]).map((name) => [name, values[name]]),
      )
      const changed = await api.patch('/api/v1/workspace', { body })
      form.reset(valuesOf(changed))
      await storeWorkspace(queries, changed)
      toast({ title: 'The settings are saved' })
    },
  })
  const { isDirty } = form.formState
  return (
    <form onSubmit={form.onSubmit} noValidate>
      <fieldset disabled={!mayWrite} className="flex flex-col gap-5">
        {form.formError && <ErrorNote>{form.formError}</ErrorNote>}
        <Field label="Name" error={form.errorAt('name')} className="max-w-md">
          <TextInput autoComplete="organization" {...form.register('name')} />
        </Field>
        <Field
          label="Sender name"
          optional
          hint={
            <>
              Shown before <span className="break-all text-ink">{workspace.sender}</span> while you have no verified
              domain. Without it, the name of the workspace.
            </>
          }
          error={form.errorAt('sender_name')}
          className="max-w-md"
        >
          <TextInput autoComplete="off" placeholder={workspace.name} {...form.register('sender_name')} />
        </Field>
        <Field
          label="Postal address"
          optional
          hint="Marketing mail requires one."
          error={form.errorAt('postal_address')}
          className="max-w-md"
        >
          <TextArea
            rows={3}
            autoComplete="street-address"
            placeholder="Acme Inc, 1 Main Street, Springfield"
            {...form.register('postal_address')}
          />
        </Field>
        <Field
          label="If the reply of a server is lost"
          hint="Seldom a connection ends after the whole email was sent. Then it may or may not have arrived. An email can choose for itself."
          error={form.errorAt('on_unknown')}
          className="max-w-md"
        >
          <Select {...form.register('on_unknown')}>
            {policies.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
        </Field>
        <SaveButtons mayWrite={mayWrite} isBusy={form.isBusy} isDirty={isDirty} onDiscard={() => form.reset()} />
      </fieldset>
    </form>
  )
}

type SaveButtonsProps = { mayWrite: boolean; isBusy: boolean; isDirty: boolean; onDiscard: () => void }

const SaveButtons = ({ mayWrite, isBusy, isDirty, onDiscard }: SaveButtonsProps) =>
  mayWrite ? (
    <div className="flex gap-2">
      <Button type="submit" variant="solid" busy={isBusy} disabled={!isDirty}>
        Save
      </Button>
      {isDirty && (
        <Button variant="quiet" onClick={onDiscard}>
          Discard
        </Button>
      )}
    </div>
  ) : (
    <p className="text-small text-muted">Owners and admins change these settings.</p>
  )
