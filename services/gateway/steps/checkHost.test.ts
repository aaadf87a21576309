import assert from 'node:assert/strict'
import { once } from 'node:events'
import net from 'node:net'
import { text } from 'node:stream/consumers'
import type { Fault } from '@postrider/kit/fault.ts'
import type { GatewayConfig } from '../config.ts'
import { type TestGateway, testGateway } from '../testGateway.ts'
import { checkHost } from './checkHost.ts'

type Reply = { status: number; code: string; text: string }

/** Sends a request byte for byte, since HTTP clients repair or refuse a wrong Host header. */
const send = async ({ port }: TestGateway, ...lines: string[]): Promise<Reply> => {
  const socket = net.connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  const response = await text(socket)
  const [, status = ''] = /^HTTP\/1\.1 (\d{3})/.exec(response) ?? []
  const [, code = ''] = /"code":"(\w+)"/.exec(response) ?? []
  return { status: Number(status), code, text: response }
}

const unset: Partial<GatewayConfig> = { publicUrl: 'http://localhost:8080', publicUrlIsSet: false }
const onThisMachine: Partial<GatewayConfig> = { publicUrl: 'http://localhost:8080', publicUrlIsSet: true }
const elsewhere: Partial<GatewayConfig> = { publicUrl: 'https://mail.example.com', publicUrlIsSet: true }

const get = (target: string, ...headers: string[]): string[] => [
  `GET ${target} HTTP/1.1`,
  ...headers,
  'Connection: close',
]

/** Host headers that a page on another site can cause, by DNS rebinding or a name that contains a loopback name. */
const foreign = [
  ...[
    'evil.example',
    'evil.example:8080',
    'localhost.evil.example',
    '127.0.0.1.nip.io',
    '192.168.0.10:8080',
    '0.0.0.0:8080',
  ],
  ...[
    'xn--lcalhost-q4a',
    'localhostx',
    '[2001:db8::1]:8080',
    '[::]',
    '169.254.169.254',
    'metadata',
    'mail.example.com',
  ],
]

