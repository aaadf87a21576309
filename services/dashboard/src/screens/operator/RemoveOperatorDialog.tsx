import { useQueryClient } from '@tanstack/react-query'
import { useApi } from '../../api/ApiProvider.tsx'
import { type Operator, readOperatorsAgain } from '../../api/operator.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { useToast } from '../../ui/Toast.tsx'

/** Removes an operator, after the address was typed. */
export const RemoveOperatorDialog = ({ operator, onClose }: { operator: Operator; onClose: () => void }) => {
  const api = useApi()
  const queries = useQueryClient()
  const toast = useToast()
  const { id, email } = operator
  return (
    <ConfirmDialog
      title="Remove operator"
      action="Remove operator"
      name={email}
      onClose={onClose}
      run={async () => {
        await api.delete('/api/v1/operator/operators/{id}', { path: { id } })
        await readOperatorsAgain(queries)
        toast({ title: `${email} is no longer an operator` })
      }}
    >
      <p>The next request of the person as the operator is refused. The account and its workspaces stay.</p>
    </ConfirmDialog>
  )
}
