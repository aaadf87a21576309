import assert from 'node:assert/strict'
import { mock } from 'node:test'
import { setImmediate as nextIteration } from 'node:timers/promises'
import type { Due } from '@postrider/domain/email/due.ts'
import { dueOf } from '@postrider/domain/email/due.ts'
import type { ClaimedEmail, Email } from '@postrider/domain/email/email.ts'
import { Fault } from '@postrider/kit/fault.ts'
import { makeLog } from '@postrider/kit/log.ts'
import type { ClaimQuery } from '@postrider/ports/emails.ts'
import { anEmail } from '../../test/support/anEmail.ts'
import type { Delivery } from './deliver.ts'
import { laneWorker } from './laneWorker.ts'

/** Emails of a workspace, due at 0. */
const emailsOf = (workspace: string, count: number): Email[] =>
  Array.from({ length: count }, (_, number) => anEmail({ id: `em_${workspace}_${number}`, workspace }))

/** Ids of each workspace in turn, as a store claims them. */
const inTurns = (emails: readonly Email[]): string[] => {
  const counts = new Map<string, number>()
  const ranked = emails.map(({ id, workspace }) => {
    const rank = counts.get(workspace) ?? 0
    counts.set(workspace, rank + 1)
    return { id, rank }
  })
  return ranked.sort((one, other) => one.rank - other.rank).map(({ id }) => id)
}

type Bench = {
  due?: Email[]
  concurrency?: number
  faults?: { claim?: Error; releaseLeases?: Error; deliver?: Error }
  now?: () => number
  suspended?: ReadonlySet<string>
  current?: () => Promise<ReadonlySet<string>>
  synced?: () => Promise<void>
  warn?: (message: string) => void
}

/** A store with these emails and a worker over it, whose deliveries end when the test ends them. */
const bench = ({
  due = emailsOf('a', 0),
  concurrency = 3,
  faults = {},
  now = () => 0,
  suspended = new Set(),
  current,
  synced = async () => {},
  warn = () => {},
}: Bench = {}) => {
  const waiting = new Map(due.map((email) => [email.id, email]))
  /** Due times of emails; those without one are due immediately. */
  const dueAt = new Map<string, number>()
  const released: string[] = []
  const leased = new Set<string>()
  const claims: Pick<ClaimQuery, 'ids' | 'limit'>[] = []
  const exceptions: string[][] = []
  const begun: string[] = []
  const open: { email: Email; end: (delivery: Delivery) => void }[] = []
  const listeners: ((due: readonly Due[]) => void)[] = []
  let polls = 0
  const isDue = (id: string): boolean => waiting.has(id) && (dueAt.get(id) ?? 0) <= now()
  const claim = async ({ ids, limit, except }: ClaimQuery): Promise<ClaimedEmail[]> => {
    if (except && except.size > 0) exceptions.push([...except])
    claims.push({ limit, ...(ids && { ids }) })
    if (faults.claim) throw faults.claim
    const found = (ids ?? inTurns([...waiting.values()])).filter(isDue).slice(0, limit)
    return found.flatMap((id) => {
      const email = waiting.get(id)
      waiting.delete(id)
      return email ? [{ email, fence: 1, deaths: 0 }] : []
    })
  }
  const worker = laneWorker({
    lane: 'transactional',
    emails: {
      claim,
      nextDue: async () => {
        polls += 1
        return waiting.size > 0 ? Math.min(...[...waiting.keys()].map((id) => dueAt.get(id) ?? 0)) : null
      },
      releaseLeases: async (all) => {
        if (faults.releaseLeases) throw faults.releaseLeases
        released.push(...all.map(({ id }) => id))
      },
    },
    durable: { synced },
    suspended: { current: current ?? (() => suspended), has: (id) => suspended.has(id), refresh: async () => {} },
    leases: { add: (id) => leased.add(id), drop: (id) => leased.delete(id), isLeased: (id) => leased.has(id) },
    deliver: async ({ email }) => {
      begun.push(email.id)
      if (faults.deliver) throw faults.deliver
      const { promise, resolve } = Promise.withResolvers<Delivery>()
      open.push({ email, end: resolve })
      return promise
    },
    doorbell: {
      listen: (_, onRing) => {
        listeners.push(onRing)
        return () => {}
      },
    },
    concurrency,
    now,
    random: () => 0.5,
    log: Object.assign(makeLog('test', 'silent'), { warn: (_: object, message: string) => warn(message) }),
    report: () => {},
  })
  const ring = (hints: readonly Due[] = []): void => {
    for (const onRing of listeners) onRing(hints)
  }
  const store = (emails: readonly Email[]): void => {
    for (const email of emails) waiting.set(email.id, email)
  }
  const storeAndRing = (emails: readonly Email[]): void => {
    store(emails)
    ring(emails.map(dueOf))
  }
  const endAll = (may: (email: Email) => boolean = () => true): void => {
    const ending = open.filter(({ email }) => may(email))
    for (const one of ending) open.splice(open.indexOf(one), 1)
    for (const { end } of ending) end({ kind: 'done', nextAt: null })
  }
  const stop = async (): Promise<void> => {
    const stopped = worker[Symbol.asyncDispose]()
    endAll()
    await stopped
  }
  return {
    waiting,
    dueAt,
    released,
    leased,
    claims,
    exceptions,
    begun,
    open,
    polls: () => polls,
    worker,
    ring,
    store,
    storeAndRing,
    endAll,
    stop,
  }
}

