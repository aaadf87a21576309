import assert from 'node:assert/strict'
import { useBackend } from '../backends/backends.ts'
import { type Cluster, startCluster } from '../cluster/cluster.ts'
import { assertAllArrivedOnce, load, restartInTurn } from '../cluster/load.ts'
import { runPrepare } from '../cluster/program.ts'
import { type Client, connect, fresh, rawMail } from '../support/client.ts'
import { waitForMidnight } from '../support/midnight.ts'
import { root } from '../support/project.ts'
import { type SmtpSink, smtpSink } from '../support/smtpSink.ts'
import { operatorToken } from '../support/standalone.ts'
import { begin, nullFields } from './begun.ts'
import { useLastRelease } from './tree.ts'

/** Two of each, so that one can respond while the other restarts. */
const replicas = { accounts: 2, templates: 2, quota: 2, intake: 2, dispatcher: 2, gateway: 2 }

/** Processes that restart at the same time; `helm upgrade` rolls all services at the same time. */
const atOnce = 2

/**
 * Orders processes so that one of each service restarts first and the others later, which leaves half of the processes
 * on the old version for a long time. It also gives callers a second or two to find a restarted process before the
 * other one of its service stops, as the preStop pause of a pod does. Callers of version 0.1.0 need this time.
 */
const inTurn = ({ members }: Cluster) => members.toSorted((one, other) => one.number - other.number)

/** Restarts of all gateways during an upgrade and a rollback. */
const gatewayRestarts = 2 * replicas.gateway

describe('cluster of the last release', function upgradeSuite() {
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
        wireTokens: 'shared',
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

  it('an upgrade and a rollback under load refuse no request, lose no mail and send none twice', async () => {
    await waitForMidnight()
    // High limits: each send queries Redis and updates the guarded count of the month, and none is refused.
    const tenant = await client.tenant({ monthly: 1_000_000, rate: 100_000, burst: 200_000 })
    const template = await tenant.template({ text_body: 'Hello {{ name }}.' })
    let made = 0
    const rendered = { template_id: template.id, template_vars: { name: 'Ada' } }
    const mailOf: typeof rawMail = (fields) =>
      made++ % 2 === 0 ? rawMail(fields) : { to: [fresh()], ...rendered, ...fields }
    await using running = load(tenant, { clients: 2, restMs: 200, mailOf })

    const begunByOld = await begin({ client, sink }, nullFields)
    const { code, output } = await runPrepare(cluster.env)
    assert.equal(code, 0, output)
    await restartInTurn(inTurn(cluster), { tree: root, atOnce })
    await begunByOld.ends()
    await begunByOld.changesTemplate()
    // The load renders this version with the processes of both releases.
    const json = { text_body: 'Welcome {{ name }}.' }
    const changed = await tenant.api.call({ method: 'PATCH', path: `/api/v1/templates/${template.id}`, json })
    assert.equal(changed.status, 200, changed.text)

    const begunByNew = await begin({ client, sink })
    await restartInTurn(inTurn(cluster), { tree: release().folder, atOnce })
    await begunByNew.ends()
    await begunByOld.renders()

    await assertAllArrivedOnce(await running.stop(), { cluster, tenant, sink }, gatewayRestarts)
  })
})
