import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { connectMongo } from '@postrider/adapters/mongo/client/connect.ts'
import type { EmailDoc } from '@postrider/adapters/mongo/emails/document.ts'
import { type Email, lanes } from '@postrider/domain/email/email.ts'
import { clusterBackends, whyNoCluster } from '../backends/backends.ts'
import { type Client, connect, fresh, type Tenant } from '../support/client.ts'
import { type CollectedSpan, type Collector, spanTree, startCollector } from '../support/collector.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { skip } from '../support/skip.ts'
import { operatorToken } from '../support/standalone.ts'
import { until } from '../support/until.ts'
import { type Cluster, startCluster } from './cluster.ts'

const given = { trace: '0af7651916cd43dd8448eb211c80319c', id: 'b7ad6b7169203331' }
const isOfStore = ({ attributes }: CollectedSpan): boolean => attributes['db.system.name'] === 'mongodb'

/** A word in the mail that no span may contain. */
const canary = 'c4n4ry'

describe('traces and metrics of a cluster', function tracingCluster() {
  let collector: Collector
  let receiver: Receiver
  let cluster: Cluster
  let client: Client
  let mongodb: string

  before(async function start() {
    this.timeout(400_000)
    const backends = (await clusterBackends()) ?? skip(this, whyNoCluster)
    collector = await startCollector()
    receiver = await startReceiver()
    mongodb = Object.assign(new URL(backends.mongodb), {
      pathname: `/postrider_${randomBytes(4).toString('hex')}`,
    }).href
    cluster = await startCluster({
      backends,
      replicas: { intake: 1, dispatcher: 1, gateway: 1 },
      env: {
        ...collector.env,
        MONGODB_URL: mongodb,
        POSTRIDER_ROUTE: receiver.route,
        POSTRIDER_OPERATOR_TOKEN: operatorToken,
        POSTRIDER_TRUSTED_PROXIES: '127.0.0.0/8,::1/128',
      },
    })
    client = connect(cluster.url, operatorToken)
    // A dispatcher is ready without Kafka. Before it listens, mail leaves by scans and traces lack the ring.
    const [dispatcher] = cluster.of('dispatcher')
    const listens = (lane: string) =>
      new RegExp(`"lane":"${lane}".*"msg":"listening to kafka"`).test(dispatcher?.output() ?? '')
    await until('the dispatcher listens', () => (lanes.every(listens) ? true : undefined))
  })
  after(async () => {
    client?.close()
    await cluster?.[Symbol.asyncDispose]()
    await receiver?.close()
    await collector?.[Symbol.asyncDispose]()
  })

  const ofTrace = (trace: string): CollectedSpan[] => collector.spans.filter((span) => span.trace === trace)
  const attempts = (email: string): CollectedSpan[] =>
    collector.spans.filter(
      ({ name, attributes }) => name === 'smtp attempt' && attributes['postrider.email_id'] === email,
    )
  /** Waits until the spans of the attempt and of all its ancestors are collected. */
  const traceOf = (email: string): Promise<CollectedSpan[]> =>
    until('the spans of a send are collected', () => {
      const trace = ofTrace(attempts(email)[0]?.trace ?? '')
      const ends = ['deliver', 'POST /api/v1/emails', 'postrider.intake.v1.Intake/SubmitOnce']
      // Each process exports its spans at a different time.
      const calls = trace.filter(({ kind, name }) => kind === 'client' && name.startsWith('postrider.'))
      const isThere = (call: CollectedSpan) => trace.some(({ kind, name }) => kind === 'server' && name === call.name)
      return ends.every((end) => trace.some(({ name }) => name === end)) && calls.every(isThere) ? trace : undefined
    })
  /**
   * Sends mail until one leaves by its ring, and returns its response and its spans. On a busy machine a scan can find
   * mail before the ring arrives, and a call can be repeated; then the trace has another form.
   */
  const tracedSend = async (send: () => ReturnType<Tenant['send']>) => {
    for (let left = 5; ; left--) {
      const response = await send()
      const spans = await traceOf(response.body.id)
      const isUsual = spans.some(({ kind }) => kind === 'consumer') && spans.every(({ failed }) => !failed)
      if (isUsual || left === 1) return { ...response, spans }
    }
  }
  const rated = () => client.tenant({ rate: 50, burst: 100 })
  const mail = () => ({
    to: [`${canary} name <${fresh(canary)}>`],
    subject: `${canary} subject`,
    text: `${canary} text`,
    metadata: { order: `${canary} order` },
  })

  it('contain a send as one tree from HTTP through gRPC and Kafka to the SMTP attempt', async () => {
    const tenant = await rated()
    await tenant.send(mail())
    let sent = 0
    const { spans } = await tracedSend(() => tenant.send(mail(), { 'idempotency-key': `${canary}-key-${sent++}` }))
    const topic = spans.find(({ kind }) => kind === 'producer')?.attributes['messaging.destination.name']
    assert.match(String(topic), /postrider\.due\.transactional$/)
    assert.deepEqual(
      // The key may be cached since the first mail.
      spanTree(spans, (span) => !isOfStore(span) && !span.name.endsWith('/AuthenticateKey')),
      [
        'postrider-gateway server POST /api/v1/emails',
        '  postrider-gateway client EVALSHA',
        '  postrider-gateway client postrider.intake.v1.Intake/SubmitOnce',
        '    postrider-intake server postrider.intake.v1.Intake/SubmitOnce',
        '      postrider-intake client postrider.quota.v1.Quota/Reserve',
        '        postrider-quota server postrider.quota.v1.Quota/Reserve',
        '      postrider-intake client postrider.quota.v1.Quota/Commit',
        '        postrider-quota server postrider.quota.v1.Quota/Commit',
        `      postrider-intake producer send ${topic}`,
        `        postrider-dispatcher consumer process ${topic}`,
        '          postrider-dispatcher internal deliver',
        '            postrider-dispatcher client smtp attempt',
      ],
    )
    const stores = spans.filter(isOfStore)
    for (const name of ['insert idempotency_keys', 'insert emails', 'insert contents', 'update emails'])
      assert.ok(
        stores.some((span) => span.name === name),
        `${name} in ${spanTree(spans).join('\n')}`,
      )
    assert.ok(spans.length <= 32, spanTree(spans).join('\n'))
    assert.deepEqual(
      spans.filter(({ failed }) => failed),
      [],
    )
  })

  it('contain the attributes of the conventions and nothing of the mail', async () => {
    const tenant = await rated()
    const { body, headers, spans } = await tracedSend(() => tenant.send(mail()))
    const attributesOf = (name: string, kind: string): CollectedSpan['attributes'] =>
      spans.find((span) => span.name.startsWith(name) && span.kind === kind)?.attributes ?? {}
    const { 'postrider.request_id': requestId, ...http } = attributesOf('POST', 'server')
    assert.equal(requestId, headers['x-request-id'])
    assert.deepEqual(http, {
      'http.request.method': 'POST',
      'http.route': '/api/v1/emails',
      'http.response.status_code': 202,
      'url.scheme': 'http',
      'server.address': 'localhost',
      'server.port': Number(new URL(cluster.url).port),
      'postrider.email_id': body.id,
    })
    const call = {
      'rpc.system.name': 'grpc',
      'rpc.method': 'postrider.intake.v1.Intake/SubmitOnce',
      'rpc.status_code': 'OK',
    }
    assert.deepEqual(attributesOf('postrider.intake.v1.Intake/SubmitOnce', 'client'), call)
    assert.deepEqual(attributesOf('postrider.intake.v1.Intake/SubmitOnce', 'server'), call)
    const { pathname, hostname, port } = new URL(mongodb)
    assert.deepEqual(attributesOf('insert emails', 'client'), {
      'db.system.name': 'mongodb',
      'db.namespace': pathname.slice(1),
      'db.operation.name': 'insert',
      'db.collection.name': 'emails',
      'server.address': hostname,
      'server.port': Number(port),
    })
    assert.equal(attributesOf('process', 'consumer')['messaging.operation.type'], 'process')
    const { 'postrider.attempt_id': attemptId, ...attempt } = attributesOf('smtp attempt', 'client')
    assert.match(String(attemptId), /^att_/)
    assert.deepEqual(attempt, {
      'network.protocol.name': 'smtp',
      'postrider.email_id': body.id,
      'postrider.recipients': 1,
      'postrider.outcome': 'delivered',
      'server.address': '127.0.0.1',
      'server.port': receiver.port,
    })
    const [dispatcher] = cluster.of('dispatcher')
    const line = dispatcher
      ?.output()
      .split('\n')
      .find((one) => one.includes(body.id) && one.includes('email.attempted'))
    assert.equal(JSON.parse(line ?? '{}').trace_id, spans[0]?.trace)
    assert.doesNotMatch(collector.received(), new RegExp(`${canary}|${tenant.api.key}|${tenant.email}`))
  })

  /** Sends an email that is deferred, makes it due again, and returns the spans of its trace. */
  const tracedRetry = async (tenant: Tenant): Promise<{ id: string; spans: CollectedSpan[] }> => {
    const to = fresh()
    receiver.refuse(to, { code: 451, text: `4.7.1 ${canary}, come again` })
    const { body } = await tenant.send({ ...mail(), to: [to] })
    await tenant.until(body.id, ({ status }) => status === 'deferred')
    receiver.accept(to)
    await makeDue(body.id)
    await tenant.until(body.id, ({ status }) => status === 'delivered')
    await until('both attempts are collected', () => attempts(body.id).length === 2 || undefined)
    return { id: body.id, spans: await traceOf(body.id) }
  }

  it('contain a retry in the trace of its send', async () => {
    const tenant = await rated()
    /** Returns both attempts, and the names of the spans in which mail was found for them. */
    const found = ({ id: email, spans }: Awaited<ReturnType<typeof tracedRetry>>) => {
      const above = (span: CollectedSpan | undefined) => {
        const delivery = spans.find(({ id }) => id === span?.parent)
        return spans.find(({ id }) => id === delivery?.parent)?.name.split(' ')[0]
      }
      const both = attempts(email).toSorted((one, other) => (one.startedAt < other.startedAt ? -1 : 1))
      return { both, above: both.map(above) }
    }
    let last = found(await tracedRetry(tenant))
    // On a busy machine a scan can find new mail before its ring arrives.
    for (let left = 4; left > 0 && last.above[0] !== 'process'; left--) last = found(await tracedRetry(tenant))
    const { both, above } = last
    const [first, second] = both
    assert.equal(first?.trace, second?.trace)
    assert.deepEqual([first?.failed, first?.attributes['error.type']], [true, 'deferred'])
    assert.deepEqual(above, ['process', 'postrider.intake.v1.Intake/SubmitOnce'])
    assert.doesNotMatch(collector.received(), new RegExp(canary))
  })

  /** Makes the next attempt due now. */
  const makeDue = async (id: string): Promise<void> => {
    await using mongo = await connectMongo({ url: mongodb, name: 'test' })
    const emails = mongo.db.collection<EmailDoc>('emails')
    const found = await until(
      'no dispatcher has leased the email',
      async () => (await emails.findOne({ _id: id, leaseUntil: null })) ?? undefined,
    )
    const email = JSON.parse(found.doc) as Email
    const recipients = email.recipients.map((recipient) => ({ ...recipient, nextAt: 1 }))
    const due = { nextAt: 1, dueAt: 1, doc: JSON.stringify({ ...email, recipients }) }
    await emails.updateOne({ _id: id, fence: found.fence }, { $set: due })
  }

  it('continue the trace of the caller, and have no spans if that is not sampled', async () => {
    const tenant = await rated()
    const sampled = await tenant.send(mail(), {
      traceparent: `00-${given.trace}-${given.id}-01`,
      baggage: `user=${canary}`,
    })
    const spans = await traceOf(sampled.body.id)
    assert.equal(spans[0]?.trace, given.trace)
    assert.equal(spans.find(({ name }) => name === 'POST /api/v1/emails')?.parent, given.id)

    const unsampled = given.trace.replaceAll('a', 'b')
    const silent = await tenant.send(mail(), { traceparent: `00-${unsampled}-${given.id}-00` })
    await tenant.until(silent.body.id, ({ status }) => status === 'delivered')
    const after = await tenant.send(mail())
    await traceOf(after.body.id)
    assert.deepEqual([ofTrace(unsampled), attempts(silent.body.id)], [[], []])
  })

  it('do not mark a refusal as failed, and do not include probes and background work', async () => {
    const refused = await client.call({ path: '/api/v1/emails', json: mail() })
    assert.equal(refused.status, 401)
    await client.call({ path: '/readyz' })
    const found = await until('the refusal is collected', () =>
      collector.spans.find(({ attributes }) => attributes['http.response.status_code'] === 401),
    )
    assert.equal(found.failed, false)
    const roots = collector.spans.filter(({ parent }) => parent === undefined)
    assert.deepEqual(
      roots.filter(({ name }) => !/^(GET|POST|PATCH) \/api\//.test(name)),
      [],
    )
  })

  it('include exactly the metrics that docs/observability.md names', async () => {
    const docs = readFileSync(new URL('../../docs/observability.md', import.meta.url), 'utf8')
    const named = new Set([...docs.matchAll(/`(postrider_\w+)`/g)].flatMap(([, name]) => name ?? []))
    const read = async (): Promise<Set<string>> => {
      const texts = await Promise.all(
        cluster.members.map(async ({ opsUrl }) => (await fetch(`${opsUrl}/metrics`)).text()),
      )
      const series = texts.join('\n').matchAll(/^(postrider_\w+?)(?:_bucket|_sum|_count)?[{ ]/gm)
      return new Set([...series].flatMap(([, name]) => name ?? []))
    }
    // Some metrics are sampled every few seconds, and a sweep runs every 5 s.
    await until('all documented metrics exist', async () => named.isSubsetOf(await read()) || undefined)
    const unnamed = [...(await read()).difference(named)].filter((name) => !/_(nodejs|process)_/.test(name))
    assert.deepEqual(unnamed, [])
  })
})
