import assert from 'node:assert/strict'
import type { QueueBounds, QueueKind } from '@postrider/domain/fairness/admission.ts'
import { Fault } from '@postrider/kit/fault.ts'
import type { QueueCount } from '@postrider/ports/emails.ts'
import { type QueueEntry, queueAdmission, withQueueRoom } from './queueAdmission.ts'

const bounds: QueueBounds = { due: 100, scheduled: 100, test: 100, testBytes: 1_000 }

const bench = (over: Partial<QueueBounds> = {}) => {
  const state = {
    stored: [] as QueueCount[],
    counts: 0,
    ms: 0,
    refused: [] as string[],
    beforeCounted: async (): Promise<void> => {},
  }
  const queue = queueAdmission({
    bounds: { ...bounds, ...over },
    count: async () => {
      state.counts += 1
      const stored = [...state.stored]
      await state.beforeCounted()
      return stored
    },
    elapsed: () => state.ms,
    onRefused: (kind, limit) => void state.refused.push(`${kind} ${limit}`),
  })
  const stored = (workspace: string, kind: QueueKind, emails: number, bytes = emails): void =>
    void state.stored.push({ workspace, lane: 'transactional', kind, emails, bytes })
  const send = async (workspace: string, kind: QueueKind = 'due', bytes = 1): Promise<string> => {
    try {
      const end = await queue.enter({ workspace, kind, bytes })
      stored(workspace, kind, 1, bytes)
      end(true)
      return 'accepted'
    } catch (thrown) {
      assert.ok(thrown instanceof Fault)
      assert.ok((thrown.retryAfterMs ?? 0) >= 1_000)
      assert.equal(thrown.accepted, 'no')
      return thrown.code
    }
  }
  /** Sends until it is refused. @returns how many were accepted */
  const flood = async (workspace: string, kind: QueueKind = 'due', bytes = 1): Promise<number> => {
    for (let accepted = 0; accepted < 10_000; accepted++) {
      if ((await send(workspace, kind, bytes)) !== 'accepted') return accepted
    }
    return assert.fail('nothing was refused')
  }
  return { state, queue, send, flood, stored }
}

