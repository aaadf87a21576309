import { useMutation } from '@tanstack/react-query'
import { useApi } from '../../api/ApiProvider.tsx'
import type { Invoice } from '../../api/billing.ts'
import type { Api } from '../../api/client.ts'
import { problemText } from '../../api/problem.ts'
import { Button } from '../../ui/Button.tsx'
import { useToast } from '../../ui/Toast.tsx'
import { usd } from './money.ts'

/** Opens a page of the payment provider. */
const useProviderPage = (pageOf: (api: Api) => Promise<{ url: string }>) => {
  const api = useApi()
  const toast = useToast()
  const { isPending, mutate } = useMutation({
    mutationFn: () => pageOf(api),
    onSuccess: ({ url }) => location.assign(url),
    onError: (thrown) => toast({ tone: 'bad', title: 'The page was not opened', detail: problemText(thrown) }),
  })
  return { busy: isPending, onClick: () => mutate() }
}

/** Opens the page for an invoice. */
export const PayButton = ({ invoice: { id, total_usd } }: { invoice: Invoice }) => {
  const page = useProviderPage((api) => api.post('/api/v1/billing/invoices/{id}/pay', { path: { id } }))
  return (
    <Button variant="solid" {...page}>
      Pay {usd(total_usd)}
    </Button>
  )
}

/** Opens the page for cards and receipts. */
export const PortalButton = () => {
  const page = useProviderPage((api) => api.post('/api/v1/billing/portal'))
  return (
    <Button size="small" className="max-sm:h-10" {...page}>
      Cards and receipts
    </Button>
  )
}
