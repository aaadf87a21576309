import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { fresh, rawMail } from '../support/client.ts'
import { closed } from '../support/closed.ts'
import { rawClients } from '../support/rawClients.ts'
import { needsOwnProcess, ownSystem } from '../support/suite.ts'
import { until } from '../support/until.ts'

/**
 * After this time without a byte, a client that waits for a response resets its connection. It may have sent too
 * little.
 */
const patienceMs = 100

const resetWhenIdle = (socket: Socket): Socket => socket.setTimeout(patienceMs, () => socket.resetAndDestroy())

/** What a client does after it sent a part of its requests. */
const endings: Record<string, (socket: Socket) => void> = {
  'resets the connection': (socket) => socket.resetAndDestroy(),
  'closes the connection': (socket) => socket.destroy(),
  'closes its side and reads the responses': (socket) => resetWhenIdle(socket).end(),
  'closes its side and reads nothing': (socket) => resetWhenIdle(socket).pause().end(),
  'resets the connection at the first byte of a response': (socket) =>
    resetWhenIdle(socket).once('data', () => socket.resetAndDestroy()),
  'reads a part of a response and resets the connection': (socket) =>
    resetWhenIdle(socket).once('data', () => socket.pause()),
}

/** Requests of all kinds, valid and invalid, by name. */
const requestsOf = (key: string, longMail: string): Record<string, string> => {
  const head = (line: string, ...more: string[]): string =>
    [`${line} HTTP/1.1`, 'Host: localhost', `Authorization: Bearer ${key}`, ...more, '', ''].join('\r\n')
  const withBody = (line: string, body: string, ...more: string[]): string =>
    head(line, 'Content-Type: application/json', `Content-Length: ${body.length}`, ...more) + body
  const send = (mail: Record<string, unknown>, ...more: string[]): string =>
    withBody('POST /api/v1/emails', JSON.stringify(rawMail(mail)), ...more)
  const chunked = head('POST /api/v1/emails', 'Content-Type: application/json', 'Transfer-Encoding: chunked')
  const logIn = { email: fresh(), password: 'a wrong password' }
  const raw = `/api/v1/emails/${longMail}/raw`
  return {
    nothing: '',
    probe: head('GET /livez'),
    page: head('GET /mailbox', 'Accept: text/html'),
    'long page': head('GET /api/v1/openapi.json'),
    metrics: head('GET /metrics'),
    list: head('GET /api/v1/emails?limit=100'),
    'list that finds nothing': head('GET /api/v1/emails?subject=nothing'),
    'long response': head(`GET ${raw}`),
    'head of a long response': head(`HEAD ${raw}`),
    'pipeline of long responses': head(`GET ${raw}`).repeat(20),
    'pipeline over the limit': head('GET /livez').repeat(150),
    send: send({}),
    'pipeline of sends': send({}).repeat(10),
    'long send': send({ text: 'long '.repeat(100_000) }),
    'send that waits for 100': send({}, 'Expect: 100-continue'),
    'send with another expectation': send({}, 'Expect: nothing'),
    'chunked send': `${chunked}5\r\n{"to"\r\n3;x=y\r\n:[]\r\n1\r\n}\r\n0\r\nX-Trailer: 1\r\n\r\n`,
    'send with an invalid chunk': `${chunked}5\r\n{"to"\r\nzz\r\n`,
    login: withBody('POST /api/v1/auth/login', JSON.stringify(logIn)),
    upgrade: head('GET /livez', 'Connection: Upgrade', 'Upgrade: websocket'),
    tunnel: head('CONNECT localhost:25'),
    'body of a GET': withBody('GET /api/v1/emails', 'hello'),
    'two lengths': withBody('POST /api/v1/emails', 'hello', 'Content-Length: 6'),
    'long header': head('GET /livez', `X-Long: ${'x'.repeat(20_000)}`),
    'preface of HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'hello of TLS': '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  }
}

/** Parts of a request: within its first line, its header and its body, all but the last byte, and all of it. */
const partsOf = (text: string): string[] => {
  const headBytes = Math.max(0, text.indexOf('\r\n\r\n') + 4)
  const ends = [3, headBytes - 2, headBytes, Math.floor((headBytes + text.length) / 2), text.length - 1, text.length]
  return [...new Set(ends.map((end) => text.slice(0, Math.max(0, end))))]
}

describe('clients that end their connections at any moment', () => {
  needsOwnProcess()
  let own: Awaited<ReturnType<typeof ownSystem>>
  let parts: string[]
  before(async () => {
    // Without a trusted proxy, the metrics are served to this machine.
    own = await ownSystem({ POSTRIDER_ROUTE: 'mailbox:', POSTRIDER_TRUSTED_PROXIES: '' })
    const tenant = await own.client.tenant()
    const { body } = await tenant.send(rawMail({ text: 'long '.repeat(100_000) }))
    parts = Object.values(requestsOf(tenant.api.key, body.id)).flatMap(partsOf)
  })
  after(() => own?.[Symbol.asyncDispose]())

  /** Sends a text and ends the connection. Returns when it is closed. */
  const breakOff = async (host: string, text: string, end: (socket: Socket) => void): Promise<void> => {
    const socket = connect({ port: Number(new URL(own.client.url).port), host })
    // The process may reset the connection, such as one over the limit.
    const ended = closed(socket)
    socket.once('connect', () => {
      socket.resume()
      socket.write(text, 'latin1')
      end(socket)
    })
    await ended
  }

  /** Asserts that the process works, has no connection of a client that left, and has logged no bug. */
  const assertServes = async (): Promise<void> => {
    const { call } = own.client
    // This client has one, and the probe of the start may have another.
    await until('no other connection is open', async () =>
      /^postrider_http_connections [12]$/m.test((await call({ path: '/metrics' })).text) ? true : undefined,
    )
    assert.equal((await call({ path: '/readyz' })).status, 200)
    // Such clients were once logged as failures, with a stack.
    const failures = own.standalone.logs().filter(({ level }) => level !== 'info')
    assert.deepEqual(failures.slice(0, 3), [])
  }

  // The two addresses are separate sockets of the process.
  for (const host of ['127.0.0.1', '::1'])
    for (const [name, end] of Object.entries(endings))
      it(`stop neither the process nor its service on ${host}: a client that ${name}`, async () => {
        await Promise.all(parts.map((text) => breakOff(host, text, end)))
        await assertServes()
      })

  it('stop neither the process nor its service when there are a thousand at the same time', async () => {
    const ends = Object.values(endings)
    const clients = Array.from({ length: 1_000 }, (_, index) =>
      breakOff('127.0.0.1', parts[index % parts.length] ?? '', ends[index % ends.length] ?? assert.fail()),
    )
    await Promise.all(clients)
    await assertServes()
  })

  // Regression: 67 MB of short requests became gigabytes of objects and ended the process.
  it('use bounded memory with many requests on a thousand connections, and others are served', async () => {
    const { pid } = own.standalone
    const memory = /^VmRSS:\s+(\d+) kB$/m
    const rssMiB = (): number => Number(memory.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024
    const before = rssMiB()
    await using raw = rawClients()
    const port = Number(new URL(own.client.url).port)
    const text = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(1_700)
    await raw.send({ port, connections: 900, addresses: 2, text, reads: false, together: true })
    for (let round = 0; round < 20; round++) assert.equal((await own.client.call({ path: '/livez' })).status, 200)
    const growth = rssMiB() - before
    await raw.close()
    assert.ok(growth < 300, `${growth} MiB`)
    await assertServes()
  })

  it('do not prevent a graceful stop of the process', async () => {
    assert.equal(await own.standalone.stop(), 0)
  })
})
