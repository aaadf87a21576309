import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useApi } from '../../api/ApiProvider.tsx'
import { problemText } from '../../api/problem.ts'
import type { ApiKey, CreatedApiKey } from '../../api/types.ts'
import { Button } from '../../ui/Button.tsx'
import { Select } from '../../ui/controls.tsx'
import { Dialog, DialogActions } from '../../ui/Dialog.tsx'
import { ErrorNote } from '../../ui/ErrorState.tsx'
import { Field } from '../../ui/Field.tsx'
import { useAction } from '../../ui/useAction.ts'

const overlaps = [
  { value: 'PT0S', label: 'Immediately' },
  { value: 'PT1H', label: 'In an hour' },
  { value: 'PT24H', label: 'In 24 hours' },
  { value: 'P7D', label: 'In 7 days' },
]

/**
 * Replaces a key by a new one with the same limits. The old one works for a while, so that programs can change over.
 */
export const RollKeyDialog = ({
  apiKey,
  onClose,
  onMade,
}: {
  apiKey: ApiKey
  onClose: () => void
  onMade: (key: CreatedApiKey) => void
}) => {
  const api = useApi()
  const queries = useQueryClient()
  const [overlap, setOverlap] = useState('PT24H')
  const { run, isBusy, error } = useAction()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    run(async () => {
      const made = await api.post('/api/v1/api-keys/{id}/roll', { path: { id: apiKey.id }, body: { overlap } })
      await queries.invalidateQueries({ queryKey: ['keys'] })
      onClose()
      onMade(made)
    })
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Replace “${apiKey.name}”`}
      description="The new key has the same name, scopes and limits. Change your programs to it before the old one ends."
    >
      <form onSubmit={submit} className="flex flex-col gap-4">
        <Field label="The old key ends">
          <Select value={overlap} onChange={(event) => setOverlap(event.target.value)}>
            {overlaps.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
        </Field>
        {error !== null && <ErrorNote>{problemText(error)}</ErrorNote>}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="solid" busy={isBusy}>
            Replace key
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
