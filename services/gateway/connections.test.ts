import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { closeServer, listen } from '@postrider/kit/listen.ts'
import { makeMetrics } from '@postrider/kit/metrics.ts'
import { until } from '../../test/support/until.ts'
import { defaultLimits } from './config.ts'
import { checksUntilStalled, stalledWatch } from './connections.ts'
import { gatewayMetrics } from './metrics.ts'
import { boundedServer } from './serve.ts'
import { aKey, type Fakes, type TestGateway, testGateway } from './testGateway.ts'

/** What a check sees: bytes written in total, and how many of them are unsent. */
type State = { bytesWritten: number; writableLength: number }

const closedAt = (states: readonly State[]): number | null => {
  const socket = { bytesWritten: 0, writableLength: 0, closed: false, destroy: () => socket, once: () => socket }
  let stalled = 0
  const { watch, check } = stalledWatch(() => stalled++)
  watch(socket as unknown as Socket)
  for (const [index, state] of states.entries()) {
    Object.assign(socket, state)
    check()
    if (stalled > 0) return index
  }
  return null
}

const times = (count: number, stateOf: (index: number) => State): State[] =>
  Array.from({ length: count }, (_, index) => stateOf(index))

describe('stalled connections', () => {
  const cases: [name: string, states: State[], closed: boolean][] = [
    ['a client that reads nothing', times(7, () => ({ bytesWritten: 100, writableLength: 100 })), true],
    [
      'a client that stops in the middle',
      times(8, (n) => ({ bytesWritten: 100, writableLength: n < 1 ? 80 : 60 })),
      true,
    ],
    [
      'a client that reads nothing while more is written',
      times(7, (n) => ({ bytesWritten: 100 + n, writableLength: 100 + n })),
      true,
    ],
    ['an idle client', times(30, () => ({ bytesWritten: 100, writableLength: 0 })), false],
    [
      'a client that reads slowly',
      times(60, (n) => ({ bytesWritten: 1_000, writableLength: 1_000 - 64 * Math.floor(n / 5) })),
      false,
    ],
    [
      'a client that catches up',
      times(60, (n) => ({ bytesWritten: 100, writableLength: n % 6 === 5 ? 0 : 50 })),
      false,
    ],
  ]
  for (const [name, states, closed] of cases)
    it(`are ${closed ? 'closed' : 'not closed'}: ${name}`, () => {
      assert.equal(closedAt(states) !== null, closed)
    })

  it('are closed after all checks of the time, not before', () => {
    const stalled = times(20, () => ({ bytesWritten: 100, writableLength: 100 }))
    // The first check sees bytes that were flushed before.
    assert.equal(closedAt([{ bytesWritten: 100, writableLength: 0 }, ...stalled]), checksUntilStalled + 1)
  })

  const much = Buffer.alloc(32 * 2 ** 20)
  const intake: Fakes['intake'] = { GetRaw: async () => ({ raw: much }) }
  const get = `GET /api/v1/emails/em_1/raw HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${aKey()}\r\n\r\n`
  const clients: [name: string, act: (socket: Socket) => void][] = [
    ['reads nothing', (socket) => socket.write(get)],
    ['sends further requests and reads nothing', (socket) => socket.write(get.repeat(20))],
    ['sends a byte now and then and reads nothing', (socket) => drip(socket.pause(), get)],
    ['reads only the beginning', (socket) => socket.once('data', () => socket.pause()).write(get)],
  ]
  for (const [name, act] of clients)
    it(`are closed by the server: a client that ${name}`, async () => {
      const limits = { ...defaultLimits, connections: { ...defaultLimits.connections, stalledMs: 120 } }
      await using gateway = await testGateway({ intake, config: { limits } })
      const socket = connect({ port: gateway.port, host: '127.0.0.1' }).pause()
      socket.on('error', () => {})
      await once(socket, 'connect')
      act(socket)
      const closed = /closed_total\{reason="stalled"\} 1/
      await until('the connection is closed', async () => closed.test(await gateway.metricsText()) || undefined)
      const none = /postrider_http_connections 0/
      await until('no connection is open', async () => none.test(await gateway.metricsText()) || undefined)
      assert.equal((await gateway.call({ path: '/livez' })).status, 200)
      socket.destroy()
    })
})

/** Sends a request, and then the header of the next one byte by byte. */
const drip = (socket: Socket, request: string): void => {
  socket.write(`${request}GET / HTTP/1.1\r\nX-Long: `)
  const dripping = setInterval(() => socket.write('x'), 10)
  socket.once('close', () => clearInterval(dripping))
  socket.once('error', () => clearInterval(dripping))
}

