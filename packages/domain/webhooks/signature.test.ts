import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { withTools } from '../../../charts/gen/tools.ts'
import { skip } from '../../../test/support/skip.ts'
import { makeWebhookSecret, signedHeaders, signWebhook, webhookKey } from './signature.ts'

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const other = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8='
const id = 'evt_01jb2m3n4p5q6r7s8t9v0w1x2y'
const body = '{"type":"email.delivered","data":{"recipient":"bücher@example.com"}}'
/** Verifiers compare the timestamp with their clock. */
let at: number

const verified = (key: string, payload: string, headers: Record<string, string>): unknown =>
  new Webhook(key).verify(payload, headers)

describe('webhook signatures', () => {
  beforeEach(() => {
    at = Date.now()
  })

  it('equal the example of Standard Webhooks', () => {
    const signature = signWebhook({
      secrets: [secret],
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      at: 1_614_265_330_000,
      body: '{"test": 2432232314}',
    })
    assert.equal(signature, 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
  })

  it('are accepted by standardwebhooks', () => {
    assert.deepEqual(verified(secret, body, signedHeaders({ secrets: [secret], id, at, body })), JSON.parse(body))
  })

  it('are accepted with either secret of a rotation, and with no other', () => {
    const headers = signedHeaders({ secrets: [other, secret], id, at, body })
    assert.equal(headers['webhook-signature']?.split(' ').length, 2)
    verified(secret, body, headers)
    verified(other, body, headers)
    const third = makeWebhookSecret(randomBytes)
    assert.throws(() => verified(third, body, headers), /No matching signature/)
  })

  it('are refused after each single change of id, timestamp or body', () => {
    const headers = signedHeaders({ secrets: [secret], id, at, body })
    const changed = (text: string, index: number): string =>
      `${text.slice(0, index)}${text[index] === '1' ? '2' : '1'}${text.slice(index + 1)}`
    for (let index = 0; index < id.length; index++)
      assert.throws(() => verified(secret, body, { ...headers, 'webhook-id': changed(id, index) }), `id ${index}`)
    for (let index = 0; index < body.length; index++)
      assert.throws(() => verified(secret, changed(body, index), headers), `body ${index}`)
    const seconds = Number(headers['webhook-timestamp'])
    for (const second of [seconds - 1, seconds + 1])
      assert.throws(() => verified(secret, body, { ...headers, 'webhook-timestamp': String(second) }), /matching/)
    for (const payload of ['', `${body} `, body.slice(1), JSON.stringify(JSON.parse(body), null, 1)])
      assert.throws(() => verified(secret, payload, headers), /matching/)
  })

  it('are refused by receivers 5 minutes later', () => {
    const headers = signedHeaders({ secrets: [secret], id, at: at - 301_000, body })
    assert.throws(() => verified(secret, body, headers), /too old/)
  })

  it('need a secret and an id without a dot', () => {
    assert.throws(() => signWebhook({ secrets: [], id, at, body }), /at least one secret/)
    assert.throws(() => signWebhook({ secrets: ['whsec_short'], id, at, body }), /24 to 64 bytes/)
    assert.throws(() => signWebhook({ secrets: [secret], id: 'evt.1', at, body }), /contains a dot/)
  })

  it('are accepted by standardwebhooks of Python', function () {
    const script = join(import.meta.dirname, '../../../test/support/verifyWebhook.py')
    const headers = signedHeaders({ secrets: [other, secret], id, at: Date.now(), body })
    const run = (payload: string) =>
      spawnSync('python3', [script], {
        input: JSON.stringify({ secret, headers, payload }),
        encoding: 'utf8',
        env: withTools(),
      })
    const first = run(body)
    if (first.error !== undefined) skip(this, 'python3 is not installed')
    if (first.status === 3) skip(this, 'the Python package standardwebhooks is not installed')
    assert.equal(first.stdout, 'accepted\n', first.stderr)
    assert.equal(run(`${body} `).stdout, 'refused\n')
  })
})

describe('webhook secrets', () => {
  it('are whsec_ and the base64 of 32 random bytes', () => {
    const made = makeWebhookSecret(() => Buffer.from(Array.from({ length: 32 }, (_, index) => index)))
    assert.equal(made, other)
    assert.equal(webhookKey(makeWebhookSecret(randomBytes))?.length, 32)
  })

  const ofBytes = (count: number): string => `whsec_${Buffer.alloc(count, 1).toString('base64')}`
  for (const [what, text, length] of [
    ['24 bytes', ofBytes(24), 24],
    ['64 bytes', ofBytes(64), 64],
    ['23 bytes', ofBytes(23), null],
    ['65 bytes', ofBytes(65), null],
    ['no prefix', ofBytes(32).slice(6), null],
    ['another prefix', `whsk_${ofBytes(32).slice(6)}`, null],
    ['base64url', `whsec_${Buffer.alloc(32, 255).toString('base64url')}`, null],
    ['a line break', `${ofBytes(24)}\n`, null],
    ['no padding', ofBytes(32).replace(/=+$/, ''), null],
    ['no key', 'whsec_', null],
  ] as const)
    it(`are ${length === null ? 'refused' : 'accepted'} with ${what}`, () =>
      assert.equal(webhookKey(text)?.length ?? null, length))
})
