import { AddOperator } from '@postrider/contracts/http/operator.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useApi } from '../../api/ApiProvider.tsx'
import { readOperatorsAgain } from '../../api/operator.ts'
import { useApiForm } from '../../app/useApiForm.ts'
import { Button } from '../../ui/Button.tsx'
import { TextInput } from '../../ui/controls.tsx'
import { Dialog, DialogActions } from '../../ui/Dialog.tsx'
import { ErrorNote } from '../../ui/ErrorState.tsx'
import { Field } from '../../ui/Field.tsx'
import { useToast } from '../../ui/Toast.tsx'

/** Makes the user of an address an operator. */
export const AddOperatorDialog = ({ onClose }: { onClose: () => void }) => {
  const api = useApi()
  const queries = useQueryClient()
  const toast = useToast()
  const form = useApiForm<{ email: string }>({
    schema: AddOperator,
    values: { email: '' },
    submit: async (body) => {
      const operator = await api.post('/api/v1/operator/operators', { body })
      await readOperatorsAgain(queries)
      toast({
        title: `${operator.email} is an operator`,
        ...(!operator.totp_enabled && { detail: 'The person must switch on two-factor authentication first.' }),
      })
      onClose()
    },
  })
  return (
    <Dialog
      open
      onClose={onClose}
      title="Add an operator"
      description="The person sees and changes all workspaces in these pages, with two-factor authentication, and reads none of their mail."
    >
      <form onSubmit={form.onSubmit} noValidate className="flex flex-col gap-5">
        {form.formError && <ErrorNote>{form.formError}</ErrorNote>}
        <Field
          label="Email"
          hint="Of an account with a confirmed address and two-factor authentication."
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
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="solid" busy={form.isBusy}>
            Add operator
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
