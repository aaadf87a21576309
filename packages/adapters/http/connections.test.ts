import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { webhookRules } from '@postrider/domain/webhooks/url.ts'
import type { WebhookResult } from '@postrider/ports/webhookClient.ts'
import { patientWebhookClient } from '../../../test/support/patientWebhookClient.ts'
import { until } from '../../../test/support/until.ts'
import { startRawServer, startWebhookServer } from '../../../test/support/webhookReceiver.ts'
import type { WebhookLimits } from './webhookClient.ts'

const start = (limits: Partial<WebhookLimits> = {}) =>
  patientWebhookClient({ rules: webhookRules({ allow: ['127.0.0.0/8'] }), limits })

const request = (url: string) => ({ url, headers: {}, body: '{}' })

const statusOf = (result: WebhookResult): number | string =>
  result.kind === 'answered' ? result.status : `${result.kind} ${result.reason}`

const okResponse = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'

describe('connections to receivers of webhooks', () => {
  it('an idle connection carries the next request', async () => {
    await using server = await startWebhookServer(() => ({ body: 'a'.repeat(10_000) }))
    const client = start()
    for (let count = 0; count < 5; count++) assert.equal(statusOf(await client.post(request(server.url))), 200)
    assert.deepEqual([server.seen.length, server.connections], [5, 1])
    assert.deepEqual(client.connections(), { idle: 1, used: 0 })
    await client.close()
    assert.deepEqual(client.connections(), { idle: 0, used: 0 })
  })

  it('are one for each concurrent request, and at most the limit of an origin stay idle afterwards', async () => {
    await using server = await startWebhookServer()
    const client = start({ maxIdlePerOrigin: 2 })
    const results = await Promise.all(Array.from({ length: 6 }, () => client.post(request(server.url))))
    assert.deepEqual(results.map(statusOf), Array(6).fill(200))
    assert.deepEqual(client.connections(), { idle: 2, used: 0 })
    await client.close()
  })

  it('are no more than the bound of all origins', async () => {
    await using first = await startWebhookServer()
    await using second = await startWebhookServer()
    await using third = await startWebhookServer()
    const client = start({ maxIdle: 2 })
    for (const server of [first, second, third, second, third]) await client.post(request(server.url))
    assert.deepEqual(client.connections(), { idle: 2, used: 0 })
    // The connection that was idle for the longest time was closed.
    assert.deepEqual([second.connections, third.connections], [1, 1])
    await client.post(request(first.url))
    assert.equal(first.connections, 2)
    await client.close()
  })

  it('are closed after the idle time', async () => {
    await using server = await startWebhookServer()
    const client = start({ idleMs: 20 })
    assert.equal(statusOf(await client.post(request(server.url))), 200)
    await until('the connection is closed', () => client.connections().idle === 0 || undefined)
    await client.close()
  })

  it('are not reused if the receiver closes them', async () => {
    await using server = await startWebhookServer(() => ({ headers: { connection: 'close' } }))
    const client = start()
    for (let count = 0; count < 3; count++) assert.equal(statusOf(await client.post(request(server.url))), 200)
    assert.equal(server.connections, 3)
    await until('the connection is closed', () => client.connections().idle === 0 || undefined)
    await client.close()
  })

  it('are replaced if the receiver closes an idle one while the next request is sent', async () => {
    let connections = 0
    const serve = (socket: Socket): void => {
      connections += 1
      let requests = 0
      const isFirst = connections === 1
      socket.on('data', () => {
        requests += 1
        if (isFirst && requests > 1) socket.destroy()
        else socket.write(okResponse)
      })
    }
    await using server = await startRawServer(serve)
    const client = start()
    const url = `http://127.0.0.1:${server.port}/`
    assert.equal(statusOf(await client.post(request(url))), 200)
    assert.equal(statusOf(await client.post(request(url))), 200)
    assert.equal(connections, 2)
    await client.close()
  })

  it('are opened once per request if the receiver closes each one', async () => {
    await using server = await startRawServer((socket) => socket.once('data', () => socket.destroy()))
    const client = start()
    assert.equal(statusOf(await client.post(request(`http://127.0.0.1:${server.port}/`))), 'failed response')
    assert.equal(server.connections, 1)
    await client.close()
  })

  it('a connection is closed after a timeout and after a refused request', async () => {
    const sockets: Socket[] = []
    await using server = await startRawServer((socket) => void sockets.push(socket.resume()))
    const client = start({ totalMs: 100 })
    const url = `http://127.0.0.1:${server.port}/`
    assert.equal(statusOf(await client.post(request(url))), 'failed timeout')
    const [socket] = sockets
    if (socket && !socket.closed) await once(socket, 'close')
    assert.deepEqual(client.connections(), { idle: 0, used: 0 })
    await client.close()
    const other = start()
    await server[Symbol.asyncDispose]()
    assert.equal(statusOf(await other.post(request(url))), 'failed connect')
    assert.deepEqual(other.connections(), { idle: 0, used: 0 })
    await other.close()
  })

  it('are not opened for header fields that HTTP does not allow', async () => {
    await using server = await startWebhookServer()
    const client = start()
    await assert.rejects(client.post({ ...request(server.url), headers: { 'x-a': 'b\r\nx-c: d' } }))
    assert.deepEqual([server.connections, client.connections()], [0, { idle: 0, used: 0 }])
    await client.close()
  })
})
