import assert from 'node:assert/strict'
import type { Recipient } from '@postrider/domain/email/email.ts'
import { knownReplies as classifiedOnce } from '@postrider/domain/email/knownReplies.ts'
import { withTransmission } from '@postrider/domain/email/withTransmission.ts'
import type { SmtpPhase } from '@postrider/mail/replies/rule.ts'
import { anAttempt, anEmail, aRecipient } from '../../../test/support/anEmail.ts'
import { inOneStep } from '../../../test/support/inOneStep.ts'
import { knownReplies } from '../../../test/support/knownReplies.ts'
import { outgoing, sinkAndTransport } from '../../../test/support/sinkAndTransport.ts'

const eventsOf: Record<SmtpPhase, readonly string[]> = {
  greeting: ['connect'],
  ehlo: ['EHLO', 'HELO'],
  auth: ['AUTH'],
  mail: ['MAIL'],
  rcpt: ['RCPT'],
  data: ['DATA'],
  dot: ['dot'],
}

const to = ['one@receiver.example', 'two@receiver.example']

const shown = ({ status, class: replyClass }: Recipient): string => `${replyClass}${status === 'bounced' ? '!' : ''}`

/** Sends one message to two recipients and returns them as the record has them. */
const refusedBy = async (
  transport: Awaited<ReturnType<typeof sinkAndTransport>>['transport'],
): Promise<Recipient[]> => {
  const sent = await transport.send(outgoing({ to }))
  const email = anEmail({
    recipients: to.map((address) => aRecipient({ address })),
    attempts: [anAttempt({ recipients: [0, 1] })],
  })
  // Each reply is classified once, as in the dispatcher.
  const classify = inOneStep(classifiedOnce)(sent.results, email.envelopeFrom)
  const transmission = { ...sent, classify }
  return withTransmission(email, 'att_1', [0, 1], transmission, { at: 1_000, random: () => 0.5 }).recipients
}

describe('refusals by a server', () => {
  for (const pipelining of [true, false])
    it(`gives each known reply its class where the server sends it, ${pipelining ? 'with' : 'without'} PIPELINING`, async () => {
      const accepting = { phase: 'rcpt' as SmtpPhase, line: '250 OK' }
      let current = accepting
      // A name that no reply has: it would be hidden.
      const login = { user: 'relay-4711', password: 'secret' }
      await using system = await sinkAndTransport(
        {
          pipelining,
          login,
          keep: 'counts',
          // The sink sends each character as a byte.
          script: ({ at }) =>
            eventsOf[current.phase].includes(at) ? { reply: Buffer.from(current.line).toString('latin1') } : null,
        },
        login,
      )
      const wrong: string[] = []
      // A server offers PIPELINING in its reply to EHLO, so its replies before that do not depend on it.
      const followsOffer = ({ phase }: { phase: SmtpPhase }): boolean => phase !== 'greeting' && phase !== 'ehlo'
      for (const { phase, line, expected } of pipelining ? knownReplies : knownReplies.filter(followsOffer)) {
        if (['greeting', 'ehlo', 'auth'].includes(phase)) {
          // A closed gate ends the connection, so the next message needs a new session.
          current = accepting
          await system.transport.send(outgoing({ gate: async () => false }))
        }
        current = { phase, line }
        for (const recipient of await refusedBy(system.transport)) {
          if (shown(recipient) !== expected) wrong.push(`${phase} ${shown(recipient)} ${line}`)
          assert.ok(recipient.reply?.includes(line.slice(0, 60)), `${phase} ${recipient.reply}`)
        }
      }
      assert.deepEqual(wrong, [])
    })
})
