import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { until } from '../../test/support/until.ts'
import { aKey, type TestGateway, testGateway } from './testGateway.ts'

type Exchange = { statuses: number[]; codes: string[]; isClosed: boolean; text: string }

const exchangeOf = (text: string, isClosed: boolean): Exchange => ({
  statuses: [...text.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => Number(status)),
  codes: [...text.matchAll(/"code":"(\w+)","request_id"/g)].map(([, code = '']) => code),
  isClosed,
  text,
})

/**
 * Sends texts, the next one after a response, and returns the responses when there are `count` or the connection is
 * closed.
 */
const exchange = async (port: number, [first, ...rest]: [string, ...string[]], count: number): Promise<Exchange> => {
  let [received, isClosed] = ['', false]
  const socket = connect(port, '127.0.0.1', () => socket.write(first, 'latin1'))
  socket.setEncoding('latin1').on('data', (more: string) => {
    received += more
    const next = rest.shift()
    if (next !== undefined) socket.write(next, 'latin1')
  })
  socket.on('error', () => {})
  socket.on('close', () => {
    isClosed = true
  })
  await until('it is answered', () => isClosed || exchangeOf(received, false).statuses.length >= count || undefined)
  socket.destroy()
  return exchangeOf(received, isClosed)
}

const accepted = { id: 'em_1', status: 202, bodyJson: '{}', replayed: false, quota: null }
const mail = JSON.stringify({ to: ['b@y.example'], subject: 's', text: 't' })
const length = `Content-Length: ${mail.length}`
const chunk = `${mail.length.toString(16)}\r\n${mail}\r\n`
const chunked = `${chunk}0\r\n\r\n`
const next = 'GET /livez HTTP/1.1\r\nHost: x\r\n\r\n'
const send = (...lines: string[]): string =>
  [
    'POST /api/v1/emails HTTP/1.1',
    'Host: x',
    `Authorization: Bearer ${aKey()}`,
    'Content-Type: application/json',
    ...lines,
    '',
    '',
  ].join('\r\n')
const get = (...lines: string[]): string => ['GET /livez HTTP/1.1', 'Host: x', ...lines, '', ''].join('\r\n')
const version1_0 = (text: string): string => text.replace('HTTP/1.1', 'HTTP/1.0')

