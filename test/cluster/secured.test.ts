import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { needsOwnBackends } from '../backends/backends.ts'
import { startKafka } from '../backends/kafka.ts'
import { startMongo } from '../backends/mongo.ts'
import { startRedis } from '../backends/redis.ts'
import { connect, rawMail, whenServed } from '../support/client.ts'
import { freePort } from '../support/freePort.ts'
import { root } from '../support/project.ts'
import { smtpSink } from '../support/smtpSink.ts'
import { operatorToken } from '../support/standalone.ts'
import { tlsFront } from '../support/tlsFront.ts'
import { until } from '../support/until.ts'
import { startCluster } from './cluster.ts'
import { runPrepare } from './program.ts'

const certFile = join(root, 'test/support/tls/cert.pem')
const [cert, key] = [readFileSync(certFile), readFileSync(join(root, 'test/support/tls/key.pem'))]
const password = 'a-password-of-the-tests'

const one = { accounts: 1, templates: 1, quota: 1, domains: 1, webhooks: 1, intake: 1, dispatcher: 1, gateway: 1 }

const portOf = (address: string): number => Number(new URL(address).port)

/** Starts MongoDB, Kafka and Redis with TLS, the latter two also with logins. */
const startSecured = async (stack: AsyncDisposableStack) => {
  const folder = await mkdtemp(join(tmpdir(), 'postrider-secured-'))
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  const pemFile = join(folder, 'broker.pem')
  await writeFile(pemFile, `${key}${cert}`)
  const port = await freePort()
  const front = async (address: string) => stack.use(await tlsFront(portOf(address), { key, cert })).port
  const mongo = stack.use(await startMongo())
  const redis = stack.use(await startRedis({ password }))
  stack.use(await startKafka({ secured: { port, pemFile, user: 'postrider', password } }))
  return {
    mongodb: `mongodb://127.0.0.1:${await front(mongo.address)}/?tls=true`,
    kafka: `127.0.0.1:${port}`,
    redis: `rediss://:${password}@127.0.0.1:${await front(redis.address)}`,
  }
}

const env = {
  KAFKA_TLS: 'on',
  KAFKA_SASL: 'scram-sha-512',
  KAFKA_USERNAME: 'postrider',
  KAFKA_PASSWORD: password,
  POSTRIDER_OPERATOR_TOKEN: operatorToken,
  POSTRIDER_TRUSTED_PROXIES: '127.0.0.0/8,::1/128',
}

const metricsOf = async ({ opsUrl }: { opsUrl: string } = { opsUrl: '' }): Promise<string> =>
  (await fetch(`${opsUrl}/metrics`)).text()

/** Regression: the preparation treated a wrong login as an outage of Kafka and waited. */
const assertRefusesWrongPassword = async ({ mongodb, kafka }: { mongodb: string; kafka: string }): Promise<void> => {
  const { POSTRIDER_OPERATOR_TOKEN: _, POSTRIDER_TRUSTED_PROXIES: __, ...login } = env
  const wrong = { ...login, KAFKA_PASSWORD: 'another', NODE_EXTRA_CA_CERTS: certFile }
  const { code, output } = await runPrepare({ ...wrong, MONGODB_URL: mongodb, KAFKA_BROKERS: kafka })
  assert.equal(code, 1, output)
  assert.match(output, /\nprepare: Kafka rejects the login, or the user may not create topics\. \(.*SCRAM.*\)$/m)
  assert.doesNotMatch(output, /"dependency":"Kafka"/)
}

describe('cluster whose back ends require TLS and logins', () => {
  needsOwnBackends()

  it('sends mail with the use of all of them', async () => {
    await using stack = new AsyncDisposableStack()
    const backends = await startSecured(stack)
    await assertRefusesWrongPassword(backends)
    const sink = stack.use(await smtpSink())
    const cluster = stack.use(
      await startCluster({
        backends,
        replicas: one,
        env: { ...env, POSTRIDER_ROUTE: `smtp://127.0.0.1:${sink.port}` },
        envOfMember: () => ({ NODE_EXTRA_CA_CERTS: certFile }),
      }),
    )
    const client = connect(cluster.url, operatorToken)
    stack.defer(() => client.close())
    const tenant = await client.tenant()
    const { status, body } = await whenServed(() => tenant.send(rawMail()))
    assert.equal(status, 202)
    await tenant.until(body.id, (email) => email.status === 'delivered')
    // Without Kafka mail leaves by scans, and without Redis each process limits by itself, so both are checked here.
    const [intake] = cluster.of('intake')
    // The sign-up rings for its mail too, and the sweep for mail that is due.
    const sent = /^postrider_kafka_rings_total\{[^}]*outcome="sent"\} [1-9]/m
    await until('the ring is published', async () => sent.test(await metricsOf(intake)) || undefined)
    const [gateway] = cluster.of('gateway')
    assert.match(await metricsOf(gateway), /postrider_rate_limiter_degraded 0/)
    const [dispatcher] = cluster.of('dispatcher')
    // A new consumer group can take seconds; a scan delivers the mail before it is ready.
    const listens = /"lane":"transactional".*"msg":"listening to kafka"/
    await until('a dispatcher listens to Kafka', () => listens.test(dispatcher?.output() ?? '') || undefined)
  })
})
