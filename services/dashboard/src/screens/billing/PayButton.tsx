import { useMutation } from '@tanstack/react-query'
import { useApi } from '../../api/ApiProvider.tsx'
import type { Invoice } from '../../api/billing.ts'
import { problemText } from '../../api/problem.ts'
import { Button } from '../../ui/Button.tsx'
import { useToast } from '../../ui/Toast.tsx'
import { usd } from './money.ts'

/** Opens the page of the payment provider for an invoice. */
export const PayButton = ({ invoice }: { invoice: Invoice }) => {
  const api = useApi()
  const toast = useToast()
  const pay = useMutation({
    mutationFn: () => api.post('/api/v1/billing/invoices/{id}/pay', { path: { id: invoice.id } }),
    onSuccess: ({ url }) => location.assign(url),
    onError: (thrown) => toast({ tone: 'bad', title: 'The page was not opened', detail: problemText(thrown) }),
  })
  return (
    <Button look="solid" busy={pay.isPending} onClick={() => pay.mutate()}>
      Pay {usd(invoice.total_usd)}
    </Button>
  )
}
