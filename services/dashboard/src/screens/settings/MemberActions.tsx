import { useQueryClient } from '@tanstack/react-query'
import { Crown, Ellipsis, UserMinus, UserPen } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useApi } from '../../api/ApiProvider.tsx'
import type { Member } from '../../api/members.ts'
import { problemText } from '../../api/problem.ts'
import { useMay, useRank } from '../../api/session.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { Dialog, DialogActions } from '../../ui/Dialog.tsx'
import { ErrorNote } from '../../ui/ErrorState.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../ui/Menu.tsx'
import { useToast } from '../../ui/Toast.tsx'
import { useAction } from '../../ui/useAction.ts'
import { RoleChoice } from './RoleChoice.tsx'

type Step = 'role' | 'transfer' | 'remove'

/** Offers the actions that the person may apply to a member: nothing with those above their own role. */
export const MemberActions = ({ member, isSelf }: { member: Member; isSelf: boolean }) => {
  const api = useApi()
  const queries = useQueryClient()
  const toast = useToast()
  const isAtLeast = useRank()
  const isOwner = useMay('owner')
  const [step, setStep] = useState<Step | null>(null)
  const { id, email } = member.user
  if (!isAtLeast('admin') || !isAtLeast(member.role)) return null
  const path = { user_id: id }
  const close = () => setStep(null)
  // A change of the own role changes what the screens offer.
  const readAgain = () =>
    Promise.all([['members'], ['session']].map((queryKey) => queries.invalidateQueries({ queryKey })))
  return (
    <>
      <Menu trigger={<IconButton icon={Ellipsis} label={`Actions for ${email}`} />}>
        <MenuItem icon={UserPen} onSelect={() => setStep('role')}>
          Change role…
        </MenuItem>
        {isOwner && !isSelf && (
          <MenuItem icon={Crown} onSelect={() => setStep('transfer')}>
            Transfer ownership…
          </MenuItem>
        )}
        {!isSelf && (
          <>
            <MenuSeparator />
            <MenuItem icon={UserMinus} danger onSelect={() => setStep('remove')}>
              Remove from workspace…
            </MenuItem>
          </>
        )}
      </Menu>
      {step === 'role' && <RoleDialog member={member} onClose={close} onDone={readAgain} />}
      {step === 'transfer' && (
        <ConfirmDialog
          title="Transfer ownership"
          action="Transfer ownership"
          name={email}
          onClose={close}
          run={async () => {
            await api.post('/api/v1/members/{user_id}/transfer-ownership', { path })
            await readAgain()
            toast({ title: `${email} is an owner now`, detail: 'You are an admin.' })
          }}
        >
          <p>
            <b className="font-medium text-ink">{email}</b> becomes an owner and you become an admin. Only an owner can
            make you an owner again.
          </p>
        </ConfirmDialog>
      )}
      {step === 'remove' && (
        <ConfirmDialog
          title="Remove member"
          action="Remove member"
          name={email}
          onClose={close}
          run={async () => {
            await api.delete('/api/v1/members/{user_id}', { path })
            await readAgain()
            toast({ title: `${email} was removed` })
          }}
        >
          <p>Their sessions in this workspace end immediately.</p>
          <p>API keys that they made stay valid: revoke those that they may know.</p>
        </ConfirmDialog>
      )}
    </>
  )
}

const RoleDialog = ({
  member,
  onClose,
  onDone,
}: {
  member: Member
  onClose: () => void
  onDone: () => Promise<unknown>
}) => {
  const api = useApi()
  const [role, setRole] = useState(member.role)
  const { run, isBusy, error } = useAction()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    run(async () => {
      await api.patch('/api/v1/members/{user_id}', { path: { user_id: member.user.id }, body: { role } })
      await onDone()
      onClose()
    })
  }
  return (
    <Dialog open onClose={onClose} title="Change role" description={member.user.email}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <RoleChoice name="role" checkedRole={role} onChange={(event) => setRole(event.target.value as typeof role)} />
        {error !== null && <ErrorNote>{problemText(error)}</ErrorNote>}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="solid" busy={isBusy} disabled={role === member.role}>
            Change role
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
