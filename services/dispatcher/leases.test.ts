import assert from 'node:assert/strict'
import { mock } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { leaseMs, leases } from './leases.ts'

describe('leases', () => {
  afterEach(() => mock.timers.reset())

  const clock = (at = 0) => {
    const now = () => time.at
    const time = { at, now }
    return time
  }
  const refuse = (reason: unknown): never => assert.fail(String(reason))

  it('are held until shortly before their end, by the holder’s own clock', async () => {
    const time = clock()
    await using held = leases({ renew: async () => new Set() }, time.now, refuse)
    held.hold('em_1', 3, leaseMs)
    assert.equal(held.isHeld('em_1', 3), true)
    time.at = leaseMs - 5_000
    assert.equal(held.isHeld('em_1', 3), false)
  })

  it('belong to one fence', async () => {
    await using held = leases({ renew: async () => new Set() }, clock().now, refuse)
    held.hold('em_1', 3, leaseMs)
    assert.equal(held.isHeld('em_1', 4), false)
  })

  it('of a later claim outlive the drop of an earlier one', async () => {
    await using held = leases({ renew: async () => new Set() }, clock().now, refuse)
    held.hold('em_1', 3, leaseMs)
    held.hold('em_1', 4, leaseMs)
    held.drop('em_1', 3)
    assert.equal(held.isHeld('em_1', 4), true)
  })

  it('are prolonged together, and what the store refuses is dropped', async () => {
    const time = clock()
    const asked: unknown[] = []
    const renew = async (all: readonly { id: string; fence: number }[], until: number) => {
      asked.push(all, until)
      return new Set(['em_1'])
    }
    await using held = leases({ renew }, time.now, refuse)
    held.hold('em_1', 1, leaseMs)
    held.hold('em_2', 1, leaseMs)
    time.at = 20_000
    await held.renew()
    assert.deepEqual(asked, [
      [
        { id: 'em_1', fence: 1 },
        { id: 'em_2', fence: 1 },
      ],
      50_000,
    ])
    assert.equal(held.isHeld('em_1', 1), true)
    assert.equal(held.isHeld('em_2', 1), false)
  })

  it('that were dropped while the store was asked stay dropped', async () => {
    const answer = Promise.withResolvers<Set<string>>()
    await using held = leases({ renew: () => answer.promise }, clock().now, refuse)
    held.hold('em_1', 1, leaseMs)
    const renewed = held.renew()
    held.drop('em_1', 1)
    answer.resolve(new Set(['em_1']))
    await renewed
    assert.equal(held.isHeld('em_1', 1), false)
  })

  it('are prolonged soon after the store couldn’t be asked, so that a short absence costs none', async () => {
    mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 0 })
    let away = true
    const failures: unknown[] = []
    const renew = async (all: readonly { id: string }[]) => {
      if (away) throw new Error('away')
      return new Set(all.map(({ id }) => id))
    }
    await using held = leases({ renew }, Date.now, (reason) => failures.push(reason))
    held.hold('em_1', 1, leaseMs)
    const pass = async (seconds: number): Promise<void> => {
      for (let second = 0; second < seconds; second++) {
        mock.timers.tick(1_000)
        await turn()
      }
    }
    await pass(21)
    away = false
    await pass(9)
    assert.equal(held.isHeld('em_1', 1), true)
    assert.ok(failures.length >= 5, `${failures.length} failures`)
    away = true
    await pass(25)
    assert.equal(held.isHeld('em_1', 1), false, 'by the own clock, before the store would give it to another')
  })
})
