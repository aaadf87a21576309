import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { readTurns } from './readTurns.ts'

const connection = (client: string, unanswered = 0) => {
  const state = { isPaused: false, resumedIn: null as number | null, destroyed: false }
  const socket = {
    get destroyed() {
      return state.destroyed
    },
    isPaused: () => state.isPaused,
    pause: () => {
      state.isPaused = true
      return socket as never
    },
    resume: () => {
      state.isPaused = false
      state.resumedIn = iteration.number
      return socket as never
    },
  }
  const requests = new Set(Array.from({ length: unanswered }, () => ({}) as ServerResponse))
  return { client, unanswered: requests, socket, state }
}

const iteration = { number: 0 }
const next = async (): Promise<void> => {
  await new Promise((resolve) => void setImmediate(resolve))
  iteration.number++
}

describe('turns of reading', () => {
  const clock = { ms: 0 }
  const elapsed = () => clock.ms

  it('pause no connection while an iteration has few requests, or they take little time', async () => {
    const connections = [connection('a'), connection('b')]
    const { noteRequest: note } = readTurns({ all: () => connections, elapsed })
    for (let round = 0; round < 50; round++) {
      for (let n = 0; n < 40; n++) note()
      clock.ms += round % 2 === 0 ? 100 : 12
      for (let n = 0; n < (round % 2 === 0 ? 24 : 100); n++) note()
      assert.ok(connections.every(({ state }) => !state.isPaused))
      await next()
    }
  })

  it('pause the idle connections when they take much, and resume them in later iterations, those of each client in turn', async () => {
    iteration.number = 0
    const flood = Array.from({ length: 150 }, () => connection('a'))
    const [busy, paused, other] = [connection('c', 1), connection('d'), connection('b')]
    paused.socket.pause()
    const { noteRequest: note } = readTurns({ all: () => [...flood, busy, paused, other], elapsed })
    for (let n = 0; n < 64; n++) note()
    clock.ms += 17
    assert.equal(other.state.isPaused, false)
    note()
    assert.deepEqual(
      [flood.every(({ state }) => state.isPaused), busy.state.isPaused, other.state.isPaused],
      [true, false, true],
    )
    for (const { state } of flood.slice(0, 10)) state.destroyed = true
    for (let round = 0; round < 4; round++) await next()
    assert.deepEqual([paused.state.resumedIn, other.state.resumedIn], [null, 0])
    const counts = [0, 1, 2].map((n) => flood.filter(({ state }) => state.resumedIn === n).length)
    assert.deepEqual(counts, [63, 64, 13])
  })

  it('report that a connection may be unread until what it has sent could be read', async () => {
    const [one, busy] = [connection('a'), connection('b', 1)]
    const { noteRequest, mayBeUnread } = readTurns({ all: () => [one, busy], elapsed })
    const both = () => [one, busy].map(({ socket }) => mayBeUnread(socket))
    assert.deepEqual(both(), [false, false])
    for (let n = 0; n < 64; n++) noteRequest()
    clock.ms += 17
    noteRequest()
    clock.ms += 60_000
    assert.deepEqual(both(), [true, false])
    await next()
    assert.deepEqual([one.state.isPaused, ...both()], [false, true, false])
    clock.ms += 1_000
    assert.deepEqual(both(), [false, false])
  })
})
