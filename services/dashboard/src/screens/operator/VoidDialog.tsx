import { UpdateInvoice } from '@postrider/contracts/http/billing.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useApi } from '../../api/ApiProvider.tsx'
import { type OperatorInvoice, storeOperatorInvoice } from '../../api/operator.ts'
import { useToast } from '../../ui/Toast.tsx'
import { ReasonDialog } from './ReasonDialog.tsx'

/** Marks an invoice as void, with the reason. */
export const VoidDialog = ({ invoice, onClose }: { invoice: OperatorInvoice; onClose: () => void }) => {
  const api = useApi()
  const queries = useQueryClient()
  const toast = useToast()
  return (
    <ReasonDialog
      title="Mark as void"
      description={`Nothing is to be paid for invoice ${invoice.number}. This cannot be undone.`}
      hint="It is stored with the change."
      action="Mark as void"
      isRequired
      rows={2}
      schema={UpdateInvoice}
      bodyOf={(reason) => ({ status: 'void' as const, reason })}
      submit={async (body) => {
        const parts = { path: { id: invoice.id }, body }
        await storeOperatorInvoice(queries, await api.patch('/api/v1/operator/invoices/{id}', parts))
        toast({ title: `Invoice ${invoice.number} is void` })
      }}
      onClose={onClose}
    />
  )
}
