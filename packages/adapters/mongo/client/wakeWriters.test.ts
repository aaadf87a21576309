import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { wakeWriters } from './wakeWriters.ts'

const driver = () => {
  class Connection {
    readonly socket: EventEmitter
    error: Error | null = null
    constructor() {
      this.socket = new EventEmitter()
    }
    cleanup(error: Error): void {
      this.error = error
    }
  }
  return { Connection }
}

describe('patch of the MongoDB driver', () => {
  it('wakes a blocked write when its connection closes, with the error that closed it', () => {
    const { Connection } = driver()
    const load = () => ({ Connection })
    assert.equal(wakeWriters(load), null)
    assert.equal(wakeWriters(load), null)
    const connection = new Connection()
    const closed = new Error('closed')
    const found: (Error | null)[] = []
    connection.socket.on('drain', () => found.push(connection.error))
    connection.cleanup(closed)
    assert.deepEqual(found, [closed], 'once, although the class was patched twice')
  })

  it('fits the installed driver', () => assert.equal(wakeWriters(), null))

  const others: [what: string, load: () => unknown, reason: RegExp][] = [
    ['whose file has moved', () => assert.fail('Cannot find module'), /cannot be loaded/],
    ['without the class', () => ({}), /no class/],
    ['without the method', () => ({ Connection: class {} }), /no method cleanup/],
    [
      'without a socket',
      () => ({
        Connection: class Connection {
          cleanup() {}
        },
      }),
      /no member socket/,
    ],
  ]
  for (const [what, load, reason] of others) {
    it(`leaves a driver ${what} unpatched and returns the reason`, () => assert.match(wakeWriters(load) ?? '', reason))
  }

  it('was checked against the pinned version', () => {
    const checkedVersion = '7.9.0'
    const manifest = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'))
    assert.equal(
      manifest.dependencies.mongodb,
      checkedVersion,
      'The pinned version of mongodb changed. Check in mongodb/lib/cmap/connection.js that a write still waits for ' +
        '`drain` alone and that `cleanup` destroys the socket and sets `error`. If the driver now wakes such writes ' +
        'itself, remove wakeWriters.ts; otherwise run test/faults/storeStuck.test.ts. Then set `checkedVersion`.',
    )
  })
})
