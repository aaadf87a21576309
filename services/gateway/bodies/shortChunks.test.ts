import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import type { Server } from 'node:http'
import { shortChunks } from './shortChunks.ts'

const address = '10.0.0.1'

/** A server whose new connections from one address take turns. */
const open = () => {
  const turns: (() => void)[] = []
  const chunks = shortChunks({ elapsed: () => 0, after: (_, fire) => turns.push(fire) })
  chunks.count(address, 10_000)
  const server = new EventEmitter()
  chunks.guard(server as Server, () => false)
  const read: number[] = []
  const connect = (number: number) => {
    const resume = () => read.push(number)
    const socket = Object.assign(new EventEmitter(), { remoteAddress: address, pause: () => {}, resume })
    server.emit('connection', socket)
    return socket
  }
  return { turns, read, connect }
}

describe('new connections of an address that sent many short chunks', () => {
  // Regression: each that ended before its turn left a timer, and each timer read one.
  it('are read one by one, however many end before their turn', () => {
    const { turns, read, connect } = open()
    for (let number = 0; number < 5; number++) connect(number).emit('close')
    for (let number = 5; number < 8; number++) connect(number)
    assert.equal(turns.length, 1)
    for (let turn = 1; turn <= 3; turn++) {
      turns.shift()?.()
      assert.equal(read.length, turn)
    }
    assert.deepEqual([read, turns.length], [[5, 6, 7], 0])
  })

  it('keep no listener after their turn', () => {
    const { turns, connect } = open()
    const socket = connect(1)
    assert.equal(socket.listenerCount('close'), 1)
    turns.shift()?.()
    assert.equal(socket.listenerCount('close'), 0)
  })
})
