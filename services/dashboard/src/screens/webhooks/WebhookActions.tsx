import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { CirclePause, CirclePlay, Ellipsis, History, Pencil, RotateCw, Send, Trash2 } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useApi } from '../../api/ApiProvider.tsx'
import { problemText } from '../../api/problem.ts'
import { useMay } from '../../api/session.ts'
import { removeWebhook, storeWebhook, type Webhook, type WebhookWithSecret } from '../../api/webhooks.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../ui/Menu.tsx'
import { useToast } from '../../ui/Toast.tsx'
import { ReplayDialog } from './ReplayDialog.tsx'
import { SecretDialog } from './SecretDialog.tsx'
import { TestEventDialog } from './TestEventDialog.tsx'

/** Loaded when it opens: it contains the schema of a request body. */
const WebhookDialog = lazy(() => import('./WebhookDialog.tsx').then((module) => ({ default: module.WebhookDialog })))

type Step = 'test' | 'edit' | 'replay' | 'rotate' | 'disable' | 'delete'

/** Offers the actions for an endpoint. */
export const WebhookActions = ({ webhook }: { webhook: Webhook }) => {
  const api = useApi()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const toast = useToast()
  const mayWrite = useMay('admin')
  const [step, setStep] = useState<Step | null>(null)
  const [rotated, setRotated] = useState<WebhookWithSecret | null>(null)
  if (!mayWrite) return null
  const path = { id: webhook.id }
  const close = () => setStep(null)
  const setEnabled = async (enabled: boolean) => {
    await storeWebhook(queries, await api.patch('/api/v1/webhooks/{id}', { path, body: { enabled } }))
    toast({ title: enabled ? 'The endpoint is enabled' : 'The endpoint is disabled' })
  }
  const enable = () =>
    setEnabled(true).catch((thrown: unknown) =>
      toast({ tone: 'bad', title: 'The endpoint was not enabled', detail: problemText(thrown) }),
    )
  return (
    <>
      <MainButton isEnabled={webhook.enabled} onTest={() => setStep('test')} onEnable={enable} />
      <MoreActions isEnabled={webhook.enabled} onStep={setStep} />
      {step === 'test' && <TestEventDialog webhook={webhook} onClose={close} />}
      <Suspense>{step === 'edit' && <WebhookDialog webhook={webhook} onClose={close} />}</Suspense>
      {step === 'replay' && <ReplayDialog webhook={webhook} onClose={close} />}
      {step === 'rotate' && (
        <ConfirmDialog
          title="Replace the secret"
          action="Replace the secret"
          onClose={close}
          run={async () => {
            const made = await api.post('/api/v1/webhooks/{id}/rotate-secret', { path })
            setRotated(made)
            await storeWebhook(queries, made)
          }}
        >
          <p>
            The new secret is shown once. For 24 hours each request is signed with both, so your server accepts it
            before and after you change it. If the old one leaked, replace it twice.
          </p>
        </ConfirmDialog>
      )}
      {step === 'disable' && (
        <ConfirmDialog title="Disable endpoint" action="Disable endpoint" onClose={close} run={() => setEnabled(false)}>
          <p>
            It misses the events of that time, and deliveries that wait are canceled. After you enable it again, you can
            replay what it missed.
          </p>
        </ConfirmDialog>
      )}
      {step === 'delete' && (
        <ConfirmDialog
          title="Delete endpoint"
          action="Delete endpoint"
          name={new URL(webhook.url).host}
          onClose={close}
          run={async () => {
            await api.delete('/api/v1/webhooks/{id}', { path })
            await navigate({ to: '/webhooks' })
            await removeWebhook(queries, webhook.id)
            toast({ title: 'The endpoint was deleted' })
          }}
        >
          <p>Its secret and its log of deliveries are deleted too. This cannot be undone.</p>
        </ConfirmDialog>
      )}
      {rotated && <SecretDialog webhook={rotated} title="New secret" onClose={() => setRotated(null)} />}
    </>
  )
}

type MainButtonProps = { isEnabled: boolean; onTest: () => void; onEnable: () => void }

const MainButton = ({ isEnabled, onTest, onEnable }: MainButtonProps) =>
  isEnabled ? (
    <Button onClick={onTest}>
      <Send aria-hidden className="size-4" />
      Send test event
    </Button>
  ) : (
    <Button variant="solid" onClick={onEnable}>
      <CirclePlay aria-hidden className="size-4" />
      Enable endpoint
    </Button>
  )

const MoreActions = ({ isEnabled, onStep }: { isEnabled: boolean; onStep: (step: Step) => void }) => (
  <Menu trigger={<IconButton icon={Ellipsis} label="More actions" className="border border-line bg-surface" />}>
    <MenuItem icon={Pencil} onSelect={() => onStep('edit')}>
      Edit endpoint…
    </MenuItem>
    {isEnabled && (
      <MenuItem icon={History} onSelect={() => onStep('replay')}>
        Replay events…
      </MenuItem>
    )}
    <MenuItem icon={RotateCw} onSelect={() => onStep('rotate')}>
      Replace the secret…
    </MenuItem>
    <MenuSeparator />
    {isEnabled && (
      <MenuItem icon={CirclePause} onSelect={() => onStep('disable')}>
        Disable endpoint…
      </MenuItem>
    )}
    <MenuItem icon={Trash2} danger onSelect={() => onStep('delete')}>
      Delete endpoint…
    </MenuItem>
  </Menu>
)
