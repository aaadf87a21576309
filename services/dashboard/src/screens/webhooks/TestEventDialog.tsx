import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useApi } from '../../api/ApiProvider.tsx'
import { problemText } from '../../api/problem.ts'
import { type Delivery, deliveryQuery, type Webhook } from '../../api/webhooks.ts'
import { Button } from '../../ui/Button.tsx'
import { Select } from '../../ui/controls.tsx'
import { Dialog, DialogActions } from '../../ui/Dialog.tsx'
import { ErrorNote } from '../../ui/ErrorState.tsx'
import { Field } from '../../ui/Field.tsx'
import { duration } from '../../ui/times.ts'
import { useAction } from '../../ui/useAction.ts'
import { DeliveryBadge } from './StateBadge.tsx'
import { outcomeText } from './webhookLabels.ts'

/** Sends an event with made-up values, and shows the response of the server. */
export const TestEventDialog = ({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) => {
  const api = useApi()
  const queries = useQueryClient()
  const first = webhook.events.find((type) => type === 'email.delivered') ?? webhook.events[0] ?? 'email.delivered'
  const [type, setType] = useState(first)
  const [sent, setSent] = useState<Delivery | null>(null)
  const { run, isBusy, error } = useAction()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    run(async () => {
      setSent(await api.post('/api/v1/webhooks/{id}/test', { path: { id: webhook.id }, body: { type } }))
      await queries.invalidateQueries({ queryKey: ['webhooks', 'deliveries'] })
    })
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title="Send test event"
      description="It has made-up values, and “test”: true in its data. It is signed like any other."
    >
      <form onSubmit={submit} className="flex flex-col gap-4">
        <Field label="Type">
          <Select value={type} onChange={(event) => setType(event.target.value as typeof type)}>
            {webhook.events.map((known) => (
              <option key={known} value={known}>
                {known}
              </option>
            ))}
          </Select>
        </Field>
        {error !== null && <ErrorNote>{problemText(error)}</ErrorNote>}
        <div role="status">{sent && <Result webhook={webhook} sent={sent} />}</div>
        <DialogActions>
          <Button onClick={onClose}>Close</Button>
          <Button type="submit" variant="solid" busy={isBusy}>
            {sent ? 'Send another' : 'Send test event'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

const Result = ({ webhook, sent }: { webhook: Webhook; sent: Delivery }) => {
  const { data } = useQuery(deliveryQuery(useApi(), webhook.id, sent.id))
  const delivery = data ?? sent
  const last = delivery.attempts.at(-1)
  return (
    <div className="rounded-lg border border-line bg-sunken px-3 py-2.5 text-small">
      <p className="flex flex-wrap items-center gap-2">
        <DeliveryBadge status={delivery.status} />
        {last ? `${outcomeText(last)} after ${duration(last.duration_ms)}` : 'Waiting for your server…'}
      </p>
      {last?.response && last.response.body !== '' && (
        <p className="mt-1.5 max-h-32 overflow-y-auto font-mono text-tiny break-all text-muted">{last.response.body}</p>
      )}
    </div>
  )
}
