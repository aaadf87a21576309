import assert from 'node:assert/strict'
import type { Email } from './email.ts'
import { type AcceptedMail, newEmail, type RequestedMail } from './newEmail.ts'

const at = 1_790_000_000_000
const ann = { name: 'Ann', address: 'ann@example.com' }
const bob = { name: '', address: 'bob@example.com' }
const suppressed = { name: '', address: 'suppressed@simulator.postrider.dev' }

const accepted = (mail: Partial<RequestedMail> = {}, over: Partial<AcceptedMail> = {}): Email =>
  newEmail({
    id: 'em_01m7yr6cabfzvahf8pz72f0kb4',
    workspace: 'ws_1',
    mode: 'live',
    keyId: 'key_1',
    requestId: 'req_1',
    createdAt: at,
    content: { subject: 'Hello', templateId: null, templateVersion: null },
    sender: { from: { name: '', address: 'mail@example.org' }, domain: null, returnPath: null, notices: [] },
    platformAddress: 'mail@postrider.test',
    settings: { onUnknown: 'retry', retention: null },
    actor: 'key_1',
    traceparent: undefined,
    ...over,
    mail: {
      to: [ann],
      cc: [],
      bcc: [],
      replyTo: [],
      category: 'transactional',
      topic: null,
      tags: {},
      metadata: {},
      sendAt: null,
      expiresInMs: null,
      onUnknown: null,
      ...mail,
    },
  })

const stateOf = ({ recipients }: Email) => recipients.map(({ status, nextAt }) => [status, nextAt])
const typesOf = ({ events }: Email) => events.map(({ type, recipient }) => [type, recipient])

describe('new email', () => {
  const [acceptedType, scheduledType, suppressedType] = ['email.accepted', 'email.scheduled', 'email.suppressed']
  const states: [name: string, mail: Partial<RequestedMail>, state: unknown[], events: unknown[]][] = [
    ['is due at its acceptance', {}, [['queued', at]], [[acceptedType, null]]],
    [
      'is due at its acceptance if its time has passed',
      { sendAt: { at: at - 1 } },
      [['queued', at]],
      [[acceptedType, null]],
    ],
    [
      'is due at its time if that is later',
      { sendAt: { inMs: 5 } },
      [['scheduled', at + 5]],
      [
        [acceptedType, null],
        [scheduledType, null],
      ],
    ],
    [
      'is never due for a suppressed recipient',
      { to: [ann, suppressed], sendAt: { inMs: 5 } },
      [
        ['scheduled', at + 5],
        ['suppressed', null],
      ],
      [
        [acceptedType, null],
        [scheduledType, null],
        [suppressedType, 1],
      ],
    ],
    [
      'has one recipient for an address that is named twice',
      { to: [ann], cc: [bob], bcc: [ann] },
      [
        ['queued', at],
        ['queued', at],
      ],
      [[acceptedType, null]],
    ],
  ]
  for (const [name, mail, state, events] of states)
    it(name, () => {
      const email = accepted(mail)
      assert.deepEqual([stateOf(email), typesOf(email)], [state, events])
    })

  it('names who requested it and why a recipient gets nothing', () => {
    const causes = accepted({ to: [suppressed] }).events.map(({ cause }) => cause)
    assert.deepEqual(causes, [
      { kind: 'request', actor: 'key_1' },
      { kind: 'system', reason: 'suppressed' },
    ])
  })

  const expiries: [name: string, mail: Partial<RequestedMail>, expiresAt: number | null][] = [
    ['does not expire by default', {}, null],
    ['expires after its acceptance', { expiresInMs: 7 }, at + 7],
    ['expires after the time at which it is to leave', { expiresInMs: 7, sendAt: { inMs: 5 } }, at + 12],
  ]
  for (const [name, mail, expiresAt] of expiries) it(name, () => assert.equal(accepted(mail).expiresAt, expiresAt))

  const policies = [
    [null, 'retry', 'retry'],
    [null, 'hold', 'hold'],
    ['retry', 'hold', 'retry'],
    ['hold', 'retry', 'hold'],
  ] as const
  for (const [requested, setting, policy] of policies)
    it(`has the policy ${policy} if the request has ${requested ?? 'none'} and the workspace ${setting}`, () =>
      assert.equal(
        accepted({ onUnknown: requested }, { settings: { onUnknown: setting, retention: null } }).onUnknown,
        policy,
      ))

  it('has the retention of the request, else that of the workspace, else none', () => {
    const settings = { onUnknown: 'retry', retention: 7 } as const
    const retentions = [accepted({ retention: 'none' }, { settings }), accepted({}, { settings }), accepted()]
    assert.deepEqual(
      retentions.map(({ retention }) => retention),
      ['none', 7, undefined],
    )
  })

  it('follows the test clock of its workspace, and its events have the time of the store', () => {
    const clock = { accepted: 1_000, offset: 1_000 }
    const email = accepted({ sendAt: { inMs: 5 }, expiresInMs: 7 }, { mode: 'test', clock })
    assert.deepEqual([stateOf(email), email.expiresAt], [[['scheduled', at + 1_005]], at + 1_012])
    assert.deepEqual([email.createdAt, email.events[0]?.at, email.events[0]?.clockAt], [at, at, at + 1_000])
  })

  it('counts against the quota if it is live', () => {
    assert.deepEqual([accepted().counted, accepted({}, { mode: 'test' }).counted], [true, false])
  })

  it('has the return path of its domain, else the address of the platform', () => {
    const sender = { from: ann, domain: null, returnPath: 'bounces.example.com', notices: [] }
    const paths = [accepted(), accepted({}, { sender })].map(({ envelopeFrom }) => envelopeFrom)
    assert.deepEqual(paths, ['mail@postrider.test', 'bounce@bounces.example.com'])
  })

  it('has the notices of its sender and of marketing mail', () => {
    const sender = { from: ann, domain: null, returnPath: null, notices: ['one'] }
    const [first, second, ...others] = accepted({ category: 'marketing' }, { sender }).notices
    assert.equal(first, 'one')
    assert.match(second ?? '', /unsubscribe link/)
    assert.deepEqual([others, accepted().notices], [[], []])
  })
})
