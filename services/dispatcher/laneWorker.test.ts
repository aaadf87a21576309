import assert from 'node:assert/strict'
import { mock } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
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

/** Ids, of each workspace in turn: as a store claims. */
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
  broken?: { claim?: Error; releaseLeases?: Error; deliver?: Error }
  now?: () => number
}

/** A store over so many emails, a worker over it whose deliveries end when the test says so. */
const bench = ({ due = emailsOf('a', 0), concurrency = 3, broken = {}, now = () => 0 }: Bench = {}) => {
  const waiting = new Map(due.map((email) => [email.id, email]))
  /** When what is in the store is due; what isn't here is at once. */
  const dueAt = new Map<string, number>()
  const releaseLeases: string[] = []
  const held = new Set<string>()
  const claims: Pick<ClaimQuery, 'ids' | 'limit'>[] = []
  const begun: string[] = []
  const open: { email: Email; end: (delivery: Delivery) => void }[] = []
  const listeners: ((due: readonly Due[]) => void)[] = []
  let looks = 0
  const isDue = (id: string): boolean => waiting.has(id) && (dueAt.get(id) ?? 0) <= now()
  const claim = async ({ ids, limit }: ClaimQuery): Promise<ClaimedEmail[]> => {
    claims.push({ limit, ...(ids && { ids }) })
    if (broken.claim) throw broken.claim
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
        looks += 1
        return waiting.size > 0 ? Math.min(...[...waiting.keys()].map((id) => dueAt.get(id) ?? 0)) : null
      },
      releaseLeases: async (all) => {
        if (broken.releaseLeases) throw broken.releaseLeases
        releaseLeases.push(...all.map(({ id }) => id))
      },
    },
    leases: { hold: (id) => held.add(id), drop: (id) => held.delete(id), isHeld: (id) => held.has(id) },
    deliver: async ({ email }) => {
      begun.push(email.id)
      if (broken.deliver) throw broken.deliver
      const { promise, resolve } = Promise.withResolvers<Delivery>()
      open.push({ email, end: resolve })
      return promise
    },
    doorbell: {
      listen: (_, heard) => {
        listeners.push(heard)
        return () => {}
      },
    },
    concurrency,
    now,
    random: () => 0.5,
    log: makeLog('test', 'silent'),
    watch: () => {},
  })
  const ring = (hints: readonly Due[] = []): void => {
    for (const heard of listeners) heard(hints)
  }
  const keep = (emails: readonly Email[]): void => {
    for (const email of emails) waiting.set(email.id, email)
  }
  const rings = (emails: readonly Email[]): void => {
    keep(emails)
    ring(emails.map(dueOf))
  }
  const endAll = (may: (email: Email) => boolean = () => true): void => {
    const ending = open.filter(({ email }) => may(email))
    for (const one of ending) open.splice(open.indexOf(one), 1)
    for (const { email, end } of ending) end({ kind: 'done', email, nextAt: null })
  }
  const stop = async (): Promise<void> => {
    const stopped = worker[Symbol.asyncDispose]()
    endAll()
    await stopped
  }
  return {
    waiting,
    dueAt,
    releaseLeases,
    held,
    claims,
    begun,
    open,
    looks: () => looks,
    worker,
    ring,
    keep,
    rings,
    endAll,
    stop,
  }
}

const unavailable = (): Fault => new Fault('unavailable', 'The store doesn’t answer.')
const turns = async (count: number): Promise<void> => {
  for (let left = count; left > 0; left--) await turn()
}
const countOf = (begun: readonly string[], workspace: string): number =>
  begun.filter((id) => id.startsWith(`em_${workspace}_`)).length