describe('connections of HTTP clients', () => {
  const open = (connections: Partial<typeof defaultLimits.connections>, more: Fakes['config'] = {}) =>
    testGateway({
      config: {
        limits: { ...defaultLimits, connections: { ...defaultLimits.connections, ...connections } },
        ...more,
      },
    })

  /** Opens a connection and sends a request. @returns the socket if it was answered, null if it was closed */
  const client = async ({ port }: TestGateway, localAddress = '127.0.0.1'): Promise<Socket | null> => {
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

  it('are limited in total, and the ones that exist continue', async () => {
    await using gateway = await open({ most: 3 })
    const sockets = [await client(gateway), await client(gateway, '127.0.0.2'), await client(gateway)]
    assert.ok(sockets.every((socket) => socket !== null))
    for (let i = 0; i < 5; i++) assert.equal(await client(gateway, `127.0.0.${i + 3}`), null)
    const [first] = sockets
    first?.write('GET /livez HTTP/1.1\r\nHost: x\r\n\r\n')
    await once(first ?? assert.fail(), 'data')
    first?.destroy()
    await until('a place is free', async () => (await isServed(gateway)) || undefined)
    for (const socket of sockets) socket?.destroy()
    await until('all are closed', async () =>
      /postrider_http_connections 0/.test(await gateway.metricsText()) ? true : undefined,
    )
    assert.match(await gateway.metricsText(), /closed_total\{reason="total"\} [5-9]/)
  })

  // On localhost a second socket accepts the connections of the other IP version. They had no limit in total.
  it('are limited in total over both IP versions', async () => {
    const metrics = makeMetrics(gatewayMetrics)
    const limits = { ...defaultLimits.connections, most: 2 }
    const server = boundedServer((_request, response) => response.end(), { limits, trustedProxies: [], metrics })
    const listening = await listen(server, { host: 'localhost', port: 0, variable: 'PORT' })
    const held: Socket[] = []
    for (const host of ['127.0.0.1', 'localhost', '::1', '127.0.0.1', '::1']) {
      const socket = connect({ port: listening.port, host })
      socket.on('error', () => {})
      socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
      await Promise.race([once(socket, 'data'), once(socket, 'close')])
      held.push(socket)
    }
    assert.deepEqual(
      held.map(({ destroyed }) => destroyed),
      [false, false, true, true, true],
    )
    for (const socket of held) socket.destroy()
    await closeServer(server, listening, () => {})
  })

  it('are limited per client address, and other addresses are served', async () => {
    await using gateway = await open({ mostOfAddress: 2 })
    const held = [await client(gateway), await client(gateway)]
    assert.ok(held.every((socket) => socket !== null))
    for (let i = 0; i < 5; i++) assert.equal(await client(gateway), null)
    assert.ok(await isServed(gateway, '127.0.0.2'))
    assert.match(await gateway.metricsText(), /closed_total\{reason="address"\} 5/)
    held[0]?.destroy()
    await until('a place is free', async () => (await isServed(gateway)) || undefined)
    for (const socket of held) socket?.destroy()
  })

  it('are closed when they send many requests and read no answer', async () => {
    await using gateway = await open({})
    const get = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'
    const socket = connect({ port: gateway.port, host: '127.0.0.1' }).pause()
    socket.on('error', () => {})
    socket.write(get.repeat(2_000))
    const closed = /closed_total\{reason="pipelined"\} 1\n/
    await until('the connection is closed', async () => closed.test(await gateway.metricsText()) || undefined)
    assert.ok(gateway.lines.filter(({ message }) => message === 'request').length <= 100)
    socket.destroy()
  })

  it('may send some requests before they read, and many if they read', async () => {
    await using gateway = await open({})
    const socket = connect({ port: gateway.port, host: '127.0.0.1' })
    let answers = 0
    socket.setEncoding('latin1').on('data', (text: string) => {
      answers += text.split('HTTP/1.1 200').length - 1
    })
    for (let round = 1; round <= 5; round++) {
      socket.write('GET /livez HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(64))
      await until('all are answered', () => (answers >= round * 64 ? true : undefined))
    }
    socket.destroy()
  })

  it('of a trusted proxy are only limited in total', async () => {
    await using gateway = await open({ most: 6, mostOfAddress: 2 }, { trustedProxies: ['127.0.0.1'] })
    const held = await Promise.all(Array.from({ length: 6 }, () => client(gateway)))
    assert.ok(held.every((socket) => socket !== null))
    assert.equal(await client(gateway), null)
    for (const socket of held) socket?.destroy()
  })
})
