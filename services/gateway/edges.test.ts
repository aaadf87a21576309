import assert from 'node:assert/strict'
import net from 'node:net'
import { asFault, Fault } from '@postrider/kit/fault.ts'
import { routes } from './routes/routes.ts'
import { aCaller, acceptingIntake, aKey, mail, type TestCall, type TestGateway, testGateway } from './testGateway.ts'

const json = { 'content-type': 'application/json' }

/** Writes bytes on a new connection and collects the response until the connection is closed. */
const exchange = (port: number, text: string): Promise<string> => {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const socket = net.connect(port, '127.0.0.1', () => socket.write(text))
  let received = ''
  socket.setEncoding('latin1').on('data', (more) => {
    received += more
  })
  socket.on('close', () => resolve(received))
  socket.on('error', reject)
  return promise
}

describe('HTTP edge', () => {
  let gateway: TestGateway
  let lookUps = 0
  before(async () => {
    gateway = await testGateway({
      intake: {
        ...acceptingIntake([]),
        GetEmail: async ({ id }) => {
          if (id === 'em_1') throw new TypeError('an internal secret')
          throw new Fault('not_found', 'There is no email with this id.')
        },
      },
      accounts: {
        AuthenticateKey: async () => {
          lookUps++
          return aCaller()
        },
      },
    })
  })
  after(() => gateway[Symbol.asyncDispose]())

  const refused: [name: string, call: TestCall, status: number, code: string, finer?: string][] = [
    [
      '38: a duplicate key',
      { path: '/api/v1/emails', body: '{"to":"a","to":"b"}', headers: json },
      400,
      'malformed_request',
      'duplicate_key',
    ],
    [
      '39: 200,000 levels',
      { path: '/api/v1/emails', body: '['.repeat(200_000), headers: json },
      400,
      'malformed_request',
      'too_deep',
    ],
    ['40: an empty body', { path: '/api/v1/emails', body: '', headers: json }, 400, 'malformed_request', 'empty_body'],
    ['40: no body at all', { path: '/api/v1/emails', method: 'POST' }, 400, 'malformed_request', 'empty_body'],
    ['40: null', { path: '/api/v1/emails', body: 'null', headers: json }, 422, 'validation_failed', 'wrong_type'],
    ['40: an array', { path: '/api/v1/emails', body: '[]', headers: json }, 422, 'validation_failed', 'wrong_type'],
    [
      '40: invalid UTF-8',
      { path: '/api/v1/emails', body: Buffer.from([0xff]), headers: json },
      400,
      'malformed_request',
      'invalid_utf8',
    ],
    [
      '41: a text body',
      { path: '/api/v1/emails', body: '{}', headers: { 'content-type': 'text/plain' } },
      415,
      'unsupported_media_type',
    ],
    [
      '41: a form',
      { path: '/api/v1/emails', body: 'a=b', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
      415,
      'unsupported_media_type',
    ],
    ['41: a body without a content type', { path: '/api/v1/emails', body: '{}' }, 415, 'unsupported_media_type'],
    [
      '41: another charset',
      { path: '/api/v1/emails', body: '{}', headers: { 'content-type': 'application/json; charset=utf-16' } },
      415,
      'unsupported_media_type',
    ],
    [
      '43: a compressed body',
      { path: '/api/v1/emails', body: '{}', headers: { ...json, 'content-encoding': 'gzip' } },
      415,
      'unsupported_media_type',
    ],
    [
      '42: a body over the limit',
      { path: '/api/v1/emails', body: Buffer.alloc(15 * 2 ** 20 + 1, 'x'), headers: json },
      413,
      'too_large',
    ],
    ['48: an encoded slash', { path: '/api/v1/emails/..%2f' }, 404, 'not_found'],
    ['48: a NUL', { path: '/api/v1/emails%00' }, 404, 'not_found'],
    ['48: a path in another case', { path: '/API/v1/emails' }, 404, 'not_found'],
    ['48: a trailing slash', { path: '/api/v1/emails/' }, 404, 'not_found'],
    ['48: a parameter in the path', { path: '/api/v1/emails;x' }, 404, 'not_found'],
    ['an invalid percent encoding', { path: '/api/v1/emails/%zz/raw/x' }, 404, 'not_found'],
    ['an unknown path', { path: '/api/v1/nothing' }, 404, 'not_found'],
    ['a wrong method', { path: '/api/v1/emails', method: 'DELETE' }, 405, 'method_not_allowed'],
    ['a word in the place of an id', { path: '/api/v1/emails/all', method: 'POST' }, 404, 'not_found'],
    ['a wrong method on an id', { path: '/api/v1/emails/em_1', method: 'DELETE' }, 405, 'method_not_allowed'],
    ['a bug', { path: '/api/v1/emails/em_1' }, 500, 'internal'],
  ]
  for (const [name, call, status, code, finer] of refused) {
    it(`returns ${status} for ${name}: ${finer ?? code}`, async () => {
      const { body, text, headers, ...response } = await gateway.api(call)
      assert.deepEqual([response.status, body.code], [status, code], text)
      if (finer) assert.equal(body.errors?.[0]?.code, finer)
      assert.equal(body['request_id'], headers['x-request-id'])
      assert.equal(body['type'], `/problems/${code.replaceAll('_', '-')}`)
      assert.match(headers['content-type'] ?? '', /^application\/json/)
      assert.doesNotMatch(text, /secret|\.ts|node_modules/)
    })
  }

  it('returns 404 for another API version and names the supported one', async () => {
    for (const path of ['/api/v2/emails', '/api/latest']) {
      const { status, body } = await gateway.call({ path })
      assert.equal(status, 404)
      assert.match(body.detail ?? '', /\/api\/v1/)
    }
  })

  it('lists the supported methods after a wrong method', async () => {
    const { headers } = await gateway.call({ path: '/api/v1/emails', method: 'PUT' })
    assert.equal(headers['allow'], 'GET, HEAD, POST')
  })

  it('logs a bug with its cause and returns no detail of it', async () => {
    const { headers } = await gateway.api({ path: '/api/v1/emails/em_1' })
    const line = gateway.lines.find((one) => one['request_id'] === headers['x-request-id'] && 'err' in one)
    assert.match(String(line?.['err']), /internal secret/)
  })

  // Regression: the detail was the internal text, such as "A message has no caller."
  it('returns no detail of a bug of a service that leaves a part of its response out', async () => {
    const accounts = {
      LogIn: async () => ({ caller: null, token: 't', csrf_token: 'c', email: 'a@y.example' }) as never,
    }
    await using other = await testGateway({ accounts })
    const logIn = { email: 'a@y.example', password: 'correct horse battery' }
    const { status, body } = await other.call({ path: '/api/v1/auth/login', json: logIn })
    assert.deepEqual([status, body.code, body.detail], [500, 'internal', asFault(new Error('x')).message])
    assert.match(String(other.lines.find((line) => 'err' in line)?.['err']), /a message has no caller/)
  })

  it('uses a safe request id of the client and replaces an unsafe one', async () => {
    const idFor = async (id: string) =>
      (await gateway.call({ path: '/livez', headers: { 'x-request-id': id } })).headers['x-request-id']
    assert.equal(await idFor('trace-1.2:3~4_5'), 'trace-1.2:3~4_5')
    for (const odd of ['a b', 'x'.repeat(129), '{"level":60}', ''])
      assert.match(String(await idFor(odd)), /^req_[0-9a-z]{26}$/)
  })

  it('51: logs one line per request without address, key or query', async () => {
    const key = aKey()
    const json = { ...mail, to: ['canary@y.example'] }
    for (const query of ['?token=canary', '']) await gateway.api({ path: `/api/v1/emails${query}`, json })
    const text = JSON.stringify(gateway.lines)
    assert.ok(!text.includes('canary') && !text.includes(key))
    const line = gateway.lines.findLast((one) => one['message'] === 'request')
    assert.deepEqual([line?.['route'], line?.['status'], line?.['email_id']], ['/api/v1/emails', 202, 'em_1'])
  })

  it('44: rejects ambiguous HTTP and closes the connection', async () => {
    const head = 'POST /api/v1/emails HTTP/1.1\r\nHost: x\r\n'
    for (const request of [
      `${head}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      `${head}Transfer-Encoding: xchunked\r\n\r\n`,
      `${head}X-A: b\r\n c\r\n\r\n`,
      `${head}X-A : b\r\n\r\n`,
      'POST /api/v1/emails HTTP/1.1\nHost: x\n\n',
      'nonsense\r\n\r\n',
    ]) {
      const received = await exchange(gateway.port, request)
      assert.match(received, /^HTTP\/1\.1 400 /, request)
      assert.match(received, /"code":"malformed_request"/)
    }
  })

  it('refuses an oversized header in JSON', async () => {
    const received = await exchange(gateway.port, `GET / HTTP/1.1\r\nHost: x\r\nX-A: ${'a'.repeat(20_000)}\r\n\r\n`)
    assert.match(received, /^HTTP\/1\.1 400 .*over 16 KiB/s)
  })

  it('42: rejects an announced length far over the limit immediately', async () => {
    const head = `POST /api/v1/emails HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${aKey()}\r\nContent-Type: application/json\r\n`
    assert.match(await exchange(gateway.port, `${head}Content-Length: 99999999999\r\n\r\n{`), /^HTTP\/1\.1 413 /)
  })

  it('sends errors as application/problem+json when the client accepts it', async () => {
    const { headers } = await gateway.call({ path: '/api/v1/x', headers: { accept: 'application/problem+json' } })
    assert.match(headers['content-type'] ?? '', /^application\/problem\+json/)
  })

  it('forbids sniffing, framing and caching of responses', async () => {
    const { headers } = await gateway.call({ path: '/api/v1/x' })
    assert.equal(headers['x-content-type-options'], 'nosniff')
    assert.equal(headers['cache-control'], 'no-store')
    assert.match(String(headers['content-security-policy']), /frame-ancestors 'none'/)
  })

  it('33: rejects a mistyped key without a lookup', async () => {
    const before = lookUps
    for (const authorization of [
      'Bearer ',
      'Bearer x',
      `Bearer ${aKey().slice(0, -1)}A`,
      `Basic ${aKey()}`,
      `Bearer ${'x'.repeat(10_000)}`,
    ]) {
      const { status, body, headers } = await gateway.call({ path: '/api/v1/emails', headers: { authorization } })
      assert.deepEqual([status, body.code, headers['www-authenticate']], [401, 'unauthenticated', 'Bearer'])
    }
    assert.equal(lookUps, before)
  })

  it('36: does not accept a key in the query', async () => {
    assert.equal((await gateway.call({ path: `/api/v1/emails?api_key=${aKey()}` })).status, 401)
  })

  it('sends no response, not even a refusal, before the writes are durable', async () => {
    const order: string[] = []
    await using own = await testGateway({
      templates: {
        Create: async () => {
          order.push('refused')
          throw new Fault('conflict', 'The name is in use.')
        },
      },
      durable: {
        synced: async () => {
          order.push('synced')
        },
      },
    })
    const json = { name: 'n', subject: 's', text_body: 't' }
    assert.equal((await own.api({ path: '/api/v1/templates', json })).status, 409)
    assert.deepEqual(order, ['refused', 'synced'])
  })

  // Regression: a commit of another caller that failed on a full disk made reads fail.
  it('repeats a read, but no write, if a commit failed during it', async () => {
    let [reads, writes, fails] = [0, 0, true]
    await using own = await testGateway({
      templates: {
        List: async () => {
          fails = reads++ < 2
          return { templates: [], hasMore: false }
        },
        Create: async () => {
          writes++
          fails = true
          throw new Fault('conflict', 'The name is in use.')
        },
      },
      durable: {
        synced: async () => {
          if (fails) throw new Fault('unavailable', 'Nothing can be stored at the moment.')
        },
      },
    })
    assert.equal((await own.api({ path: '/api/v1/templates' })).status, 200)
    const json = { name: 'n', subject: 's', text_body: 't' }
    assert.equal((await own.api({ path: '/api/v1/templates', json })).status, 503)
    assert.deepEqual([reads, writes], [3, 1])
  })

  it('serves the OpenAPI document of its routes', async () => {
    const { body } = await gateway.call({ path: '/api/v1/openapi.json' })
    assert.equal(body['openapi'], '3.1.0')
    assert.equal(Object.keys(body['paths'] as object).length, new Set(routes.map(({ path }) => path)).size)
    const { components } = body as { components?: { securitySchemes: { session: { name: string } } } }
    assert.equal(components?.securitySchemes.session.name, '__Host-sid')
  })

  // Regression: every probe of a starting process logged an error with its stack.
  it('returns 503 to a probe while it is not ready, and logs no failed request', async () => {
    await using starting = await testGateway({ ready: () => false })
    const { status, headers, body } = await starting.call({ path: '/readyz' })
    assert.deepEqual([status, (body as { code: string }).code], [503, 'unavailable'])
    assert.ok(headers['retry-after'])
    assert.deepEqual(
      starting.lines.filter(({ message }) => message === 'request failed'),
      [],
    )
  })
})
