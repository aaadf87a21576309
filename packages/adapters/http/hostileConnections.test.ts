import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { createServer, type TLSSocket, type TlsOptions } from 'node:tls'
import { webhookRules } from '@postrider/domain/webhooks/url.ts'
import type { After } from '@postrider/kit/after.ts'
import type { WebhookResult } from '@postrider/ports/webhookClient.ts'
import { patientWebhookClient } from '../../../test/support/patientWebhookClient.ts'
import { until } from '../../../test/support/until.ts'
import { startRawServer } from '../../../test/support/webhookReceiver.ts'

const rules = webhookRules({ allow: ['127.0.0.0/8'] })
const ok = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'
const forged = 'HTTP/1.1 299 Forged\r\ncontent-length: 0\r\n\r\n'
const summary = (result: WebhookResult): string =>
  result.kind === 'answered' ? String(result.status) : `${result.kind} ${result.reason}`

describe('idle connections of webhooks', () => {
  // What arrives while no request is sent belongs to no request.
  for (const [what, unsolicited, rest] of [
    ['a response', forged, ''],
    ['the start of a response', forged.slice(0, 12), forged.slice(12)],
    ['a header without its end', 'HTTP/1.1 299 Forged\r\nx: ', 'y\r\ncontent-length: 0\r\n\r\n'],
    ['an informational response', 'HTTP/1.1 103 Early Hints\r\n\r\n', ''],
    ['an upgrade', 'HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: a\r\n\r\n', ''],
    ['another protocol', 'SSH-2.0-OpenSSH_9.9\r\n', ''],
    ['line breaks without an end', '\r\n'.repeat(1_000_000), ''],
  ] as const)
    it(`do not carry the next request after ${what}`, async () => {
      const requests: number[] = []
      let send = (): void => {}
      const serve = (socket: Socket): void => {
        const number = requests.push(0) - 1
        socket.on('data', () => {
          requests[number] = (requests[number] ?? 0) + 1
          // The rest of what was sent before, if the connection is used again.
          socket.write((requests[number] ?? 0) > 1 ? rest + ok : ok)
          send = () => void socket.write(unsolicited)
        })
      }
      await using server = await startRawServer(serve)
      const client = patientWebhookClient({ rules })
      const post = async () =>
        summary(await client.post({ url: `http://127.0.0.1:${server.port}/`, headers: {}, body: '{}' }))
      assert.equal(await post(), '200')
      send()
      await until('the connection is closed', () => client.connections().idle === 0 || undefined)
      assert.equal(await post(), '200')
      assert.deepEqual(requests, [1, 1])
      await client.close()
    })
})

describe('connections of webhooks', () => {
  it('read a response that was sent before the request once', async () => {
    await using server = await startRawServer((socket) => {
      socket.resume().write(ok + forged)
    })
    const client = patientWebhookClient({ rules })
    const url = `http://127.0.0.1:${server.port}/`
    for (let count = 0; count < 2; count++)
      assert.equal(summary(await client.post({ url, headers: {}, body: '{}' })), '200')
    await until('no connection is idle', () => client.connections().idle === 0 || undefined)
    assert.equal(server.connections, 2)
    await client.close()
  })
})

const pem = (name: string): string =>
  readFileSync(new URL(`../../../test/support/tls/${name}.pem`, import.meta.url), 'utf8')

/** Posts once over TLS. `serve` gets the connection, and a function that ends the time of the attempt. */
const postOverTls = async (serve: (socket: Socket, expire: () => void) => void): Promise<string> => {
  let expire = (): void => {}
  const after: After = (_, then) => {
    expire = then
    return { [Symbol.dispose]: () => {} }
  }
  await using server = await startRawServer((socket) => serve(socket, () => expire()))
  const client = patientWebhookClient({ rules, after, authorities: [pem('authority')] })
  const result = await client.post({ url: `https://127.0.0.1:${server.port}/`, headers: {}, body: '{}' })
  await until('the connection is closed', () => client.connections().idle === 0 || undefined)
  assert.equal(client.connections().used, 0)
  await client.close()
  return summary(result)
}

/** Returns a TLS record. */
const record = (type: number, body: Buffer): Buffer =>
  Buffer.concat([Buffer.from([type, 3, 3, body.length >> 8, body.length & 255]), body])
const handshake = 22

describe('TLS handshakes of webhooks', () => {
  it('end at the time limit without a byte', async () => {
    assert.equal(await postOverTls((socket, expire) => socket.once('data', expire)), 'failed timeout')
  })

  it('end at the time limit if they arrive byte by byte', async () => {
    const hello = record(handshake, Buffer.concat([Buffer.from([2, 0, 0x3f, 0xff]), Buffer.alloc(80)]))
    const send = (socket: Socket, expire: () => void, from = 0): void => {
      if (from === 40) expire()
      else socket.write(hello.subarray(from, from + 1), () => setImmediate(() => send(socket, expire, from + 1)))
    }
    assert.equal(
      await postOverTls((socket, expire) => socket.once('data', () => send(socket, expire))),
      'failed timeout',
    )
  })

  it('are read up to a bound', async () => {
    // A message of 16 MB, the maximum that its length can state.
    const header = Buffer.from([2, 0xff, 0xff, 0xff])
    const piece = record(handshake, Buffer.alloc(16_000))
    let sent = 0
    const endlessly = (socket: Socket): void => {
      const send = (): void => {
        while (!socket.destroyed && socket.write(piece)) sent += piece.length
      }
      socket.on('drain', send)
      socket.write(record(handshake, header))
      send()
    }
    assert.equal(await postOverTls((socket) => void socket.once('data', () => endlessly(socket))), 'failed tls')
    assert.ok(sent < 16 * 2 ** 20, `${sent} bytes`)
  })

  // Regression: 2,000 handshakes were made in 3 s, and more until the time limit.
  it('are not repeated when the receiver requests it', async () => {
    let repeated = 0
    const options: TlsOptions = { key: pem('key'), cert: pem('signed'), maxVersion: 'TLSv1.2' }
    const secured = createServer(options, (socket: TLSSocket) => {
      socket.on('error', () => socket.destroy())
      const request = (): void =>
        void socket.renegotiate({}, (error) => {
          if (error === null) repeated += 1
          if (repeated < 5) request()
          else socket.destroy()
        })
      socket.once('data', request)
    })
    assert.equal(await postOverTls((socket) => void secured.emit('connection', socket)), 'failed response')
    assert.equal(repeated, 0)
  })
})
