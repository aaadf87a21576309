import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { makeSlices } from '@postrider/kit/slices.ts'
import { until } from '../../../test/support/until.ts'
import { aKey, type Fakes, type TestGateway, testGateway } from '../testGateway.ts'
import { pipelining } from './pipelining.ts'

type Pipeline = { client: string; unanswered: Set<ServerResponse> }

const pipelineOf = (client: string): Pipeline => ({ client, unanswered: new Set() })

/** The bounds, and the connections that they closed. */
const bounds = (slices = makeSlices()) => {
  const closedOnes: Pipeline[] = []
  const limits = pipelining<Pipeline>(slices, (connection) => closedOnes.push(connection))
  const begin = (connection: Pipeline): boolean => {
    if (!limits.mayBegin(connection)) return false
    connection.unanswered.add({} as ServerResponse)
    limits.begun(connection)
    return true
  }
  const answer = (connection: Pipeline): void => {
    const [oldest] = connection.unanswered
    if (oldest) connection.unanswered.delete(oldest)
    limits.answered(connection)
  }
  /** Begins as many requests as may begin in many event loop iterations. @returns how many */
  const fill = async (connection: Pipeline): Promise<number> => {
    for (let round = 0; round < 10; round++) {
      while (begin(connection));
      await new Promise((resolve) => void setImmediate(resolve))
    }
    return connection.unanswered.size
  }
  return { ...limits, begin, answer, fill, closedOnes }
}

const connectionsOf = (client: string, count: number): Pipeline[] =>
  Array.from({ length: count }, () => pipelineOf(client))

describe('bounds of pipelined requests', () => {
  it('permit 16 unanswered requests of a connection, and the next one after a response', async () => {
    const { fill, begin, answer } = bounds()
    const connection = pipelineOf('a')
    assert.equal(await fill(connection), 16)
    answer(connection)
    assert.deepEqual([begin(connection), begin(connection)], [true, false])
  })

  it('permit 64 in an iteration, and always the first request of a connection', async () => {
    const { begin } = bounds()
    let count = 0
    for (const connection of connectionsOf('a', 10)) while (begin(connection)) count++
    assert.equal(count, 10 + 64)
  })

  it('permit 128 of a client, 1,024 in total, and always the first request of a connection', async () => {
    const { fill } = bounds()
    let ofFirst = 0
    for (const connection of connectionsOf('a', 12)) ofFirst += await fill(connection)
    assert.equal(ofFirst, 12 + 128)
    let total = ofFirst
    for (let client = 0; client < 10; client++)
      for (const connection of connectionsOf(`b${client}`, 10)) total += await fill(connection)
    assert.equal(total, 12 + 100 + 1_024)
  })

  it('are free again when requests are answered, and when their connection is closed', async () => {
    const { fill, answer, ended } = bounds()
    const connections = connectionsOf('a', 12)
    for (let round = 0; round < 3; round++) {
      let count = 0
      for (const connection of connections) count += await fill(connection)
      assert.equal(count, 12 + 128)
      for (const [index, connection] of connections.entries())
        if (index % 2 === 0) ended(connection)
        else while (connection.unanswered.size > 0) answer(connection)
    }
  })

  it('permit 64 stopped connections of a client, and close the oldest of the client with the most above 256', () => {
    const { stop, closedOnes } = bounds()
    const perClient = (client: string): number => connectionsOf(client, 70).filter(stop).length
    assert.deepEqual(['a', 'b', 'c', 'd'].map(perClient), [64, 64, 64, 64])
    assert.deepEqual(closedOnes, [])
    assert.ok(stop(pipelineOf('e')))
    assert.deepEqual(closedOnes.map(({ client }) => client).length, 1)
  })

  it('close the new connection if no client has more stopped ones', () => {
    const { stop, closedOnes } = bounds()
    for (let client = 0; client < 256; client++) assert.ok(stop(pipelineOf(`c${client}`)))
    assert.equal(stop(pipelineOf('d')), false)
    assert.deepEqual(closedOnes, [])
  })

  it('give stopped connections turns in later iterations, but none that were closed', async () => {
    const { stop, awaitTurn, ended } = bounds()
    const [one, other] = [pipelineOf('a'), pipelineOf('b')]
    const turns: string[] = []
    for (const connection of [one, other]) {
      assert.ok(stop(connection))
      awaitTurn(connection, () => turns.push(connection.client))
    }
    assert.deepEqual(turns, [])
    ended(one)
    await until('it has its turn', () => turns.length > 0 || undefined)
    assert.deepEqual(turns, ['b'])
  })

  // Regression: they had slices of their own, in addition to one of the process in each iteration.
  it('give the clients of stopped connections turns one after another, between the slices of other work', async () => {
    const slices = makeSlices({ sliceMs: 0 })
    const { stop, awaitTurn } = bounds(slices)
    const done: string[] = []
    for (const [index, connection] of ['a', 'a', 'b'].map(pipelineOf).entries()) {
      assert.ok(stop(connection))
      awaitTurn(connection, () => done.push(`${connection.client}${index}`))
    }
    function* job(): Generator<undefined, void, undefined> {
      for (let step = 0; step < 3; step++) yield void done.push('job')
    }
    await slices.of('ws_1').run(job())
    assert.deepEqual(done, ['a0', 'job', 'b2', 'job', 'a1', 'job'])
  })
})

