import { type FormEvent, type ReactNode, useState } from 'react'
import { Button } from './Button.tsx'
import { TextInput } from './controls.tsx'
import { Dialog, DialogActions } from './Dialog.tsx'
import { ProblemNote } from './ErrorState.tsx'
import { Field } from './Field.tsx'
import { useAction } from './useAction.ts'

type ConfirmOptions = {
  onClose: () => void
  title: string
  /** What happens, and whether it can be undone. */
  children: ReactNode
  /** The action, such as "Revoke key". */
  action: string
  /** The name that has to be typed; absent: a press of the button is enough. */
  name?: string
  /** The appearance of the action; absent: that of an action that cannot be undone. */
  variant?: 'solid' | 'danger'
  run: () => Promise<unknown>
}

/**
 * Requests confirmation of an action that cannot be undone. It closes when `run` succeeds, and shows the error when it
 * fails.
 */
export const ConfirmDialog = ({ onClose, title, children, action, name, variant = 'danger', run }: ConfirmOptions) => {
  const [typed, setTyped] = useState('')
  const { run: runAction, isBusy, error } = useAction()
  const isConfirmed = name === undefined || typed.trim() === name
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isConfirmed) return
    runAction(async () => {
      await run()
      onClose()
    })
  }
  return (
    <Dialog open onClose={onClose} title={title}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <div className="flex flex-col gap-2 text-body text-muted">{children}</div>
        {name !== undefined && (
          <Field
            label={
              <>
                Type <span className="font-mono text-tiny">{name}</span> to confirm
              </>
            }
          >
            <TextInput value={typed} onChange={(event) => setTyped(event.target.value)} autoComplete="off" autoFocus />
          </Field>
        )}
        {error !== null && <ProblemNote error={error} />}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant={variant} busy={isBusy} disabled={!isConfirmed}>
            {action}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
