import assert from 'node:assert/strict'
import { mock } from 'node:test'
import { setImmediate as nextIteration } from 'node:timers/promises'
import { emailLeaseMs } from '@postrider/domain/email/leases.ts'
import { workerLeases } from './mayDeliver.ts'

describe('leases', () => {
  afterEach(() => mock.timers.reset())

  const clock = (at = 0) => {
    const now = () => time.at
    const time = { at, now }
    return time
  }
  const refuse = (reason: unknown): never => assert.fail(String(reason))

  it('are held until 5 s before their end, by the holder’s own clock', async () => {
    const time = clock()
    await using leased = workerLeases({ renew: async () => new Set() }, time.now, refuse)
    leased.add('em_1', 3, emailLeaseMs)
    assert.equal(leased.isLeased('em_1', 3), true)
    time.at = emailLeaseMs - 5_000
    assert.equal(leased.isLeased('em_1', 3), false)
  })

  it('are identified by their fence', async () => {
    await using leased = workerLeases({ renew: async () => new Set() }, clock().now, refuse)
    leased.add('em_1', 3, emailLeaseMs)
    assert.equal(leased.isLeased('em_1', 4), false)
  })

  it('stay those of a later claim when that of an earlier one is dropped', async () => {
    await using leased = workerLeases({ renew: async () => new Set() }, clock().now, refuse)
    leased.add('em_1', 3, emailLeaseMs)
    leased.add('em_1', 4, emailLeaseMs)
    leased.drop('em_1', 3)
    assert.equal(leased.isLeased('em_1', 4), true)
  })

  it('are renewed together, and dropped if the store refuses the renewal', async () => {
    const time = clock()
    const renewed: unknown[] = []
    const renew = async (all: readonly { id: string; fence: number }[], until: number) => {
      renewed.push(all, until)
      return new Set(['em_1'])
    }
    await using leased = workerLeases({ renew }, time.now, refuse)
    leased.add('em_1', 1, emailLeaseMs)
    leased.add('em_2', 1, emailLeaseMs)
    time.at = 20_000
    await leased.renew()
    assert.deepEqual(renewed, [
      [
        { id: 'em_1', fence: 1 },
        { id: 'em_2', fence: 1 },
      ],
      50_000,
    ])
    assert.equal(leased.isLeased('em_1', 1), true)
    assert.equal(leased.isLeased('em_2', 1), false)
  })

  it('stay dropped if they are dropped during their renewal', async () => {
    const answer = Promise.withResolvers<Set<string>>()
    await using leased = workerLeases({ renew: () => answer.promise }, clock().now, refuse)
    leased.add('em_1', 1, emailLeaseMs)
    const renewal = leased.renew()
    leased.drop('em_1', 1)
    answer.resolve(new Set(['em_1']))
    await renewal
    assert.equal(leased.isLeased('em_1', 1), false)
  })

  it('are renewed soon after a failure, so that a short outage costs none', async () => {
    mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 0 })
    let isAway = true
    const failures: unknown[] = []
    const renew = async (all: readonly { id: string }[]) => {
      if (isAway) throw new Error('away')
      return new Set(all.map(({ id }) => id))
    }
    await using leased = workerLeases({ renew }, Date.now, (reason) => failures.push(reason))
    leased.add('em_1', 1, emailLeaseMs)
    const pass = async (seconds: number): Promise<void> => {
      for (let second = 0; second < seconds; second++) {
        mock.timers.tick(1_000)
        await nextIteration()
      }
    }
    await pass(21)
    isAway = false
    await pass(9)
    assert.equal(leased.isLeased('em_1', 1), true)
    assert.ok(failures.length >= 5, `${failures.length} failures`)
    isAway = true
    await pass(25)
    assert.equal(leased.isLeased('em_1', 1), false, 'by the own clock, before another worker can claim it')
  })
})
