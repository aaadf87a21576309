import assert from 'node:assert/strict'
import { assertIterationsBelow } from '../../test/support/cost.ts'
import { openIterationsRig } from '../../test/support/iterationsRig.ts'
import { type RawClients, rawClients } from '../../test/support/rawClients.ts'

const pieceBytes = 64 * 1_024
const request = (line: string, ...more: string[]): string =>
  [`${line} HTTP/1.1`, 'Host: localhost', ...more, '', ''].join('\r\n')
const filled = (text: string): string => text.repeat(Math.ceil(pieceBytes / text.length))
const logIn = ['Content-Type: application/json', 'Content-Length: 2']

const texts: [name: string, text: string][] = [
  ['one request each', request('GET /livez')],
  ['a piece of short requests', filled(request('GET /'))],
  ['a piece of requests without Host', filled('GET / HTTP/1.1\r\n\r\n')],
  ['a piece of HEAD', filled(request('HEAD /livez'))],
  ['a piece of requests with bodies', filled(`${request('POST /api/v1/auth/login', ...logIn)}{}`)],
  ['a piece of requests with Upgrade', filled(request('GET /', 'Connection: upgrade', 'Upgrade: x'))],
  ['a piece of requests after one that ends the connection', request('GET /#x') + filled(request('GET /'))],
  ['a piece of requests and invalid HTTP', `${filled(request('GET /'))}\0\0`],
]

// Regression: the parser made all requests of a piece in one step: 1,000 connections blocked the process for tens of
// seconds, and ended it.
describe('event loop with 1,000 connections', () => {
  const opened = {
    rig: null as Awaited<ReturnType<typeof openIterationsRig>> | null,
    raw: null as ReturnType<typeof rawClients> | null,
  }
  before(async () => {
    opened.rig = await openIterationsRig()
    opened.raw = rawClients()
  })
  after(async () => {
    await opened.raw?.[Symbol.asyncDispose]()
    await opened.rig?.[Symbol.asyncDispose]()
  })

  /** Measures the iterations in which texts arrive, those of some requests after that, and those of the end. */
  const assertShort = async (
    clients: Omit<RawClients, 'port' | 'connections' | 'together'>,
    connections = 1_000,
  ): Promise<void> => {
    const { port, call } = opened.rig ?? assert.fail('not open')
    const raw = opened.raw ?? assert.fail('not open')
    // The connection of each request is accepted after what arrived before.
    const isServed = async (requests: number): Promise<void> => {
      for (let n = 0; n < requests; n++) assert.equal((await call('GET', '/livez')).status, 200)
    }
    await assertIterationsBelow(50, async () => {
      await raw.send({ ...clients, port, connections, together: true })
      await isServed(10)
      await raw.close()
      await isServed(2)
    })
  }

  for (const addresses of [1, 200])
    for (const [name, text] of texts)
      it(`is never blocked by ${name} of ${addresses} addresses`, () => assertShort({ addresses, text, reads: true }))

  // Regression: a long response was written in one step as far as the kernel had room: some MiB for each connection.
  for (const [name, count] of [
    ['one request', 1],
    ['20 requests', 20],
  ] as const)
    for (const reads of [false, true])
      it(`is never blocked by ${name} each for a long document, ${reads ? 'read' : 'unread'}`, async () => {
        const { call } = opened.rig ?? assert.fail('not open')
        assert.equal((await call('GET', '/api/v1/openapi.json')).status, 200)
        const text = request('GET /api/v1/openapi.json').repeat(count)
        await assertShort({ addresses: 1, text, reads }, 300)
      })

  it('is never blocked by a piece of short requests whose responses are not read', () =>
    assertShort({ addresses: 1, text: filled(request('GET /')), reads: false }))
})
