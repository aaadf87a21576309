import assert from 'node:assert/strict'
import { EmailExplanation } from '@postrider/contracts/http/explainEmail.ts'
import type { Email, StoredEmail } from '@postrider/domain/email/email.ts'
import type { Transmission } from '@postrider/domain/email/transmission.ts'
import { withTransmission } from '@postrider/domain/email/withTransmission.ts'
import { replyRules } from '@postrider/mail/replies/replies.ts'
import { anAttempt, anEmail, aRecipient } from '../../test/support/anEmail.ts'
import { explanation } from './explain.ts'

const at = Date.UTC(2026, 10, 21, 12)
const minute = 60_000

const storedOf = (email: Email, over: Partial<StoredEmail> = {}): StoredEmail => ({
  email,
  nextAt: email.recipients[0]?.nextAt ?? null,
  leaseUntil: null,
  fence: 1,
  deaths: 0,
  ...over,
})

const explain = (email: Email, over: Partial<StoredEmail> = {}, now = at) => {
  const explained = explanation(storedOf(email, over), now)
  EmailExplanation.parse(explained)
  return explained
}

const waiting = (over: Partial<Email['recipients'][number]> = {}) => aRecipient({ nextAt: at, ...over })

/** Returns an email after one attempt with these results. */
const attempted = (results: Transmission['results'], over: Partial<Email> = {}): Email => {
  const recipients = results.map((_, number) => waiting({ address: `r${number}@example.com` }))
  const numbers = results.map((_, number) => number)
  const route = { name: 'smtp', reason: 'operator_route' } as const
  const attempts = [anAttempt({ at, recipients: numbers, route })]
  const transmission: Transmission = {
    host: 'mx.example:25',
    steps: [{ name: 'EHLO', command: 'EHLO x', reply: '250 OK', duration_ms: 1.5 }],
    results,
    connection: { address: '192.0.2.1', isReused: false, tls: { version: 'TLSv1.3', cipher: 'TLS_X', problem: null } },
    phases: { connect: 1, tls: 2, session: 3, envelope: 4 },
  }
  const email = anEmail({ createdAt: at, recipients, attempts, ...over })
  return withTransmission(email, 'att_1', numbers, transmission, { at: at + 20, random: () => 0.5 })
}

const reply = (code: number, enhanced: string | null, text: string, phase?: 'mail' | 'dot') =>
  ({ kind: 'answered', reply: { code, enhanced, text }, ...(phase && { phase }) }) as const

