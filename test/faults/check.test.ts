import assert from 'node:assert/strict'
import { type Asked, check, type Evidence, type Kept, type Taken, type Verdict } from './check.ts'

const to = 'a@receiver.example'
const asked: Asked = { testId: 't1', recipients: [to], key: 'k1', answers: [{ status: 202, emailId: 'em_1' }] }
const taken: Taken = { testId: 't1', recipient: to, messageId: '<1@x>' }
const kept: Kept = {
  id: 'em_1',
  testId: 't1',
  recipients: [{ address: to, status: 'delivered' }],
  attempts: [{ possibleDuplicate: false }],
}
const good: Evidence = { asked: [asked], taken: [taken], kept: [kept], used: 1 }
const clean: Verdict = { lost: [], duplicate: [], phantom: [], overspend: [], unknown: [] }

const withStatus = (status: string): Kept => ({ ...kept, recipients: [{ address: to, status }] })
const marked: Kept = { ...kept, attempts: [{ possibleDuplicate: false }, { possibleDuplicate: true }] }

/** Each row: what happened, and the one list it must show up in. */
const faults: [what: string, evidence: Partial<Evidence>, list: keyof Verdict][] = [
  ['a promised email that is not kept', { kept: [], taken: [], used: 0 }, 'lost'],
  ['an email that stays queued', { kept: [withStatus('queued')], taken: [] }, 'lost'],
  ['an email that stays in sending, though it arrived', { kept: [withStatus('sending')] }, 'lost'],
  ['an email called delivered that never arrived', { taken: [] }, 'lost'],
  ['two copies without a mark', { taken: [taken, taken] }, 'duplicate'],
  ['three copies with one mark', { taken: [taken, taken, taken], kept: [marked] }, 'duplicate'],
  [
    'a marked copy with another Message-ID',
    { taken: [taken, { ...taken, messageId: '<2@x>' }], kept: [marked] },
    'duplicate',
  ],
  ['mail nobody asked for', { taken: [taken, { ...taken, testId: 't2' }] }, 'phantom'],
  [
    'mail to somebody who was not addressed',
    { taken: [taken, { ...taken, recipient: 'b@receiver.example' }] },
    'phantom',
  ],
  ['refused mail that arrived', { asked: [{ ...asked, answers: [{ status: 422, emailId: null }] }] }, 'phantom'],
  ['a record nobody asked for', { kept: [kept, { ...kept, id: 'em_2', testId: 't2' }], used: 2 }, 'phantom'],
  ['two records of one request', { kept: [kept, { ...kept, id: 'em_2' }], used: 2 }, 'phantom'],
  [
    'two ids for one key',
    { asked: [{ ...asked, answers: [...asked.answers, { status: 202, emailId: 'em_9' }] }] },
    'phantom',
  ],
  ['canceled mail that arrived', { kept: [withStatus('canceled')], used: 0 }, 'phantom'],
  ['a canceled send that is still counted', { kept: [withStatus('canceled')], taken: [] }, 'overspend'],
  ['a send counted twice', { used: 2 }, 'overspend'],
  ['a send not counted', { used: 0 }, 'overspend'],
  ['a recipient held as unknown', { kept: [withStatus('unknown')] }, 'unknown'],
]

describe('the check of a fault run', () => {
  it('finds nothing where all is well', () => assert.deepEqual(check(good), clean))

  it('takes a marked second copy', () =>
    assert.deepEqual(check({ ...good, taken: [taken, taken], kept: [marked] }), clean))

  it('takes mail that bounced, whether it arrived or not', () =>
    assert.deepEqual(check({ ...good, kept: [withStatus('bounced')], taken: [] }), clean))

  it('takes an unanswered request either way', () => {
    const silent = { ...asked, answers: [] }
    assert.deepEqual(check({ ...good, asked: [silent] }), clean)
    assert.deepEqual(check({ asked: [silent], taken: [], kept: [], used: 0 }), clean)
  })

  for (const [what, evidence, list] of faults) {
    it(`sees ${what}`, () => {
      const verdict = check({ ...good, ...evidence })
      assert.notDeepEqual(verdict[list], [])
      assert.deepEqual({ ...verdict, [list]: [] }, clean)
    })
  }
})
