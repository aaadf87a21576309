import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { webhookRules } from '@postrider/domain/webhooks/url.ts'
import type { After } from '@postrider/kit/after.ts'
import type { WebhookResult } from '@postrider/ports/webhookClient.ts'
import { assertIterationsBelow } from '../../../test/support/cost.ts'
import { patientWebhookClient } from '../../../test/support/patientWebhookClient.ts'
import { startRawServer } from '../../../test/support/webhookReceiver.ts'

const rules = webhookRules({ allow: ['127.0.0.0/8'] })
const mebibyte = 2 ** 20

/** Sends a text again and again until the client closes the connection. */
const endlessly = (socket: Socket, text: string): void => {
  const send = (): void => {
    while (!socket.destroyed && socket.write(text));
  }
  socket.on('drain', send)
  send()
}

const slowPieces = 20

/** Sends a text some times, one after each event loop iteration, and then ends the time of the attempt. */
const slowly = (socket: Socket, text: string, expire: () => void, left = slowPieces): void => {
  if (left === 0) expire()
  else socket.write(text, () => setImmediate(() => slowly(socket, text, expire, left - 1)))
}

type Attempt = { result: WebhookResult; sent: number; idle: number }

/** Posts once to a server that sends `first` after the first bytes of a request, and then what `then` sends. */
const attempt = async (first: string, then: (socket: Socket, expire: () => void) => void): Promise<Attempt> => {
  const sockets: Socket[] = []
  let expire = (): void => {}
  const serve = (socket: Socket): void => {
    sockets.push(socket)
    socket.once('data', () => {
      socket.write(first)
      then(socket, expire)
    })
  }
  // The time limit passes when the server triggers it.
  const after: After = (_, then) => {
    expire = then
    return { [Symbol.dispose]: () => {} }
  }
  await using server = await startRawServer(serve)
  const client = patientWebhookClient({ rules, after })
  const result = await client.post({ url: `http://127.0.0.1:${server.port}/`, headers: {}, body: '{}' })
  const { idle } = client.connections()
  await client.close()
  assert.equal(sockets.length, 1)
  return { result, sent: sockets.reduce((sum, socket) => sum + socket.bytesWritten, 0), idle }
}

const summary = ({ result }: Attempt): string => {
  if (result.kind === 'blocked') return 'blocked'
  const { kind, status = null } = result
  return result.kind === 'answered' ? `${kind} ${status}` : `${kind} ${result.reason} ${status}`
}

const ok = 'HTTP/1.1 200 OK\r\n'
const nothing = (): void => {}
const end = (socket: Socket): void => void socket.end()

describe('endless responses to webhooks', () => {
  for (const [what, first, text, expected] of [
    ['body', `${ok}content-length: 99999999999\r\n\r\n`, 'a'.repeat(1_000), 'answered 200'],
    ['body until the end of the connection', `${ok}\r\n`, 'a'.repeat(1_000), 'answered 200'],
    [
      'body in chunks of 1 byte',
      `${ok}transfer-encoding: chunked\r\n\r\n`,
      '1\r\na\r\n'.repeat(200),
      'failed response 200',
    ],
    ['chunk extension', `${ok}transfer-encoding: chunked\r\n\r\n1;`, 'a'.repeat(1_000), 'failed response 200'],
    ['chunk size', `${ok}transfer-encoding: chunked\r\n\r\n`, '0'.repeat(1_000), 'failed response 200'],
    ['trailer', `${ok}transfer-encoding: chunked\r\n\r\n0\r\n`, 'x: y\r\n'.repeat(200), 'failed response 200'],
    ['header', ok, `x: ${'a'.repeat(1_000)}\r\n`, 'failed response null'],
    ['header field', `${ok}x: `, 'a'.repeat(1_000), 'failed response null'],
    ['header name', ok, 'a'.repeat(1_000), 'failed response null'],
    ['reason phrase', 'HTTP/1.1 200 ', 'a'.repeat(1_000), 'failed response null'],
    ['row of informational responses', '', 'HTTP/1.1 103 Early Hints\r\nlink: a\r\n\r\n', 'failed response null'],
    ['row of line breaks', '', '\r\n'.repeat(500), 'failed response null'],
  ] as const)
    it(`are read up to a bound: ${what}`, async () => {
      const attempted = await attempt(first, (socket) => endlessly(socket, text))
      assert.equal(summary(attempted), expected)
      assert.equal(attempted.idle, 0)
      // Bytes that the kernel and the streams of both ends buffer.
      assert(attempted.sent < 16 * mebibyte, `${attempted.sent} bytes`)
    })

  for (const [what, first, text, status] of [
    ['body', `${ok}content-length: 1000000\r\n\r\n`, 'a', 200],
    ['chunk', `${ok}transfer-encoding: chunked\r\n\r\n`, '1\r\na\r\n', 200],
    ['header', `${ok}x: `, 'a', null],
    ['row of informational responses', '', 'HTTP/1.1 103 Early Hints\r\n\r\n', null],
  ] as const)
    it(`end at the time limit: slow ${what}`, async () => {
      const attempted = await attempt(first, (socket, expire) => slowly(socket, text, expire))
      assert.equal(summary(attempted), `failed timeout ${status}`)
      assert.equal(attempted.idle, 0)
    })

  it('end at the time limit: nothing at all', async () => {
    assert.equal(summary(await attempt('', (_, expire) => expire())), 'failed timeout null')
  })
})