describe('requests that are read differently by proxies', () => {
  let gateway: TestGateway
  let sent = 0
  before(async () => {
    gateway = await testGateway({
      intake: {
        Submit: async () => {
          sent++
          return accepted
        },
      },
    })
  })
  after(() => gateway[Symbol.asyncDispose]())

  const coding = (value: string): string => send(`Transfer-Encoding: ${value}`) + chunked
  // Regression: all but the 400s were accepted, and the body was read as chunked.
  const refused: [name: string, text: string, status: number, code: string][] = [
    ['gzip, chunked', coding('gzip, chunked'), 501, 'not_implemented'],
    ['two fields', send('Transfer-Encoding: gzip', 'Transfer-Encoding: chunked') + chunked, 501, 'not_implemented'],
    ['identity, chunked', coding('identity, chunked'), 501, 'not_implemented'],
    ['an empty member', coding(', chunked'), 501, 'not_implemented'],
    ['gzip, chunked of a GET', `${get('Transfer-Encoding: gzip, chunked')}0\r\n\r\n`, 501, 'not_implemented'],
    [
      'gzip, chunked and a body that is no chunk',
      `${send('Transfer-Encoding: gzip, chunked')}\x1f\x8b\x08`,
      501,
      'not_implemented',
    ],
    [
      'a coding of HTTP/1.0',
      version1_0(send('Transfer-Encoding: chunked', 'Connection: keep-alive') + chunked),
      400,
      'malformed_request',
    ],
    ['a coding of HTTP/1.0 that closes', version1_0(coding('chunked')), 400, 'malformed_request'],
    ['HTTP/2.0', get().replace('HTTP/1.1', 'HTTP/2.0'), 400, 'malformed_request'],
    ['HTTP/0.9', get().replace('HTTP/1.1', 'HTTP/0.9'), 400, 'malformed_request'],
    ['a fragment', get().replace('/livez', '/livez#/docs'), 400, 'malformed_request'],
    ['a fragment of a URL', get().replace('/livez', 'http://x/livez#/docs'), 400, 'malformed_request'],
    ['GET *', get().replace('/livez', '*'), 400, 'malformed_request'],
    ['another expectation of a body', send(length, 'Expect: 200-ok') + mail, 417, 'expectation_failed'],
    ['two expectations', send(length, 'Expect: 100-continue, other') + mail, 417, 'expectation_failed'],
    ['chunked twice', coding('chunked, chunked'), 400, 'malformed_request'],
    ['an unknown coding alone', coding('xchunked'), 400, 'malformed_request'],
    ['gzip alone', coding('gzip'), 400, 'malformed_request'],
    ['chunked not last', coding('chunked, gzip'), 400, 'malformed_request'],
    ['identity', send('Transfer-Encoding: identity', length) + mail, 400, 'malformed_request'],
    ['an empty coding and a length', send('Transfer-Encoding:', length) + mail, 400, 'malformed_request'],
    ['a vertical tab before the coding', coding('\x0bchunked'), 400, 'malformed_request'],
    ['a length before a coding', send(length, 'Transfer-Encoding: chunked') + chunked, 400, 'malformed_request'],
    ['a length after a coding', send('Transfer-Encoding: chunked', length) + chunked, 400, 'malformed_request'],
    ['the same length twice', send(length, length) + mail, 400, 'malformed_request'],
    ['a list of lengths', send(`${length}, ${mail.length}`) + mail, 400, 'malformed_request'],
    ['a length with a sign', send(`Content-Length: +${mail.length}`) + mail, 400, 'malformed_request'],
    ['an empty length', send('Content-Length:') + mail, 400, 'malformed_request'],
    ['a length above 64 bits', send('Content-Length: 99999999999999999999') + mail, 400, 'malformed_request'],
    ['a folded coding', send('Transfer-Encoding:\r\n chunked') + chunked, 400, 'malformed_request'],
    ['a space before a colon', send('Transfer-Encoding : chunked') + chunked, 400, 'malformed_request'],
    ['a bare CR', get('X-A: a\rb'), 400, 'malformed_request'],
    ['a bare LF at the end', 'GET /livez HTTP/1.1\r\nHost: x\r\n\n', 400, 'malformed_request'],
    ['a control character', get('X-A: a\x01b'), 400, 'malformed_request'],
    ['DEL', get('X-A: a\x7fb'), 400, 'malformed_request'],
    ['a control character in the target', get().replace('/livez', '/liv\x01ez'), 400, 'malformed_request'],
    ['a LF after a chunk size', `${send('Transfer-Encoding: chunked')}1\na\r\n0\r\n\r\n`, 400, 'malformed_request'],
    ['a LF in a chunk extension', `${send('Transfer-Encoding: chunked')}1;a\n0\r\n\r\n`, 400, 'malformed_request'],
    [
      'a space after a chunk size',
      `${send('Transfer-Encoding: chunked')}1 \r\na\r\n0\r\n\r\n`,
      400,
      'malformed_request',
    ],
    [
      'a chunk size above 64 bits',
      `${send('Transfer-Encoding: chunked')}10000000000000001\r\na`,
      400,
      'malformed_request',
    ],
    ['a chunk without its end', `${send('Transfer-Encoding: chunked')}1\r\nab\r\n0\r\n\r\n`, 400, 'malformed_request'],
    [
      'a long chunk extension',
      `${send('Transfer-Encoding: chunked')}1;a=${'x'.repeat(20_000)}\r\n`,
      400,
      'malformed_request',
    ],
    [
      'long trailers',
      `${send('Transfer-Encoding: chunked')}${chunk}0\r\nX-A: ${'x'.repeat(20_000)}\r\n\r\n`,
      400,
      'malformed_request',
    ],
    [
      'a length among the trailers',
      `${send('Transfer-Encoding: chunked')}${chunk}0\r\nContent-Length: 5\r\n\r\n`,
      400,
      'malformed_request',
    ],
    ['CONNECT', 'CONNECT localhost:25 HTTP/1.1\r\nHost: localhost:25\r\n\r\n', 501, 'not_implemented'],
    ['CONNECT with a path', 'CONNECT /livez HTTP/1.1\r\nHost: x\r\n\r\n', 501, 'not_implemented'],
  ]
  for (const [name, text, status, code] of refused)
    it(`are refused with ${status}, and nothing after them is read: ${name}`, async () => {
      const before = sent
      const {
        statuses,
        codes,
        isClosed,
        text: received,
      } = await exchange(gateway.port, [text + send(length) + mail], 9)
      assert.deepEqual([statuses.filter((one) => one !== 100), codes, isClosed], [[status], [code], true], received)
      assert.match(received, /connection: close/i)
      assert.match(received, /x-request-id: req_/i)
      assert.equal(sent, before)
    })

  const answered: [name: string, text: string, status: number][] = [
    ['chunked', coding('chunked'), 202],
    ['chunked in capitals', coding('CHUNKED'), 202],
    [
      'a short chunk extension',
      `${send('Transfer-Encoding: chunked')}${mail.length.toString(16)};a=b\r\n${mail}\r\n0\r\n\r\n`,
      202,
    ],
    ['trailers', `${send('Transfer-Encoding: chunked')}${chunk}0\r\nX-A: 1\r\n\r\n`, 202],
    ['zeros before a length', send(`Content-Length: 000${mail.length}`) + mail, 202],
    ['HTTP/1.0', version1_0(send(length, 'Connection: keep-alive') + mail), 202],
    ['an expectation of HTTP/1.0', version1_0(send(length, 'Expect: other', 'Connection: keep-alive') + mail), 202],
    ['OPTIONS *', get().replace('GET /livez', 'OPTIONS *'), 204],
    ['TRACE, which is not echoed', get('X-A: secret').replace('GET', 'TRACE'), 405],
    ['another expectation without a body', get('Expect: 200-ok'), 417],
  ]
  for (const [name, text, status] of answered)
    it(`return ${status}, and so does the next one: ${name}`, async () => {
      const { statuses, text: received } = await exchange(gateway.port, [text + next], 2)
      assert.deepEqual(statuses, [status, 200], received)
      assert.doesNotMatch(received, /secret/)
    })

  it('have their trailers apart from their header: neither key nor host comes from there', async () => {
    const text = send('Transfer-Encoding: chunked').replace(/Authorization: (.*)\r\n/, '')
    const trailers = `Authorization: Bearer ${aKey()}\r\nHost: y\r\nContent-Type: application/json\r\n\r\n`
    const { statuses } = await exchange(gateway.port, [`${text}${chunk}0\r\n${trailers}${next}`], 2)
    assert.deepEqual(statuses, [401, 200])
  })
})

