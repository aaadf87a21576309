import { withEvents } from '@postrider/domain/email/changes.ts'
import type { Email } from '@postrider/domain/email/email.ts'
import { anAttempt, anEmail, aRecipient } from './anEmail.ts'

/** Returns mail to 50 recipients who were tried eight times, each at a time of its own: more than 300 KiB. */
export const longEmail = (id: string): Email => {
  const [recipients, tries] = [50, 8]
  const numbers = Array.from({ length: recipients * tries }, (_, index) => index % recipients)
  const reply = '451 4.2.0 Simulated: try again later'
  const email = anEmail({
    id,
    mode: 'test',
    subject: Array.from({ length: 998 }, (_, at) => String.fromCharCode(97 + ((at * at) % 89) / 4)).join(''),
    metadata: Object.fromEntries(Array.from({ length: 20 }, (_, number) => [`key${number}`, 'v'.repeat(490)])),
    recipients: Array.from({ length: recipients }, (_, number) =>
      aRecipient({ address: `deferred+${'x'.repeat(50)}${number}@simulator.postrider.dev`, status: 'deferred', reply }),
    ),
    attempts: numbers.map((number) => {
      const steps = [{ name: 'simulated', command: `RCPT TO:<${'x'.repeat(90)}>`, reply, duration_ms: 0 }]
      const refusals = [{ recipients: [number], phase: 'rcpt', class: 'full', rule: 'x'.repeat(60) }]
      return {
        ...anAttempt({ recipients: [number], outcome: 'deferred', reply, steps }),
        refusals,
      } as Email['attempts'][number]
    }),
  })
  const accepted = withEvents(email, 0, [{ type: 'email.accepted', recipient: null }])
  const deferred = numbers.map((recipient) => ({ type: 'email.deferred' as const, recipient, reply }))
  return withEvents(accepted, 1, deferred)
}