describe('large responses to webhooks', () => {
  it('fail if the header has 1 MB', async () => {
    const one = await attempt(`${ok}x: ${'a'.repeat(1_000_000)}\r\n\r\n`, end)
    const many = await attempt(`${ok}${'x: y\r\n'.repeat(160_000)}\r\n`, end)
    for (const { result } of [one, many])
      assert(result.kind === 'failed' && result.detail === 'the header of the response is too large')
  })

  // The parser made an error for each line beyond its limit that it had read already: 0.1 s in one event loop
  // iteration.
  for (const [what, first] of [
    ['header', ok],
    ['trailer', `${ok}transfer-encoding: chunked\r\n\r\n0\r\n`],
  ] as const)
    it(`fail soon if the ${what} has thousands of short lines`, async () => {
      await assertIterationsBelow(50, async () => {
        const { result } = await attempt(`${first}${'a:\r\n'.repeat(30_000)}\r\n`, end)
        assert.equal(result.kind, 'failed')
      })
    })

  it('large responses are not decompressed', async () => {
    const bomb = gzipSync(Buffer.alloc(50 * mebibyte))
    const header = `${ok}content-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`
    const { result } = await attempt(header, (socket) => socket.end(bomb))
    assert(result.kind === 'answered')
    assert.deepEqual(Buffer.from(result.body), bomb.subarray(0, 4_096))
  })

  it('are used if they have exactly the maximum number of bytes that are read', async () => {
    const attempted = await attempt(`${ok}content-length: 65536\r\n\r\n${'a'.repeat(65_536)}`, nothing)
    assert.deepEqual([summary(attempted), attempted.idle], ['answered 200', 1])
  })
})

describe('invalid responses to webhooks', () => {
  for (const [what, text, expected] of [
    ['no byte', '', 'failed response null'],
    ['a part of the header', 'HTTP/1.1 200 OK\r\nx', 'failed response null'],
    ['a part of the body', `${ok}content-length: 10\r\n\r\nabc`, 'failed response 200'],
    ['chunks without the last one', `${ok}transfer-encoding: chunked\r\n\r\n3\r\nabc\r\n`, 'failed response 200'],
    ['another protocol', 'SSH-2.0-OpenSSH_9.9\r\n', 'failed response null'],
    ['SMTP', '220 mail.example.com ESMTP\r\n', 'failed response null'],
    ['HTTP/0.9', '<html></html>', 'failed response null'],
    ['a TLS alert', '\u0015\u0003\u0001\u0000\u0002\u0002F', 'failed response null'],
    ['an invalid status', 'HTTP/1.1 2xx OK\r\n\r\n', 'failed response null'],
    ['two lengths', `${ok}content-length: 1\r\ncontent-length: 2\r\n\r\nab`, 'failed response null'],
    ['a negative length', `${ok}content-length: -1\r\n\r\n`, 'failed response null'],
    [
      'a length and chunks',
      `${ok}content-length: 3\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
      'failed response null',
    ],
    ['a chunk size that is no number', `${ok}transfer-encoding: chunked\r\n\r\nzz\r\n`, 'failed response 200'],
    [
      'a chunk that is longer than its size',
      `${ok}transfer-encoding: chunked\r\n\r\n1\r\nabc\r\n0\r\n\r\n`,
      'failed response 200',
    ],
    ['a NUL in a header', `${ok}x: a\0b\r\ncontent-length: 0\r\n\r\n`, 'failed response null'],
    ['a folded header', `${ok}x: a\r\n\u0001b: c\r\n\r\n`, 'failed response null'],
    [
      'an upgrade that was not requested',
      'HTTP/1.1 101 Switching\r\nupgrade: a\r\nconnection: upgrade\r\n\r\n',
      'failed response null',
    ],
  ] as const)
    it(`fail: ${what}`, async () => {
      const attempted = await attempt(text, end)
      assert.equal(summary(attempted), expected)
      assert.equal(attempted.idle, 0)
    })

  it('fail: a reset', async () => {
    assert.equal(
      summary(await attempt(`${ok}content-length: 5\r\n\r\na`, (socket) => socket.resetAndDestroy())),
      'failed response 200',
    )
  })

  it('are not read as the response to the next webhook', async () => {
    const forged = 'HTTP/1.1 299 Forged\r\ncontent-length: 0\r\n\r\n'
    const serve = (socket: Socket): void => {
      socket.on('data', () => socket.write(`HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n${forged}`))
    }
    await using server = await startRawServer(serve)
    const client = patientWebhookClient({ rules })
    const statuses: unknown[] = []
    for (let count = 0; count < 3; count++) {
      const result = await client.post({ url: `http://127.0.0.1:${server.port}/`, headers: {}, body: '{}' })
      statuses.push(result.kind === 'answered' ? result.status : result.kind)
    }
    await client.close()
    assert(!statuses.includes(299), String(statuses))
  })
})
