import { UpdateUser } from '@postrider/contracts/http/operator.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useApi } from '../../api/ApiProvider.tsx'
import { storeUser, type User } from '../../api/operator.ts'
import { useToast } from '../../ui/Toast.tsx'
import { ReasonDialog } from './ReasonDialog.tsx'

/** Disables a user, with a reason that the person sees. */
export const DisableDialog = ({ user, onClose }: { user: User; onClose: () => void }) => {
  const api = useApi()
  const queries = useQueryClient()
  const toast = useToast()
  return (
    <ReasonDialog
      title="Disable user"
      description="The sessions of the person end immediately, and the person cannot log in. Workspaces and API keys are not affected."
      hint="The person sees it after a login with the right password. At most 500 characters."
      action="Disable user"
      schema={UpdateUser}
      bodyOf={(reason) => ({ disabled: true, reason })}
      submit={async (body) => {
        await storeUser(queries, await api.patch('/api/v1/operator/users/{id}', { path: { id: user.id }, body }))
        toast({ title: `${user.email} is disabled` })
      }}
      onClose={onClose}
    />
  )
}
