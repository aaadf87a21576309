import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import process from 'node:process'
import { quietRedis } from '../contract/redis.ts'
import { isFinal, type Tenant } from '../support/client.ts'
import { type Everything, everythingOf, locationsOf } from '../support/everyStore.ts'
import type { EmailRecord } from '../support/records.ts'
import { skip } from '../support/skip.ts'
import { useSystem } from '../support/suite.ts'
import { hangMs, until } from '../support/until.ts'

type Sent = EmailRecord & { content_removed_at: string | null }

const word = (kind: string): string => `${kind}${randomBytes(9).toString('hex')}`

const storeInRedis = async (url: string, text: string): Promise<void> => {
  await using redis = await quietRedis(url)
  await redis.client.set(`test:${text}`, text, 'EX', 600)
}

describe('what a service has of mail with retention `none` after its delivery', () => {
  const system = useSystem()
  let tenant: Tenant
  let [marker, control, token] = ['', '', '']
  /** Ids of mail with the marker. */
  const ids: string[] = []
  let everything: Everything = new Map()

  /** An email that has the word wherever text may be. */
  const mailWith = (text: string, to: string): Record<string, unknown> => ({
    to: [`${text} <${to}>`],
    reply_to: [`${text}@reply.example`],
    subject: `Subject ${text}`,
    text: `Text ${text}`,
    html: `<p>${text}</p>`,
    headers: { 'X-Order': text },
    attachments: [{ filename: `${text}.txt`, content: Buffer.from(`${text}\n`.repeat(500)).toString('base64') }],
    tags: { order: text },
    metadata: { order: text },
  })

  const send = async (mail: Record<string, unknown>, api = tenant.api): Promise<string> => {
    const headers = { 'idempotency-key': randomUUID() }
    const json = { retention: 'none', ...mail }
    const { status, body, text } = await api.call<Sent>({ method: 'POST', path: '/api/v1/emails', json, headers })
    assert.equal(status, 202, text)
    return body.id
  }

  const removed = (id: string): Promise<Sent> =>
    until(`the content of ${id} is removed`, async () => {
      const { body } = await tenant.session.call<Sent>({ path: `/api/v1/emails/${id}` })
      return isFinal(body) && body.content_removed_at ? body : undefined
    })

  before(async function sendAll() {
    this.timeout(400_000)
    if (process.env['POSTRIDER_E2E_URL'] !== undefined) skip(this, 'the stores of that service are not known')
    tenant = await system().client.tenant()
    ;[marker, control] = [word('marker'), word('control')]
    const address = (name: string) => `${name}.${marker}@${marker}.example`
    const { receiver } = system()
    receiver.refuse(address('bad'), { code: 550, text: `5.1.1 ${marker} is unknown` })
    receiver.refuse(address('dot'), { code: 554, text: `5.7.1 ${marker} is refused`, at: 'dot' })
    for (const name of ['good', 'bad', 'dot']) ids.push(await send(mailWith(marker, address(name))))
    ids.push(await send({ ...mailWith(marker, address('long')), html: `<p>${`${marker} \n`.repeat(20_000)}</p>` }))
    const template = await tenant.template({ subject: '{{a}}', text_body: '{{a}}' })
    const templated = { to: [address('template')], template_id: template.id, template_vars: { a: marker } }
    ids.push(await send(templated))
    const test = await tenant.makeKey({ mode: 'test' })
    ids.push(await send(mailWith(marker, address('test')), test))
    const later = await send({ ...mailWith(marker, address('canceled')), scheduled_at: 'PT2H' })
    const canceled = await tenant.api.call({ method: 'POST', path: `/api/v1/emails/${later}/cancel` })
    assert.equal(canceled.status, 200, canceled.text)
    ids.push(later)
    // Reading must not store it either.
    for (const path of [`/api/v1/emails?to=${address('good')}`, `/api/v1/emails/${ids[0]}/raw`])
      await tenant.api.call({ path })
    const kept = await send({ ...mailWith(control, `${control}@receiver.example`), retention: undefined })
    await tenant.until(kept, isFinal)
    await Promise.all(ids.map(removed))
    // Mail leaves nothing in Redis, so the search has to find a key of this test.
    if (system().cluster) await storeInRedis(system().cluster?.env['REDIS_URL'] ?? '', control)
    const confirmation = await receiver.waitFor(tenant.email)
    token = /[\w-]{20,}$/m.exec(confirmation.mail.text ?? '')?.[0] ?? assert.fail(confirmation.mail.text)
    const isGone = async () => {
      everything = await everythingOf(system())
      return [marker, token].every((secret) => locationsOf(everything, secret).length === 0) || undefined
    }
    // The tests show where something is left.
    await until('all is removed and overwritten', isGone, hangMs, 1_000).catch(() => undefined)
  })

  it('the search finds other mail in the stores, and ids in logs and topics', () => {
    const stores = locationsOf(everything, control)
    const expected = system().cluster
      ? ['collection contents', 'collection emails', 'collection idempotency_keys', 'redis']
      : ['backup postrider.db', 'data postrider.db']
    for (const location of expected) assert.ok(stores.includes(location), `${location}: ${stores}`)
    const seen = locationsOf(everything, ids[0] ?? '')
    for (const location of system().cluster ? [/^log of gateway/, /^log of dispatcher/, /^topic /] : [/^log$/])
      assert.ok(
        seen.some((one) => location.test(one)),
        `${location}: ${seen}`,
      )
  })

  it('is nothing of its content, addresses and labels', () => {
    assert.deepEqual(locationsOf(everything, marker), [])
  })

  it('is nothing of the link in the mail that confirms an address', () => {
    assert.deepEqual(locationsOf(everything, token), [])
  })
})