/** Sends a text. Returns what was received, and the socket. */
const sending = (port: number, text: string) => {
  const state = { text: '' }
  const socket = connect({ port, host: '127.0.0.1' }).on('error', () => {})
  socket.setEncoding('latin1').on('data', (more: string) => {
    state.text += more
  })
  socket.write(text, 'latin1')
  const statuses = (): number[] => [...state.text.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => Number(status))
  const all = (count: number): Promise<number[]> =>
    until('all are answered', () => (statuses().length >= count ? statuses() : undefined))
  return { socket, state, all }
}

const none = 'GET /none HTTP/1.1\r\nHost: x\r\n\r\n'
const livez = 'GET /livez HTTP/1.1\r\nHost: x\r\n\r\n'
const keyed = (line: string, ...more: string[]): string =>
  [`${line} HTTP/1.1`, 'Host: x', `Authorization: Bearer ${aKey()}`, ...more, '', ''].join('\r\n')
const lines = (gateway: TestGateway): number => gateway.lines.filter(({ message }) => message === 'request').length

describe('pipelined requests', () => {
  /** Intake whose responses wait for the test. */
  const waiting = () => {
    const made = Promise.withResolvers<{ record_json: string }>()
    const state = { count: 0 }
    const intake: NonNullable<Fakes['intake']> = {
      GetEmail: () => {
        state.count++
        return made.promise
      },
    }
    return { intake, state, respond: () => made.resolve({ record_json: '{}' }) }
  }
  const email = keyed('GET /api/v1/emails/em_1')

  // Regression: all 1,600 requests of a piece began: 1,000 connections with one piece each ended the process.
  for (const header of ['', 'Expect: nothing\r\n'])
    it(`begin up to 16 at the same time, and all are answered in order: ${header.trim() || 'plain ones'}`, async () => {
      const { intake, state, respond } = waiting()
      await using gateway = await testGateway({ intake })
      const others = `GET /none HTTP/1.1\r\nHost: x\r\n${header}\r\n`
      const client = sending(gateway.port, email + others.repeat(500) + email)
      await until('the first has begun', () => state.count === 1 || undefined)
      await until('the others wait', () => lines(gateway) === 15 || undefined)
      // Stopped connections take turns, so this one had turns while all requests of another were answered.
      const other = sending(gateway.port, livez.repeat(100))
      await other.all(100)
      other.socket.destroy()
      assert.deepEqual([lines(gateway), state.count], [15, 1])
      respond()
      const statuses = await client.all(502)
      assert.deepEqual([statuses[0], statuses.at(-1)], [200, 200])
      assert.deepEqual(new Set(statuses.slice(1, -1)), new Set([header === '' ? 404 : 417]))
      client.socket.destroy()
    })

  const mail = JSON.stringify({ to: ['b@y.example'], subject: 's', text: 't' })
  const typed = 'Content-Type: application/json'
  const send = keyed('POST /api/v1/emails', typed, `Content-Length: ${mail.length}`) + mail
  const chunk = `${mail.length.toString(16)}\r\n${mail}\r\n0\r\n\r\n`
  const chunked = keyed('POST /api/v1/emails', typed, 'Transfer-Encoding: chunked') + chunk
  const head = 'HEAD /livez HTTP/1.1\r\nHost: x\r\n\r\n'
  const upgrade = 'GET /livez HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'
  const cases: [name: string, texts: string[], statuses: number[]][] = [
    ['with bodies', [send, chunked], [202, 202]],
    ['with HEAD', [head, livez], [200, 200]],
    ['with Upgrade', [upgrade, send], [200, 202]],
  ]
  for (const [name, texts, expected] of cases)
    for (const pieceBytes of [Number.POSITIVE_INFINITY, 97])
      it(`are all answered in order, ${name}, in pieces of ${pieceBytes} bytes`, async () => {
        const accepted = { id: 'em_1', status: 202, bodyJson: '{}', replayed: false, quota: null }
        await using gateway = await testGateway({ intake: { Submit: async () => accepted } })
        const text = texts.join('').repeat(50)
        const client = sending(gateway.port, text.slice(0, pieceBytes))
        for (let at = pieceBytes; at < text.length; at += pieceBytes) {
          client.socket.write(text.slice(at, at + pieceBytes))
          if (at % 5 === 0) await new Promise((resolve) => void setImmediate(resolve))
        }
        const statuses = await client.all(50 * expected.length)
        assert.deepEqual(statuses, Array.from({ length: 50 }, () => expected).flat())
        client.socket.destroy()
      })

  it('are answered before invalid HTTP that follows them', async () => {
    await using gateway = await testGateway({})
    const { all } = sending(gateway.port, `${livez.repeat(50)}\0\0`)
    assert.deepEqual(await all(51), [...Array<number>(50).fill(200), 400])
  })

  it('do not begin after a request that ends the connection', async () => {
    await using gateway = await testGateway({})
    const { all, socket, state } = sending(gateway.port, `GET /#x HTTP/1.1\r\nHost: x\r\n\r\n${none.repeat(1_000)}`)
    assert.deepEqual(await all(1), [400])
    await until('it is closed', () => socket.closed || undefined)
    assert.equal(state.text.split('HTTP/1.1 ').length - 1, 1)
    assert.equal(lines(gateway), 1)
  })

  // Regression: nothing sent the rest of a response while the request after it waited: Node had removed its listener.
  for (const [name, after] of [
    ['requests over the bound', livez.repeat(40)],
    ['a request with Upgrade', upgrade],
  ] as const)
    it(`follow long responses: ${name}`, async () => {
      const raw = Buffer.alloc(8 * 2 ** 20, 'x')
      await using gateway = await testGateway({ intake: { GetRaw: async () => ({ raw }) } })
      const client = sending(gateway.port, keyed('GET /api/v1/emails/em_1/raw') + after)
      const count = 1 + after.split('GET ').length - 1
      assert.deepEqual(await client.all(count), Array<number>(count).fill(200))
      client.socket.destroy()
    })

  it('end with their connection while others wait behind them', async () => {
    const { intake, state } = waiting()
    await using gateway = await testGateway({ intake })
    const { socket } = sending(gateway.port, email.repeat(100))
    await until('16 are in progress', () => state.count === 16 || undefined)
    socket.resetAndDestroy()
    const isNone = /postrider_http_connections 0\n/
    await until('no connection is open', async () => isNone.test(await gateway.metricsText()) || undefined)
    assert.equal(state.count, 16)
  })

  it('close the connections of one address that has too many with unread pieces, and others are served', async () => {
    const { intake, state, respond } = waiting()
    await using gateway = await testGateway({ intake })
    const sockets: Socket[] = []
    for (let n = 0; n < 100; n++) {
      const socket = connect({ port: gateway.port, host: '127.0.0.1', localAddress: '127.0.0.7' }).on('error', () => {})
      socket.write(email.repeat(40))
      sockets.push(socket)
      await once(socket, 'connect')
    }
    await until('36 are closed', async () =>
      /closed_total\{reason="pipelined"\} 36\n/.test(await gateway.metricsText()) ? true : undefined,
    )
    assert.ok(state.count <= 100 + 128, `${state.count} are in progress`)
    const { all, socket } = sending(gateway.port, livez.repeat(20))
    assert.deepEqual(await all(20), Array<number>(20).fill(200))
    respond()
    for (const one of [...sockets, socket]) one.destroy()
  })
})
