import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useApi } from '../../api/ApiProvider.tsx'
import { type OperatorInvoice, storeOperatorInvoice } from '../../api/operator.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { useToast } from '../../ui/Toast.tsx'
import { usd } from '../billing/money.ts'

/** Loaded when it is opened, because it contains the schema of the API's body. */
const VoidDialog = lazy(() => import('./VoidDialog.tsx').then((module) => ({ default: module.VoidDialog })))

/** Marks an open invoice as paid or void. */
export const InvoiceActions = ({ invoice }: { invoice: OperatorInvoice }) => {
  const api = useApi()
  const queries = useQueryClient()
  const toast = useToast()
  const [step, setStep] = useState<'paid' | 'void' | null>(null)
  const close = () => setStep(null)
  return (
    <>
      <Button variant="danger" onClick={() => setStep('void')}>
        Mark as void…
      </Button>
      <Button variant="solid" onClick={() => setStep('paid')}>
        Mark as paid…
      </Button>
      {step === 'paid' && (
        <ConfirmDialog
          title="Mark as paid"
          action="Mark as paid"
          onClose={close}
          run={async () => {
            const parts = { path: { id: invoice.id }, body: { status: 'paid' } } as const
            await storeOperatorInvoice(queries, await api.patch('/api/v1/operator/invoices/{id}', parts))
            toast({ title: `Invoice ${invoice.number} is paid` })
          }}
        >
          <p>
            {usd(invoice.total_usd)} arrived for invoice {invoice.number}. The status does not change again.
          </p>
        </ConfirmDialog>
      )}
      <Suspense>{step === 'void' && <VoidDialog invoice={invoice} onClose={close} />}</Suspense>
    </>
  )
}
