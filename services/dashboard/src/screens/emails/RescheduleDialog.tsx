import { type FormEvent, useState } from 'react'
import { useApi } from '../../api/ApiProvider.tsx'
import { problemText } from '../../api/problem.ts'
import type { EmailDetail } from '../../api/types.ts'
import { Button } from '../../ui/Button.tsx'
import { TextInput } from '../../ui/controls.tsx'
import { Dialog, DialogActions } from '../../ui/Dialog.tsx'
import { ErrorNote } from '../../ui/ErrorState.tsx'
import { Field } from '../../ui/Field.tsx'
import { useToast } from '../../ui/Toast.tsx'
import { hourMs, localText } from '../../ui/times.ts'
import { useAction } from '../../ui/useAction.ts'

/** Moves an email to another time, or sends it now. */
export const RescheduleDialog = ({
  email,
  onClose,
  onDone,
}: {
  email: EmailDetail
  onClose: () => void
  onDone: () => Promise<unknown>
}) => {
  const api = useApi()
  const toast = useToast()
  const [time, setTime] = useState(() => localText(Date.parse(email.scheduled_at ?? '') || Date.now() + hourMs))
  const { run, isBusy, error } = useAction()
  const move = (scheduled_at: string, title: string) =>
    run(async () => {
      await api.patch('/api/v1/emails/{id}', { path: { id: email.id }, body: { scheduled_at } })
      await onDone()
      toast({ title })
      onClose()
    })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    move(new Date(time).toISOString(), 'The email has a new time')
  }
  return (
    <Dialog open onClose={onClose} title="Move to another time">
      <form onSubmit={submit} className="flex flex-col gap-4">
        <Field
          label="Send at"
          hint={`Your time zone, ${Intl.DateTimeFormat().resolvedOptions().timeZone}. Up to 30 days ahead.`}
        >
          <TextInput type="datetime-local" value={time} onChange={(event) => setTime(event.target.value)} required />
        </Field>
        {error !== null && <ErrorNote>{problemText(error)}</ErrorNote>}
        <DialogActions>
          <Button variant="quiet" disabled={isBusy} onClick={() => move('PT0S', 'The email is being sent')}>
            Send it now
          </Button>
          <Button type="submit" variant="solid" busy={isBusy}>
            Move
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