describe('explanation of an email', () => {
  it('has what an attempt recorded of its route, connection and times', () => {
    const { attempts } = explain(attempted([reply(250, '2.0.0', 'OK')]))
    const [attempt] = attempts
    assert.deepEqual(attempt, {
      id: 'att_1',
      at: '2026-11-21T12:00:00.000Z',
      duration_ms: 20,
      route: {
        name: 'smtp',
        reason: 'operator_route',
        detail: 'The mail route of the operator carries live mail.',
      },
      mx: null,
      host: 'mx.example:25',
      address: '192.0.2.1',
      connection_reused: false,
      encrypted: true,
      tls: { version: 'TLSv1.3', cipher: 'TLS_X', verified: true, problem: null },
      tls_failure: null,
      recipients: ['r0@example.com'],
      outcome: 'delivered',
      reply: '250 2.0.0 OK',
      possible_duplicate: false,
      timings: {
        wait_ms: null,
        connect_ms: 1,
        tls_ms: 2,
        session_ms: 3,
        envelope_ms: 4,
        body_ms: null,
        gate_ms: null,
        final_dot_ms: null,
      },
      conversation: [{ name: 'EHLO', command: 'EHLO x', reply: '250 OK', duration_ms: 1.5 }],
      refusals: [],
    })
  })

  it('has the rule that decided each class, with its source', () => {
    const email = attempted([
      reply(550, '5.1.1', 'User unknown'),
      reply(452, '4.2.2', 'Mailbox full'),
      reply(554, null, 'Qwerty'),
      reply(550, '5.7.1', 'Blocked using a list', 'mail'),
      { kind: 'lost_before_dot', reason: 'connection reset' },
      reply(250, null, 'OK'),
    ])
    const { recipients, attempts } = explain(email)
    assert.deepEqual(
      recipients.map(({ class: found, rule }) => [found, rule?.id, rule?.changed]),
      [
        ['invalid', 'recipient_code_and_text', null],
        ['full', 'mailbox_full', null],
        ['unknown', null, null],
        ['reputation', 'host_reputation', null],
        ['transient', undefined, undefined],
        [null, undefined, undefined],
      ],
    )
    assert.match(recipients[0]?.rule?.source ?? '', /RFC 3463/)
    assert.deepEqual(
      attempts[0]?.refusals?.map(({ recipients: of, class: found, phase }) => [of.length, found, phase]),
      [
        [1, 'invalid', 'rcpt'],
        [1, 'full', 'rcpt'],
        [1, 'unknown', 'rcpt'],
        [1, 'reputation', 'mail'],
        [1, 'transient', null],
      ],
    )
  })

  it('names why the class of a reply about us is not that of its rule', () => {
    const { recipients } = explain(attempted([reply(550, '5.1.1', 'User unknown', 'mail')]))
    assert.deepEqual(
      [recipients[0]?.class, recipients[0]?.rule?.id, recipients[0]?.rule?.changed],
      ['policy', 'recipient_code_and_text', 'about_us'],
    )
  })

  it('shows null for what version 0.1 did not record', () => {
    const old = anAttempt({ at, outcome: 'deferred', host: 'mx.example:25', reply: '451 Later' })
    const recipient = waiting({
      status: 'deferred',
      class: 'transient',
      reply: '451 Later',
      tries: 1,
      nextAt: at + minute,
    })
    const { attempts, recipients } = explain(anEmail({ recipients: [recipient], attempts: [old] }))
    const [attempt] = attempts
    assert.deepEqual(
      [attempt?.duration_ms, attempt?.address, attempt?.encrypted, attempt?.tls, attempt?.timings, attempt?.refusals],
      [null, null, null, null, null, null],
    )
    assert.deepEqual([attempt?.route.name, attempt?.route.reason], [null, null])
    assert.deepEqual([recipients[0]?.rule, recipients[0]?.class], [null, 'transient'])
    assert.equal(recipients[0]?.next_attempt.reason, 'retry')
  })

  for (const [name, over, route] of [
    ['live mail', {}, [null, 'operator_route']],
    ['test mail', { mode: 'test' }, [null, 'test_mode']],
    [
      'a magic recipient',
      { recipients: [waiting({ address: 'Bounced+1@simulator.postrider.dev' })] },
      ['simulator', 'magic_recipient'],
    ],
  ] as [string, Partial<Email>, unknown[]][])
    it(`has the reason for the route of ${name} before its first attempt`, () => {
      const explained = explain(anEmail({ recipients: [waiting()], ...over }))
      assert.deepEqual([explained.route?.name, explained.route?.reason], route)
    })

  it('has no common route if recipients have different routes, and no route of a suppressed recipient', () => {
    const recipients = [
      waiting(),
      waiting({ address: 'delivered@simulator.postrider.dev' }),
      waiting({ status: 'suppressed', nextAt: null }),
    ]
    const explained = explain(anEmail({ recipients }))
    assert.equal(explained.route, null)
    assert.deepEqual(
      explained.recipients.map(({ route }) => route?.reason ?? null),
      ['operator_route', 'magic_recipient', null],
    )
  })

  it('names the try of the retry schedule and its time', () => {
    const { next_attempt, recipients } = explain(attempted([reply(451, '4.7.1', 'Greylisted')]))
    assert.deepEqual(next_attempt, recipients[0]?.next_attempt)
    assert.deepEqual(next_attempt, {
      at: '2026-11-21T12:05:00.020Z',
      reason: 'retry',
      detail: 'Try 2 of 9 of the retry schedule. The last one: 451 4.7.1 Greylisted',
    })
  })

  const later = at + minute
  for (const [reason, email, over] of [
    ['scheduled', { scheduledAt: later, recipients: [waiting({ status: 'scheduled', nextAt: later })] }, {}],
    ['due', { recipients: [waiting({ status: 'scheduled' })] }, {}],
    ['due', { recipients: [waiting()] }, {}],
    ['in_progress', { recipients: [waiting()] }, { leaseUntil: later }],
    ['parked', { recipients: [waiting()] }, { nextAt: null, deaths: 20 }],
    ['workspace_suspended', { recipients: [waiting()] }, { nextAt: at + 24 * 60 * minute }],
    [
      'held',
      { held: { reason: 'No key.', since: at }, recipients: [waiting({ status: 'deferred', nextAt: later })] },
      {},
    ],
    ['decision_needed', { recipients: [waiting({ status: 'unknown', nextAt: null })] }, {}],
    ['final', { recipients: [waiting({ status: 'delivered', nextAt: null })] }, {}],
    [
      'resolved',
      {
        recipients: [waiting({ status: 'deferred' })],
        events: [eventOf({ kind: 'request', actor: 'usr_1' })],
      },
      {},
    ],
    [
      'worker_died',
      {
        recipients: [waiting({ status: 'deferred' })],
        events: [eventOf({ kind: 'system', reason: 'worker_died' })],
      },
      {},
    ],
  ] as [string, Partial<Email>, Partial<StoredEmail>][])
    it(`gives the reason ${reason} for ${JSON.stringify([email.recipients?.[0]?.status, over])}`, () => {
      const { next_attempt } = explain(anEmail({ createdAt: at, ...email }), over)
      assert.equal(next_attempt.reason, reason)
      assert.equal(next_attempt.at !== null, ['scheduled', 'due', 'held', 'resolved', 'worker_died'].includes(reason))
    })

  it('names the cause of an end once', () => {
    const cause = { kind: 'system', reason: 'suppressed' } as const
    const recipients = [waiting({ status: 'suppressed', nextAt: null })]
    const { next_attempt } = explain(anEmail({ recipients, events: [eventOf(cause)] }))
    assert.equal(next_attempt.detail, 'The recipient is suppressed; no attempt follows.')
  })

  it('has the next attempt of the recipient that is tried first', () => {
    const recipients = [
      waiting({ status: 'delivered', nextAt: null }),
      waiting({ status: 'deferred', nextAt: at + 9 * minute, tries: 1 }),
      waiting({ status: 'deferred', nextAt: at + 5 * minute, tries: 1 }),
    ]
    const { next_attempt } = explain(anEmail({ recipients }), { nextAt: at + 5 * minute })
    assert.equal(next_attempt.at, '2026-11-21T12:05:00.000Z')
  })
})

function eventOf(cause: Email['events'][number]['cause'] & object): Email['events'][number] {
  return { id: 'evt_1', sequence: 1, type: 'email.deferred', at, recipient: 0, cause }
}

describe('rules of replies', () => {
  it('have ids that name one rule each', () => {
    const ids = replyRules.map(({ id }) => id)
    assert.deepEqual(
      ids.filter((id, index) => ids.indexOf(id) !== index),
      [],
    )
    assert.ok(ids.every((id) => /^[a-z0-9_]+$/.test(id)))
  })
})