describe('bounds on waiting mail', () => {
  const floods: [name: string, kinds: QueueKind[], bytes: number][] = [
    ['due mail', ['due'], 1],
    ['scheduled mail', ['scheduled'], 1],
    ['test mail', ['test'], 1],
    ['large test mail', ['test'], 200],
    ['mail of every kind', ['due', 'scheduled', 'test'], 1],
  ]
  for (const [name, kinds, bytes] of floods) {
    for (const attackers of [1, 5, 40]) {
      it(`${name} of ${attackers} workspaces, as much as is accepted, refuses no other workspace`, async () => {
        const { flood, send } = bench()
        for (let number = 0; number < attackers; number++) {
          for (const kind of kinds) assert.ok((await flood(`bad${number}`, kind, bytes)) >= 1)
        }
        for (const kind of ['due', 'scheduled', 'test'] as const) {
          assert.equal(await send('good', kind), 'accepted')
        }
      })
    }
  }

  it('refuse no mail of another kind of the same workspace', async () => {
    const { flood, send } = bench()
    assert.equal(await flood('a', 'scheduled'), 50)
    assert.equal(await send('a', 'due'), 'accepted')
    assert.equal(await flood('a', 'test'), 50)
    assert.equal(await send('a', 'due'), 'accepted')
  })

  it('refuse with 429 what exceeds a workspace’s share, and with 503 what exceeds the total', async () => {
    const { queue, send, stored, state } = bench()
    stored('a', 'due', 50)
    stored('b', 'due', 49)
    stored('c', 'due', 40)
    await queue.recount()
    assert.equal(await send('a'), 'rate_limited')
    assert.equal(await send('b'), 'unavailable')
    assert.equal(await send('d'), 'accepted')
    assert.deepEqual(state.refused, ['due share', 'due total'])
  })

  it('limit test mail by bytes too', async () => {
    const { queue, send, stored, state } = bench()
    stored('a', 'test', 3, 500)
    await queue.recount()
    assert.equal(await send('a', 'test'), 'rate_limited')
    assert.equal(await send('b', 'test'), 'accepted')
    assert.deepEqual(state.refused, ['test share_bytes'])
  })

  it('count mail of concurrent requests before any of it is stored', async () => {
    const { queue } = bench({ due: 10 })
    const enter = () => queue.enter({ workspace: 'a', kind: 'due', bytes: 1 })
    const results = await Promise.allSettled(Array.from({ length: 20 }, enter))
    assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 5)
  })

  it('count mail again that was not accepted after all', async () => {
    const { queue, flood } = bench({ due: 10 })
    const entry: QueueEntry = { workspace: 'a', kind: 'due', bytes: 1 }
    for (let round = 0; round < 100; round++) (await queue.enter(entry))(false)
    assert.equal(await flood('a'), 5)
  })

  it('refuse only by a young count, because mail leaves between two counts', async () => {
    const { state, send, flood } = bench({ due: 10 })
    assert.equal(await flood('a'), 5)
    assert.equal(state.counts, 1)
    state.stored = []
    assert.equal(await send('a'), 'rate_limited')
    state.ms += 1_000
    assert.equal(await send('a'), 'accepted')
    assert.equal(state.counts, 2)
  })

  it('count the store at most once a second, however many requests are refused', async () => {
    const { state, stored, send } = bench({ due: 10 })
    stored('a', 'due', 5)
    await Promise.all(Array.from({ length: 50 }, () => send('a')))
    assert.equal(state.counts, 1)
    assert.equal(state.refused.length + state.stored.length, 51)
  })

  it('contain mail that entered while the store was counted', async () => {
    const { state, queue, flood } = bench({ due: 10 })
    state.beforeCounted = async () => {
      for (let number = 0; number < 3; number++) await queue.enter({ workspace: 'a', kind: 'due', bytes: 1 })
    }
    await queue.recount()
    assert.equal(await flood('a'), 2)
  })

  it('use at most a twentieth of the store’s time for counts', async () => {
    const { state, queue } = bench()
    state.beforeCounted = async () => {
      state.ms += 1_000
    }
    await queue.recount()
    state.ms = 19_999
    await queue.recount()
    assert.equal(state.counts, 1)
    state.ms = 20_000
    await queue.recount()
    assert.equal(state.counts, 2)
  })

  it('accept mail below the bound while the store cannot be counted', async () => {
    const { state, queue, send } = bench()
    state.beforeCounted = () => Promise.reject(new Fault('unavailable', 'The store does not respond.'))
    await assert.rejects(queue.recount(), { code: 'unavailable' })
    assert.equal(await send('a'), 'accepted')
  })
})

describe('room in the queue', () => {
  const entry = (bytes: number): QueueEntry => ({ workspace: 'ws_1', kind: 'due', bytes })
  const recorder = (isFull: (bytes: number) => boolean = () => false) => {
    const log: string[] = []
    const enter = async ({ bytes }: QueueEntry) => {
      if (isFull(bytes)) throw new Fault('unavailable', 'full')
      log.push(`enter ${bytes}`)
      return (isAccepted: boolean): void => void log.push(`${isAccepted ? 'stay' : 'leave'} ${bytes}`)
    }
    return { log, queue: { enter } }
  }

  it('is used by all mail that was accepted, even if the request fails later', async () => {
    const { log, queue } = recorder()
    const accepting = withQueueRoom(queue, [entry(1), entry(2)], async (onAccepted) => {
      log.push('accept')
      onAccepted()
      throw new Error('no response')
    })
    await assert.rejects(accepting, /no response/)
    assert.deepEqual(log, ['enter 1', 'enter 2', 'accept', 'stay 1', 'stay 2'])
  })

  it('is free again if the mail was not accepted', async () => {
    const { log, queue } = recorder()
    assert.equal(await withQueueRoom(queue, [entry(1)], async () => 'refused'), 'refused')
    assert.deepEqual(log, ['enter 1', 'leave 1'])
  })

  it('is for all mail together or for none', async () => {
    const { log, queue } = recorder((bytes) => bytes === 2)
    const accepting = withQueueRoom(queue, [entry(1), entry(2)], async () => log.push('accept'))
    await assert.rejects(accepting, { code: 'unavailable' })
    assert.deepEqual(log, ['enter 1', 'leave 1'])
  })
})
