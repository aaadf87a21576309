import assert from 'node:assert/strict'
import type { RecipientResult } from '@postrider/domain/email/transmission.ts'
import { makeLog } from '@postrider/kit/log.ts'
import { makeMetrics } from '@postrider/kit/metrics.ts'
import type { MailRouteName } from '@postrider/ports/transport.ts'
import { anAttempt, anEmail, aRecipient } from '../../test/support/anEmail.ts'
import { dispatcherMetrics, reportAttempt } from './metrics.ts'

const answered: RecipientResult = { kind: 'answered', reply: { code: 250, enhanced: null, text: 'queued' } }

const observed = async (
  mailRoutes: readonly MailRouteName[],
  results: RecipientResult[],
  outcome: 'delivered' | 'deferred' = 'delivered',
  first: 'delivered' | 'complained' = 'delivered',
) => {
  const lines: string[] = []
  const metrics = makeMetrics(dispatcherMetrics)
  const report = reportAttempt(makeLog('test', 'info', { write: (line) => void lines.push(line) }), metrics)
  const numbers = results.map((_, number) => number)
  const email = anEmail({
    recipients: [
      aRecipient({ status: first, nextAt: null }),
      aRecipient({ address: 'bob@example.com', status: 'deferred', class: 'transient' }),
    ].slice(0, results.length),
    attempts: [anAttempt({ recipients: numbers, outcome })],
  })
  for (const mailRoute of mailRoutes) {
    report(email, { mailRoute, transmission: { host: 'mx:25', steps: [], results }, durationMs: 20 })
  }
  const text = await metrics.registry.metrics()
  const series = (name: string): string[] => text.split('\n').filter((line) => line.startsWith(`${name}{`))
  return {
    lines,
    outcomes: series('postrider_mail_delivery_outcomes_total'),
    unknown: series('postrider_mail_unknown_replies_total').filter((line) => !line.endsWith(' 0')),
  }
}

describe('report of an attempt', () => {
  it('counts a recipient that complains as delivered', async () => {
    const { outcomes } = await observed(['simulator'], [answered], 'delivered', 'complained')
    assert.match(outcomes.join(), /outcome="delivered".* 1$/)
  })

  it('counts each recipient by the mail route of its transport', async () => {
    const { outcomes } = await observed(['smtp', 'smtp', 'simulator'], [answered, answered])
    assert.deepEqual(outcomes.toSorted(), [
      'postrider_mail_delivery_outcomes_total{outcome="deferred",class="transient",lane="transactional",route="simulator"} 1',
      'postrider_mail_delivery_outcomes_total{outcome="deferred",class="transient",lane="transactional",route="smtp"} 2',
      'postrider_mail_delivery_outcomes_total{outcome="delivered",class="none",lane="transactional",route="simulator"} 1',
      'postrider_mail_delivery_outcomes_total{outcome="delivered",class="none",lane="transactional",route="smtp"} 2',
    ])
  })

  it('does not count recipients without an outcome', async () => {
    const { outcomes } = await observed(['smtp'], [{ kind: 'gate_closed' }, { kind: 'next_transaction' }])
    assert.deepEqual(outcomes, [])
  })

  it('counts a refusal once if its text matches no rule', async () => {
    const refused = (code: number, text: string): RecipientResult => ({
      kind: 'answered',
      phase: 'dot',
      reply: { code, enhanced: null, text },
    })
    const unknown = refused(554, 'Computer says no')
    const greeting: RecipientResult = {
      kind: 'lost_before_dot',
      reason: 'mx:25: it refused the connection: 421 Perhaps',
      refusal: { phase: 'greeting', reply: { code: 421, enhanced: null, text: 'Perhaps' } },
    }
    assert.deepEqual((await observed(['smtp'], [unknown, unknown], 'deferred')).unknown, [
      'postrider_mail_unknown_replies_total{phase="dot",code="5xx"} 1',
    ])
    assert.deepEqual((await observed(['smtp'], [greeting], 'deferred')).unknown, [
      'postrider_mail_unknown_replies_total{phase="greeting",code="4xx"} 1',
    ])
    assert.deepEqual((await observed(['smtp'], [refused(554, 'Spam message rejected')], 'deferred')).unknown, [])
  })

  const reply = (code: number, enhanced: string | null, text = 'ann@example.com'): RecipientResult => ({
    kind: 'answered',
    reply: { code, enhanced, text },
  })
  const greeting = { phase: 'greeting', reply: { code: 421, enhanced: '4.7.0', text: 'Later' } } as const
  const lost = { kind: 'lost_before_dot', reason: 'mx:25: it closed the connection' } as const
  const cases: [name: string, results: RecipientResult[], fields: Record<string, unknown>][] = [
    ['an accepted message', [reply(250, '2.0.0')], { code: 250, enhanced: '2.0.0' }],
    ['a reply without an enhanced code', [answered], { code: 250 }],
    [
      'the refusal among replies',
      [reply(250, '2.1.5'), reply(451, '4.7.1')],
      { code: 451, enhanced: '4.7.1', class: 'transient' },
    ],
    [
      'a refused session',
      [answered, { ...lost, refusal: greeting }],
      { code: 421, enhanced: '4.7.0', class: 'transient' },
    ],
    ['a lost connection', [answered, lost], { class: 'transient' }],
    ['a closed gate', [{ kind: 'gate_closed' }], {}],
  ]
  for (const [name, results, fields] of cases)
    it(`logs code, enhanced code and class of ${name}`, async () => {
      const { lines } = await observed(['smtp'], results)
      const { code, enhanced, class: replyClass } = JSON.parse(lines[0] ?? '') as Record<string, unknown>
      assert.deepEqual(JSON.parse(JSON.stringify({ code, enhanced, class: replyClass })), fields)
      assert.doesNotMatch(lines.join(), /example\.com/)
    })

  it('logs one line without an address', async () => {
    const { lines } = await observed(['smtp'], [answered, answered])
    assert.equal(lines.length, 1)
    assert.match(lines.join(), /"msg":"email\.attempted"/)
    assert.doesNotMatch(lines.join(), /example\.com/)
  })
})
