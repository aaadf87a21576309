import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { mock } from 'node:test'
import { makeMetrics } from '@postrider/kit/metrics.ts'
import { makeSlices } from '@postrider/kit/slices.ts'
import { closed } from '../../../test/support/closed.ts'
import { sendRepeatedly } from '../../../test/support/sendRepeatedly.ts'
import { until } from '../../../test/support/until.ts'
import { noteCaller } from '../bodies/bodyArrival.ts'
import { shortChunks } from '../bodies/shortChunks.ts'
import { defaultGatewayLimits } from '../config.ts'
import type { Context } from '../deps.ts'
import { gatewayMetrics } from '../metrics.ts'
import { boundedServer } from '../serve.ts'
import { aKey, type Fakes, type TestGateway, testGateway } from '../testGateway.ts'
import { checksUntilStalled } from './stalledWatch.ts'

/** The parser of the installed version can be stopped. */
const noLog = { warn: (fields: object) => assert.fail(JSON.stringify(fields)) }

describe('connections of HTTP clients', () => {
  const limited = (connections: Partial<typeof defaultGatewayLimits.connections>): NonNullable<Fakes['config']> => ({
    limits: { ...defaultGatewayLimits, connections: { ...defaultGatewayLimits.connections, ...connections } },
  })

  const open = (connections: Partial<typeof defaultGatewayLimits.connections>, more: Fakes['config'] = {}) =>
    testGateway({ config: { ...limited(connections), ...more } })

  /** Opens a connection and sends a request. @returns the socket if a response came, null if it was closed */
  const client = async ({ port }: Pick<TestGateway, 'port'>, localAddress = '127.0.0.1'): Promise<Socket | null> => {
    const socket = connect({ port, host: '127.0.0.1', localAddress })
    const { promise, resolve } = Promise.withResolvers<Socket | null>()
    socket.on('error', () => {})
    socket.once('data', () => resolve(socket))
    socket.once('close', () => resolve(null))
    socket.write('GET /livez HTTP/1.1\r\nHost: x\r\n\r\n')
    return promise
  }

  const isServed = async (gateway: TestGateway, address?: string): Promise<boolean> => {
    const socket = await client(gateway, address)
    socket?.destroy()
    return socket !== null
  }

  /** Intake whose responses wait for the test, and clients that wait for them. */
  const waiting = () => {
    const { promise, resolve } = Promise.withResolvers<{ record_json: string }>()
    let count = 0
    const intake: NonNullable<Fakes['intake']> = {
      GetEmail: () => {
        count++
        return promise
      },
    }
    /** Opens connections whose requests are in progress. */
    const open = async ({ port }: TestGateway, addresses: readonly string[]): Promise<Socket[]> => {
      const before = count
      const sockets = addresses.map((localAddress) => {
        const socket = connect({ port, host: '127.0.0.1', localAddress }).on('error', () => {})
        socket.write(`GET /api/v1/emails/em_1 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${aKey()}\r\n\r\n`)
        return socket
      })
      await until('the requests are in progress', () => (count === before + addresses.length ? true : undefined))
      return sockets
    }
    return { intake, open, respond: () => resolve({ record_json: '{}' }) }
  }

  it('are limited in total while all have requests, and existing connections continue', async () => {
    const { intake, open: openWaiting, respond } = waiting()
    await using gateway = await testGateway({ intake, config: limited({ max: 3 }) })
    const sockets = await openWaiting(gateway, ['127.0.0.1', '127.0.0.2', '127.0.0.1'])
    for (let i = 0; i < 5; i++) assert.equal(await client(gateway, `127.0.0.${i + 3}`), null)
    assert.match(await gateway.metricsText(), /closed_total\{reason="total"\} 5/)
    const responses = sockets.map((socket) => once(socket, 'data'))
    respond()
    for (const [text] of await Promise.all(responses)) assert.match(String(text), /^HTTP\/1\.1 200 /)
    assert.ok(await isServed(gateway), 'an idle connection was closed')
    for (const socket of sockets) socket.destroy()
    await until('all are closed', async () =>
      /postrider_http_connections 0/.test(await gateway.metricsText()) ? true : undefined,
    )
  })

  const openOf = (sockets: readonly (Socket | null)[]): number =>
    sockets.filter((socket) => socket !== null && !socket.destroyed).length

  // Regression: 10 addresses with 1,000 idle connections each kept all others out.
  it('are replaced when they are idle, the oldest of the address that has the most', async () => {
    await using gateway = await open({ max: 8, maxPerAddress: 3 })
    const of = (address: number) => client(gateway, `127.0.0.${address}`)
    const first = [await of(2), await of(2), await of(2)]
    const others = [await of(3), await of(3), await of(4), await of(4), await of(5)]
    const newcomer = await of(9)
    await until('the oldest is closed', () => (first[0]?.destroyed ? true : undefined))
    assert.deepEqual([openOf(first), openOf(others), openOf([newcomer])], [2, 5, 1])
    const more = []
    for (let n = 0; n < 20; n++) more.push(await of(2 + (n % 4)))
    assert.ok(more.every((socket) => socket !== null))
    assert.equal(openOf([newcomer]), 1, 'an address with one connection loses none to those with several')
    assert.match(await gateway.metricsText(), /closed_total\{reason="replaced"\} 21/)
    assert.match(await gateway.metricsText(), /postrider_http_connections 8\n/)
    for (const socket of [...first, ...others, ...more, newcomer]) socket?.destroy()
  })

  it('are closed for new ones even before their first request, after others that became idle earlier', async () => {
    await using gateway = await open({ max: 3 })
    const silent = connect({ port: gateway.port, host: '127.0.0.1' }).on('error', () => {})
    await once(silent, 'connect')
    const [second, third] = [await client(gateway), await client(gateway)]
    const newest = await client(gateway)
    await until('the silent one is closed', () => (silent.destroyed ? true : undefined))
    second?.write('GET /livez HTTP/1.1\r\nHost: x\r\n\r\n')
    await once(second ?? assert.fail(), 'data')
    const last = await client(gateway)
    await until('the third is closed', () => (third?.destroyed ? true : undefined))
    assert.equal(openOf([second, newest, last]), 3)
    for (const socket of [second, newest, last]) socket?.destroy()
  })

  it('are never closed for new ones while they have a request', async () => {
    const { intake, open: openWaiting, respond } = waiting()
    await using gateway = await testGateway({ intake, config: limited({ max: 3 }) })
    const busy = await openWaiting(gateway, ['127.0.0.2', '127.0.0.2'])
    for (let n = 0; n < 5; n++) assert.ok(await client(gateway, '127.0.0.3'))
    const responses = busy.map((socket) => once(socket, 'data'))
    respond()
    for (const [text] of await Promise.all(responses)) assert.match(String(text), /^HTTP\/1\.1 200 /)
    for (const socket of busy) socket.destroy()
  })

  const logIn = 'POST /api/v1/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n'
  const unfinished: [name: string, text: string][] = [
    ['a header', 'GET /livez HTTP/1.1\r\nHost: x\r\nX-A: '],
    ['a line', 'GET /liv'],
    ['a body without a key', `${logIn}Content-Length: 9\r\n\r\n{`],
    ['a chunked body', `${logIn}Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n`],
  ]
  // Regression: 10 addresses with 1,000 requests each whose bodies never ended kept all others out.
  for (const [name, text] of unfinished)
    it(`are replaced while their request is not complete, the oldest of the address that has the most: ${name}`, async () => {
      let sockets = 0
      await using gateway = await open({ max: 6, maxPerAddress: 3 })
      const part = async (address: number): Promise<Socket> => {
        const localAddress = `127.0.0.${address}`
        const socket = connect({ port: gateway.port, host: '127.0.0.1', localAddress }).on('error', () => {})
        socket.write(text)
        sockets++
        const opened = new RegExp(`postrider_http_connections ${sockets}\n`)
        await until('it is open', async () => opened.test(await gateway.metricsText()) || undefined)
        return socket
      }
      const most = [await part(2), await part(2), await part(2)]
      const others = [await part(3), await part(3), await part(4)]
      const newcomer = await client(gateway, '127.0.0.9')
      await until('the oldest is closed', () => (most[0]?.destroyed ? true : undefined))
      assert.deepEqual([openOf(most), openOf(others), openOf([newcomer])], [2, 3, 1])
      for (const socket of [...most, ...others, newcomer]) socket?.destroy()
    })

  /** Reads a body as those of most routes are read. */
  const onParts = (request: IncomingMessage, onPart: (part: Buffer) => void): void => void request.on('data', onPart)

  /** Reads a body as a batch is read. */
  const iterate = async (request: IncomingMessage, onPart: (part: Buffer) => void): Promise<void> => {
    for await (const part of request.iterator({ destroyOnReturn: false })) onPart(part)
  }

  /** Opens a server with room for two connections, whose requests have a caller if they have a key. */
  const withTwoSlots = async (readBody: typeof onParts | typeof iterate = onParts) => {
    const timers = mock.timers
    timers.enable({ apis: ['setInterval'] })
    const arrived: number[] = []
    const limits = { ...defaultGatewayLimits.connections, max: 2, stalledMs: 6 * 1_000 }
    const server = boundedServer(
      (request, response) => {
        if (request.headers.authorization !== undefined) void noteCaller({ res: response } as Context, async () => {})
        const index = arrived.push(0) - 1
        readBody(request, ({ length }) => {
          arrived[index] = (arrived[index] ?? 0) + length
        })?.catch(() => {})
        // Requests with a body stay in progress.
        request.on('end', () => request.method === 'GET' && response.end('x'))
      },
      {
        limits,
        trustedProxies: [],
        metrics: makeMetrics(gatewayMetrics),
        log: noLog,
        slices: makeSlices(),
        chunks: shortChunks(),
      },
    ).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    return {
      port,
      /** Opens a connection that sends the header of a request with a body. */
      part: async (header: string): Promise<Socket> => {
        const before = arrived.length
        const socket = connect(port, '127.0.0.1').on('error', () => {})
        socket.write(`POST / HTTP/1.1\r\nHost: x\r\n${header}Content-Length: 200000\r\n\r\n`)
        await until('its request has begun', () => (arrived.length > before ? true : undefined))
        return socket
      },
      /** Sends a part of a body. @param index of the request */
      send: async (socket: Socket, index: number, bytes: number): Promise<void> => {
        const wanted = (arrived[index] ?? 0) + bytes
        socket.write('x'.repeat(bytes))
        await until('it has arrived', () => arrived[index] === wanted || undefined)
      },
      /** Lets a second pass, after which the connections are checked. */
      second: () => timers.tick(1_000),
      [Symbol.dispose]: () => {
        timers.reset()
        server.closeAllConnections()
        server.close()
      },
    }
  }

  for (const [name, readBody] of [
    ['a body', onParts],
    // Node calls a body paused that is read part by part, so a batch of one byte per second kept its place.
    ['a batch', iterate],
  ] as const)
    it(`are not replaced while ${name} with a key arrives at the minimum rate`, async () => {
      using server = await withTwoSlots(readBody)
      const key = 'Authorization: Bearer x\r\n'
      const [fast, slow] = [await server.part(key), await server.part(key)]
      assert.equal(await client(server), null, 'their bodies have just begun')
      server.second()
      for (let round = 0; round < 3; round++) {
        await server.send(fast, 0, 16 * 1_024)
        await server.send(slow, 1, 16 * 1_024 - 1)
        server.second()
      }
      const newcomer = await client(server)
      assert.deepEqual([openOf([fast, newcomer]), slow.destroyed], [2, true])
    })

  it('are not replaced when a slow body with a key is fast again, or complete', async () => {
    using server = await withTwoSlots()
    const key = 'Authorization: Bearer x\r\n'
    const [one, other] = [await server.part(key), await server.part(key)]
    server.second()
    server.second()
    await server.send(one, 0, 20_000)
    await server.send(other, 1, 200_000)
    for (let round = 0; round < 3; round++) {
      server.second()
      assert.equal(await client(server), null)
      await server.send(one, 0, 20_000)
    }
    assert.equal(openOf([one, other]), 2)
  })

  const clientsThatDoNothing: [name: string, act: (socket: Socket) => void][] = [
    ['sends nothing', () => {}],
    ['sends line breaks', (socket) => sendRepeatedly(socket, '\r\n')],
  ]
  // Regression: line breaks, which are no part of a request, began Node's timeout again.
  for (const [name, act] of clientsThatDoNothing)
    it(`end when they are idle for too long: a client that ${name}`, async () => {
      await using gateway = await open({ stalledMs: 120, idleMs: 200 })
      const socket = (await client(gateway)) ?? assert.fail()
      act(socket)
      await closed(socket)
      assert.match(await gateway.metricsText(), /closed_total\{reason="idle"\} 1\n/)
    })

  // Regression: an unused connection got 400. A browser opens connections in advance, and took that for the response to
  // its next request.
  for (const [what, sent, expected] of [
    ['without a response if nothing was sent', '', /^$/],
    ['with 400 if a part was sent', 'GET /', /^HTTP\/1\.1 400 /],
  ] as const)
    it(`end when a request did not arrive in time, ${what}`, async () => {
      const server = boundedServer(() => assert.fail('a request'), {
        chunks: shortChunks(),
        slices: makeSlices(),
        limits: defaultGatewayLimits.connections,
        trustedProxies: [],
        metrics: makeMetrics(gatewayMetrics),
        log: noLog,
      }).listen(0, '127.0.0.1')
      await once(server, 'listening')
      const accepted = once(server, 'connection') as Promise<[Socket]>
      const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
      const [peer] = await accepted
      socket.write(sent)
      await until('the server has read the part', () => peer.bytesRead === sent.length || undefined)
      let received = ''
      socket.setEncoding('utf8').on('data', (text: string) => {
        received += text
      })
      // As Node does when its timeout has passed.
      server.emit('clientError', Object.assign(new Error('timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), peer)
      await closed(socket)
      server.close()
      assert.match(received, expected)
    })

  // The timeout of Node counted the time in which the server itself did not read: a batch that arrived steadily got 400
  // under load.
  describe('with a body that does not arrive', () => {
    beforeEach(() => mock.timers.enable({ apis: ['setInterval'] }))
    afterEach(() => mock.timers.reset())

    /** Sends the header of a request and a part of its body. */
    const sendPart = async (part: Buffer, announced: number) => {
      const begun = Promise.withResolvers<[IncomingMessage, ServerResponse]>()
      const server = boundedServer((...given) => begun.resolve(given), {
        chunks: shortChunks(),
        limits: defaultGatewayLimits.connections,
        trustedProxies: [],
        metrics: makeMetrics(gatewayMetrics),
        log: noLog,
        slices: makeSlices(),
      }).listen(0, '127.0.0.1')
      await once(server, 'listening')
      const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
      socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${announced}\r\n\r\n`)
      socket.write(part)
      const received = { text: '' }
      socket.setEncoding('utf8').on('data', (text: string) => {
        received.text += text
      })
      const [request, response] = await begun.promise
      const close = (): void => {
        socket.destroy()
        server.close()
      }
      return { request, response, socket, received, [Symbol.dispose]: close }
    }
    const checks = (count: number): void => {
      for (let n = 0; n < count; n++) mock.timers.tick(defaultGatewayLimits.connections.stalledMs / checksUntilStalled)
    }

    it('end after 30 s', async () => {
      using sent = await sendPart(Buffer.alloc(10), 1_000)
      let bytes = 0
      sent.request.on('data', ({ length }: Buffer) => {
        bytes += length
      })
      sent.request.on('error', () => {})
      await until('the part has arrived', () => bytes === 10 || undefined)
      checks(checksUntilStalled)
      assert.equal(sent.socket.destroyed, false)
      const end = closed(sent.socket)
      checks(1)
      await end
      assert.match(sent.received.text, /^HTTP\/1\.1 400 .*did not arrive completely within 30 seconds/s)
    })

    // The timeout of Node counted the time in which the server did not read: a batch that arrived steadily got 400
    // under load.
    it('do not end while the body waits for the server', async () => {
      const part = Buffer.alloc(100_000)
      using sent = await sendPart(part, 2 * part.length)
      const { request, response, socket } = sent
      await until('the body waits', () => request.readableLength > 0 || undefined)
      checks(100)
      assert.equal(socket.destroyed, false)
      socket.write(part)
      let bytes = 0
      for await (const chunk of request) bytes += (chunk as Buffer).length
      assert.equal(bytes, 2 * part.length)
      const responded = once(socket, 'data')
      response.end()
      assert.match(String(await responded), /^HTTP\/1\.1 200 /)
    })
  })

  it('do not end while a request is in progress', async () => {
    const { intake, open: openWaiting, respond } = waiting()
    await using gateway = await testGateway({ intake, config: limited({ stalledMs: 60, idleMs: 60 }) })
    const [busy] = await openWaiting(gateway, ['127.0.0.2'])
    const idle = (await client(gateway)) ?? assert.fail()
    await closed(idle)
    const answered = once(busy ?? assert.fail(), 'data')
    respond()
    assert.match(String(await answered), /^HTTP\/1\.1 200 /)
  })

  // Those of ::1 reach the server through a second socket, whose connections Node does not count.
  it('are limited in total over both sockets of localhost', async () => {
    const limits = { ...defaultGatewayLimits.connections, max: 2 }
    // The requests stay in progress.
    const server = boundedServer((_, response) => response.write('x'), {
      chunks: shortChunks(),
      slices: makeSlices(),
      limits,
      trustedProxies: [],
      metrics: makeMetrics(gatewayMetrics),
      log: noLog,
    })
    const twin = createServer((socket) => server.emit('connection', socket)).listen(0, '127.0.0.1')
    await once(twin, 'listening')
    const { port } = twin.address() as AddressInfo
    const sockets = [await client({ port }), await client({ port }, '127.0.0.2')]
    assert.ok(sockets.every((socket) => socket !== null))
    assert.equal(await client({ port }, '127.0.0.3'), null)
    for (const socket of sockets) socket?.destroy()
    await until('a connection is free', async () => {
      const socket = await client({ port })
      socket?.destroy()
      return socket !== null || undefined
    })
    twin.close()
  })

  it('are limited per client address, and other addresses are served', async () => {
    await using gateway = await open({ maxPerAddress: 2 })
    const opened = [await client(gateway), await client(gateway)]
    assert.ok(opened.every((socket) => socket !== null))
    for (let i = 0; i < 5; i++) assert.equal(await client(gateway), null)
    assert.ok(await isServed(gateway, '127.0.0.2'))
    assert.match(await gateway.metricsText(), /closed_total\{reason="address"\} 5/)
    opened[0]?.destroy()
    await until('a connection is free', async () => (await isServed(gateway)) || undefined)
    for (const socket of opened) socket?.destroy()
  })

  // Each long response listens for the end of its connection; Node reported more than ten listeners as a leak.
  it('cause no warning when they send many requests with long responses', async () => {
    const intake: Fakes['intake'] = { GetRaw: async () => ({ raw: Buffer.alloc(100_000) }) }
    await using gateway = await testGateway({ intake })
    const warnings: Error[] = []
    const onWarning = (warning: Error): void => void warnings.push(warning)
    process.on('warning', onWarning)
    const socket = connect({ port: gateway.port, host: '127.0.0.1' })
    const get = `GET /api/v1/emails/em_1/raw HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${aKey()}\r\n\r\n`
    let received = 0
    socket.on('data', ({ length }) => {
      received += length
    })
    socket.write(get.repeat(40))
    await until('all have a response', () => (received >= 40 * 100_000 ? true : undefined))
    process.off('warning', onWarning)
    assert.deepEqual(warnings, [])
    socket.destroy()
  })

  it('may send some requests before they read, and many if they read', async () => {
    await using gateway = await open({})
    const socket = connect({ port: gateway.port, host: '127.0.0.1' })
    let responses = 0
    socket.setEncoding('latin1').on('data', (text: string) => {
      responses += text.split('HTTP/1.1 200').length - 1
    })
    for (let round = 1; round <= 5; round++) {
      socket.write('GET /livez HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(64))
      await until('all have a response', () => (responses >= round * 64 ? true : undefined))
    }
    socket.destroy()
  })

  it('have only the total limit if they are of a trusted proxy, and idle ones are closed at it', async () => {
    await using gateway = await open({ max: 6, maxPerAddress: 2 }, { trustedProxies: ['127.0.0.1'] })
    const opened: (Socket | null)[] = []
    for (let n = 0; n < 6; n++) opened.push(await client(gateway))
    assert.ok(opened.every((socket) => socket !== null))
    const newest = await client(gateway, '127.0.0.2')
    await until('its oldest is closed', () => (opened[0]?.destroyed ? true : undefined))
    assert.equal(openOf([...opened, newest]), 6)
    for (const socket of [...opened, newest]) socket?.destroy()
  })
})