describe('requests with Upgrade', () => {
  const upgrade = ['Connection: Upgrade', 'Upgrade: websocket']
  const h2c = ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA']
  let gateway: TestGateway
  before(async () => {
    gateway = await testGateway({ intake: { Submit: async () => accepted } })
  })
  after(() => gateway[Symbol.asyncDispose]())

  // Regression: what followed such a request in the same piece was dropped, and the next piece was read as if it began
  // a request.
  const cases: [name: string, texts: [string, ...string[]], statuses: number[]][] = [
    ['of a web socket', [get(...upgrade) + next], [200, 200]],
    ['of HTTP/2', [get(...h2c) + next], [200, 200]],
    ['with a body', [send(length, ...h2c) + mail + next], [202, 200]],
    ['with a chunked body', [send('Transfer-Encoding: chunked', ...upgrade) + chunked + next], [202, 200]],
    ['with a body in a later piece', [send(length, 'Expect: 100-continue', ...h2c), mail + next], [100, 202, 200]],
    ['after another request', [next + get(...upgrade) + next], [200, 200, 200]],
    ['after a send', [send(length) + mail + get(...upgrade) + send(length) + mail], [202, 200, 202]],
    ['several times', [get(...upgrade).repeat(20) + next], [...Array<number>(20).fill(200), 200]],
    ['and the start of the next one', [get(...upgrade) + next.slice(0, 20), next.slice(20)], [200, 200]],
    ['without Connection', [get('Upgrade: websocket') + next], [200, 200]],
    ['and invalid HTTP after it', [`${get(...upgrade)}\0\0`], [200, 400]],
    ['and CONNECT after it', [`${get(...upgrade)}CONNECT x:1 HTTP/1.1\r\nHost: x:1\r\n\r\n`], [200, 501]],
    ['in HTTP/1.0', [version1_0(get('Connection: Upgrade, keep-alive', 'Upgrade: x')) + next], [200, 200]],
  ]
  for (const [name, texts, statuses] of cases)
    it(`get the same responses as without it, and so do the others: ${name}`, async () => {
      const received = await exchange(gateway.port, texts, statuses.length)
      assert.deepEqual(received.statuses, statuses, received.text)
    })

  it('count as one connection and leave no listener behind', async () => {
    const warnings: Error[] = []
    const onWarning = (warning: Error): void => void warnings.push(warning)
    process.on('warning', onWarning)
    await exchange(gateway.port, [get(...upgrade).repeat(60)], 60)
    process.off('warning', onWarning)
    assert.deepEqual(warnings, [])
    const none = /postrider_http_connections 0\n/
    await until('no connection is open', async () => none.test(await gateway.metricsText()) || undefined)
  })
})

