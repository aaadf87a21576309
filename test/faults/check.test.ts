import assert from 'node:assert/strict'
import {
  type Copy,
  check,
  type Evidence,
  faultless,
  type SentRequest,
  type StoredEmail,
  type Verdict,
} from './check.ts'

const to = 'a@receiver.example'
const request: SentRequest = {
  testId: 't1',
  recipients: [to],
  key: 'k1',
  answers: [{ status: 202, emailId: 'em_1' }],
}
const copy: Copy = { testId: 't1', recipient: to, messageId: '<1@x>' }
const email: StoredEmail = {
  id: 'em_1',
  testId: 't1',
  recipients: [{ address: to, status: 'delivered' }],
  attempts: [{ possibleDuplicate: false }],
}
const good: Evidence = { requests: [request], copies: [copy], emails: [email], used: 1 }

const withStatus = (status: string): StoredEmail => ({ ...email, recipients: [{ address: to, status }] })
const marked: StoredEmail = { ...email, attempts: [{ possibleDuplicate: false }, { possibleDuplicate: true }] }

/** Each row is an error and the only list that must report it. */
const errors: [what: string, evidence: Partial<Evidence>, list: keyof Verdict][] = [
  ['an accepted email that is not stored', { emails: [], copies: [], used: 0 }, 'lost'],
  ['an email that remains queued', { emails: [withStatus('queued')], copies: [] }, 'lost'],
  ['an email that arrived but remains in sending', { emails: [withStatus('sending')] }, 'lost'],
  ['a delivered email that did not arrive', { copies: [] }, 'lost'],
  ['two copies without a mark', { copies: [copy, copy] }, 'duplicate'],
  ['three copies with one mark', { copies: [copy, copy, copy], emails: [marked] }, 'duplicate'],
  [
    'a marked copy with another Message-ID',
    { copies: [copy, { ...copy, messageId: '<2@x>' }], emails: [marked] },
    'duplicate',
  ],
  ['a received mail that no client sent', { copies: [copy, { ...copy, testId: 't2' }] }, 'phantom'],
  [
    'mail to a recipient who was not addressed',
    { copies: [copy, { ...copy, recipient: 'b@receiver.example' }] },
    'phantom',
  ],
  ['refused mail that arrived', { requests: [{ ...request, answers: [{ status: 422, emailId: null }] }] }, 'phantom'],
  [
    'a stored email that no client sent',
    { emails: [email, { ...email, id: 'em_2', testId: 't2' }], used: 2 },
    'phantom',
  ],
  ['two stored emails for one request', { emails: [email, { ...email, id: 'em_2' }], used: 2 }, 'phantom'],
  [
    'two ids for one key',
    { requests: [{ ...request, answers: [...request.answers, { status: 202, emailId: 'em_9' }] }] },
    'phantom',
  ],
  ['canceled mail that arrived', { emails: [withStatus('canceled')], used: 0 }, 'phantom'],
  ['a canceled send that is still counted', { emails: [withStatus('canceled')], copies: [] }, 'overspend'],
  ['a send that is counted twice', { used: 2 }, 'overspend'],
  ['a send that is not counted', { used: 0 }, 'overspend'],
  ['a recipient that waits as unknown', { emails: [withStatus('unknown')] }, 'unknown'],
]

describe('check of a fault run', () => {
  it('reports nothing if there is no error', () => assert.deepEqual(check(good), faultless))

  it('permits a marked second copy', () =>
    assert.deepEqual(check({ ...good, copies: [copy, copy], emails: [marked] }), faultless))

  it('permits bounced mail, whether it arrived or not', () => {
    assert.deepEqual(check({ ...good, emails: [withStatus('bounced')] }), faultless)
    assert.deepEqual(check({ ...good, emails: [withStatus('bounced')], copies: [] }), faultless)
  })

  it('permits both outcomes of an unanswered request', () => {
    const unanswered = { ...request, answers: [] }
    assert.deepEqual(check({ ...good, requests: [unanswered] }), faultless)
    assert.deepEqual(check({ requests: [unanswered], copies: [], emails: [], used: 0 }), faultless)
  })

  for (const [what, evidence, list] of errors) {
    it(`reports ${what}`, () => {
      const verdict = check({ ...good, ...evidence })
      assert.notDeepEqual(verdict[list], [])
      assert.deepEqual({ ...verdict, [list]: [] }, faultless)
    })
  }
})
