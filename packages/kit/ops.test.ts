import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { assertIterationsBelow } from '../../test/support/cost.ts'
import { rawClients } from '../../test/support/rawClients.ts'
import { until } from '../../test/support/until.ts'
import { makeLog } from './log.ts'
import { makeMetrics } from './metrics.ts'
import { serveOps } from './ops.ts'
import { makeReadiness } from './readiness.ts'

describe('server of metrics and probes', () => {
  const statusOf = async (
    url: string,
    path: string,
    host: string,
    agent: Agent | false = false,
  ): Promise<number | undefined> => {
    const sent = request(new URL(path, url), { headers: { Host: host }, agent })
    sent.end()
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    response.resume()
    return response.statusCode
  }

  const serve = (host: string, metrics = makeMetrics()) =>
    serveOps({ host, port: 0, metrics, readiness: makeReadiness(), log: makeLog('test', 'silent') })

  // A web page whose name resolves to this machine could once read the metrics of a service in the browser of a
  // developer.
  it('refuses a Host of another machine while it listens on this machine only', async () => {
    await using ops = await serve('127.0.0.1')
    const { port } = new URL(ops.url)
    for (const path of ['/metrics', '/livez', '/readyz'])
      for (const host of [
        'evil.example',
        `evil.example:${port}`,
        '10.0.0.7',
        'localhost.evil.example',
        '127.evil.example',
      ])
        assert.equal(await statusOf(ops.url, path, host), 403, `${host}${path}`)
    for (const host of ['localhost', `localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`, 'postrider.localhost'])
      assert.equal(await statusOf(ops.url, '/metrics', host), 200, host)
  })

  // A server on the mapped address once accepted every Host, because that was not recognized as this machine.
  it('refuses a Host of another machine while it listens on an IPv4-mapped address of this machine', async () => {
    await using ops = await serve('::ffff:127.0.0.1')
    assert.equal(await statusOf(ops.url, '/metrics', 'evil.example'), 403)
  })

  // These were refused, although a browser reaches this machine under them.
  it('accepts an IPv4-mapped address of this machine as Host', async () => {
    await using ops = await serve('127.0.0.1')
    for (const host of ['[::ffff:127.0.0.1]', '[::ffff:7f00:1]:9464', 'localhost.', 'localhost:'])
      assert.equal(await statusOf(ops.url, '/metrics', host), 200, host)
    assert.equal(await statusOf(ops.url, '/metrics', '[::ffff:a00:7]'), 403)
  })

  it('accepts every Host while it listens on other addresses, as in a pod', async () => {
    await using ops = await serve('0.0.0.0')
    for (const host of ['10.0.0.7:9464', 'postrider-intake.mail.svc'])
      assert.equal(await statusOf(ops.url, '/metrics', host), 200, host)
  })

  // An unauthenticated client in the network could open connections until the process had no file descriptor left.
  it('closes the oldest of many connections, and serves new ones', async () => {
    await using ops = await serve('127.0.0.1')
    const port = Number(new URL(ops.url).port)
    const sockets: Socket[] = []
    for (let count = 0; count < 300; count++) {
      const socket = connect(port, '127.0.0.1')
        .on('error', () => {})
        .resume()
      await once(socket, 'connect')
      sockets.push(socket)
    }
    await until('the oldest are closed', () => sockets.filter(({ closed }) => closed).length === 200 || undefined)
    assert.equal(await statusOf(ops.url, '/livez', 'localhost'), 200)
    for (const socket of sockets) socket.destroy()
  })

  // Each request had a response in memory.
  it('closes a connection that sends a request before the response to the last one', async () => {
    await using ops = await serve('127.0.0.1')
    const socket = connect(Number(new URL(ops.url).port), '127.0.0.1').on('error', () => {})
    let responses = 0
    socket.setEncoding('latin1').on('data', (text: string) => {
      responses += text.split('HTTP/1.1 200').length - 1
    })
    socket.write('GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(1_000))
    await once(socket, 'close')
    assert.ok(responses < 1_000, `${responses} responses`)
    assert.equal(await statusOf(ops.url, '/metrics', 'localhost'), 200)
  })

  // Regression: the parser made the requests of a piece after the connection was closed: 90 connections blocked the
  // process for 2 s.
  for (const [name, header] of [
    ['requests', ''],
    ['requests with an unknown Expect', 'Expect: x\r\n'],
  ] as const)
    it(`is never blocked by pieces of ${name}`, async () => {
      await using ops = await serve('127.0.0.1')
      await using raw = rawClients()
      const text = `GET /metrics HTTP/1.1\r\nHost: localhost\r\n${header}\r\n`.repeat(1_600)
      const clients = { port: Number(new URL(ops.url).port), connections: 90, addresses: 1, text, reads: true }
      await assertIterationsBelow(50, async () => {
        await raw.send({ ...clients, together: true })
        await raw.close()
        assert.equal(await statusOf(ops.url, '/livez', 'localhost'), 200)
      })
    })

  // Each request had metrics of its own: 90 of one iteration blocked the process for as many times the milliseconds
  // that they take.
  it('makes the metrics once for the requests of an event loop iteration', async () => {
    const metrics = makeMetrics()
    let count = 0
    metrics.registry.metrics = async () => `${++count}`
    await using ops = await serve('127.0.0.1', metrics)
    const sockets: Socket[] = []
    const send = () =>
      sockets.map((socket) => {
        socket.write('GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n')
        return once(socket, 'data')
      })
    for (let number = 0; number < 20; number++)
      sockets.push(connect(Number(new URL(ops.url).port), '127.0.0.1').on('error', () => {}))
    await Promise.all(send())
    count = 0
    await Promise.all(send())
    assert.ok(count >= 1 && count <= 3, `${count} times`)
    for (const socket of sockets) socket.destroy()
  })

  it('handles requests of one connection one after another', async () => {
    await using ops = await serve('127.0.0.1')
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    for (let count = 0; count < 5; count++) assert.equal(await statusOf(ops.url, '/metrics', 'localhost', agent), 200)
    agent.destroy()
  })
})
