import assert from 'node:assert/strict'
import type { Email } from '@postrider/domain/email/email.ts'
import { withTransmission } from '@postrider/domain/email/withTransmission.ts'
import { anAttempt, anEmail, aRecipient } from '../../../test/support/anEmail.ts'
import { outgoing, sinkAndTransport } from '../../../test/support/sinkAndTransport.ts'
import { type SinkRule, sinkScript } from '../../../test/support/smtpSink.ts'

const login = { user: 'relay-4711@operator.example', password: 'a secret of the operator' }
const address = 'ada@receiver.example'

/** Sends one message over a relay with a login. @returns the email as it is stored */
const stored = async (rule: SinkRule, { from = 'jane@sender.example', user = login.user } = {}): Promise<Email> => {
  const account = { ...login, user }
  await using system = await sinkAndTransport({ login: account, script: sinkScript([rule]) }, account)
  const sent = await system.transport.send(outgoing({ from, to: [address] }))
  const email = anEmail({
    envelopeFrom: from,
    recipients: [aRecipient({ address })],
    attempts: [anAttempt({ recipients: [0] })],
  })
  return withTransmission(email, 'att_1', [0], sent, { at: 1_000, random: () => 0.5 })
}

const denied = (name: string): string =>
  `554 5.2.252 SendAsDenied; ${name} not allowed to send as jane@sender.example; STOREDRV.Submission <${name}>.`

// Regression: only the replies to AUTH were redacted.
describe('login name of the relay', () => {
  for (const [name, rule] of [
    ['the reply to the message', { at: 'dot', reply: denied(login.user) }],
    ['the reply to MAIL', { at: 'MAIL', reply: denied(login.user) }],
    ['the reply to a recipient, in other case', { at: 'RCPT', reply: denied(login.user.toUpperCase()) }],
    ['the end of a session', { at: 'RCPT', reply: `421 4.7.0 ${login.user}: bye`, hangUp: 'close' }],
    ['a reply that was not awaited', { at: 'DATA', reply: `354 Go\r\n250 hello ${login.user}` }],
  ] satisfies [string, SinkRule][])
    it(`is not stored of ${name}`, async () => {
      const email = await stored(rule)
      assert.doesNotMatch(JSON.stringify(email), /relay-4711/i)
      assert.match(email.recipients[0]?.reply ?? '', /\*\*\*/)
      assert.match(JSON.stringify(email.attempts[0]?.steps), /\*\*\*|250 Ok/)
    })

  it('changes no class', async () => {
    const [hidden, other] = [
      await stored({ at: 'dot', reply: denied(login.user) }),
      await stored({ at: 'dot', reply: denied('x@y.example') }),
    ]
    const seen = ({ recipients, attempts }: Email) => [
      recipients[0]?.status,
      recipients[0]?.class,
      attempts[0]?.refusals,
    ]
    assert.deepEqual(seen(hidden), seen(other))
  })

  it('stays if it is an address of the mail', async () => {
    const reply = denied(login.user)
    const { recipients } = await stored({ at: 'dot', reply }, { from: login.user })
    assert.equal(recipients[0]?.reply, reply)
  })

  // Regression: a name of letters only was always shown.
  it('is not stored if it has letters only and is no frequent word', async () => {
    for (const [user, text, shown] of [
      ['qjwhdfzk', 'user qjwhdfzk is suspended', 'user *** is suspended'],
      ['Jane', 'SendAsDenied; JANE not allowed <jane>, jane.', 'SendAsDenied; *** not allowed <***>, ***.'],
    ] as const) {
      const { recipients } = await stored({ at: 'RCPT', reply: `550 5.7.1 ${text}` }, { user })
      assert.equal(recipients[0]?.reply, `550 5.7.1 ${shown}`)
    }
  })

  it('is replaced only as a whole, and not if it is a word', async () => {
    for (const [user, text] of [
      ['r1', 'r12 sr1 r1@receiver.example r1.example -r1-'],
      ['user', 'no such user'],
      ['APIKEY', 'the user apikey is disabled'],
      ['jane', 'janet jane@receiver.example jane.example'],
      ['nger', 'Empf\ufffdnger unbekannt'],
    ] as const) {
      const { recipients } = await stored({ at: 'RCPT', reply: `550 5.1.1 ${text}` }, { user })
      assert.equal(recipients[0]?.reply, `550 5.1.1 ${text}`)
    }
  })
})
