import assert from 'node:assert/strict'
import { assertIterationsBelow } from '../../test/support/cost.ts'
import { openIterationsRig } from '../../test/support/iterationsRig.ts'
import { until } from '../../test/support/until.ts'

const many = <Item>(count: number, item: (number: number) => Item): Item[] =>
  Array.from({ length: count }, (_, number) => item(number))
const bodyOf = (value: unknown) => Buffer.from(JSON.stringify(value))

/** A message near the limits: 50 KB. */
const largestTo = (address: string) => ({
  to: [address, ...many(49, (n) => `"${'é'.repeat(250)}" <${'a'.repeat(60)}${n}@r${n}.${'d'.repeat(60)}.example>`)],
  subject: 'é'.repeat(990),
  text: 't',
  metadata: Object.fromEntries(many(20, (n) => [`${'k'.repeat(200)}${n}`, 'é'.repeat(150)])),
  tags: Object.fromEntries(many(10, (n) => [`${'n'.repeat(250)}${n}`, 'v'.repeat(256)])),
})

/** A message with the most problems: 10 KB of results. */
const refused = {
  ...Object.fromEntries(many(30, (n) => [`${'u'.repeat(60)}${n}`, 1])),
  to: many(50, () => 'x'.repeat(200)),
  cc: many(50, () => 'y'.repeat(200)),
  subject: 's',
  text: 't',
}

// Regression: an erasure parsed and wrote the response to a batch for each of its messages in one transaction (1.8 s),
// and parsed all results of permissive batches in one step (0.6 s for ten).
describe('event loop during the erasure of an address', () => {
  const opened = {
    rig: null as Awaited<ReturnType<typeof openIterationsRig>> | null,
    session: {} as Record<string, string>,
    byKey: {} as Record<string, string>,
  }
  before(async () => {
    const rig = await openIterationsRig()
    const session = await rig.session()
    const scopes = ['emails:send', 'emails:read']
    const made = await rig.post('/api/v1/api-keys', bodyOf({ name: 'a', mode: 'test', scopes }), session)
    Object.assign(opened, { rig, session, byKey: { authorization: `Bearer ${JSON.parse(made.text).key}` } })
  })
  after(() => opened.rig?.[Symbol.asyncDispose]())

  const sendBatch = async (messages: unknown[], headers: Record<string, string>): Promise<string> => {
    const { rig, byKey } = opened
    const { status, text } =
      (await rig?.post('/api/v1/emails/batch', bodyOf({ messages }), { ...byKey, ...headers })) ??
      assert.fail('not open')
    assert.equal(status, 202, text.slice(0, 300))
    await rig?.drain()
    return text
  }

  const erase = async (address: string): Promise<void> => {
    const { rig, session } = opened
    const call = rig?.call ?? assert.fail('not open')
    const begun = await call('POST', '/api/v1/erasures', { headers: session, body: bodyOf({ address }) })
    const { id } = JSON.parse(begun.text) as { id: string }
    await until('the erasure is done', async () => {
      const { text } = await call('GET', `/api/v1/erasures/${id}`, { headers: session })
      return (JSON.parse(text) as { status: string }).status === 'done' || undefined
    })
  }

  it('is never blocked by the response to a batch that has the address in each message', async () => {
    let number = 0
    await assertIterationsBelow(50, async () => {
      const address = `gone${number++}@example.com`
      const headers = { 'idempotency-key': address }
      const messages = many(100, () => largestTo(address))
      await sendBatch(messages, headers)
      await erase(address)
      const repeated = await sendBatch(messages, headers)
      assert.equal(JSON.parse(repeated).data.length, 100)
      assert.ok(!repeated.includes(address))
    })
  })

  it('is never blocked by results and responses of batches with refused messages', async () => {
    const messages = [{ to: ['a@example.com'], subject: 's', text: 't' }, ...many(99, () => refused)]
    for (let sent = 0; sent < 10; sent++)
      await sendBatch(messages, {
        'batch-validation': 'permissive',
        ...(sent > 7 && { 'idempotency-key': `k${sent}` }),
      })
    await assertIterationsBelow(50, () => erase('stays@example.com'))
  })
})
