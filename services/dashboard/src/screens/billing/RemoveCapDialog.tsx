import { useQueryClient } from '@tanstack/react-query'
import { useApi } from '../../api/ApiProvider.tsx'
import { refreshBilling } from '../../api/billing.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { useToast } from '../../ui/Toast.tsx'

/** Removes the spending cap. */
export const RemoveCapDialog = ({ onClose }: { onClose: () => void }) => {
  const api = useApi()
  const queries = useQueryClient()
  const toast = useToast()
  return (
    <ConfirmDialog
      title="Remove the spending cap?"
      action="Remove cap"
      onClose={onClose}
      run={async () => {
        await api.patch('/api/v1/workspace', { body: { spending_cap_usd: null } })
        await refreshBilling(queries)
        toast({ title: 'There is no spending cap any more' })
      }}
    >
      <p>Then sends beyond the plan are accepted without a limit, and each started block is invoiced.</p>
    </ConfirmDialog>
  )
}