const unavailable = (): Fault => new Fault('unavailable', 'The store does not respond.')
const iterations = async (count: number): Promise<void> => {
  for (let left = count; left > 0; left--) await nextIteration()
}
const countOf = (begun: readonly string[], workspace: string): number =>
  begun.filter((id) => id.startsWith(`em_${workspace}_`)).length

describe('lane', () => {
  // A ring between the last claim and the end of its promise was once ignored, and the email waited for the next poll.
  it('claims an email that is hinted at any moment while a claim ends', async () => {
    for (let delay = 0; delay < 12; delay++) {
      const { storeAndRing, begun, stop } = bench({ due: emailsOf('a', 1) })
      let ticks = Promise.resolve()
      for (let tick = 0; tick < delay; tick++) ticks = ticks.then(() => {})
      await ticks
      storeAndRing(emailsOf('b', 1))
      await nextIteration()
      assert.deepEqual(begun.toSorted(), ['em_a_0', 'em_b_0'], `rung after ${delay} microtasks`)
      await stop()
    }
  })

  it('delivers as many emails at the same time as its concurrency and claims as many in advance', async () => {
    const { open, leased, waiting, endAll, stop } = bench({ due: emailsOf('a', 10) })
    await nextIteration()
    assert.equal(open.length, 3)
    assert.equal(leased.size, 6)
    assert.equal(waiting.size, 4)
    endAll()
    await nextIteration()
    assert.equal(open.length, 3)
    await stop()
  })

  it('releases emails whose delivery has not started when it stops, and finishes the others', async () => {
    const { begun, released, stop } = bench({ due: emailsOf('a', 6) })
    await nextIteration()
    await stop()
    assert.deepEqual(released, ['em_a_3', 'em_a_4', 'em_a_5'])
    assert.deepEqual(begun, ['em_a_0', 'em_a_1', 'em_a_2'])
  })

  it('scans at its start and after a ring without an id', async () => {
    const { begun, claims, store, ring, stop } = bench()
    await nextIteration()
    store(emailsOf('a', 1))
    ring()
    await nextIteration()
    assert.deepEqual(claims, [{ limit: 6 }, { limit: 6 }])
    assert.deepEqual(begun, ['em_a_0'])
    await stop()
  })

  it('claims only the emails of a ring', async () => {
    const { begun, claims, store, storeAndRing, stop } = bench()
    await nextIteration()
    store(emailsOf('b', 1))
    storeAndRing(emailsOf('a', 2))
    await nextIteration()
    assert.deepEqual(claims.slice(1), [{ ids: ['em_a_0', 'em_a_1'], limit: 2 }])
    assert.deepEqual(begun, ['em_a_0', 'em_a_1'])
    await stop()
  })

  it('claims no hinted email of a suspended workspace, and its scans exclude it', async () => {
    const suspended = new Set(['a'])
    const { begun, claims, exceptions, storeAndRing, stop } = bench({ suspended })
    await nextIteration()
    storeAndRing([...emailsOf('a', 2), ...emailsOf('b', 1)])
    await nextIteration()
    assert.deepEqual(claims.slice(1), [{ ids: ['em_b_0'], limit: 3 }])
    assert.deepEqual(begun, ['em_b_0'])
    assert.deepEqual(exceptions, [['a'], ['a']])
    await stop()
  })

  it('releases an email whose workspace was suspended after its claim', async () => {
    const suspended = new Set<string>()
    const { begun, released, endAll, stop } = bench({ due: emailsOf('a', 6), suspended })
    await nextIteration()
    suspended.add('a')
    endAll()
    await nextIteration()
    assert.deepEqual(begun, ['em_a_0', 'em_a_1', 'em_a_2'])
    assert.deepEqual(released, ['em_a_3', 'em_a_4', 'em_a_5'])
    await stop()
  })

  it('claims nothing before it has read which workspaces are suspended', async () => {
    let fail = true
    const current = async (): Promise<ReadonlySet<string>> => {
      if (fail) throw unavailable()
      return new Set(['b'])
    }
    mock.timers.enable({ apis: ['setTimeout'] })
    const { begun, claims, stop } = bench({ due: emailsOf('a', 1), current })
    await nextIteration()
    assert.deepEqual(claims, [])
    fail = false
    mock.timers.tick(1_000)
    await nextIteration()
    assert.deepEqual(begun, ['em_a_0'])
    await stop()
    mock.timers.reset()
  })

  it('drains until nothing is due', async () => {
    const { waiting, worker, endAll, stop } = bench({ due: emailsOf('a', 20) })
    const drained = worker.drain()
    const ending = setInterval(endAll, 1)
    await drained
    clearInterval(ending)
    assert.equal(waiting.size, 0)
    await stop()
  })

  it('waits for running deliveries when it cannot release the other emails', async () => {
    const { worker, endAll } = bench({
      due: emailsOf('a', 6),
      faults: { releaseLeases: new Error('the disk is full') },
    })
    await nextIteration()
    let stopped = false
    const stopping = worker[Symbol.asyncDispose]().then(() => {
      stopped = true
    })
    await nextIteration()
    assert.equal(stopped, false)
    endAll()
    await stopping
  })

  it('drains nothing after it has stopped', async () => {
    const { worker, waiting, store, stop } = bench()
    await stop()
    store(emailsOf('a', 1))
    await worker.drain()
    assert.equal(waiting.size, 1)
  })

  it('releases an email whose lease expired before its delivery started', async () => {
    const { begun, leased, released, endAll, stop } = bench({ due: emailsOf('a', 6) })
    await nextIteration()
    leased.clear()
    endAll()
    await iterations(3)
    assert.deepEqual(begun, ['em_a_0', 'em_a_1', 'em_a_2'])
    assert.deepEqual(released, ['em_a_3', 'em_a_4', 'em_a_5'])
    await stop()
  })

  // Another worker may have claimed the email since: both would send it.
  it('releases an email whose claim was lost with its commit before its delivery started', async () => {
    const synced = () => Promise.reject(new Fault('unavailable', 'Full.'))
    const { begun, released, endAll, stop } = bench({ due: emailsOf('a', 6), synced })
    await nextIteration()
    endAll()
    await iterations(3)
    assert.deepEqual(begun, ['em_a_0', 'em_a_1', 'em_a_2'])
    assert.deepEqual(released, ['em_a_3', 'em_a_4', 'em_a_5'])
    await stop()
  })
})