describe('a lane', () => {
  it('works on so many at a time and claims as many ahead', async () => {
    const { open, held, waiting, endAll, stop } = bench({ due: emailsOf('a', 10) })
    await turn()
    assert.equal(open.length, 3)
    assert.equal(held.size, 6)
    assert.equal(waiting.size, 4)
    endAll()
    await turn()
    assert.equal(open.length, 3)
    await stop()
  })

  it('lets go of what it has not begun when it stops, and finishes the rest', async () => {
    const { begun, releaseLeases, stop } = bench({ due: emailsOf('a', 6) })
    await turn()
    await stop()
    assert.deepEqual(releaseLeases, ['em_a_3', 'em_a_4', 'em_a_5'])
    assert.deepEqual(begun, ['em_a_0', 'em_a_1', 'em_a_2'])
  })

  it('scans for what is due at its start and when it rings without an id', async () => {
    const { begun, claims, keep, ring, stop } = bench()
    await turn()
    keep(emailsOf('a', 1))
    ring()
    await turn()
    assert.deepEqual(claims, [{ limit: 6 }, { limit: 6 }])
    assert.deepEqual(begun, ['em_a_0'])
    await stop()
  })

  it('claims what a ring names and nothing else', async () => {
    const { begun, claims, keep, rings, stop } = bench()
    await turn()
    keep(emailsOf('b', 1))
    rings(emailsOf('a', 2))
    await turn()
    assert.deepEqual(claims.slice(1), [{ ids: ['em_a_0', 'em_a_1'], limit: 2 }])
    assert.deepEqual(begun, ['em_a_0', 'em_a_1'])
    await stop()
  })

  it('drains to the last email that is due', async () => {
    const { waiting, worker, endAll, stop } = bench({ due: emailsOf('a', 20) })
    const drained = worker.drain()
    const ending = setInterval(endAll, 1)
    await drained
    clearInterval(ending)
    assert.equal(waiting.size, 0)
    await stop()
  })

  it('waits for what is in work also where it can’t let go of the rest', async () => {
    const { worker, endAll } = bench({
      due: emailsOf('a', 6),
      broken: { releaseLeases: new Error('the disk is full') },
    })
    await turn()
    let stopped = false
    const stopping = worker[Symbol.asyncDispose]().then(() => {
      stopped = true
    })
    await turn()
    assert.equal(stopped, false)
    endAll()
    await stopping
  })

  it('that has stopped has nothing to drain', async () => {
    const { worker, waiting, keep, stop } = bench()
    await stop()
    keep(emailsOf('a', 1))
    await worker.drain()
    assert.equal(waiting.size, 1)
  })

  it('lets go of what it claimed ahead and held no more when its turn came', async () => {
    const { begun, held, releaseLeases, endAll, stop } = bench({ due: emailsOf('a', 6) })
    await turn()
    held.clear()
    endAll()
    await turns(3)
    assert.deepEqual(begun, ['em_a_0', 'em_a_1', 'em_a_2'])
    assert.deepEqual(releaseLeases, ['em_a_3', 'em_a_4', 'em_a_5'])
    await stop()
  })
})

describe('a lane of several workspaces', () => {
  const concurrency = 16

  it('serves ten of one at once, whatever another has rung for before', async () => {
    const { begun, rings, endAll, stop } = bench({ concurrency })
    rings(emailsOf('a', 5_000))
    await turns(3)
    const before = begun.length
    rings(emailsOf('b', 10))
    for (let round = 0; countOf(begun, 'b') < 10 && round < 100; round++) {
      endAll()
      await turn()
    }
    assert.equal(countOf(begun, 'b'), 10)
    assert.ok(begun.length - before <= 3 * concurrency, `${begun.length - before} were begun meanwhile`)
    await stop()
  })

  it('serves one whose rings were heard also while all that another has in work is stuck', async () => {
    const { begun, rings, endAll, stop } = bench({ concurrency })
    rings(emailsOf('a', 5_000))
    await turns(3)
    rings(emailsOf('b', 100))
    for (let round = 0; round < 200; round++) {
      endAll(({ workspace }) => workspace === 'b')
      await turn()
    }
    assert.equal(countOf(begun, 'b'), 100)
    assert.ok(countOf(begun, 'a') <= concurrency)
    await stop()
  })

  it('gives one that is alone as many places as it may have, and keeps some for others', async () => {
    const { open, rings, stop } = bench({ concurrency: 64 })
    rings(emailsOf('a', 5_000))
    await turns(3)
    assert.equal(open.length, 64)
    rings(emailsOf('b', 5_000))
    await turns(3)
    assert.equal(open.length, 72)
    await stop()
  })

  it('scans beside the hints: neither waits for the other to end', async () => {
    const { begun, rings, keep, ring, endAll, stop } = bench({ concurrency })
    rings(emailsOf('a', 5_000))
    await turns(3)
    keep(emailsOf('b', 500))
    ring()
    for (let round = 0; countOf(begun, 'b') < 500 && round < 500; round++) {
      endAll()
      await turn()
    }
    assert.equal(countOf(begun, 'b'), 500)
    const meanwhile = countOf(begun, 'a')
    assert.ok(meanwhile > 250 && meanwhile < 2_000, `${meanwhile} hints were served meanwhile`)
    await stop()
  })

  it('scans for what it had no room to remember', async () => {
    const { begun, claims, rings, endAll, stop } = bench({ concurrency: 1_000 })
    await turn()
    rings(emailsOf('a', 25_000))
    for (let round = 0; begun.length < 25_000 && round < 500; round++) {
      endAll()
      await turn()
    }
    assert.equal(new Set(begun).size, 25_000)
    assert.ok(claims.slice(1).some(({ ids }) => ids === undefined))
    await stop()
  })
})

