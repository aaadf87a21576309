import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useApi } from '../../api/ApiProvider.tsx'
import { problemText } from '../../api/problem.ts'
import { storeReplay, type Webhook } from '../../api/webhooks.ts'
import { Button } from '../../ui/Button.tsx'
import { Select, TextInput } from '../../ui/controls.tsx'
import { Dialog, DialogActions } from '../../ui/Dialog.tsx'
import { ErrorNote } from '../../ui/ErrorState.tsx'
import { Field } from '../../ui/Field.tsx'
import { hourMs, localText } from '../../ui/times.ts'
import { useAction } from '../../ui/useAction.ts'

const spans = [
  { value: '1', label: 'The last hour' },
  { value: '24', label: 'The last 24 hours' },
  { value: '168', label: 'The last 7 days' },
  { value: 'own', label: 'A time window' },
]

/** Sends the events of a time window again. */
export const ReplayDialog = ({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) => {
  const api = useApi()
  const queries = useQueryClient()
  const [span, setSpan] = useState('24')
  const [from, setFrom] = useState(() => localText(Date.now() - 24 * hourMs))
  const [to, setTo] = useState(() => localText(Date.now()))
  const { run, isBusy, error } = useAction()
  const isOwn = span === 'own'
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const body = isOwn
      ? { from: new Date(from).toISOString(), to: new Date(to).toISOString() }
      : { from: new Date(Date.now() - Number(span) * hourMs).toISOString() }
    run(async () => {
      storeReplay(queries, await api.post('/api/v1/webhooks/{id}/replay', { path: { id: webhook.id }, body }))
      onClose()
    })
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title="Replay events"
      description="The events of a time window are sent again with their ids, oldest first, at most 10 a second."
    >
      <form onSubmit={submit} className="flex flex-col gap-4">
        <Field label="Events of">
          <Select value={span} onChange={(event) => setSpan(event.target.value)}>
            {spans.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
        </Field>
        {isOwn && (
          <div className="grid gap-3 sm:grid-cols-2">
            <Field label="From">
              <TextInput
                type="datetime-local"
                required
                value={from}
                max={to}
                onChange={(event) => setFrom(event.target.value)}
              />
            </Field>
            <Field label="To">
              <TextInput
                type="datetime-local"
                required
                value={to}
                min={from}
                onChange={(event) => setTo(event.target.value)}
              />
            </Field>
          </div>
        )}
        {error !== null && <ErrorNote>{problemText(error)}</ErrorNote>}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="solid" busy={isBusy}>
            Start replay
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
