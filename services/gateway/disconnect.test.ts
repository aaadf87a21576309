import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { until } from '../../test/support/until.ts'
import { aKey, testGateway } from './testGateway.ts'

// Regression: a list whose filter matches nothing was read to its end for a client that had disconnected.
describe('list of emails', () => {
  it('stops when the client disconnects', async () => {
    const seen: { signal: AbortSignal | undefined } = { signal: undefined }
    await using gateway = await testGateway({
      intake: {
        ListEmails: (_request, signal) => {
          seen.signal = signal
          return new Promise((resolve) => {
            signal?.addEventListener('abort', () => resolve({ records_json: [], last_id: '', has_more: false }))
          })
        },
      },
    })
    const socket = connect(gateway.port, '127.0.0.1')
    socket.write(`GET /api/v1/emails?subject=none HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${aKey()}\r\n\r\n`)
    const signal = await until('the list is read', () => seen.signal)
    assert.equal(signal.aborted, false)
    socket.destroy()
    await until('the signal is aborted', () => (signal.aborted ? true : undefined))
  })
})

describe('search of captured mail', () => {
  it('stops when the client disconnects', async () => {
    const seen: { signal: AbortSignal | undefined } = { signal: undefined }
    await using gateway = await testGateway({
      config: { publicUrl: 'http://localhost:8080', publicUrlIsSet: false },
      intake: {
        ListCaptured: (_request, signal) => {
          seen.signal = signal
          return new Promise((resolve) => signal?.addEventListener('abort', () => resolve({ captured: [] })))
        },
      },
    })
    const socket = connect(gateway.port, '127.0.0.1')
    socket.write('GET /mailbox?q=none HTTP/1.1\r\nHost: localhost\r\nAccept: application/json\r\n\r\n')
    const signal = await until('the mail is searched', () => seen.signal)
    assert.equal(signal.aborted, false)
    socket.destroy()
    await until('the signal is aborted', () => (signal.aborted ? true : undefined))
  })
})