describe('lane of several workspaces', () => {
  const concurrency = 16

  // Regression: the worker of a lost claim reported that another one owned its email.
  for (const isLost of [false, true]) {
    it(`reports an email that another worker has${isLost ? ', except after the commit of its own claim failed' : ''}`, async () => {
      const warnings: string[] = []
      const synced = isLost ? () => Promise.reject(new Fault('unavailable', 'Full.')) : async () => {}
      const { open, stop } = bench({ due: emailsOf('a', 1), synced, warn: (message) => warnings.push(message) })
      await nextIteration()
      open.shift()?.end({ kind: 'lost' })
      await nextIteration()
      assert.deepEqual(warnings, isLost ? [] : ['lease lost to another worker'])
      await stop()
    })
  }

  it('delivers ten emails of one workspace at the same time after another has rung for 5,000', async () => {
    const { begun, storeAndRing, endAll, stop } = bench({ concurrency })
    storeAndRing(emailsOf('a', 5_000))
    await iterations(3)
    const before = begun.length
    storeAndRing(emailsOf('b', 10))
    for (let round = 0; countOf(begun, 'b') < 10 && round < 100; round++) {
      endAll()
      await nextIteration()
    }
    assert.equal(countOf(begun, 'b'), 10)
    assert.ok(begun.length - before <= 3 * concurrency, `${begun.length - before} started in between`)
    await stop()
  })

  it('delivers hinted mail of one workspace while all mail of another is stuck', async () => {
    const { begun, storeAndRing, endAll, stop } = bench({ concurrency })
    storeAndRing(emailsOf('a', 5_000))
    await iterations(3)
    storeAndRing(emailsOf('b', 100))
    for (let round = 0; round < 200; round++) {
      endAll(({ workspace }) => workspace === 'b')
      await nextIteration()
    }
    assert.equal(countOf(begun, 'b'), 100)
    assert.ok(countOf(begun, 'a') <= concurrency)
    await stop()
  })

  it('gives one workspace its whole concurrency and leaves slots for others', async () => {
    const { open, storeAndRing, stop } = bench({ concurrency: 64 })
    storeAndRing(emailsOf('a', 5_000))
    await iterations(3)
    assert.equal(open.length, 64)
    storeAndRing(emailsOf('b', 5_000))
    await iterations(3)
    assert.equal(open.length, 72)
    await stop()
  })

  it('claims by scan and by hint at the same time', async () => {
    const { begun, storeAndRing, store, ring, endAll, stop } = bench({ concurrency })
    storeAndRing(emailsOf('a', 5_000))
    await iterations(3)
    store(emailsOf('b', 500))
    ring()
    for (let round = 0; countOf(begun, 'b') < 500 && round < 500; round++) {
      endAll()
      await nextIteration()
    }
    assert.equal(countOf(begun, 'b'), 500)
    const hinted = countOf(begun, 'a')
    assert.ok(hinted > 250 && hinted < 2_000, `${hinted} hinted emails were delivered`)
    await stop()
  })

  it('scans for emails whose hints were dropped', async () => {
    const { begun, claims, storeAndRing, endAll, stop } = bench({ concurrency: 1_000 })
    await nextIteration()
    storeAndRing(emailsOf('a', 25_000))
    for (let round = 0; begun.length < 25_000 && round < 500; round++) {
      endAll()
      await nextIteration()
    }
    assert.equal(new Set(begun).size, 25_000)
    assert.ok(claims.slice(1).some(({ ids }) => ids === undefined))
    await stop()
  })
})