describe('invalid HTTP after other requests', () => {
  /** Sends a mail that is accepted when the test allows it, and more. */
  const afterMail = async (more: string, header: string[] = []): Promise<Exchange> => {
    const { promise, resolve } = Promise.withResolvers<void>()
    let isCalled = false
    await using gateway = await testGateway({
      intake: {
        Submit: async () => {
          isCalled = true
          await promise
          return accepted
        },
      },
    })
    const answered = exchange(gateway.port, [send(length, ...header) + mail + more], 9)
    await until('the mail is submitted', () => isCalled || undefined)
    resolve()
    return await answered
  }

  // Regression: the refusal came first, so that the client took it for the response to its mail and sent the mail
  // again.
  for (const more of ['\0\0', 'GET / HTTP/1.1\r\nX : y\r\n\r\n', `${send('Transfer-Encoding: chunked')}zz`])
    it(`gets its response after them: ${JSON.stringify(more.slice(-10))}`, async () => {
      const { statuses, isClosed } = await afterMail(more)
      assert.deepEqual([statuses, isClosed], [[202, 400], true])
    })

  // Regression: this was a 400 in place of the response.
  it('is ignored after one that closes the connection', async () => {
    const { statuses, isClosed } = await afterMail(next, ['Connection: close'])
    assert.deepEqual([statuses, isClosed], [[202], true])
  })

  // Regression: the client took the 400 for the response to its next request.
  it('has no response of its own in the body of a request that has a response', async () => {
    await using gateway = await testGateway({ intake: { Submit: async () => accepted } })
    const unknown = send('Transfer-Encoding: chunked').replace(/Authorization: (.*)\r\n/, '')
    const { statuses, isClosed } = await exchange(gateway.port, [`${unknown}1\r\n{\r\n`, 'zz\r\n'], 9)
    assert.deepEqual([statuses, isClosed], [[401], true])
  })
})
