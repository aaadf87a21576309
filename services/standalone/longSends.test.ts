import assert from 'node:assert/strict'
import { assertIterationsBelow } from '../../test/support/cost.ts'
import { startDnsServer, type Zones } from '../../test/support/dnsServer.ts'
import { asZone } from '../../test/support/domains.ts'
import { openIterationsRig } from '../../test/support/iterationsRig.ts'
import type { DomainRecord } from '../../test/support/records.ts'
import { separateSink } from '../../test/support/separateSink.ts'
import { until } from '../../test/support/until.ts'

const mebibyte = 2 ** 20
const fill = (pattern: string, bytes: number): string => pattern.repeat(Math.floor(bytes / Buffer.byteLength(pattern)))
const bodyOf = (value: unknown) => Buffer.from(JSON.stringify(value))

/** Opens all services with a relay in another process, and a verified domain whose mail is signed. */
const openSigned = async () => {
  await using stack = new AsyncDisposableStack()
  const sink = stack.use(await separateSink())
  const zones: Zones = { 'example.com': { names: {} } }
  const dns = stack.use(await startDnsServer({ zones }))
  const rig = stack.use(
    await openIterationsRig({
      POSTRIDER_ROUTE: `smtp://127.0.0.1:${sink.port}`,
      POSTRIDER_DNS: dns.address,
      POSTRIDER_DEFAULT_PLAN: 'unlimited',
    }),
  )
  const session = await rig.session()
  const scopes = ['emails:send', 'emails:read', 'domains:read', 'domains:write']
  const made = await rig.post('/api/v1/api-keys', bodyOf({ name: 'live', scopes }), session)
  assert.equal(made.status, 201, made.text)
  const headers = { authorization: `Bearer ${JSON.parse(made.text).key}` }
  const added = await rig.post('/api/v1/domains', bodyOf({ name: 'example.com' }), headers)
  assert.equal(added.status, 201, added.text)
  const domain = JSON.parse(added.text) as DomainRecord
  zones['example.com'] = { names: asZone(domain.records) }
  await until('the domain is verified', async () => {
    const { text } = await rig.call('POST', `/api/v1/domains/${domain.id}/verify`, { headers })
    return (JSON.parse(text) as DomainRecord).status === 'verified' || undefined
  })
  // The sign-up sent a mail of the service, which is not signed.
  await rig.drain()
  await sink.take()
  const owned = stack.move()
  return { ...rig, sink, headers, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

type Case = [name: string, content: () => object]

/** The messages that take the longest to compose, to sign and to send. */
const messages: Case[] = [
  ...['é\n', '\n', '\r', 'a', '=', ' \n', '.\n', '.'].map(
    (text): Case => [`2 MiB of ${JSON.stringify(text)} as text`, () => ({ text: fill(text, 2 * mebibyte) })],
  ),
  ['2 MiB of nested HTML', () => ({ html: fill('<blockquote>', 2 * mebibyte) })],
  [
    'an attachment of 7 MiB',
    () => ({ text: 'a', attachments: [{ filename: 'a.bin', content: fill('QUJD', 9 * mebibyte) }] }),
  ],
  [
    'an attachment of 5 MiB, to an address that needs SMTPUTF8',
    () => ({
      to: ['a@receiver.example', 'jörg@receiver.example'],
      text: 'a',
      attachments: [{ filename: 'é.bin', content: fill('QUJD', 6 * mebibyte) }],
    }),
  ],
]

// The other tests of the event loop use keys of test mode, whose mail is neither signed nor sent.
describe('event loop while long mail is signed and sent', () => {
  const opened = { rig: null as Awaited<ReturnType<typeof openSigned>> | null }
  before(async () => {
    opened.rig = await openSigned()
  })
  after(() => opened.rig?.[Symbol.asyncDispose]())

  for (const [name, content] of messages)
    it(`is never blocked by ${name}`, async () => {
      const { post, drain, headers, sink } = opened.rig ?? assert.fail('not open')
      const json = bodyOf({ from_: 'a@example.com', to: ['a@receiver.example'], subject: 's', ...content() })
      await assertIterationsBelow(50, async () => {
        const response = await post('/api/v1/emails', Buffer.from(json), headers)
        assert.equal(response.status, 202, response.text.slice(0, 300))
        await drain()
      })
      const received = await sink.take()
      assert.ok(received.length > 0)
      for (const { raw } of received) assert.match(raw.toString('latin1', 0, 2_000), /^DKIM-Signature: /)
    })

  it('is never blocked by twelve long messages that are sent at the same time', async () => {
    const { post, drain, headers, sink } = opened.rig ?? assert.fail('not open')
    const text = fill('.\n', mebibyte)
    await assertIterationsBelow(50, async () => {
      for (let number = 0; number < 12; number++) {
        const mail = { from_: 'a@example.com', to: [`a${number}@receiver.example`], subject: 's', text }
        const response = await post('/api/v1/emails', bodyOf(mail), headers)
        assert.equal(response.status, 202, response.text.slice(0, 300))
      }
      await drain()
    })
    const { length } = await sink.take()
    assert.ok(length > 0 && length % 12 === 0, `${length} messages arrived`)
  })
})
