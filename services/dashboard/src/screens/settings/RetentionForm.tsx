import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useApi } from '../../api/ApiProvider.tsx'
import { problemText } from '../../api/problem.ts'
import { useMay } from '../../api/session.ts'
import { storeWorkspace, type Workspace } from '../../api/workspaces.ts'
import { Button } from '../../ui/Button.tsx'
import { RadioCard, TextInput } from '../../ui/controls.tsx'
import { ErrorNote } from '../../ui/ErrorState.tsx'
import { Field } from '../../ui/Field.tsx'
import { useToast } from '../../ui/Toast.tsx'
import { useAction } from '../../ui/useAction.ts'

type Kind = 'default' | 'days' | 'metadata' | 'none'

const choices: readonly { kind: Kind; title: string; text: string }[] = [
  {
    kind: 'default',
    title: 'As the service',
    text: 'As long as the operator stores content: 30 days unless set otherwise.',
  },
  { kind: 'days', title: 'A number of days', text: 'Shorter than the service stores it.' },
  { kind: 'metadata', title: 'Until the mail is final', text: 'Then only addresses, tags and events stay.' },
  { kind: 'none', title: 'Nothing after the mail is final', text: 'Addresses, tags and metadata are removed too.' },
]

const kindOf = (retention: Workspace['retention']): Kind => {
  if (retention === null) return 'default'
  return typeof retention === 'number' ? 'days' : retention
}

const usualDays = '7'

/**
 * Selects how long the content of new mail is stored.
 * @param workspace null: it is being read, and nothing is chosen
 */
export const RetentionForm = ({ workspace }: { workspace: Workspace | null }) => {
  const api = useApi()
  const queries = useQueryClient()
  const toast = useToast()
  const mayWrite = useMay('admin')
  const stored = workspace?.retention
  const [kind, setKind] = useState(stored === undefined ? null : kindOf(stored))
  const [days, setDays] = useState(typeof stored === 'number' ? String(stored) : usualDays)
  const { run, isBusy, error } = useAction()
  const chosen = kind === 'default' ? null : kind === 'days' ? Number(days) : kind
  const submit = (event: FormEvent) => {
    event.preventDefault()
    run(async () => {
      await storeWorkspace(queries, await api.patch('/api/v1/workspace', { body: { retention: chosen } }))
      toast({ title: 'The retention is saved', detail: 'It applies to mail that is sent from now on.' })
    })
  }
  return (
    <form onSubmit={submit} noValidate>
      <fieldset disabled={!mayWrite || workspace === null} className="flex flex-col gap-4">
        <legend className="sr-only">How long content is stored</legend>
        <div className="grid gap-2 sm:grid-cols-2">
          {choices.map(({ kind: value, title, text }) => (
            <RadioCard
              key={value}
              name="retention"
              value={value}
              title={title}
              text={text}
              checked={kind === value}
              onChange={() => setKind(value)}
            />
          ))}
        </div>
        {/* It is always there, so that nothing moves when the choice is read or changed. */}
        <Field label="Days" className="w-32">
          <TextInput
            type="number"
            min={1}
            inputMode="numeric"
            disabled={kind !== 'days'}
            value={days}
            onChange={(event) => setDays(event.target.value)}
          />
        </Field>
        {error !== null && <ErrorNote>{problemText(error)}</ErrorNote>}
        {mayWrite ? (
          <div>
            <Button type="submit" variant="solid" busy={isBusy} disabled={chosen === stored || days.trim() === ''}>
              Save
            </Button>
          </div>
        ) : (
          <p className="text-small text-muted">Owners and admins change this.</p>
        )}
      </fieldset>
    </form>
  )
}
