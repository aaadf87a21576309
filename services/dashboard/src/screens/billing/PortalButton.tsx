import { useMutation } from '@tanstack/react-query'
import { useApi } from '../../api/ApiProvider.tsx'
import { problemText } from '../../api/problem.ts'
import { Button } from '../../ui/Button.tsx'
import { useToast } from '../../ui/Toast.tsx'

/** Opens the page of the payment provider for cards and receipts. */
export const PortalButton = () => {
  const api = useApi()
  const toast = useToast()
  const open = useMutation({
    mutationFn: () => api.post('/api/v1/billing/portal'),
    onSuccess: ({ url }) => location.assign(url),
    onError: (thrown) => toast({ tone: 'bad', title: 'The page was not opened', detail: problemText(thrown) }),
  })
  return (
    <Button size="small" className="max-sm:h-10" busy={open.isPending} onClick={() => open.mutate()}>
      Cards and receipts
    </Button>
  )
}
