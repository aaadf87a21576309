import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { stall } from '../../test/support/stall.ts'
import { until } from '../../test/support/until.ts'
import { idleConnections } from './drain.ts'
import { closeServer, listen } from './listen.ts'

const requestText = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'

type Ended = { text: string; bytes: number; error: string | null }

/** Opens a connection and collects what arrives until it ends. */
const client = (port: number, text: string | null) => {
  const socket: Socket = connect({ port, host: '127.0.0.1' })
  const state: Ended = { text: '', bytes: 0, error: null }
  const { promise: ended, resolve } = Promise.withResolvers<Ended>()
  socket.on('data', (chunk) => {
    state.bytes += chunk.length
    if (state.bytes < 10_000) state.text += chunk
  })
  socket.on('error', (error: NodeJS.ErrnoException) => {
    state.error = error.code ?? error.message
  })
  socket.on('close', () => resolve(state))
  if (text !== null) socket.write(text)
  const connected = new Promise<void>((done) => {
    socket.once('connect', () => done())
    socket.once('close', () => done())
  })
  return { socket, state, ended, connected }
}

const serve = async (server: Server) => {
  let isDraining = false
  server.prependListener('request', (_, response) => {
    if (isDraining) response.setHeader('Connection', 'close')
  })
  const listening = await listen(server, { host: '127.0.0.1', port: 0, variable: 'PORT' })
  const close = () =>
    closeServer(server, listening, () => {
      isDraining = true
    })
  return { port: listening.port, close }
}

describe('stop of an HTTP server', () => {
  // The connections waited in the queue of the listening socket, and closing it reset them.
  it('responds on the connections that arrived while the process was busy', async () => {
    const { port, close } = await serve(createServer((_, response) => response.end('ok')))
    const closing = close()
    // The pause of the stop ends during this pause, while the kernel completes the connections.
    const clients = Array.from({ length: 100 }, () => client(port, requestText))
    stall(700)
    const ended = await Promise.all(clients.map((one) => one.ended))
    assert.deepEqual(
      ended.filter(({ text, error }) => error !== null || !text.startsWith('HTTP/1.1 200')),
      [],
    )
    await closing
  })

  // Node counts a connection as idle although its next request has arrived.
  it('responds to a request that arrived on an idle connection while the process was busy', async () => {
    const { port, close } = await serve(createServer((_, response) => response.end('ok')))
    const clients = Array.from({ length: 50 }, () => client(port, requestText))
    await until('each has a response', () => clients.every(({ state }) => state.text !== '') || undefined)
    for (const { state } of clients) state.text = ''
    const closing = close()
    for (const { socket } of clients) socket.write(requestText)
    stall(700)
    const ended = await Promise.all(clients.map((one) => one.ended))
    assert.deepEqual(
      ended.filter(({ text, error }) => error !== null || !text.startsWith('HTTP/1.1 200')),
      [],
    )
    await closing
  })

  // Node destroyed it: the response was complete, and only a part of it was sent.
  it('sends the rest of a long response to a client that reads late', async () => {
    const size = 30_000_000
    const { port, close } = await serve(createServer((_, response) => response.end(Buffer.alloc(size))))
    const reader = client(port, requestText)
    await reader.connected
    await once(reader.socket, 'data')
    reader.socket.pause()
    let isClosed = false
    const closing = close().then(() => {
      isClosed = true
    })
    await until('the server refuses connections', async () => {
      const probe = client(port, null)
      await probe.connected
      probe.socket.destroy()
      return (await probe.ended).error === 'ECONNREFUSED' ? true : undefined
    })
    assert.equal(isClosed, false)
    reader.socket.resume()
    const { bytes, error } = await reader.ended
    assert.deepEqual([bytes > size, error], [true, null])
    await closing
  })

  it('responds to a request on a connection that was opened before the server stopped listening', async () => {
    const { port, close } = await serve(createServer((_, response) => response.end('ok')))
    const early = client(port, null)
    await early.connected
    const closing = close()
    await until('the server refuses connections', async () => {
      const probe = client(port, null)
      await probe.connected
      probe.socket.destroy()
      return (await probe.ended).error === 'ECONNREFUSED' ? true : undefined
    })
    early.socket.write(requestText)
    const { text, error } = await early.ended
    assert.deepEqual([text.startsWith('HTTP/1.1 200'), error], [true, null])
    await closing
  })
})

describe('idle connections', () => {
  const idleCases: [name: string, texts: string[], isClosed: boolean][] = [
    ['a connection with a finished response', [requestText], true],
    ['a connection without a request', [], false],
    ['a connection with a part of its second request', [requestText, 'GET / HT'], false],
  ]
  for (const [name, texts, isClosed] of idleCases)
    it(`${isClosed ? 'include' : 'do not include'} ${name}`, async () => {
      const server = createServer((_, response) => response.end('ok'))
      const closeIdle = idleConnections(server)
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
      const { port } = server.address() as AddressInfo
      const one = client(port, null)
      await one.connected
      for (const text of texts) {
        const before = one.state.bytes
        one.socket.write(text)
        if (text === requestText) await until('it has a response', () => one.state.bytes > before || undefined)
      }
      const probe = client(port, requestText)
      await until('the server responds to another one', () => probe.state.bytes > 0 || undefined)
      probe.socket.destroy()
      closeIdle()
      if (isClosed) await one.ended
      else {
        const other = client(port, requestText)
        await until('the server responds to another one', () => other.state.bytes > 0 || undefined)
        other.socket.destroy()
        assert.equal(one.socket.closed, false)
      }
      one.socket.destroy()
      server.closeAllConnections()
      server.close()
    })
})
