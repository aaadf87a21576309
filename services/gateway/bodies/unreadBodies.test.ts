import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import type { Server } from 'node:http'
import { mock } from 'node:test'
import { shortChunks } from './shortChunks.ts'
import { boundUnreadBodies } from './unreadBodies.ts'

/** A request that is answered before its body is complete. */
const answered = () => {
  const server = new EventEmitter()
  boundUnreadBodies(server as Server, shortChunks())
  const state = { ends: 0, resumed: 0 }
  const end = () => {
    state.ends += 1
  }
  const socket = Object.assign(new EventEmitter(), { remoteAddress: '10.0.0.1', destroy: end })
  const resume = () => {
    state.resumed += 1
  }
  const request = Object.assign(new EventEmitter(), { complete: false, socket, read: () => null, resume })
  const response = new EventEmitter()
  server.emit('request', request, response)
  response.emit('prefinish')
  return { state, socket, request }
}

describe('rest of a body after its response', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }))
  afterEach(() => mock.timers.reset())

  it('ends the connection after a time', () => {
    const { state } = answered()
    mock.timers.tick(5_000)
    assert.equal(state.ends, 1)
  })

  // A body that was refused is paused until its response is sent.
  it('is read further', () => assert.equal(answered().state.resumed, 1))

  // Node emits nothing of such a request when its connection is closed, so its timer held the connection for 5 s.
  for (const closed of ['socket', 'request'] as const)
    it(`leaves nothing behind when there is no more of it: close of the ${closed}`, () => {
      const { state, ...emitters } = answered()
      emitters[closed].emit('close')
      mock.timers.tick(5_000)
      assert.deepEqual([state.ends, emitters.socket.listenerCount('close')], [0, 0])
    })
})
