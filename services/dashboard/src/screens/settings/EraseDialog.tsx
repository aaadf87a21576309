import { CreateErasure } from '@postrider/contracts/http/retention.ts'
import { z } from 'zod'
import { useApi } from '../../api/ApiProvider.tsx'
import { useApiForm } from '../../app/useApiForm.ts'
import { Button } from '../../ui/Button.tsx'
import { TextInput } from '../../ui/controls.tsx'
import { Dialog, DialogActions } from '../../ui/Dialog.tsx'
import { ErrorNote } from '../../ui/ErrorState.tsx'
import { Field } from '../../ui/Field.tsx'

type Values = { address: string; repeated: string }

const bodyOf = ({ address }: Values) => ({ address: address.trim() })
const schema = z.preprocess((values) => bodyOf(values as Values), CreateErasure)

/** Prompts for the address twice, because the removal cannot be undone. */
export const EraseDialog = ({ onClose, onStarted }: { onClose: () => void; onStarted: (id: string) => void }) => {
  const api = useApi()
  const form = useApiForm<Values>({
    schema,
    values: { address: '', repeated: '' },
    submit: async (values) => {
      const erasure = await api.post('/api/v1/erasures', { body: bodyOf(values) })
      onStarted(erasure.id)
      onClose()
    },
  })
  const [address, repeated] = [form.watch('address').trim(), form.watch('repeated').trim()]
  return (
    <Dialog open onClose={onClose} title="Erase a recipient">
      <form onSubmit={form.onSubmit} noValidate className="flex flex-col gap-4">
        <p className="text-muted">
          Everything that is stored about mail to this address is removed. Mail that is not final is delivered first.
          This cannot be undone.
        </p>
        {form.formError && <ErrorNote>{form.formError}</ErrorNote>}
        <Field label="Address of the person" error={form.errorAt('address')}>
          <TextInput
            type="email"
            autoComplete="off"
            autoFocus
            placeholder="ann@example.com"
            {...form.register('address')}
          />
        </Field>
        <Field label="Type it again to confirm">
          <TextInput type="email" autoComplete="off" {...form.register('repeated')} />
        </Field>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="danger" busy={form.isBusy} disabled={address === '' || address !== repeated}>
            Erase recipient
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