describe('a lane whose store can’t be asked', () => {
  it('tells who drains it what keeps it from claiming, and doesn’t try for ever', async () => {
    const { worker, stop } = bench({ due: emailsOf('a', 1), broken: { claim: new Error('the disk is full') } })
    await assert.rejects(worker.drain(), /disk is full/)
    await stop()
  })

  it('lets go of what it can’t begin, and tells who drains it', async () => {
    const { worker, releaseLeases, held, stop } = bench({ due: emailsOf('a', 2), broken: { deliver: unavailable() } })
    await assert.rejects(worker.drain(), /doesn’t answer/)
    assert.deepEqual(releaseLeases, ['em_a_0', 'em_a_1'])
    assert.equal(held.size, 0)
    await stop()
  })

  it('keeps the lease of an email that breaks it: that counts', async () => {
    const { releaseLeases, held, stop } = bench({ due: emailsOf('a', 1), broken: { deliver: new Error('a bug') } })
    await turns(2)
    assert.deepEqual(releaseLeases, [])
    assert.equal(held.size, 0)
    await stop()
  })
})

describe('a lane in time', () => {
  afterEach(() => mock.timers.reset())

  const pass = async (ms: number): Promise<void> => {
    for (let left = ms; left > 0; left -= 50) {
      mock.timers.tick(50)
      await turns(2)
    }
  }
  const clocked = (given: Bench = {}) => {
    mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 0 })
    return bench({ now: Date.now, ...given })
  }

  it('sends scheduled mail within a second of its time, also where another worker was told of it', async () => {
    const { begun, dueAt, keep, stop } = clocked()
    await pass(1_000)
    dueAt.set('em_a_0', 10_000)
    keep(emailsOf('a', 1))
    await pass(8_950)
    assert.deepEqual(begun, [])
    await pass(1_000)
    assert.deepEqual(begun, ['em_a_0'])
    await stop()
  })

  it('sends what it was told of too early within a second of its time', async () => {
    const { begun, claims, dueAt, rings, stop } = clocked()
    await pass(3_000)
    const before = claims.length
    dueAt.set('em_a_0', 3_500)
    rings(emailsOf('a', 1))
    await pass(450)
    assert.deepEqual(begun, [])
    assert.equal(claims.length, before + 1, 'one look')
    await pass(900)
    assert.deepEqual(begun, ['em_a_0'])
    await stop()
  })

  it('finds mail whose ring was lost within five seconds', async () => {
    const { begun, keep, stop } = clocked()
    await pass(1_000)
    keep(emailsOf('a', 1))
    await pass(5_000)
    assert.deepEqual(begun, ['em_a_0'])
    await stop()
  })

  it('asks for the next due time every few seconds, and not for each email that it was told of', async () => {
    const { looks, begun, rings, endAll, stop } = clocked()
    await pass(1_000)
    const before = looks()
    for (const [number] of emailsOf('a', 200).entries()) {
      rings([anEmail({ id: `em_a_${number}`, workspace: 'a' })])
      await pass(50)
      endAll()
    }
    assert.equal(begun.length, 200)
    assert.ok(looks() - before <= 4, `${looks() - before} looks in 10 s`)
    await stop()
  })

  it('rests when a claim broke, longer each time, whatever rings', async () => {
    const { claims, ring, stop } = clocked({ broken: { claim: unavailable() } })
    for (let at = 0; at < 30_000; at += 50) {
      ring()
      await pass(50)
    }
    assert.ok(claims.length >= 8 && claims.length <= 14, `${claims.length} claims in 30 s`)
    await stop()
  })

  it('goes on within ten seconds when the store is back', async () => {
    const broken: Bench['broken'] & {} = { claim: unavailable() }
    const { begun, rings, stop } = clocked({ broken })
    rings(emailsOf('a', 5))
    await pass(60_000)
    delete broken.claim
    await pass(10_000)
    assert.equal(begun.length, 3)
    await stop()
  })
})
