import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { until } from '../../../test/support/until.ts'
import { aCaller, aKey, testGateway } from '../testGateway.ts'

// Regression: a list whose filter matches nothing was read to its end for a client that had disconnected.
describe('list of emails', () => {
  it('stops when the client disconnects', async () => {
    const seen: { signal: AbortSignal | undefined } = { signal: undefined }
    await using gateway = await testGateway({
      intake: {
        ListEmails: (_request, signal) => {
          seen.signal = signal
          return new Promise((resolve) => {
            signal?.addEventListener('abort', () => resolve({ recordsJson: [], lastId: null, hasMore: false }))
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

// Its request stayed in progress until the process ended.
describe('request with a body', () => {
  for (const path of ['/api/v1/emails', '/api/v1/emails/batch', '/api/v1/templates'])
    for (const body of ['{', '{}'])
      it(`ends when the client disconnects during its authentication: ${path}, ${body}`, async () => {
        const seen = { isCalled: false, mayRespond: Promise.withResolvers<void>() }
        await using gateway = await testGateway({
          accounts: {
            AuthenticateKey: async () => {
              seen.isCalled = true
              await seen.mayRespond.promise
              return aCaller()
            },
          },
        })
        const socket = connect(gateway.port, '127.0.0.1')
        const headers = `Host: x\r\nAuthorization: Bearer ${aKey()}\r\nContent-Type: application/json`
        socket.write(`POST ${path} HTTP/1.1\r\n${headers}\r\nContent-Length: 2\r\n\r\n${body}`)
        await until('the key is looked up', () => seen.isCalled || undefined)
        socket.destroy()
        const none = /postrider_http_connections 0\n/
        await until('it has disconnected', async () => none.test(await gateway.metricsText()) || undefined)
        seen.mayRespond.resolve()
        const ended = await until('it ends', () => gateway.lines.find(({ message }) => message === 'request'))
        assert.equal(ended['code'], 'malformed_request')
      })
})
