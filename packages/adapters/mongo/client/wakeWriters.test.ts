import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { wakeWriters } from './wakeWriters.ts'

const load = (version: string) => {
  class Connection {
    readonly socket = new EventEmitter()
    error: Error | null = null
    cleanup(error: Error): void {
      this.error = error
    }
  }
  const patch = () => wakeWriters((path) => (path.endsWith('package.json') ? { version } : { Connection }))
  return { Connection, patch }
}

describe('the writers of the MongoDB client', () => {
  it('are woken when their connection ends, and find what ended it', () => {
    const { Connection, patch } = load('7.9.0')
    patch()
    patch()
    const connection = new Connection()
    const ended = new Error('closed')
    const found: (Error | null)[] = []
    connection.socket.on('drain', () => found.push(connection.error))
    connection.cleanup(ended)
    assert.deepEqual(found, [ended])
  })

  it('are not touched in another version, which may differ', () => {
    assert.throws(load('7.9.1').patch, /7\.9\.1/)
  })
})
