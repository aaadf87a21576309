import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeMetrics } from '@postrider/kit/metrics.ts'
import { connect } from '../../test/support/client.ts'
import { until } from '../../test/support/until.ts'
import { startWebhookServer } from '../../test/support/webhookReceiver.ts'
import { Config } from './config.ts'
import { serve } from './serve.ts'
import { standaloneMetrics, startStandalone } from './standalone.ts'

const open = async () => {
  const directory = await mkdtemp(join(tmpdir(), 'postrider-hooks-'))
  const config = Config.parse({
    PORT: '0',
    POSTRIDER_DATA: directory,
    POSTRIDER_ROUTE: 'mailbox:',
    POSTRIDER_WEBHOOK_ALLOW: '127.0.0.0/8',
  })
  const quiet = () => {}
  const log = { info: quiet, warn: quiet, error: console.error, fatal: console.error } as never
  const metrics = makeMetrics(standaloneMetrics)
  const service = await startStandalone({ config, log, metrics, onFatal: (reason) => assert.fail(String(reason)) })
  const edge = await serve({ config, log, metrics, service })
  const client = connect(edge.url, '')
  const api = client.withKey(edge.first?.testKey ?? assert.fail('no first key'))
  return {
    api,
    service,
    [Symbol.asyncDispose]: async () => {
      client.close()
      await edge[Symbol.asyncDispose]()
      await service[Symbol.asyncDispose]()
      await rm(directory, { recursive: true })
    },
  }
}

describe('standalone with webhooks', () => {
  it('posts every event of a message, once it is accepted over HTTP', async () => {
    await using receiver = await startWebhookServer()
    await using system = await open()
    const { body } = await system.api.call<{ id: string }>({
      path: '/api/v1/emails',
      json: { to: ['first@example.com'], subject: 's', text: 't' },
    })
    const stored = await system.service.store.emails.get(body.id)
    const workspace = stored?.email.workspace ?? assert.fail('the message is not stored')
    const request = { workspace, mode: 'test' as const, events: [], description: '', enabled: true, actor: 'key_1' }
    await system.service.webhooks.Create({ ...request, url: receiver.url })
    const sent = await system.api.call<{ id: string }>({
      path: '/api/v1/emails',
      json: { to: ['second@example.com'], subject: 's', text: 't' },
    })
    const record = async () => (await system.service.store.emails.get(sent.body.id))?.email
    const isFinal = async () => ((await record())?.recipients[0]?.status === 'delivered' ? true : undefined)
    await until('the message is delivered', isFinal)
    const events = ((await record()) ?? assert.fail('the message is not stored')).events.map(({ id }) => id)
    // The first message may still have had events after the creation of the endpoint.
    const posted = (): string[] =>
      receiver.seen
        .filter((seen) => JSON.parse(seen.body).data.email_id === sent.body.id)
        .map(({ headers }) => headers['webhook-id'] ?? '')
    await until('every event is posted', () => (posted().length >= events.length ? true : undefined))
    assert.deepEqual(posted().sort(), events.sort())
  })
})
