import { Invite } from '@postrider/contracts/http/members.ts'
import { durationText, linkLifeMs } from '@postrider/contracts/http/values.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useApi } from '../../api/ApiProvider.tsx'
import type { Role } from '../../api/types.ts'
import { useApiForm } from '../../app/useApiForm.ts'
import { Button } from '../../ui/Button.tsx'
import { TextInput } from '../../ui/controls.tsx'
import { Dialog, DialogActions } from '../../ui/Dialog.tsx'
import { ErrorNote } from '../../ui/ErrorState.tsx'
import { Field } from '../../ui/Field.tsx'
import { useToast } from '../../ui/Toast.tsx'
import { RoleChoice } from './RoleChoice.tsx'

type Values = { email: string; role: Role }

/** Invites a person by mail. */
export const InviteDialog = ({ onClose }: { onClose: () => void }) => {
  const api = useApi()
  const queries = useQueryClient()
  const toast = useToast()
  const form = useApiForm<Values>({
    schema: Invite,
    values: { email: '', role: 'member' },
    submit: async (body) => {
      await api.post('/api/v1/members/invitations', { body })
      await queries.invalidateQueries({ queryKey: ['members', 'invitations'] })
      toast({
        title: `${body.email} is invited`,
        detail: `The link in the mail works for ${durationText(linkLifeMs.invitation)}.`,
      })
      onClose()
    },
  })
  return (
    <Dialog open onClose={onClose} title="Invite a person">
      <form onSubmit={form.onSubmit} noValidate className="flex flex-col gap-5">
        {form.formError && <ErrorNote>{form.formError}</ErrorNote>}
        <Field
          label="Email"
          hint="Only the reader of this address can accept the invitation."
          error={form.errorAt('email')}
        >
          <TextInput
            type="email"
            autoComplete="off"
            autoFocus
            placeholder="jane@example.com"
            {...form.register('email')}
          />
        </Field>
        <RoleChoice {...form.register('role')} />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="solid" busy={form.isBusy}>
            Send invitation
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
