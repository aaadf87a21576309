import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { until } from '../../../test/support/until.ts'
import { defaultGatewayLimits, type GatewayLimits } from '../config.ts'
import { aCaller, aKey, aPerson, type Fakes, type TestGateway, testGateway } from '../testGateway.ts'

const mebibyte = 2 ** 20
/** Size that exceeds the buffers of the kernel. */
const longBytes = 8 * mebibyte
const longText = 'x'.repeat(longBytes)
const longRecord = JSON.stringify({ text: longText })

const template = {
  id: 'tpl_1',
  name: 'n',
  subject: 's',
  variables: [],
  notices: [],
  htmlBody: null,
  textBody: null,
  version: 1,
  createdAt: 0,
  updatedAt: 0,
}
const captured = {
  id: 'att_1',
  emailId: 'em_1',
  workspace: 'ws_1',
  mode: 'live' as const,
  at: Date.parse('2026-01-01T00:00:00.000Z'),
  from: 'a@example.com',
  to: ['b@example.com'],
  subject: 's',
}

/** Services with long responses, which count their calls. */
const longResponses = (calls: { count: number }): Fakes => {
  const counted = <T>(value: () => T) => {
    calls.count++
    return Promise.resolve(value())
  }
  return {
    intake: {
      GetRaw: () => counted(() => ({ raw: Buffer.alloc(longBytes, 'x') })),
      GetEmail: ({ id }) => counted(() => ({ record_json: id === 'em_short' ? '{}' : longRecord })),
      GetCaptured: () =>
        counted(() => ({ captured, raw: Buffer.alloc(longBytes, 'x'), html: null, text: longText, attachments: [] })),
      CancelEmail: () => counted(() => ({ record_json: longRecord })),
    },
    templates: { Get: () => counted(() => ({ ...template, htmlBody: longText })) },
    // The client address decides about the workspace.
    accounts: {
      AuthenticateKey: async ({ client_address }) => aCaller({ workspace: `ws_${client_address}` }),
      AuthenticateSession: async () => ({ token: '', csrf_token: 't', email: 'e', caller: aPerson() }),
    },
  }
}

const open = async (longBodies: Partial<GatewayLimits['longBodies']>) => {
  const calls = { count: 0 }
  const limits = {
    ...defaultGatewayLimits,
    longBodies: { ...defaultGatewayLimits.longBodies, waitMs: 50, ...longBodies },
  }
  const gateway = await testGateway({ ...longResponses(calls), config: { limits, trustedProxies: ['127.0.0.0/8'] } })
  return { calls, gateway, [Symbol.asyncDispose]: gateway[Symbol.asyncDispose] }
}

type Request = { method?: string; path: string }

/** Sends requests on one connection and never reads. */
const idle = ({ port }: TestGateway, request: Request, from: string, count = 1): Socket => {
  const socket = connect({ port, host: '127.0.0.1' }).pause()
  socket.on('error', () => {})
  socket.write(requestOf(request, from).repeat(count))
  return socket
}

const requestOf = ({ method = 'GET', path }: Request, from: string): string => {
  const client = path.startsWith('/mailbox')
    ? 'Host: x\r\nCookie: sid=owner'
    : `Host: x\r\nAuthorization: Bearer ${aKey()}\r\nX-Forwarded-For: ${from}`
  return `${method} ${path} HTTP/1.1\r\n${client}\r\n\r\n`
}

const read = ({ call }: TestGateway, { method = 'GET', path }: Request, from: string) =>
  call({ method, path, headers: { authorization: `Bearer ${aKey()}`, 'x-forwarded-for': from } })

const statuses = ({ lines }: TestGateway) =>
  lines.filter(({ message }) => message === 'request').map((line) => line['status'])

const answered = (gateway: TestGateway, count: number) =>
  until('all requests have a response', () => (statuses(gateway).length >= count ? true : undefined))

const raw = { path: '/api/v1/emails/em_1/raw' }

