import assert from 'node:assert/strict'
import { useBackend } from '../backends/backends.ts'
import { type Cluster, startCluster } from '../cluster/cluster.ts'
import { assertAllArrivedOnce, load, restartInTurn } from '../cluster/load.ts'
import { prepared } from '../cluster/prepared.ts'
import { type Client, connect, fresh, rawMail } from '../support/client.ts'
import { root } from '../support/project.ts'
import { type SmtpSink, smtpSink } from '../support/smtpSink.ts'
import { operatorToken } from '../support/standalone.ts'
import { begin } from './begun.ts'
import { useLastRelease } from './tree.ts'

/** Two of each, so that a request finds one of them while the other is restarted. */
const replicas = { accounts: 2, templates: 2, quota: 2, intake: 2, dispatcher: 2, gateway: 2 }

/** Processes restarted side by side; `helm upgrade` rolls all services at once. */
const atOnce = 2

/**
 * First one of each service, then their neighbours: so half of all is old for a long while. And callers have the second or
 * two to find a process that came back before its neighbour goes, which a pod's pause before SIGTERM gives them; those of
 * 0.1.0 need it.
 */
const inTurn = ({ members }: Cluster) => members.toSorted((one, other) => one.number - other.number)

/** Of all gateways, over an upgrade and the way back. */
const gatewayRestarts = 2 * replicas.gateway

describe('a cluster of the last release', function upgradeSuite() {
  this.timeout(240_000)
  const release = useLastRelease()
  const [mongodb, kafka, redis] = [useBackend('mongodb'), useBackend('kafka'), useBackend('redis')]
  const stack = new AsyncDisposableStack()
  let cluster: Cluster
  let client: Client
  let sink: SmtpSink

  before(async () => {
    sink = stack.use(await smtpSink())
    cluster = stack.use(
      await startCluster({
        backends: { mongodb: mongodb(), kafka: kafka(), redis: redis() },
        replicas,
        tree: release().folder,
        env: {
          POSTRIDER_ROUTE: `smtp://127.0.0.1:${sink.port}`,
          POSTRIDER_OPERATOR_TOKEN: operatorToken,
          POSTRIDER_TRUSTED_PROXIES: '127.0.0.0/8,::1/128',
        },
      }),
    )
    client = connect(cluster.url, operatorToken)
    stack.defer(() => client.close())
  })
  after(() => stack.disposeAsync())

  it('is upgraded and taken back under load, and no request is refused, no mail lost or sent twice', async () => {
    // Limits that stop nobody: each send asks Redis and the guarded count of the month.
    const tenant = await client.tenant({ monthly: 1_000_000, rate: 100_000, burst: 200_000 })
    const template = await tenant.template({ text_body: 'Hello {{ name }}.' })
    let made = 0
    const rendered = { template_id: template.id, template_vars: { name: 'Ada' } }
    const mailOf: typeof rawMail = (fields) =>
      made++ % 2 === 0 ? rawMail(fields) : { to: [fresh()], ...rendered, ...fields }
    await using running = load(tenant, { clients: 2, restMs: 50, mailOf })

    const begunByOld = await begin({ client, sink })
    const { code, said } = await prepared(cluster.env)
    assert.equal(code, 0, said)
    await restartInTurn(inTurn(cluster), { tree: root, atOnce })
    await begunByOld.ends()

    const begunByNew = await begin({ client, sink })
    await restartInTurn(inTurn(cluster), { tree: release().folder, atOnce })
    await begunByNew.ends()

    await assertAllArrivedOnce(await running.stop(), { cluster, tenant, sink }, gatewayRestarts)
  })
})
