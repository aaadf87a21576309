import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { mock } from 'node:test'
import { sendRepeatedly } from '../../../test/support/sendRepeatedly.ts'
import { until } from '../../../test/support/until.ts'
import { defaultGatewayLimits } from '../config.ts'
import { aKey, type Fakes, testGateway } from '../testGateway.ts'
import { checksUntilStalled, stalledWatch } from './stalledWatch.ts'

/** What a check sees: bytes written in total, and how many of them are unsent. */
type State = { bytesWritten: number; writableLength: number }

const closedAt = (states: readonly State[]): number | null => {
  const socket = { bytesWritten: 0, writableLength: 0, closed: false, destroy: () => socket, once: () => socket }
  let stalled = 0
  const { watch, check } = stalledWatch(() => stalled++, Number.POSITIVE_INFINITY)
  watch(socket as unknown as Socket, () => 0)
  for (const [index, state] of states.entries()) {
    Object.assign(socket, state)
    check()
    if (stalled > 0) return index
  }
  return null
}

const times = (count: number, stateOf: (index: number) => State): State[] =>
  Array.from({ length: count }, (_, index) => stateOf(index))

/** Sends a request, and then the header of the next one byte by byte. */
const drip = (socket: Socket, request: string): void => {
  socket.write(`${request}GET / HTTP/1.1\r\nX-Long: `)
  sendRepeatedly(socket, 'x')
}

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

  // Short responses count against no budget: ten workspaces whose clients read nothing used a gigabyte in 30 s.
  it('are closed at the second check while unread responses have too many bytes, those with the most first', () => {
    const closedOnes: string[] = []
    const { watch, check } = stalledWatch(() => {}, 1_000)
    const make = (name: string, unread: number, readBytes = 0) => {
      const socket = { bytesWritten: unread, writableLength: unread, once: () => socket, destroy: () => socket }
      socket.destroy = () => {
        closedOnes.push(name)
        return socket
      }
      watch(socket as unknown as Socket, () => unread)
      // Reading is the progress of what was written before.
      return () => {
        socket.bytesWritten += readBytes
      }
    }
    const reads = [make('small', 100), make('large', 800), make('larger', 900), make('reading', 5_000, 10)]
    check()
    for (const read of reads) read()
    assert.deepEqual(closedOnes, [])
    check()
    assert.deepEqual(closedOnes, ['larger', 'large', 'small'])
    for (const read of reads) read()
    check()
    assert.deepEqual(closedOnes, ['larger', 'large', 'small'], 'a client that reads is not closed')
  })

  it('are closed early while many short responses are unread, including responses that wait behind others', async () => {
    const emails = JSON.stringify({ object: 'email', text: 'x'.repeat(60_000) })
    const intake: Fakes['intake'] = { GetEmail: async () => ({ record_json: emails }) }
    const connections = { ...defaultGatewayLimits.connections, stalledMs: 600_000, unreadBytes: 2 ** 19 }
    const watched = mock.timers
    watched.enable({ apis: ['setInterval'] })
    await using gateway = await testGateway({ intake, config: { limits: { ...defaultGatewayLimits, connections } } })
    const socket = connect({ port: gateway.port, host: '127.0.0.1' }).pause()
    socket.on('error', () => {})
    socket.write(`GET /api/v1/emails/em_1 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${aKey()}\r\n\r\n`.repeat(400))
    const made = { count: 0 }
    // The kernel holds the first ones, up to some MiB.
    await until(
      'no further response is made',
      () => {
        const before = made.count
        made.count = gateway.lines.filter(({ message }) => message === 'request').length
        return (made.count === before && made.count > 16) || undefined
      },
      undefined,
      200,
    )
    assert.ok(made.count < 400)
    for (let n = 0; n < 3; n++) watched.tick(100_000)
    watched.reset()
    assert.match(await gateway.metricsText(), /closed_total\{reason="stalled"\} 1\n/)
    socket.destroy()
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
      const limits = { ...defaultGatewayLimits, connections: { ...defaultGatewayLimits.connections, stalledMs: 120 } }
      await using gateway = await testGateway({ intake, config: { limits } })
      const socket = connect({ port: gateway.port, host: '127.0.0.1' }).pause()
      socket.on('error', () => {})
      await once(socket, 'connect')
      act(socket)
      const stalled = /closed_total\{reason="stalled"\} 1/
      await until('the connection is closed', async () => stalled.test(await gateway.metricsText()) || undefined)
      const none = /postrider_http_connections 0/
      await until('no connection is open', async () => none.test(await gateway.metricsText()) || undefined)
      assert.equal((await gateway.call({ path: '/livez' })).status, 200)
      socket.destroy()
    })
})
