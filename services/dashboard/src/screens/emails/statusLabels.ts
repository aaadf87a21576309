import type { EmailStatus, RecipientStatus } from '../../api/types.ts'
import type { StateLabel } from '../../ui/Badge.tsx'

/** Labels of the statuses of emails and recipients, and what they mean. */
export const statusLabels: Readonly<Record<EmailStatus | RecipientStatus, StateLabel>> = {
  scheduled: { label: 'Scheduled', tone: 'idle', text: 'Waits for its time.' },
  queued: { label: 'Queued', tone: 'info', text: 'Waits for its first attempt.' },
  sending: { label: 'Sending', tone: 'info', text: 'An attempt is in progress.' },
  deferred: { label: 'Deferred', tone: 'warn', text: 'The last attempt failed temporarily; another attempt follows.' },
  unknown: {
    label: 'Needs decision',
    tone: 'warn',
    text: 'The message was sent and the reply was lost. Decide what happens.',
  },
  delivered: { label: 'Delivered', tone: 'good', text: 'The server of the recipient accepted it.' },
  bounced: { label: 'Bounced', tone: 'bad', text: 'The server refused it permanently.' },
  failed: { label: 'Failed', tone: 'bad', text: 'All attempts failed, or it expired.' },
  suppressed: {
    label: 'Suppressed',
    tone: 'idle',
    text: 'The address gets no mail, because of earlier bounces or complaints.',
  },
  canceled: { label: 'Canceled', tone: 'idle', text: 'It was canceled before its first attempt.' },
  partially_delivered: { label: 'Partly delivered', tone: 'warn', text: 'Only some of the recipients got it.' },
  complained: { label: 'Complained', tone: 'bad', text: 'It was delivered, and the recipient reported it as spam.' },
}
