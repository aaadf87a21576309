import assert from 'node:assert/strict'
import { grpcClient } from '@postrider/adapters/grpc/client.ts'
import { webhooksSpec } from '@postrider/contracts/services.ts'
import { answered, fresh, rawMail } from '../support/client.ts'
import { until } from '../support/until.ts'
import { startWebhookServer } from '../support/webhookReceiver.ts'
import { useCluster } from './shared.ts'

const actor = 'usr_01m7yr6cabfzvahf8pz72f0kb4'

describe('webhooks of a cluster', () => {
  const system = useCluster()

  const webhooks = () => {
    const address = system()
      .cluster.of('webhooks')
      .map(({ port }) => `127.0.0.1:${port}`)
      .join(',')
    const token = system().cluster.env['POSTRIDER_WIRE_TOKEN_GATEWAY'] ?? assert.fail('the cluster has no token')
    return grpcClient({ spec: webhooksSpec, address, token, name: 'test' })
  }

  const request = (workspace: string, url: string) => ({
    workspace,
    mode: '',
    url,
    events: [],
    description: '',
    enabled: true,
    actor,
  })

  it('receive every event of a message, in spite of a process that is killed', async () => {
    await using client = webhooks()
    const tried = new Set<unknown>()
    await using receiver = await startWebhookServer(({ headers }) => {
      const id = headers['webhook-id']
      // The second retry of an event would wait for minutes.
      const isRefused = tried.size < 5 && !tried.has(id)
      tried.add(id)
      return { status: isRefused ? 500 : 200 }
    })
    const tenant = await system().client.tenant()
    const created = await client.service.Create(request(tenant.workspace.id, receiver.url))
    assert.match(created.secret, /^whsec_/)
    const sent = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const [mail, key] = [rawMail({ to: [fresh()] }), { 'idempotency-key': fresh() }]
        return (await answered(() => tenant.send(mail, key))).body.id
      }),
    )
    const [killed] = system().cluster.of('webhooks')
    await killed?.kill9()
    await killed?.start()
    for (const id of sent) await tenant.until(id, ({ status }) => status === 'delivered')
    const records = await Promise.all(sent.map((id) => tenant.get(id)))
    const expected = records.flatMap(({ events }) => (events as unknown as { id: string }[]).map(({ id }) => id)).sort()
    const list = {
      workspace: tenant.workspace.id,
      id: created.endpoint?.id ?? '',
      mode: '',
      limit: 100,
      before: '',
      status: 'delivered',
      event_id: '',
    }
    const delivered = async () => (await client.service.ListDeliveries(list)).deliveries.map((one) => one.event_id)
    await until(
      'every event is delivered',
      async () => ((await delivered()).length >= expected.length ? true : undefined),
      240_000,
    )
    assert.deepEqual((await delivered()).sort(), expected)
    const posted = new Set(receiver.seen.map(({ headers }) => headers['webhook-id']))
    assert.deepEqual([...posted].sort(), expected)
  })

  it('are refused for addresses that are not allowed', async () => {
    await using client = webhooks()
    const tenant = await system().client.tenant()
    await assert.rejects(client.service.Create(request(tenant.workspace.id, 'https://169.254.169.254/')), {
      code: 'validation_failed',
    })
  })
})
