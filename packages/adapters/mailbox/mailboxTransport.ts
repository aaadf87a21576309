import type { RecipientResult, SmtpReply, Transmission } from '@postrider/domain/email/transmission.ts'
import type { Clock } from '@postrider/kit/clock.ts'
import { Fault } from '@postrider/kit/fault.ts'
import type { MailboxStore } from '@postrider/ports/mailbox.ts'
import type { Outgoing, Transport } from '@postrider/ports/transport.ts'

const stored: SmtpReply = { code: 250, enhanced: '2.0.0', text: 'Stored in the mailbox' }

/** A transport that stores mail instead of sending it. Every recipient is delivered. */
export const mailboxTransport = (store: Pick<MailboxStore, 'put'>, now: Clock): Transport => {
  const capture = async (message: Outgoing): Promise<RecipientResult> => {
    if (!(await message.gate(message.to.map((_, number) => number)))) return { kind: 'gate_closed' }
    const { attemptId, emailId, workspace, mode, from, to } = message
    try {
      await store.put({ attemptId, emailId, workspace, mode, at: now(), from, to: [...to] })
    } catch (thrown) {
      if (!(thrown instanceof Fault)) throw thrown
      return { kind: 'lost_before_dot', reason: `cannot store mail in the mailbox: ${thrown.message}` }
    }
    return { kind: 'answered', reply: stored }
  }

  return {
    mailRoute: 'mailbox',
    readsMessage: false,
    send: async (message): Promise<Transmission> => {
      const result = await capture(message)
      const reply = result.kind === 'answered' ? `${stored.code} ${stored.enhanced} ${stored.text}` : ''
      const steps = [{ name: 'mailbox', command: '', reply, duration_ms: 0 }]
      return { host: 'mailbox', steps, results: message.to.map(() => result) }
    },
    close: async () => {},
  }
}