describe('host of a request', () => {
  for (const host of foreign) {
    it(`${host} is refused while no public URL is set, except by probes`, async () => {
      await using gateway = await testGateway({ config: unset })
      for (const path of ['/', '/mailbox', '/metrics', '/api/v1/openapi.json', '/api/v1/emails', '/nothing']) {
        const { status, code, text } = await send(gateway, ...get(path, `Host: ${host}`))
        assert.deepEqual([status, code], [403, 'forbidden'], path)
        assert.match(text, /POSTRIDER_PUBLIC_URL/)
        assert.ok(!text.includes(host), 'the response contains the host')
      }
      for (const path of ['/livez', '/readyz'])
        assert.equal((await send(gateway, ...get(path, `Host: ${host}`))).status, 200)
    })
  }

  it('is refused on each way to make an account, a key or an email', async () => {
    await using gateway = await testGateway({ config: unset })
    for (const path of ['auth/signup', 'auth/login', 'api-keys', 'emails', 'emails/batch', 'templates']) {
      const headers = { host: 'evil.example', origin: 'http://evil.example', cookie: 'sid=owner' }
      const { status, body } = await gateway.call({ path: `/api/v1/${path}`, json: {}, headers })
      assert.deepEqual([status, body.code], [403, 'forbidden'], path)
    }
    const form = { host: 'evil.example', 'content-type': 'application/x-www-form-urlencoded' }
    const posted = await gateway.call({ path: '/mailbox/login', body: 'email=a%40b.example&password=x', headers: form })
    assert.equal(posted.status, 403)
  })

  for (const host of [
    'localhost',
    'LOCALHOST:1234',
    'localhost.',
    'mail.localhost:80',
    '127.0.0.1:8080',
    '127.3.2.1',
    '[::1]:8080',
  ])
    it(`${host} is accepted under every public URL`, async () => {
      for (const config of [unset, onThisMachine, elsewhere]) {
        await using gateway = await testGateway({ config })
        assert.equal((await send(gateway, ...get('/', `Host: ${host}`))).status, 200)
      }
    })

  it('may be any with a public URL', async () => {
    await using gateway = await testGateway({ config: elsewhere })
    for (const host of foreign) assert.equal((await send(gateway, ...get('/', `Host: ${host}`))).status, 200, host)
  })

  it('must be a name of this machine for requests from this machine if the public URL names this machine', async () => {
    await using gateway = await testGateway({ config: onThisMachine })
    for (const host of foreign) assert.equal((await send(gateway, ...get('/', `Host: ${host}`))).status, 403, host)
  })

  // A container sees the address of its bridge, so a page could use the published port under a name of its own.
  it('must not be a name of public DNS for other machines either if the public URL names this machine', async () => {
    const outcome = async (host: string) => {
      const req = { rawHeaders: ['Host', host], httpVersion: '1.1', socket: { remoteAddress: '172.17.0.1' } }
      const context = { req, state: { targetHost: null }, path: '/api/v1/auth/signup' } as never
      const step = checkHost({ publicUrl: 'http://localhost:8080', publicUrlIsSet: true })
      try {
        await step(context, async () => {})
        return 'accepted'
      } catch (thrown) {
        return (thrown as Fault).code
      }
    }
    for (const host of ['evil.example', 'evil.example:8080', '127.0.0.1.nip.io', 'localhost.evil.example'])
      assert.equal(await outcome(host), 'forbidden', host)
    for (const host of [
      'localhost:8080',
      '172.17.0.2:8080',
      'postrider:8080',
      'gateway.postrider.svc.cluster.local',
      'box.home.arpa',
    ])
      assert.equal(await outcome(host), 'accepted', host)
  })

  for (const [name, ...lines] of [
    ['several Host headers', ...get('/', 'Host: localhost', 'Host: evil.example')],
    ['the same Host header twice', ...get('/livez', 'Host: localhost', 'Host: localhost')],
    ['several Host headers in different case', ...get('/', 'HOST: localhost', 'Accept: */*', 'host: localhost')],
    ['several Host headers in HTTP/1.0', 'GET / HTTP/1.0', 'Host: localhost', 'Host: evil.example'],
    ['no Host header', ...get('/')],
    ['an empty Host header', ...get('/', 'Host:')],
    ['a user in the Host header', ...get('/', 'Host: a@localhost')],
    ['a space in the Host header', ...get('/', 'Host: localhost evil.example')],
    ['a path in the Host header', ...get('/', 'Host: localhost/evil')],
    ['a wrong port in the Host header', ...get('/', 'Host: localhost:80a')],
    ['an open bracket in the Host header', ...get('/', 'Host: [::1')],
    ['a URL for another host', ...get('http://evil.example/', 'Host: localhost')],
    ['a URL for this host and another Host header', ...get('http://localhost/', 'Host: evil.example')],
    ['a URL with another port', ...get('http://localhost:8081/', 'Host: localhost:8080')],
    ['a URL with a user', ...get('http://a@localhost/', 'Host: localhost')],
    ['a URL of another scheme', ...get('ftp://localhost/', 'Host: localhost')],
    ['an invalid URL', ...get('http://[::1/livez', 'Host: localhost')],
    ['an invalid URL and Host', ...get('http://[::1/livez', 'Host: [::1')],
    ['a URL without a host', ...get('http:///', 'Host: localhost')],
  ] as const) {
    it(`is refused with 400: ${name}`, async () => {
      for (const config of [unset, elsewhere]) {
        await using gateway = await testGateway({ config })
        // The reply ends with the connection, although these requests do not request that.
        const { status, code } = await send(gateway, ...lines.filter((one) => one !== 'Connection: close'))
        assert.deepEqual([status, code], [400, 'malformed_request'])
      }
    })
  }

  // Versions of Node drop fields beyond the 1,000th, or refuse the request as too long.
  it('is read from all fields of the header, however many come before', async () => {
    await using gateway = await testGateway({ config: unset })
    const many = Array.from({ length: 1_500 }, () => 'b3:')
    const lines = (...last: string[]) => ['GET /metrics HTTP/1.1', 'Host: localhost', ...many, ...last]
    const { status, text } = await send(gateway, ...lines('Host: evil.example'))
    assert.equal(status, 400)
    assert.match(text, /has several Host headers/)
    const proxied = await send(gateway, ...lines('X-Forwarded-For: 192.0.2.1', 'Connection: close'))
    assert.equal(proxied.status, 404)
    assert.match(proxied.text, /the header `x-forwarded-for`/)
  })

  it('may be in the request target too', async () => {
    await using gateway = await testGateway({ config: unset })
    for (const [url, host] of [
      ['http://localhost/livez', 'localhost'],
      ['http://LOCALHOST:80/livez?a=b', 'localhost'],
      ['HTTP://localhost:8080/livez', 'localhost:8080'],
      ['http://[::1]:8080/livez', '[::1]:8080'],
    ] as const)
      assert.equal((await send(gateway, ...get(url, `Host: ${host}`))).status, 200, url)
    const { status } = await send(gateway, ...get('http://evil.example/', 'Host: evil.example'))
    assert.equal(status, 403)
  })

  it('may be absent in HTTP/1.0, for probes of load balancers', async () => {
    await using gateway = await testGateway({ config: unset })
    assert.equal((await send(gateway, 'GET /readyz HTTP/1.0')).status, 200)
    assert.equal((await send(gateway, 'GET / HTTP/1.0')).status, 403)
  })
})