// Regression: 50 unread messages of 10 MiB used 440 MiB.
describe('responses that clients do not read', () => {
  const kinds: Request[] = [
    raw,
    { path: '/api/v1/emails/em_1' },
    { path: '/api/v1/templates/tpl_1' },
    { method: 'POST', path: '/api/v1/emails/em_1/cancel' },
    { path: '/mailbox/att_1/raw' },
    { path: '/mailbox/att_1' },
  ]
  for (const request of kinds)
    it(`use only the share of their workspace: ${request.method ?? 'GET'} ${request.path}`, async () => {
      await using system = await open({ bytes: 6 * longBytes, bytesOfOne: 3 * longBytes + mebibyte })
      const { gateway } = system
      const clients: Socket[] = []
      // One after the other: none waits for a response in the making.
      while (clients.length < 6) {
        clients.push(idle(gateway, request, '10.0.0.1'))
        await answered(gateway, clients.length)
      }
      assert.deepEqual(statuses(gateway).toSorted(), [...Array(3).fill(200), ...Array(3).fill(503)])
      assert.equal((await read(gateway, raw, '10.0.0.2')).status, 200)
      for (const client of clients) client.destroy()
      const again = () => read(gateway, raw, '10.0.0.1')
      await until('the share is free', async () => ((await again()).status === 200 ? true : undefined))
    })

  it('use the same share when one connection sends all requests', async () => {
    // Node reads no request behind a response that waits, so all requests arrive at the same time and wait for each
    // other.
    await using system = await open({ bytes: 6 * longBytes, bytesOfOne: 3 * longBytes, waitMs: 2_000 })
    const { gateway } = system
    const client = idle(gateway, raw, '10.0.0.1', 10)
    await answered(gateway, 10)
    assert.deepEqual(statuses(gateway).toSorted(), [...Array(3).fill(200), ...Array(7).fill(503)])
    client.destroy()
    await until('the share is free', async () =>
      (await read(gateway, raw, '10.0.0.1')).status === 200 ? true : undefined,
    )
  })

  it('are refused with the time to wait', async () => {
    await using system = await open({ bytes: longBytes, bytesOfOne: longBytes })
    const client = idle(system.gateway, raw, '10.0.0.1')
    await answered(system.gateway, 1)
    const { status, headers, body } = await read(system.gateway, raw, '10.0.0.1')
    assert.deepEqual([status, headers['retry-after'], body.code], [503, '1', 'unavailable'])
    client.destroy()
  })

  it('cause no refusal of a short response, and none of a short body', async () => {
    await using system = await open({ bytes: longBytes, bytesOfOne: longBytes })
    const { gateway } = system
    const client = idle(gateway, raw, '10.0.0.1')
    await answered(gateway, 1)
    for (const path of ['/api/v1/emails/em_short', '/api/v1/openapi.json', '/livez'])
      assert.equal((await read(gateway, { path }, '10.0.0.1')).status, 200, path)
    client.destroy()
  })

  it('cause no work for a costly response that could not be sent', async () => {
    await using system = await open({ bytes: longBytes, bytesOfOne: longBytes })
    const { gateway, calls } = system
    const client = idle(gateway, raw, '10.0.0.1')
    await answered(gateway, 1)
    assert.equal((await read(gateway, raw, '10.0.0.1')).status, 503)
    assert.equal(calls.count, 1)
    client.destroy()
  })

  it('wait for the memory of responses that are being read', async () => {
    await using system = await open({ bytes: longBytes, bytesOfOne: longBytes, waitMs: 30_000 })
    const all = await Promise.all(Array.from({ length: 5 }, () => read(system.gateway, raw, '10.0.0.1')))
    assert.deepEqual(
      all.map(({ status, text }) => [status, text.length]),
      Array(5).fill([200, longBytes]),
    )
  })

  it('arrive byte for byte, with their length', async () => {
    await using system = await open({})
    const { text, headers } = await read(system.gateway, { path: '/api/v1/emails/em_1' }, '10.0.0.1')
    assert.ok(text === longRecord)
    assert.deepEqual([headers['content-length'], headers['transfer-encoding']], [String(text.length), undefined])
    const head = await read(system.gateway, { ...raw, method: 'HEAD' }, '10.0.0.1')
    assert.deepEqual([head.status, head.headers['content-length'], head.text], [200, String(longBytes), ''])
  })

  it('use less than a quarter of a message per client', async () => {
    setFlagsFromString('--expose-gc')
    const gc = runInNewContext('gc') as () => void
    const used = () => {
      gc()
      const { external, heapUsed } = process.memoryUsage()
      return external + heapUsed
    }
    await using system = await open({ bytes: 4 * longBytes, bytesOfOne: 4 * longBytes })
    const before = used()
    const clients = Array.from({ length: 40 }, () => idle(system.gateway, raw, '10.0.0.1'))
    await answered(system.gateway, clients.length)
    // V8 frees buffers some time after it collected them.
    await until('less than a quarter of a message is used per client', () =>
      (used() - before) / clients.length < longBytes / 4 ? true : undefined,
    )
    for (const client of clients) client.destroy()
  })
})
