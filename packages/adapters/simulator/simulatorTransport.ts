import type { SmtpStep } from '@postrider/domain/email/email.ts'
import type { RecipientResult, SmtpReply } from '@postrider/domain/email/transmission.ts'
import { type SimulatorOutcome, simulatorOutcome } from '@postrider/mail/simulator.ts'
import type { Outgoing, Transport } from '@postrider/ports/transport.ts'

const taken: SmtpReply = { code: 250, enhanced: '2.0.0', text: 'Simulated: delivered' }

/** What a server would say to RCPT; null: it takes the recipient. */
const refusals: Record<SimulatorOutcome, SmtpReply | null> = {
  delivered: null,
  complained: null,
  bounced: { code: 550, enhanced: '5.1.1', text: 'Simulated: no such mailbox' },
  deferred: { code: 451, enhanced: '4.2.0', text: 'Simulated: try again later' },
  // Never sent to: whoever takes an email suppresses it there.
  suppressed: { code: 550, enhanced: '5.7.1', text: 'Simulated: suppressed' },
}

const refusalOf = (address: string): SmtpReply | null => {
  const outcome = simulatorOutcome(address)
  return outcome === null ? null : refusals[outcome]
}

/** Answers as a server would, by the recipient's magic address; every ordinary one is delivered. Nothing leaves. */
export const simulatorTransport = (): Transport => ({
  route: 'simulator',
  send: async (message) => {
    const refused = message.to.map(refusalOf)
    const accepted = refused.flatMap((refusal, number) => (refusal === null ? [number] : []))
    const open = accepted.length === 0 || (await message.gate(accepted))
    const outcome: RecipientResult = open ? { kind: 'answered', reply: taken } : { kind: 'gate_closed' }
    const results = refused.map((reply): RecipientResult => (reply === null ? outcome : { kind: 'answered', reply }))
    return { host: 'simulator', steps: stepsOf(message, results), results }
  },
  close: async () => {},
})

const stepsOf = ({ to }: Outgoing, results: readonly RecipientResult[]): SmtpStep[] =>
  results.map((result, number) => ({
    name: 'simulated',
    command: `RCPT TO:<${to[number]}>`,
    reply: result.kind === 'answered' ? `${result.reply.code} ${result.reply.enhanced} ${result.reply.text}` : '',
    duration_ms: 0,
  }))
