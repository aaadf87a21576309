import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { TLSSocket } from 'node:tls'
import { createServer } from 'node:tls'
import { webhookRules } from '@postrider/domain/webhooks/url.ts'
import { patientWebhookClient } from '../../../test/support/patientWebhookClient.ts'
import { startRawServer, startWebhookServer } from '../../../test/support/webhookReceiver.ts'
import type { Resolve } from './addresses.ts'

const pem = (name: string): string =>
  readFileSync(new URL(`../../../test/support/tls/${name}.pem`, import.meta.url), 'utf8')

const certificateOf = (name: string) => ({ key: pem('key'), cert: pem(name) })

const rules = webhookRules({ allow: ['127.0.0.0/8', '::1'] })
/** Each name leads to 127.0.0.1. */
const resolve: Resolve = async () => ({ kind: 'found', addresses: ['127.0.0.1'] })

const start = (authorities = [pem('authority')]) => patientWebhookClient({ rules, resolve, authorities })

const detailOf = async (url: string, client = start()): Promise<string> => {
  const result = await client.post({ url, headers: {}, body: '{}' })
  await client.close()
  if (result.kind === 'answered') return String(result.status)
  return `${result.reason}: ${result.detail}`
}

describe('webhooks over TLS', () => {
  for (const [certificate, host, expected] of [
    ['signed', 'localhost', '200'],
    ['signed', '127.0.0.1', '200'],
    ['otherHost', 'other.example', '200'],
    ['otherHost', 'other.example.', '200'],
    ['otherHost', 'localhost', 'tls: the certificate is not valid for the host'],
    ['otherHost', '127.0.0.1', 'tls: the certificate is not valid for the host'],
    ['signed', 'other.example', 'tls: the certificate is not valid for the host'],
    ['cert', 'localhost', 'tls: the certificate is self-signed'],
    ['expired', 'localhost', 'tls: the certificate has expired'],
    ['notYetValid', 'localhost', 'tls: the certificate is not valid yet'],
  ] as const)
    it(`${expected === '200' ? 'reach' : 'do not reach'} ${host} with the certificate ${certificate}`, async () => {
      await using server = await startWebhookServer(undefined, { certificate: certificateOf(certificate) })
      assert.equal(await detailOf(`https://${host}:${server.port}/`), expected)
      assert.equal(server.seen.length, expected === '200' ? 1 : 0)
    })

  it('do not reach a server of an authority that Node does not have', async () => {
    await using server = await startWebhookServer(undefined, { certificate: certificateOf('signed') })
    const detail = await detailOf(`https://localhost:${server.port}/`, patientWebhookClient({ rules }))
    assert.match(detail, /^tls: the (?:authority of the certificate is unknown|certificate is signed by an unknown)/)
  })

  it('do not reach a server without TLS, or one that closes the connection', async () => {
    await using plain = await startWebhookServer()
    await using closing = await startRawServer((socket) => socket.once('data', () => socket.destroy()))
    for (const { port } of [plain, closing])
      assert.equal(await detailOf(`https://localhost:${port}/`), 'tls: the TLS handshake failed')
    assert.equal(plain.seen.length, 0)
  })

  it('name the host of the URL in SNI, but no address', async () => {
    const names: (string | false | null)[] = []
    const server = createServer(certificateOf('otherHost'), (socket: TLSSocket) => socket.destroy())
    server.on('secureConnection', (socket: TLSSocket) => names.push(socket.servername))
    server.on('tlsClientError', () => names.push(null))
    const raw = await startRawServer((socket) => server.emit('connection', socket))
    await using _ = raw
    await detailOf(`https://other.example:${raw.port}/`)
    assert.deepEqual(names, ['other.example'])
  })

  it('a TLS connection carries several webhooks', async () => {
    await using server = await startWebhookServer(undefined, { certificate: certificateOf('signed') })
    const client = start()
    for (let count = 0; count < 3; count++) {
      const result = await client.post({ url: `https://localhost:${server.port}/`, headers: {}, body: '{}' })
      assert.equal(result.kind, 'answered')
    }
    assert.deepEqual([server.seen.length, server.connections], [3, 1])
    await client.close()
  })

  it('verify certificates although NODE_TLS_REJECT_UNAUTHORIZED is 0', async () => {
    await using server = await startWebhookServer(undefined, { certificate: certificateOf('cert') })
    const before = process.env['NODE_TLS_REJECT_UNAUTHORIZED']
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0'
    try {
      assert.equal(await detailOf(`https://localhost:${server.port}/`), 'tls: the certificate is self-signed')
    } finally {
      if (before === undefined) delete process.env['NODE_TLS_REJECT_UNAUTHORIZED']
      else process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = before
    }
  })
})