describe('lane without its store', () => {
  it('throws the failure of a claim from drain', async () => {
    const { worker, stop } = bench({ due: emailsOf('a', 1), faults: { claim: new Error('the disk is full') } })
    await assert.rejects(worker.drain(), /disk is full/)
    await stop()
  })

  it('releases emails that it cannot deliver and throws the failure from drain', async () => {
    const { worker, released, leased, stop } = bench({ due: emailsOf('a', 2), faults: { deliver: unavailable() } })
    await assert.rejects(worker.drain(), /does not respond/)
    assert.deepEqual(released, ['em_a_0', 'em_a_1'])
    assert.equal(leased.size, 0)
    await stop()
  })

  it('does not release an email whose delivery failed by a bug, so that its death counts', async () => {
    const { released, leased, stop } = bench({ due: emailsOf('a', 1), faults: { deliver: new Error('a bug') } })
    await iterations(2)
    assert.deepEqual(released, [])
    assert.equal(leased.size, 0)
    await stop()
  })
})

describe('lane over time', () => {
  afterEach(() => mock.timers.reset())

  const pass = async (ms: number): Promise<void> => {
    for (let left = ms; left > 0; left -= 50) {
      mock.timers.tick(50)
      await iterations(2)
    }
  }
  const clocked = (given: Bench = {}) => {
    mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 0 })
    return bench({ now: Date.now, ...given })
  }

  it('sends scheduled mail within a second of its time when another worker got its hint', async () => {
    const { begun, dueAt, store, stop } = clocked()
    await pass(1_000)
    dueAt.set('em_a_0', 10_000)
    store(emailsOf('a', 1))
    await pass(8_950)
    assert.deepEqual(begun, [])
    await pass(1_000)
    assert.deepEqual(begun, ['em_a_0'])
    await stop()
  })

  it('sends mail that was hinted too early within a second of its time', async () => {
    const { begun, claims, dueAt, storeAndRing, stop } = clocked()
    await pass(3_000)
    const before = claims.length
    dueAt.set('em_a_0', 3_500)
    storeAndRing(emailsOf('a', 1))
    await pass(450)
    assert.deepEqual(begun, [])
    assert.equal(claims.length, before + 1, 'one claim')
    await pass(900)
    assert.deepEqual(begun, ['em_a_0'])
    await stop()
  })

  it('finds mail whose hint was lost within five seconds', async () => {
    const { begun, store, stop } = clocked()
    await pass(1_000)
    store(emailsOf('a', 1))
    await pass(5_000)
    assert.deepEqual(begun, ['em_a_0'])
    await stop()
  })

  it('polls the next due time every few seconds and not after each hinted email', async () => {
    const { polls, begun, storeAndRing, endAll, stop } = clocked()
    await pass(1_000)
    const before = polls()
    for (const [number] of emailsOf('a', 200).entries()) {
      storeAndRing([anEmail({ id: `em_a_${number}`, workspace: 'a' })])
      await pass(50)
      endAll()
    }
    assert.equal(begun.length, 200)
    assert.ok(polls() - before <= 4, `${polls() - before} polls in 10 s`)
    await stop()
  })

  it('pauses longer after each failed claim, however often the doorbell rings', async () => {
    const { claims, ring, stop } = clocked({ faults: { claim: unavailable() } })
    for (let at = 0; at < 30_000; at += 50) {
      ring()
      await pass(50)
    }
    assert.ok(claims.length >= 8 && claims.length <= 14, `${claims.length} claims in 30 s`)
    await stop()
  })

  it('continues within ten seconds after the store is back', async () => {
    const faults: Bench['faults'] & {} = { claim: unavailable() }
    const { begun, storeAndRing, stop } = clocked({ faults })
    storeAndRing(emailsOf('a', 5))
    await pass(60_000)
    delete faults.claim
    await pass(10_000)
    assert.equal(begun.length, 3)
    await stop()
  })
})
