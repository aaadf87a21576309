import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { CalendarClock, Ellipsis, Send } from 'lucide-react'
import { useState } from 'react'
import { useApi } from '../../api/ApiProvider.tsx'
import type { Api } from '../../api/client.ts'
import { contentQuery, isCancelable } from '../../api/emails.ts'
import { useMay } from '../../api/session.ts'
import type { EmailContent, EmailDetail } from '../../api/types.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { Menu, MenuItem } from '../../ui/Menu.tsx'
import { useToast } from '../../ui/Toast.tsx'
import { RescheduleDialog } from './RescheduleDialog.tsx'
import { ResolveDialog } from './ResolveDialog.tsx'

type Step = 'cancel' | 'reschedule' | 'resend' | 'resolve'

/** Sends the same content to the same recipients. @returns the id of the new email */
const sendAgain = async (api: Api, email: EmailDetail, content: EmailContent): Promise<string> => {
  const { id } = await api.post('/api/v1/emails', {
    headers: { 'Idempotency-Key': crypto.randomUUID() },
    body: {
      to: email.to,
      cc: email.cc,
      bcc: email.bcc,
      ...(email.domain_id !== null && { from_: email.from_ }),
      reply_to: email.reply_to,
      subject: content.subject,
      ...(content.html !== null && { html: content.html }),
      ...(content.text !== null && { text: content.text }),
      headers: content.headers,
      tags: email.tags,
      metadata: email.metadata,
      category: email.category,
    },
  })
  return id
}

/** Offers the actions that an email still allows. The API decides; the menu only hides what it would refuse. */
export const EmailActions = ({ email }: { email: EmailDetail }) => {
  const api = useApi()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const toast = useToast()
  const maySend = useMay('member')
  const [step, setStep] = useState<Step | null>(null)
  if (!maySend) return null
  const close = () => setStep(null)
  const refresh = () => queries.invalidateQueries({ queryKey: ['emails'] })
  const isWaiting = isCancelable(email)
  // A session sends live mail, so test mail is sent again with a test key.
  const mayResend = email.content_removed_at === null && email.mode === 'live'
  const resend = async () => {
    const id = await sendAgain(api, email, await queries.fetchQuery(contentQuery(api, email.id)))
    toast({ title: 'Sent as a new email' })
    navigate({ to: '/emails/$id', params: { id } })
  }
  return (
    <>
      {email.status === 'unknown' && (
        <Button variant="solid" onClick={() => setStep('resolve')}>
          Decide…
        </Button>
      )}
      {isWaiting && <Button onClick={() => setStep('cancel')}>Cancel email…</Button>}
      {(isWaiting || mayResend) && (
        <Menu trigger={<IconButton icon={Ellipsis} label="More actions" className="border border-line bg-surface" />}>
          {isWaiting && (
            <MenuItem icon={CalendarClock} onSelect={() => setStep('reschedule')}>
              Move to another time…
            </MenuItem>
          )}
          {mayResend && (
            <MenuItem icon={Send} onSelect={() => setStep('resend')}>
              Send as a new email…
            </MenuItem>
          )}
        </Menu>
      )}
      {step === 'cancel' && (
        <ConfirmDialog
          title="Cancel this email?"
          action="Cancel email"
          onClose={close}
          run={async () => {
            await api.post('/api/v1/emails/{id}/cancel', { path: { id: email.id } })
            await refresh()
            toast({ title: 'The email is canceled' })
          }}
        >
          <p>No recipient gets it. This cannot be undone, but you can send it as a new email.</p>
        </ConfirmDialog>
      )}
      {step === 'resend' && (
        <ConfirmDialog title="Send as a new email?" action="Send" onClose={close} run={resend}>
          <p>
            The same content goes to the same {email.recipients.length === 1 ? 'recipient' : 'recipients'} as a new
            email, which counts against the quota. Files are not sent again.
          </p>
        </ConfirmDialog>
      )}
      {step === 'reschedule' && <RescheduleDialog email={email} onClose={close} onDone={refresh} />}
      {step === 'resolve' && <ResolveDialog email={email} onClose={close} onDone={refresh} />}
    </>
  )
}
