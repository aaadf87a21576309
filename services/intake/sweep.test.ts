import assert from 'node:assert/strict'
import { mock } from 'node:test'
import { Fault } from '@postrider/kit/fault.ts'
import { makeLog } from '@postrider/kit/log.ts'
import { makeMetrics } from '@postrider/kit/metrics.ts'
import { makeSlices, type Slices } from '@postrider/kit/slices.ts'
import { noon, request, testIntake, withKey } from '../../test/support/testIntake.ts'
import { backlogWatch, intakeMetrics } from './metrics.ts'
import { type SweepDeps, sweeper, sweepOnce } from './sweep.ts'

describe('a sweep', () => {
  it('rings only for lanes with due mail', async () => {
    await using system = await testIntake()
    await system.send()
    await system.send({ category: 'transactional', sendAt: { at: noon + 60_000 } })
    const lanes: string[] = []
    await system.sweep({ doorbell: { ring: (lane) => void lanes.push(lane) } })
    assert.deepEqual(lanes, ['transactional'])
  })

  it('reports how much mail is due', async () => {
    await using system = await testIntake()
    await system.send()
    const seen: unknown[] = []
    await system.sweep({ watch: (backlog) => void seen.push(backlog.map(({ lane, due }) => [lane, due])) })
    assert.deepEqual(seen, [
      [
        ['transactional', 1],
        ['marketing', 0],
      ],
    ])
  })

  it('reports the time of each chore by the clock of the store', async () => {
    // With the clock of the process, a clock that was ahead hid from Prometheus that no sweep was running.
    await using system = await testIntake()
    const metrics = makeMetrics(intakeMetrics)
    await system.sweep({ swept: backlogWatch(metrics).swept })
    const { values } = await metrics.sweptAt.get()
    assert.deepEqual(
      values.map(({ labels, value }) => [labels.chore, value]),
      'hold batches ring count follow pay settle forget purge erase statistics index parked'
        .split(' ')
        .map((chore) => [chore, noon / 1_000]),
    )
  })

  it('releases an old reservation without an email and leaves a young one alone', async () => {
    await using system = await testIntake()
    const entry = { workspace: system.deps.sender.address, id: 'em_1', count: 2, at: noon }
    await system.ledger.reserve(entry)
    const used = async () => (await system.ledger.usage(entry.workspace, noon)).monthly.used
    system.time.at = noon + 29_000
    await system.sweep()
    assert.equal(await used(), 2)
    system.time.at = noon + 31_000
    await system.sweep()
    assert.equal(await used(), 0)
  })

  it('settles the other reservations after a failed one', async () => {
    await using system = await testIntake()
    for (const id of ['em_1', 'em_2']) await system.ledger.reserve({ workspace: 'ws_1', id, count: 2, at: noon })
    system.time.at = noon + 31_000
    const { quota } = system.sweepDeps
    const Settle: typeof quota.Settle = (request) =>
      request.pending.id === 'em_1' ? Promise.reject(new Error('a bug')) : quota.Settle(request)
    await assert.rejects(system.sweep({ quota: { ...quota, Settle } }), /some chores/)
    const left = await system.ledger.pending(system.time.at, 10)
    assert.deepEqual(
      left.map(({ id }) => id),
      ['em_1'],
    )
  })

  it('deletes expired keys', async () => {
    await using system = await testIntake()
    const keyed = request(withKey('order-1'))
    await system.intake.Submit(keyed)
    system.time.at = noon + 86_400_001
    await system.sweep()
    assert.equal(system.db.prepare('SELECT count(*) AS n FROM idempotency_keys').get()?.['n'], 0)
  })

  // With one batch of 500 per round the keys grew without bound at more than a hundred sends a second.
  it('deletes as many keys as may have expired since the last round, within a bound', async () => {
    await using system = await testIntake()
    let left = 3_200
    const sweep = async (_now: number, limit: number): Promise<number> => {
      const gone = Math.min(left, limit)
      left -= gone
      return gone
    }
    await system.sweep({ idempotency: { ...system.idempotency, sweep } })
    assert.equal(left, 0)
    left = Number.POSITIVE_INFINITY
    await system.sweep({ idempotency: { ...system.idempotency, sweep } })
  })

  it('runs the other chores when one always fails', async () => {
    await using system = await testIntake()
    await system.intake.Submit(request(withKey('order-1')))
    system.time.at = noon + 86_400_001
    const backlog = () => Promise.reject(new Error('no backlog'))
    const done: string[] = []
    const swept = (chore: string): void => void done.push(chore)
    await assert.rejects(system.sweep({ emails: { ...system.emails, backlog }, swept }), /some chores/)
    assert.deepEqual(done, 'hold batches count follow pay settle forget purge erase statistics index parked'.split(' '))
    assert.equal(system.db.prepare('SELECT count(*) AS n FROM idempotency_keys').get()?.['n'], 0)
  })
})

describe('periodic sweep', () => {
  afterEach(() => mock.timers.reset())

  it('sweeps immediately and about every 5 s, even after a failed round, until it is stopped', async () => {
    mock.timers.enable({ apis: ['setTimeout'] })
    let rounds = 0
    const deps = {
      now: () => noon,
      emails: {
        backlog: async () => {
          rounds += 1
          throw new Error('no store')
        },
        pendingRefunds: async () => [],
        resume: async () => 0,
      },
      quota: { ListPending: async () => [] },
      idempotency: { sweep: async () => 0 },
      suspensions: { suspended: async () => new Set() },
      queue: { recount: async () => {} },
      swept: () => {},
    } as unknown as SweepDeps
    let roundsInBackground = 0
    const slices: Slices = {
      ...makeSlices(),
      inBackground: (work) => {
        roundsInBackground += 1
        return work()
      },
    }
    const turn = () => new Promise<void>((resolve) => setImmediate(resolve))
    const sweeping = sweeper({ ...deps, slices }, makeLog('test', 'silent'), () => 0.5)
    for (const expected of [1, 2, 3]) {
      await turn()
      assert.equal(rounds, expected)
      mock.timers.tick(5_000)
    }
    await turn()
    await sweeping[Symbol.asyncDispose]()
    mock.timers.tick(60_000)
    await turn()
    assert.deepEqual([rounds, roundsInBackground], [4, 4])
  })

  // An intake that started before quota once logged errors of a normal cold start.
  for (const [problem, failure, level] of [
    ['a service that has not been available yet', new Fault('unavailable', 'Quota does not respond.'), 'info'],
    ['a bug', new TypeError('a bug'), 'error'],
  ] as const)
    it(`logs ${problem} at level ${level}`, async () => {
      await using system = await testIntake()
      const logged = Promise.withResolvers<Record<string, unknown>>()
      const log = makeLog('test', 'info', { write: (line) => logged.resolve(JSON.parse(line)) })
      const ListPending = () => Promise.reject(failure)
      const quota = { ...system.sweepDeps.quota, ListPending }
      await using _sweeping = sweeper({ ...system.sweepDeps, quota }, log)
      const { level: actual, msg } = await logged.promise
      assert.deepEqual({ level: actual, msg }, { level, msg: 'sweep failed' })
    })

  it('can run concurrently with another', async () => {
    await using system = await testIntake()
    const entry = { workspace: 'ws_1', id: 'em_1', count: 2, at: noon }
    await system.ledger.reserve(entry)
    system.time.at = noon + 31_000
    await Promise.all([sweepOnce(system.sweepDeps), sweepOnce(system.sweepDeps)])
    assert.equal((await system.ledger.usage('ws_1', noon)).monthly.used, 0)
  })
})
