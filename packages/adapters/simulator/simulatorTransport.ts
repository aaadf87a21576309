import type { SmtpStep } from '@postrider/domain/email/email.ts'
import type { RecipientResult, SmtpReply } from '@postrider/domain/email/transmission.ts'
import { type SimulatorOutcome, simulatorOutcome } from '@postrider/mail/simulator.ts'
import type { Outgoing, Transport } from '@postrider/ports/transport.ts'

const accepted: SmtpReply = { code: 250, enhanced: '2.0.0', text: 'Simulated: delivered' }

const complained: RecipientResult = {
  kind: 'answered',
  reply: accepted,
  complaint: 'Simulated: the recipient reported the message as spam',
}

/** The reply to RCPT by outcome; null accepts the recipient. */
const refusals: Record<SimulatorOutcome, SmtpReply | null> = {
  delivered: null,
  complained: null,
  bounced: { code: 550, enhanced: '5.1.1', text: 'Simulated: no such mailbox' },
  deferred: { code: 451, enhanced: '4.2.0', text: 'Simulated: try again later' },
  // Not reached: intake suppresses these recipients.
  suppressed: { code: 550, enhanced: '5.7.1', text: 'Simulated: suppressed' },
}

const refusalOf = (address: string): SmtpReply | null => {
  const outcome = simulatorOutcome(address)
  return outcome === null ? null : refusals[outcome]
}

/**
 * A transport that replies as each recipient's magic address determines and sends nothing. Ordinary addresses are
 * delivered.
 */
export const simulatorTransport = (): Transport => ({
  mailRoute: 'simulator',
  readsMessage: false,
  send: async (message) => {
    const refused = message.to.map(refusalOf)
    const acceptedIndexes = refused.flatMap((refusal, index) => (refusal === null ? [index] : []))
    const isOpen = acceptedIndexes.length === 0 || (await message.gate(acceptedIndexes))
    const outcome: RecipientResult = isOpen ? { kind: 'answered', reply: accepted } : { kind: 'gate_closed' }
    const results = refused.map((reply, index): RecipientResult => {
      if (reply !== null) return { kind: 'answered', reply }
      return isOpen && simulatorOutcome(message.to[index] ?? '') === 'complained' ? complained : outcome
    })
    return { host: 'simulator', steps: stepsOf(message, results), results }
  },
  close: async () => {},
})

const stepsOf = ({ to }: Outgoing, results: readonly RecipientResult[]): SmtpStep[] =>
  results.map((result, index) => ({
    name: 'simulated',
    command: `RCPT TO:<${to[index]}>`,
    reply: result.kind === 'answered' ? `${result.reply.code} ${result.reply.enhanced} ${result.reply.text}` : '',
    duration_ms: 0,
  }))
