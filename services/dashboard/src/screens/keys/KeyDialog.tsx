import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useApi } from '../../api/ApiProvider.tsx'
import { useMay } from '../../api/session.ts'
import type { ApiKey, CreatedApiKey } from '../../api/types.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { Dialog, DialogActions } from '../../ui/Dialog.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { AbsoluteTime, RelativeTime, useNow } from '../../ui/RelativeTime.tsx'
import { KeyStateBadge, stateOf } from './keyColumns.tsx'
import { RollKeyDialog } from './RollKeyDialog.tsx'

/** One key: what it may do, its use, and how it is replaced or ended. */
export const KeyDialog = ({
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
  const now = useNow()
  const mayWrite = useMay('admin')
  const [step, setStep] = useState<'shown' | 'roll' | 'revoke'>('shown')
  if (step === 'revoke') {
    return (
      <ConfirmDialog
        title="Revoke API key"
        action="Revoke key"
        name={apiKey.name}
        onClose={onClose}
        run={async () => {
          await api.delete('/api/v1/api-keys/{id}', { path: { id: apiKey.id } })
          await queries.invalidateQueries({ queryKey: ['keys'] })
        }}
      >
        <p>
          Programs that use <span className="font-mono text-tiny">{apiKey.prefix}…</span> are refused within seconds.
          This cannot be undone. Mail that was accepted is still sent.
        </p>
      </ConfirmDialog>
    )
  }
  if (step === 'roll') return <RollKeyDialog apiKey={apiKey} onClose={onClose} onMade={onMade} />
  return (
    <Dialog open onClose={onClose} title={apiKey.name}>
      {apiKey.notices.length > 0 && (
        <ul className="mb-4 rounded-md bg-warn-tint px-3 py-2 text-small text-warn">
          {apiKey.notices.map((notice) => (
            <li key={notice}>{notice}</li>
          ))}
        </ul>
      )}
      <Facts facts={factsOf(apiKey, now)} />
      {mayWrite && stateOf(apiKey, now) === 'active' && (
        <DialogActions>
          <Button variant="danger" onClick={() => setStep('revoke')}>
            Revoke…
          </Button>
          {apiKey.rolled_to === null && <Button onClick={() => setStep('roll')}>Replace key…</Button>}
        </DialogActions>
      )}
    </Dialog>
  )
}

const listText = (entries: readonly string[]): ReactNode =>
  entries.length === 0 ? (
    'All'
  ) : (
    <ul className="font-mono text-tiny leading-5">
      {entries.map((entry) => (
        <li key={entry} className="break-all">
          {entry}
        </li>
      ))}
    </ul>
  )

const factsOf = (key: ApiKey, now: number): readonly [string, ReactNode][] => [
  ['State', <KeyStateBadge key="state" apiKey={key} now={now} />],
  [
    'Key',
    <span key="key" className="font-mono text-tiny">
      {key.prefix}…{key.last_four}
    </span>,
  ],
  ['Mode', key.mode === 'live' ? 'Live' : 'Test'],
  ['Scopes', listText(key.scopes)],
  ['Created', <AbsoluteTime key="created" at={key.created_at} />],
  ['Expires', key.expires_at === null ? 'Never' : <AbsoluteTime key="expires" at={key.expires_at} />],
  [
    'Last used',
    key.last_used_at === null ? (
      'Never'
    ) : (
      <>
        <RelativeTime at={key.last_used_at} />
        {key.last_used_from !== null && <> from {key.last_used_from}</>}
      </>
    ),
  ],
  ['Sender domains', listText(key.domains)],
  ['Networks', listText(key.networks)],
  ['Recipients', listText(key.recipients)],
]
