import { UpdateInvoice } from '@postrider/contracts/http/billing.ts'
import { useQueryClient } from '@tanstack/react-query'
import { z } from 'zod'
import { useApi } from '../../api/ApiProvider.tsx'
import { type OperatorInvoice, storeOperatorInvoice } from '../../api/operator.ts'
import { useApiForm } from '../../app/useApiForm.ts'
import { Button } from '../../ui/Button.tsx'
import { TextArea } from '../../ui/controls.tsx'
import { Dialog, DialogActions } from '../../ui/Dialog.tsx'
import { ErrorNote } from '../../ui/ErrorState.tsx'
import { Field } from '../../ui/Field.tsx'
import { useToast } from '../../ui/Toast.tsx'

type Values = { reason: string }

const bodyOf = ({ reason }: Values) => ({ status: 'void' as const, reason: reason.trim() })
const schema = z.preprocess((values) => bodyOf(values as Values), UpdateInvoice)

/** Marks an invoice as void, with the reason. */
export const VoidDialog = ({ invoice, onClose }: { invoice: OperatorInvoice; onClose: () => void }) => {
  const api = useApi()
  const queries = useQueryClient()
  const toast = useToast()
  const form = useApiForm<Values>({
    schema,
    values: { reason: '' },
    submit: async (values) => {
      const parts = { path: { id: invoice.id }, body: bodyOf(values) }
      await storeOperatorInvoice(queries, await api.patch('/api/v1/operator/invoices/{id}', parts))
      toast({ title: `Invoice ${invoice.number} is void` })
      onClose()
    },
  })
  return (
    <Dialog
      open
      onClose={onClose}
      title="Mark as void"
      description={`Nothing is to be paid for invoice ${invoice.number}. This cannot be undone.`}
    >
      <form onSubmit={form.onSubmit} noValidate className="flex flex-col gap-4">
        {form.formError && <ErrorNote>{form.formError}</ErrorNote>}
        <Field label="Reason" hint="It is stored with the change." error={form.errorAt('reason')}>
          <TextArea rows={2} autoFocus {...form.register('reason')} />
        </Field>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="danger" busy={form.isBusy} disabled={form.watch('reason').trim() === ''}>
            Mark as void
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
