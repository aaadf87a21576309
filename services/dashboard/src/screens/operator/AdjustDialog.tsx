import { CreateAdjustment } from '@postrider/contracts/http/billing.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { z } from 'zod'
import { useApi } from '../../api/ApiProvider.tsx'
import { type Controls, operatorArea } from '../../api/operator.ts'
import { useApiForm } from '../../app/useApiForm.ts'
import { Button } from '../../ui/Button.tsx'
import { RadioCard, TextArea, TextInput } from '../../ui/controls.tsx'
import { Dialog, DialogActions } from '../../ui/Dialog.tsx'
import { ErrorNote } from '../../ui/ErrorState.tsx'
import { Field } from '../../ui/Field.tsx'
import { useToast } from '../../ui/Toast.tsx'

type Kind = 'sends' | 'amount_usd'
type Values = { kind: Kind; sends: string; amount_usd: string; reason: string }

/** Returns the body of the API with the chosen kind alone. */
const bodyOf = ({ kind, sends, amount_usd, reason }: Values) => ({
  ...(kind === 'sends'
    ? { sends: sends.trim() === '' ? Number.NaN : Number(sends) }
    : { amount_usd: amount_usd.trim() }),
  reason: reason.trim(),
})
const schema = z.preprocess((values) => bodyOf(values as Values), CreateAdjustment)

/** Returns a random key of 128 bits. */
const newKey = (): string => `adjust-${crypto.getRandomValues(new Uint32Array(4)).join('-')}`

/**
 * Corrects the sends of the month, or the next invoice. The same correction again, after a lost response, has the same
 * key.
 */
export const AdjustDialog = ({ workspace, onClose }: { workspace: Controls; onClose: () => void }) => {
  const api = useApi()
  const queries = useQueryClient()
  const toast = useToast()
  const last = useRef({ body: '', key: '' })
  const form = useApiForm<Values>({
    schema,
    values: { kind: 'sends', sends: '', amount_usd: '', reason: '' },
    submit: async (values) => {
      const path = { id: workspace.id }
      const body = bodyOf(values)
      const text = JSON.stringify(body)
      if (last.current.body !== text) last.current = { body: text, key: newKey() }
      const headers = { 'Idempotency-Key': last.current.key }
      await api.post('/api/v1/operator/workspaces/{id}/adjustments', { path, body, headers })
      await queries.invalidateQueries({ queryKey: [operatorArea] })
      toast({ title: values.kind === 'sends' ? 'The sends of this month are corrected' : 'It is on the next invoice' })
      onClose()
    },
  })
  const kind = form.watch('kind')
  return (
    <Dialog open onClose={onClose} title="Correct sends or the bill">
      <form onSubmit={form.onSubmit} noValidate className="flex flex-col gap-4">
        {form.formError && <ErrorNote>{form.formError}</ErrorNote>}
        <fieldset className="grid gap-2">
          <legend className="sr-only">What is corrected</legend>
          <RadioCard
            title="Sends of this month"
            text="Changes what is used of the quota, and what is beyond the plan."
            value="sends"
            {...form.register('kind')}
          />
          <RadioCard
            title="Next invoice"
            text="A line with the reason. More credit than the invoice has is used for the ones after it."
            value="amount_usd"
            {...form.register('kind')}
          />
        </fieldset>
        {kind === 'sends' ? (
          <Field label="Sends" hint="Below 0: released, such as -500." error={form.errorAt('sends')}>
            <TextInput inputMode="numeric" autoComplete="off" {...form.register('sends')} />
          </Field>
        ) : (
          <Field label="US dollars" hint="Below 0: a credit, such as -5.00." error={form.errorAt('amount_usd')}>
            <TextInput inputMode="decimal" autoComplete="off" {...form.register('amount_usd')} />
          </Field>
        )}
        <Field
          label="Reason"
          hint="Stored with the correction; the customer reads it on the invoice."
          error={form.errorAt('reason')}
        >
          <TextArea rows={2} {...form.register('reason')} />
        </Field>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="solid" busy={form.isBusy}>
            Correct
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
