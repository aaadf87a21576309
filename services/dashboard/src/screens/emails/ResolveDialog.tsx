import { type FormEvent, useState } from 'react'
import { useApi } from '../../api/ApiProvider.tsx'
import { problemText } from '../../api/problem.ts'
import type { EmailDetail } from '../../api/types.ts'
import { Button } from '../../ui/Button.tsx'
import { RadioCard } from '../../ui/controls.tsx'
import { Dialog, DialogActions } from '../../ui/Dialog.tsx'
import { ErrorNote } from '../../ui/ErrorState.tsx'
import { useAction } from '../../ui/useAction.ts'

const decisions = [
  { value: 'delivered', title: 'It was delivered', text: 'You know that it arrived. Nothing is sent.' },
  { value: 'failed', title: 'It failed', text: 'You know that it did not arrive. Nothing is sent.' },
  { value: 'retry', title: 'Send it again', text: 'The recipient may get it twice.' },
] as const

type Decision = (typeof decisions)[number]['value']

/** Decides an email whose last reply was lost. */
export const ResolveDialog = ({
  email,
  onClose,
  onDone,
}: {
  email: EmailDetail
  onClose: () => void
  onDone: () => Promise<unknown>
}) => {
  const api = useApi()
  const [decision, setDecision] = useState<Decision | null>(null)
  const { run, isBusy, error } = useAction()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (decision === null) return
    run(async () => {
      await api.post('/api/v1/emails/{id}/resolve', { path: { id: email.id }, body: { as: decision } })
      await onDone()
      onClose()
    })
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title="What happened to this email?"
      description="The message was sent, and the reply of the server was lost. It may have arrived."
    >
      <form onSubmit={submit} className="flex flex-col gap-2">
        {decisions.map(({ value, title, text }) => (
          <RadioCard
            key={value}
            name="decision"
            value={value}
            title={title}
            text={text}
            checked={decision === value}
            onChange={() => setDecision(value)}
          />
        ))}
        {error !== null && <ErrorNote>{problemText(error)}</ErrorNote>}
        <DialogActions>
          <Button onClick={onClose}>Not yet</Button>
          <Button type="submit" variant="solid" busy={isBusy} disabled={decision === null}>
            Decide
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
