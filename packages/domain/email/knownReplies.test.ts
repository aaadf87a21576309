import assert from 'node:assert/strict'
import type { classify } from '@postrider/mail/replies/replies.ts'
import { finish } from '@postrider/mail/steps.ts'
import { anAttempt, anEmail, aRecipient } from '../../../test/support/anEmail.ts'
import { assertCpuBelow, assertStepsBelow } from '../../../test/support/cost.ts'
import { knownReplies } from './knownReplies.ts'
import type { RecipientResult } from './transmission.ts'
import { withTransmission } from './withTransmission.ts'

const sender = 'mail@postrider.test'
const refused = (text: string): RecipientResult => ({ kind: 'answered', reply: { code: 550, enhanced: null, text } })
const numbers = Array.from({ length: 50 }, (_, number) => number)

const pausesOf = (results: readonly RecipientResult[]): number => [...knownReplies(results, sender)].length

describe('known replies of a transmission', () => {
  // 50 of these took 0.2 s: each was matched at every bracket, and four times.
  for (const character of '[(é')
    it(`are classified in short steps, and not again (${character})`, async () => {
      const results = numbers.map((number) => refused(`${number} ${character.repeat(990)}`))
      const email = anEmail({
        recipients: numbers.map((number) => aRecipient({ address: `r${number}@example.com` })),
        attempts: [anAttempt({ recipients: numbers })],
      })
      const known = await assertStepsBelow(4, () => knownReplies(results, email.envelopeFrom))
      const transmission = { host: 'mx:25', steps: [], results, classify: known }
      await assertCpuBelow(8, () => {
        const after = withTransmission(email, 'att_1', numbers, transmission, { at: 1_000, random: () => 0.5 })
        assert.ok(after.recipients.every(({ status }) => status === 'bounced'))
      })
    })

  it('have the same classes as without', () => {
    const results: RecipientResult[] = [
      refused('no such user'),
      refused(`no such user <${sender}>`),
      { kind: 'answered', reply: { code: 250, enhanced: null, text: 'OK' } },
      { kind: 'answered', phase: 'dot', reply: { code: 554, enhanced: '5.7.1', text: 'spam' } },
      {
        kind: 'lost_before_dot',
        reason: '',
        refusal: { phase: 'mail', reply: { code: 451, enhanced: null, text: 'x' } },
      },
    ]
    const email = anEmail({
      recipients: results.map(() => aRecipient()),
      attempts: [anAttempt({ recipients: [0, 1, 2, 3, 4] })],
    })
    const transmission = { host: 'mx:25', steps: [], results }
    const withResults = (known?: typeof classify) =>
      withTransmission(
        email,
        'att_1',
        [0, 1, 2, 3, 4],
        { ...transmission, ...(known && { classify: known }) },
        { at: 1_000, random: () => 0.5 },
      )
    assert.deepEqual(withResults(finish(knownReplies(results, email.envelopeFrom))), withResults())
  })

  it('pause before each distinct refusal, except a first short one', () => {
    const accepted: RecipientResult = { kind: 'answered', reply: { code: 250, enhanced: null, text: 'OK' } }
    assert.equal(pausesOf(numbers.map(() => accepted)), 0)
    assert.equal(pausesOf(numbers.map(() => refused('no such user'))), 0)
    assert.equal(pausesOf([refused('no such user'), refused('full'), refused('full')]), 1)
    assert.equal(pausesOf([refused('x'.repeat(900))]), 1)
  })
})
