import assert from 'node:assert/strict'
import { anEmail, aRecipient } from '../../../test/support/anEmail.ts'
import { isParked } from '../email/decisions.ts'
import { nextDueOf } from '../email/due.ts'
import { maxDeaths } from '../email/leases.ts'
import { recipientStatuses, unleasedStatus, waitingStatuses } from '../email/status.ts'
import { admissionRefusal, countsAsScheduled, isWaiting, queueKindOf, queueRefusal, shareOf } from './admission.ts'

describe('kind of waiting mail', () => {
  const cases = [
    ['live', 'queued', 'due'],
    ['live', 'deferred', 'due'],
    ['live', 'sending', 'due'],
    ['live', 'scheduled', 'scheduled'],
    ['test', 'queued', 'test'],
    ['test', 'scheduled', 'test'],
  ] as const
  for (const [mode, status, kind] of cases) {
    it(`${mode} mail that is ${status} counts as ${kind}`, () =>
      assert.equal(queueKindOf({ mode, isScheduled: countsAsScheduled(status) }), kind))
  }
})

describe('waiting mail', () => {
  const statuses: readonly string[] = waitingStatuses
  for (const status of recipientStatuses) {
    const waits = statuses.includes(status)
    const email = anEmail({ recipients: [aRecipient({ status, nextAt: waits ? 1_000 : null })] })
    const stored = { email, nextAt: nextDueOf(email), leaseUntil: null, fence: 1, deaths: 0 }
    it(`${waits ? 'includes' : 'excludes'} mail that is ${status}, by its time and by its status`, () => {
      assert.equal(isWaiting(stored), waits)
      assert.equal(statuses.includes(unleasedStatus(email)) && !isParked(stored), waits)
    })
    if (waits)
      it(`excludes parked mail that is ${status}, by its time and by its status`, () => {
        const parked = { ...stored, nextAt: null, deaths: maxDeaths }
        assert.equal(isWaiting(parked), false)
        assert.equal(statuses.includes(unleasedStatus(email)) && !isParked(parked), false)
      })
  }
})

describe('bound on waiting mail', () => {
  const cases: [
    name: string,
    queued: [own: number, total: number, workspaces: number],
    ReturnType<typeof queueRefusal>,
  ][] = [
    ['an empty queue accepts', [0, 0, 1], null],
    ['a workspace alone gets half of the bound', [499, 499, 1], null],
    ['a workspace alone never fills the bound', [500, 500, 1], 'share'],
    ['a workspace with its share is refused while little else waits', [500, 510, 2], 'share'],
    ['below the bound a workspace may have more than its equal part', [400, 999, 4], null],
    ['at the bound a workspace above its equal part is refused', [400, 1_000, 4], 'total'],
    ['at the bound a workspace below its equal part is accepted', [249, 1_000, 4], null],
    ['far above the bound a workspace below its equal part is accepted', [99, 3_000, 10], null],
    ['a workspace without waiting mail is accepted however many others wait', [0, 50_000, 10_000], null],
  ]
  for (const [name, [own, total, workspaces], expected] of cases) {
    it(name, () => assert.equal(queueRefusal(1_000, { own, total, workspaces }), expected))
  }

  it('accepts one email of each workspace under the smallest bound', () => {
    assert.equal(shareOf(1), 1)
    assert.equal(queueRefusal(1, { own: 0, total: 5, workspaces: 6 }), null)
    assert.equal(queueRefusal(1, { own: 1, total: 1, workspaces: 1 }), 'share')
  })

  it('exceeds the bound by no more than a few equal parts when many workspaces fill their shares in turn', () => {
    // Each workspace sends until it is refused, one after the other: the worst order.
    const bound = 10_000
    const shares: number[] = []
    for (let number = 0; number < 100; number++) {
      const total = shares.reduce((sum, one) => sum + one, 0)
      let own = 0
      while (queueRefusal(bound, { own, total: total + own, workspaces: number + 1 }) === null) own += 1
      shares.push(own)
    }
    const total = shares.reduce((sum, one) => sum + one, 0)
    assert.ok(shares.every((one) => one >= 100))
    assert.ok(total < 5 * bound, `${total}`)
  })
})

describe('bounds of each kind of waiting mail', () => {
  const bounds = { due: 1_000, scheduled: 2_000, test: 100, testBytes: 10_000 }
  const alone = (emails: number, bytes: number) => ({
    own: { emails, bytes },
    total: { emails, bytes },
    workspaces: 1,
  })

  it('have numbers of their own', () => {
    assert.equal(admissionRefusal(bounds, 'due', alone(500, 0)), 'share')
    assert.equal(admissionRefusal(bounds, 'scheduled', alone(500, 0)), null)
  })

  it('count the bytes of test mail only', () => {
    assert.equal(admissionRefusal(bounds, 'test', alone(1, 4_999)), null)
    assert.equal(admissionRefusal(bounds, 'test', alone(1, 5_000)), 'share_bytes')
    assert.equal(admissionRefusal(bounds, 'due', alone(1, 5_000)), null)
  })

  it('refuse by the number of test emails first', () => {
    assert.equal(admissionRefusal(bounds, 'test', alone(50, 5_000)), 'share')
  })
})
