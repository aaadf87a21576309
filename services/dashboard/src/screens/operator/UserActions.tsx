import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useApi } from '../../api/ApiProvider.tsx'
import { storeUser, type User } from '../../api/operator.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { useToast } from '../../ui/Toast.tsx'

/** Loaded when it opens: it contains the schema of a request body. */
const DisableDialog = lazy(() => import('./DisableDialog.tsx').then((module) => ({ default: module.DisableDialog })))

/** Disables and enables a user. */
export const UserActions = ({ user }: { user: User }) => {
  const api = useApi()
  const queries = useQueryClient()
  const toast = useToast()
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <>
      <Button variant={user.disabled ? 'solid' : 'danger'} onClick={() => setOpen(true)}>
        {user.disabled ? 'Enable user…' : 'Disable user…'}
      </Button>
      <Suspense>{isOpen && !user.disabled && <DisableDialog user={user} onClose={close} />}</Suspense>
      {isOpen && user.disabled && (
        <ConfirmDialog
          title="Enable user"
          action="Enable user"
          onClose={close}
          run={async () => {
            const path = { id: user.id }
            await storeUser(
              queries,
              await api.patch('/api/v1/operator/users/{id}', { path, body: { disabled: false } }),
            )
            toast({ title: `${user.email} can log in again` })
          }}
        >
          <p>The person can log in again. The reason is removed.</p>
        </ConfirmDialog>
      )}
    </>
  )
}
